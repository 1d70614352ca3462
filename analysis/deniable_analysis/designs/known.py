"""Designs whose probabilities are known: named ones, and any matrix.

Designs of yes-or-no questions have the categories no and yes, in this order.
The parameters of the constructors are named after the events whose
probabilities they are.
"""

import math
from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Any

from deniable_analysis.arguments import Number, check_kind, check_mechanism, is_whole, shown
from deniable_analysis.designs.checks import (
    checked_between,
    checked_names,
    checked_probability,
    read_rows,
)
from deniable_analysis.designs.design import Design
from deniable_analysis.errors import InvalidArgument, UnsupportedMechanism
from deniable_sdk import theory
from deniable_sdk.mechanisms import Subset
from deniable_sdk.mechanisms.base import Mechanism

NO_YES = ("no", "yes")

# Nobody draws so many cards; exact binomial probabilities of more are slow.
MOST_DRAWS = 1000

_FACT = (
    "epsilon is valid only if nobody can know the innocuous fact about a respondent (a birthday, "
    "say); to somebody who knows it, an answer can reveal the truth, and epsilon is infinite"
)


def warner(truth: Number) -> Design:
    """Warner's design: chance selects the statement or its opposite.

    Args:
        truth: probability of the statement itself, which is P(yes | true yes);
            not 1/2.
    Raises:
        InvalidArgument: truth is not a probability.
    Source: Warner 1965 (JASA 60).
    """
    keep = checked_probability(truth, "truth")
    return _yes_no(f"Warner's design, truth {keep}", keep, 1 - keep)


def forced_response(*, yes: Number, no: Number) -> Design:
    """Forced response: a die forces a yes, forces a no, or asks for the truth.

    Args:
        yes: probability of a forced yes, whatever is true.
        no: probability of a forced no.
    Raises:
        InvalidArgument: they are not probabilities, or sum to 1 or more.
    Source: Boruch 1971; Blair, Imai and Zhou 2015 (JASA 110).
    """
    forced_yes, forced_no = checked_probability(yes, "yes"), checked_probability(no, "no")
    if forced_yes + forced_no >= 1:
        raise InvalidArgument(
            f"got yes {forced_yes} and no {forced_no}; they must sum to less than 1, so that "
            "some answer truthfully"
        )
    name = f"forced response, yes {forced_yes}, no {forced_no}"
    return _yes_no(name, 1 - forced_no, forced_yes)


def unrelated_question(*, sensitive: Number, prevalence: Number) -> Design:
    """The unrelated question: chance selects it or the sensitive question.

    Args:
        sensitive: probability of the sensitive question.
        prevalence: probability of a yes to the unrelated question.
    Raises:
        InvalidArgument: they are not probabilities.
    Source: Greenberg et al. 1969 (JASA 64).
    """
    asked = checked_probability(sensitive, "sensitive")
    share = checked_probability(prevalence, "prevalence")
    flip = (1 - asked) * share
    name = f"unrelated question, sensitive {asked}, prevalence {share}"
    return _yes_no(name, asked + flip, flip, _FACT)


def crosswise(prevalence: Number) -> Design:
    """The crosswise model: are both answers the same or different?

    Args:
        prevalence: probability of a yes to the innocuous question; not 1/2.
    Raises:
        InvalidArgument: prevalence is not a probability.
    Source: Yu, Tian and Tang 2008 (Metrika 67).
    """
    share = checked_probability(prevalence, "prevalence")
    matrix = ((share, 1 - share), (1 - share, share))
    return Design(
        f"crosswise model, prevalence {share}", ("different", "same"), NO_YES, matrix, _FACT
    )


def triangular(prevalence: Number) -> Design:
    """The triangular model: is the answer to both questions no (neither)?

    Args:
        prevalence: probability of a yes to the innocuous question; below 1.
    Raises:
        InvalidArgument: prevalence is not a probability.
    Source: Yu, Tian and Tang 2008 (Metrika 67).
    """
    share = checked_probability(prevalence, "prevalence")
    if share == 1:
        raise InvalidArgument("prevalence: got 1; allowed is a probability below 1")
    matrix = ((1 - share, Fraction(0)), (share, Fraction(1)))
    return Design(f"triangular model, prevalence {share}", ("neither", "some"), NO_YES, matrix)


def mangat(truth: Number) -> Design:
    """Mangat's design: those with the trait say yes; chance decides for the others.

    Args:
        truth: probability that a respondent without the trait says no.
    Raises:
        InvalidArgument: truth is not a probability above 0.
    Source: Mangat 1994 (JRSS B 56).
    """
    keep = checked_probability(truth, "truth")
    if keep == 0:
        raise InvalidArgument("truth: got 0; allowed is a probability above 0")
    return _yes_no(f"Mangat's design, truth {keep}", Fraction(1), 1 - keep)


def disguised(truth: Number) -> Design:
    """The disguised response: the colour of a card represents the answer.

    Args:
        truth: probability that the drawn card has the colour of the true
            answer.
    Raises:
        InvalidArgument: truth is not a probability.
    Source: Blair, Imai and Zhou 2015 (JASA 110), after Kuk 1990.
    """
    keep = checked_probability(truth, "truth")
    return _yes_no(f"disguised response, truth {keep}", keep, 1 - keep)


def kuk(*, yes: Number, no: Number, draws: Any = 1) -> Design:
    """Kuk's design: the number of red cards drawn from one of two decks.

    The share is estimated from the mean number of red cards.

    Args:
        yes: share of red cards in the deck of those with the trait.
        no: share of red cards in the deck of the others.
        draws: number of cards drawn with replacement; a whole number.
    Raises:
        InvalidArgument: a share is not between 0 and 1, both are equal, or there
            is no draw.
    Source: Kuk 1990 (Biometrika 77).
    """
    with_trait, without = checked_between(yes, "yes"), checked_between(no, "no")
    if not is_whole(draws, 1, MOST_DRAWS):
        raise InvalidArgument(
            f"draws: got {shown(draws)}; allowed is a whole number from 1 to {MOST_DRAWS}"
        )
    if with_trait == without:
        raise InvalidArgument(f"got {with_trait} red cards in both decks; they must differ")
    reds = range(draws + 1)
    matrix = tuple(
        tuple(_binomial(red, draws, part) for part in (without, with_trait)) for red in reds
    )
    scores = [(Fraction(red, draws) - without) / (with_trait - without) for red in reds]
    drawn = "1 draw" if draws == 1 else f"{draws} draws"
    return Design(
        f"Kuk's design, red cards yes {with_trait}, no {without}, {drawn}",
        tuple(str(red) for red in reds),
        NO_YES,
        matrix,
        estimator=(tuple(1 - score for score in scores), tuple(scores)),
    )


def _yes_no(name: str, true_yes: Fraction, true_no: Fraction, caveat: str = "") -> Design:
    """A design, from its probabilities of a yes."""
    matrix = ((1 - true_no, 1 - true_yes), (true_no, true_yes))
    return Design(name, NO_YES, NO_YES, matrix, caveat)


def _binomial(hits: int, trials: int, probability: Fraction) -> Fraction:
    ways = math.comb(trials, hits)
    return ways * probability**hits * (1 - probability) ** (trials - hits)


# The channel of a mechanism is computed for one output after another.
MOST_OUTPUTS = 10_000


def direct(categories: Sequence[str] = NO_YES) -> Design:
    """A question that is asked directly: the observed category is the true one.

    Raises:
        InvalidArgument: there are fewer than two categories, or two are equal.
    """
    names = checked_names(categories, "categories")
    matrix = tuple(tuple(Fraction(row == column) for column in names) for row in names)
    return Design("direct question", names, names, matrix)


def forced_choice(forced: Mapping[str, Number]) -> Design:
    """Forced response with several options: the truth unless one is forced.

    Args:
        forced: for each option, the probability that it is forced.
    Raises:
        InvalidArgument: they are no probabilities, or sum to 1 or more.
    Source: Himmelfarb 2008 (Sociological Methods & Research 36).
    """
    allowed = (
        "a mapping from each option to the probability of being told to give it, like "
        "{'yes': 0.1, 'no': 0.2}"
    )
    check_kind("forced", forced, Mapping, allowed)
    names = checked_names(tuple(forced), "forced")
    parts = [checked_probability(forced[name], name) for name in names]
    truth = 1 - sum(parts)
    if truth <= 0:
        raise InvalidArgument(
            f"got probabilities that sum to {float(sum(parts)):.6g}; they must sum to less than "
            "1, so that some answer truthfully"
        )
    matrix = tuple(
        tuple(part + truth * (row == column) for column in range(len(parts)))
        for row, part in enumerate(parts)
    )
    told = ", ".join(f"{name} {part}" for name, part in zip(names, parts, strict=True))
    return Design(f"forced response, {told}", names, names, matrix)


def from_matrix(
    matrix: Any,
    *,
    observed: Sequence[str] | None = None,
    true: Sequence[str] | None = None,
    name: str = "misclassification matrix",
) -> Design:
    """Any design, from its matrix P(observed | true).

    Args:
        matrix: (observed, true) probabilities; every column sums to 1.
        observed: names of the observed categories; by default "0", "1", ...
        true: names of the true categories; by default those of the observed
            ones if the matrix is square.
        name: name of the design, for people.
    Raises:
        InvalidArgument: the entries are not probabilities, or a column does not
            sum to 1.
    """
    rows = read_rows(matrix.to_numpy() if hasattr(matrix, "to_numpy") else matrix)
    width = len(rows[0]) if rows else 0
    seen = _counted(len(rows)) if observed is None else checked_names(observed, "observed")
    likely = seen if len(seen) == width else _counted(width)
    truths = likely if true is None else checked_names(true, "true")
    return Design(name, seen, truths, tuple(map(tuple, rows)))


def from_mechanism(mechanism: Mechanism, true: Sequence[str] | None = None) -> Design:
    """The exact channel of one of this project's mechanisms, for reports in a table.

    Args:
        mechanism: mechanism of a block, with at most 10,000 outputs.
        true: names of its answers, as in question.names; by default "0", "1",
            ...
    Returns:
        A design whose observed categories are the reported values as JSON text,
        or the names if a report is a single option.
    Raises:
        UnsupportedMechanism: it is not a mechanism, or has more than 10,000
            outputs.
        InvalidArgument: the numbers of names and answers differ.
    """
    check_mechanism(mechanism)
    if isinstance(mechanism, Subset):
        outputs = math.comb(mechanism.domain_size, mechanism.size)
        if outputs > MOST_OUTPUTS:
            raise UnsupportedMechanism(
                f"got a mechanism with {outputs} outputs; allowed are {MOST_OUTPUTS}; open its "
                "study instead"
            )
    channel = theory.channel(mechanism)
    names = _counted(mechanism.domain.size) if true is None else checked_names(true, "true")
    is_single = isinstance(mechanism, Subset) and mechanism.size == 1
    observed = names if is_single else tuple(channel)
    return Design(mechanism.name, observed, names, tuple(channel.values()))


def _counted(size: int) -> tuple[str, ...]:
    return tuple(str(index) for index in range(size))
