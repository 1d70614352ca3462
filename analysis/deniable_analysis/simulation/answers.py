"""The answers of many respondents, randomized at once: to one block, and to a whole survey."""

import copy
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from deniable_analysis.arguments import check_kind, check_mechanism
from deniable_analysis.arrays import Bools
from deniable_analysis.errors import InvalidArgument
from deniable_analysis.estimate.mechanisms import ANALYSES
from deniable_analysis.estimate.mechanisms.base import Answers, Draw
from deniable_analysis.estimate.mechanisms.subset import Places, mark_subsets
from deniable_analysis.simulation.devices import answers_of_block, routed
from deniable_analysis.study import Study
from deniable_sdk import PublishedSurvey
from deniable_sdk.mechanisms import Domain, Mechanism, OneOf, SomeOf
from deniable_sdk.survey.block import Block
from deniable_storage.counts import BlockCounts, Integers, JointCounts, SurveyCounts
from deniable_storage.values import SupportTally, TupleTally

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
        InvalidArgument: an answer does not fit the mechanism, or generator is
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
    """Raise InvalidArgument unless it is a numpy generator."""
    allowed = "one of numpy's, such as numpy.random.default_rng(1)"
    check_kind("generator", generator, np.random.Generator, allowed)


def check_answers(domain: Domain, answers: ArrayLike, subject: str) -> Answers:
    """The answers as an array, if every answer is in the domain.

    Raises:
        InvalidArgument: an answer is not; the message does not show it.
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
    raise InvalidArgument(
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


def simulate_survey(
    survey: PublishedSurvey, answers: Mapping[str, ArrayLike], generator: np.random.Generator
) -> Study:
    """The study of simulated respondents with these answers, ready for estimates.

    Each respondent is asked some of the blocks, which are drawn as on a device.
    The study contains only counts, so memory does not grow with the
    respondents.

    Args:
        survey: published survey.
        answers: for each question of a block (scores are questions too),
            (respondents,) index of the chosen answer among its names; "no
            answer" is the last name. If several answers are allowed,
            (respondents, names) True where one is chosen. As on a device, answers to
            questions that the others do not lead to count as none.
        generator: generator of numpy; use a seed to repeat a simulation.
    Raises:
        InvalidArgument: the answers to a question are missing, are invalid, or
            differ in number from those to another question.
    """
    allowed = "a published one, such as compile_survey(...) returns"
    check_kind("survey", survey, PublishedSurvey, allowed)
    check_generator(generator)
    simulated = _Simulated(survey, _of_questions(survey, answers), copy.deepcopy(generator))
    counts = simulated.count(generator)
    return Study(survey, 1, lambda _: counts, simulated.joint_counts)


@dataclass(frozen=True, slots=True)
class _Simulated:
    """Simulated respondents whose values can be drawn again from the same state.

    So nothing about a respondent needs to be stored: a later request for the
    joint values of some blocks returns the values that were counted.
    """

    survey: PublishedSurvey
    given: Mapping[str, Answers]
    start: np.random.Generator

    def count(self, generator: np.random.Generator) -> SurveyCounts:
        """The counts of every block."""
        tallies = {block.id: SupportTally(block.mechanism.form) for block in self.survey.blocks}
        for _, columns in self._chunks(generator):
            for tally, values in zip(tallies.values(), columns, strict=True):
                tally.add(values)
        counts = {name: tally.counts() for name, tally in tallies.items()}
        return SurveyCounts(self._respondents, counts)

    def joint_counts(self, blocks: Sequence[Block]) -> JointCounts:
        """The tuples of values of respondents who were asked all of these."""
        indexes = [self.survey.blocks.index(block) for block in blocks]
        tally = TupleTally(tuple(block.mechanism.form for block in blocks))
        for asked, columns in self._chunks(copy.deepcopy(self.start)):
            asked_all: Bools = np.logical_and.reduce(asked[:, indexes], axis=1)
            tally.add([columns[index][asked_all[asked[:, index]]] for index in indexes])
        return tally.joint_counts()

    @property
    def _respondents(self) -> int:
        return len(self.given[self.survey.reported[0].id])

    def _chunks(
        self, generator: np.random.Generator
    ) -> Iterator[tuple[Bools, Sequence[Integers]]]:
        """The respondents asked each block, and the values that they report."""
        survey = self.survey
        columns = sum(columns_of(block.mechanism) for block in survey.blocks)
        rows = max(1, CHUNK_CELLS // columns)
        for start in range(0, self._respondents, rows):
            asked = _draw_asked(survey, min(rows, self._respondents - start), generator)
            yield (
                asked,
                [
                    simulate_values(
                        block.mechanism,
                        answers_of_block(block, self.given, start + is_asked.nonzero()[0]),
                        generator,
                    )
                    for block, is_asked in zip(survey.blocks, asked.T, strict=True)
                ],
            )


def _of_questions(survey: PublishedSurvey, answers: Mapping[str, ArrayLike]) -> dict[str, Answers]:
    asked = {question.id: question.domain for question in survey.reported}
    allowed = "a mapping from each question to the answers of all respondents"
    check_kind("answers", answers, Mapping, allowed)
    if set(answers) != set(asked):
        raise InvalidArgument(
            f"answers: got those of {_listed(answers)}; allowed are those of every question of "
            f"survey {survey.slug!r}: {_listed(asked)}"
        )
    given = {
        name: check_answers(domain, answers[name], f"answers: question {name!r}")
        for name, domain in asked.items()
    }
    lengths = {len(each) for each in given.values()}
    if len(lengths) > 1:
        raise InvalidArgument(
            f"answers: got from {min(lengths)} to {max(lengths)} for a question; allowed are as "
            "many for each as there are respondents"
        )
    return routed(survey, given)


def _listed(names: Iterable[str]) -> str:
    return ", ".join(map(str, names)) or "no question"


def _draw_asked(survey: PublishedSurvey, rows: int, generator: np.random.Generator) -> Bools:
    """The (respondents, blocks) True where a respondent is asked a block."""
    blocks, asked = len(survey.blocks), survey.asked
    marks = np.zeros((rows, blocks), dtype=np.bool_)
    if survey.blocks[0].draw:
        chances = [float(survey.part(block)) for block in survey.blocks]
        marks[np.arange(rows), generator.choice(blocks, rows, p=chances)] = True
        return marks
    mark_subsets(marks, Places(blocks, np.asarray), asked, asked, draw_rows(generator, rows))
    return marks
