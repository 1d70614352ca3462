"""The answers to one block, randomized at once."""

from collections.abc import Iterator
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from deniable_analysis.arguments import check_kind, check_mechanism
from deniable_analysis.errors import InvalidAnswers
from deniable_analysis.mechanisms import ANALYSES
from deniable_analysis.mechanisms.base import Answers, Draw
from deniable_sdk.mechanisms import Domain, Mechanism, OneOf, SomeOf
from deniable_storage.counts import BlockCounts, Integers
from deniable_storage.values import SupportTally

# The largest number of truth values in memory at a time, for answers or for sets of options.
CHUNK_CELLS = 1 << 20


def simulate_values(
    mechanism: Mechanism, answers: ArrayLike, generator: np.random.Generator
) -> Integers:
    """Simulated report values for these answers, one in each row.

    Args:
        mechanism: any mechanism.
        answers: (respondents,) index of the chosen option, or (respondents,
            options) True where an option is chosen if several are allowed.
        generator: generator of numpy; use a seed to repeat a simulation.
    Returns:
        (respondents,) or (respondents, size) indices, or (respondents, sampled,
        2) pairs. As lists, they are the JSON values of reports.
    Raises:
        InvalidAnswers: an answer does not fit the mechanism, or generator is
            not a numpy generator.
        UnsupportedMechanism: mechanism is not a mechanism.
    """
    checked = _checked(mechanism, answers, generator)
    return np.concatenate(list(_chunks(mechanism, checked, generator)))


def simulate_block(
    mechanism: Mechanism, answers: ArrayLike, generator: np.random.Generator
) -> BlockCounts:
    """The counts of simulated reports; memory does not grow with the respondents.

    Arguments and errors are those of simulate_values.
    """
    checked = _checked(mechanism, answers, generator)
    tally = SupportTally(mechanism.form)
    for values in _chunks(mechanism, checked, generator):
        tally.add(values)
    return tally.counts()


def _checked(mechanism: Mechanism, answers: ArrayLike, generator: np.random.Generator) -> Answers:
    check_mechanism(mechanism)
    check_generator(generator)
    return check_answers(mechanism.domain, answers, f"answers to {mechanism.name}")


def check_generator(generator: Any) -> None:
    """Raise InvalidAnswers unless it is a numpy generator."""
    allowed = "one of numpy's, such as numpy.random.default_rng(1)"
    check_kind("generator", generator, np.random.Generator, allowed, InvalidAnswers)


def check_answers(domain: Domain, answers: ArrayLike, subject: str) -> Answers:
    """The answers as an array, if every answer is in the domain.

    Raises:
        InvalidAnswers: an answer is not; the message does not show it.
    """
    try:
        given = np.asarray(answers)
    except ValueError:  # rows of different lengths
        given = np.array(None)
    if isinstance(domain, OneOf):
        is_legal = _are_indices(given, domain)
        allowed = f"whole numbers from 0 to {domain.size - 1}, one for each respondent"
    else:
        is_legal = _are_selections(given, domain)
        allowed = (
            f"truth values, a row for each respondent and a column for each of {domain.options} "
            f"options, at most {domain.at_most} of them true in a row"
        )
    if is_legal:
        return given.astype(np.int64, copy=False) if isinstance(domain, OneOf) else given
    raise InvalidAnswers(
        f"{subject}: got an array of {given.dtype} of shape {given.shape}, or one that is out of "
        f"range; allowed are {allowed}"
    )


def _are_indices(given: Answers, domain: OneOf) -> bool:
    is_list = given.ndim == 1 and given.dtype.kind in "iu"
    return is_list and bool(np.all((given >= 0) & (given < domain.size)))


def _are_selections(given: Answers, domain: SomeOf) -> bool:
    is_table = given.ndim == 2 and given.dtype == np.bool_ and given.shape[1] == domain.options
    return is_table and bool(np.all(given.sum(axis=1) <= domain.at_most))


def _chunks(
    mechanism: Mechanism, answers: Answers, generator: np.random.Generator
) -> Iterator[Integers]:
    rows = max(1, CHUNK_CELLS // columns_of(mechanism))
    simulate = ANALYSES[mechanism.name].simulate
    for start in range(0, max(1, len(answers)), rows):
        chunk = answers[start : start + rows]
        yield simulate(mechanism, chunk, draw_rows(generator, len(chunk)))


def columns_of(mechanism: Mechanism) -> int:
    """The number of truth values in memory for a simulated value of the mechanism."""
    domain = mechanism.domain
    return domain.size if isinstance(domain, OneOf) else domain.options + domain.at_most


def draw_rows(generator: np.random.Generator, rows: int) -> Draw:
    """Draws of this generator, for this number of rows."""
    return lambda bound: generator.integers(bound, size=rows)
