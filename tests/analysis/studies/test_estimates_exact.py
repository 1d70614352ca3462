"""Every mechanism's estimates, by enumeration of its channel."""

from collections.abc import Callable
from fractions import Fraction
from functools import cache

import numpy as np
import pytest

from analysis.enumerated import answers_of, estimates, expected_counts, places, surveys
from deniable_analysis import Estimates
from deniable_analysis.results import QuestionEstimate
from deniable_sdk import PublishedSurvey, theory
from deniable_sdk.mechanisms import Answer, Piecewise, SampledBits
from deniable_sdk.survey.block import Block
from there import there

SURVEYS = surveys()
CASES = pytest.mark.parametrize("published", SURVEYS.values(), ids=SURVEYS)

# What is estimated, if there is an estimate, and what it truly is of one respondent.
Estimated = Callable[[Estimates], float | None]
Truth = Callable[[Answer], float]


def share_of(question: int, option: int) -> Estimated:
    """Reads the raw share of an option out of the estimates."""
    return lambda found: found.questions[question].options[option].share


def cell_of(cell: int) -> Estimated:
    """Reads the raw share of a crosstab's cell out of the estimates."""
    return lambda found: found.crosstabs[0].cells[cell].share


def has_option(block: Block, question: int, index: int) -> Truth:
    """Whether a respondent chose this option of this question."""
    return lambda answer: float(index in places(block, answer)[question])


def is_answer(cell: int) -> Truth:
    """Whether this is the respondent's joint answer."""
    return lambda answer: float(answer == cell)


def estimated_shares(published: PublishedSurvey) -> dict[str, tuple[Estimated, Truth]]:
    """Every share that is estimated, with the truth of one respondent."""
    (block,) = published.blocks
    empty = estimates(published, {})
    found = {}
    for index, question in enumerate(empty.questions):
        names = list(block.questions[index].names)
        for row, option in enumerate(question.options):
            truth = has_option(block, index, names.index(option.option))
            found[f"{question.question} {option.option}"] = share_of(index, row), truth
    for crosstab in empty.crosstabs:
        for cell, each in enumerate(crosstab.cells):
            found[f"cell {each.options}"] = cell_of(cell), is_answer(cell)
    return found


@cache
def per_report(published: PublishedSurvey) -> dict[str, Estimates]:
    """The estimates from each output alone, as the only report."""
    (block,) = published.blocks
    return {
        output: estimates(published, {output: 1}) for output in theory.channel(block.mechanism)
    }


def uneven(block: Block) -> dict[Answer, Fraction]:
    """True shares of the answers, all different."""
    answers = answers_of(block)
    whole = len(answers) * (len(answers) + 1) // 2
    return {answer: Fraction(part, whole) for part, answer in enumerate(answers, 1)}


def _rounds(mechanism: object) -> bool:
    """Whether answers are rounded, here to so few positions that parts cannot be told apart."""
    return isinstance(mechanism, Piecewise) and mechanism.rounds


@pytest.mark.sweep
@CASES
def test_shares_are_unbiased(published: PublishedSurvey) -> None:
    """Over the outputs of any answer the estimated shares are on average the true ones."""
    (block,) = published.blocks
    alone = per_report(published)
    order = list(block.mechanism.domain.answers())
    shares = estimated_shares(published)
    assert shares or _rounds(block.mechanism) or block.questions[0].required
    for name, (estimated, truth) in shares.items():
        for answer in answers_of(block):
            chance = total = 0.0
            for output, row in theory.channel(block.mechanism).items():
                value = estimated(alone[output])
                if value is not None:  # bits of other options were drawn
                    total += float(row[order.index(answer)]) * value
                    chance += float(row[order.index(answer)])
            assert total / chance == pytest.approx(truth(answer), abs=1e-9), name


@CASES
def test_both_parts_of_a_share_s_variance_are_the_enumerated_ones(
    published: PublishedSurvey,
) -> None:
    """At expected counts the two parts of each variance are those of the channel."""
    (block,) = published.blocks
    truths = uneven(block)
    reports, counts = expected_counts(block.mechanism, truths)
    found = estimates(published, counts)
    alone = per_report(published)
    order = list(block.mechanism.domain.answers())
    rows = {
        f"{question.question} {option.option}": option
        for question in found.questions
        for option in question.options
    } | {f"cell {cell.options}": cell for each in found.crosstabs for cell in each.cells}
    for name, (estimated, truth) in estimated_shares(published).items():
        mechanism_part = mean = square = 0.0
        for answer, share in truths.items():
            moments = np.zeros(3)
            for output, row in theory.channel(block.mechanism).items():
                value = estimated(alone[output])
                if value is not None:
                    moments += float(row[order.index(answer)]) * np.array([1, value, value**2])
            _, first, second = moments / moments[0]
            mechanism_part += float(share) * (second - first**2)
            mean += float(share) * truth(answer)
            square += float(share) * truth(answer) ** 2
        row_found = rows[name]
        assert row_found.share == pytest.approx(mean, abs=1e-9)
        assert row_found.mechanism_variance is not None
        assert row_found.sampling_variance is not None
        drawn = row_found.reports
        if isinstance(block.mechanism, SampledBits):
            assert drawn * block.mechanism.domain.options == reports * block.mechanism.sampled
        else:
            assert drawn == reports
        assert row_found.mechanism_variance * drawn == pytest.approx(mechanism_part, abs=1e-8)
        assert row_found.sampling_variance * drawn == pytest.approx(square - mean**2, abs=1e-8)


def with_means() -> dict[str, PublishedSurvey]:
    """The surveys whose first or only scale or number has a mean."""
    return {
        name: published
        for name, published in SURVEYS.items()
        if any(question.mean for question in estimates(published, {}).questions)
    }


MEANS = pytest.mark.parametrize("published", with_means().values(), ids=with_means())


def question_with_mean(found: Estimates) -> tuple[int, QuestionEstimate]:
    """The question that has a mean, and its place."""
    return next(
        (index, question) for index, question in enumerate(found.questions) if question.mean
    )


def score(block: Block, question: int, answer: Answer) -> float | None:
    """The number that one respondent gave; None for no answer."""
    (place,) = places(block, answer)[question]
    name = block.questions[question].names[place]
    return None if name == "no_answer" else float(name)


@MEANS
def test_means_are_the_truth_at_expected_counts(published: PublishedSurvey) -> None:
    """From expected counts the mean of those who answered is the true one."""
    (block,) = published.blocks
    truths = uneven(block)
    _, counts = expected_counts(block.mechanism, truths)
    index, found = question_with_mean(estimates(published, counts))
    given = [(score(block, index, answer), float(share)) for answer, share in truths.items()]
    answered = [(number, share) for number, share in given if number is not None]
    expected = sum(number * share for number, share in answered) / sum(
        share for _, share in answered
    )
    assert found.mean
    assert found.mean.value == pytest.approx(expected, abs=1e-9)


@pytest.mark.sweep
@MEANS
def test_both_parts_of_a_mean_s_variance_are_the_enumerated_ones(
    published: PublishedSurvey,
) -> None:
    """At expected counts the variance is that of the linearized estimate, part by part.

    What one more report adds is the estimate's derivative, taken numerically.
    """
    (block,) = published.blocks
    truths = uneven(block)
    least, counts = expected_counts(block.mechanism, truths)
    times = -(-(10**9) // least)
    reports = least * times
    many = {output: count * times for output, count in counts.items()}
    index, found = question_with_mean(estimates(published, many))
    assert found.mean
    assert found.mean.value is not None
    assert found.mean.variance is not None
    added = 10**5
    pulls = {}
    for output, count in many.items():
        more = estimates(published, {**many, output: count + added}).questions[index].mean
        assert more
        assert more.value is not None
        pulls[output] = (more.value - found.mean.value) * (reports + added) / added
    order = list(block.mechanism.domain.answers())
    within = between = 0.0
    for answer, share in truths.items():
        row = {
            output: float(each[order.index(answer)])
            for output, each in theory.channel(block.mechanism).items()
        }
        first = sum(row[output] * pull for output, pull in pulls.items())
        second = sum(row[output] * pull**2 for output, pull in pulls.items())
        within += float(share) * (second - first**2)
        between += float(share) * first**2
    assert found.mean.variance * reports == pytest.approx(within + between, rel=1e-3)
    if _rounds(block.mechanism):
        assert found.mean.mechanism_variance is None
        assert found.mean.sampling_variance is None
        return
    assert found.mean.mechanism_variance is not None
    assert found.mean.sampling_variance is not None
    assert found.mean.mechanism_variance * reports == pytest.approx(within, rel=1e-3)
    assert found.mean.sampling_variance * reports == pytest.approx(between, rel=1e-3)


@pytest.mark.parametrize(
    "published",
    [each for name, each in SURVEYS.items() if "required" in name],
    ids=[name for name in SURVEYS if "required" in name],
)
def test_means_and_their_variances_are_unbiased_where_everybody_answers(
    published: PublishedSurvey,
) -> None:
    """Over all pairs of reports the mean, its variance and its parts have the true averages."""
    (block,) = published.blocks
    mechanism = block.mechanism
    truths = uneven(block)
    chances = {
        output: sum(
            float(share) * float(likelihood)
            for share, likelihood in zip(truths.values(), row, strict=True)
        )
        for output, row in theory.channel(mechanism).items()
    }
    value = square = variance = sampling = 0.0
    for one, first in chances.items():
        for other, second in chances.items():
            pair = {one: 2} if one == other else {one: 1, other: 1}
            mean = estimates(published, pair).questions[0].mean
            assert mean
            assert mean.value is not None
            assert mean.variance is not None
            value += first * second * mean.value
            square += first * second * mean.value**2
            variance += first * second * mean.variance
            if not _rounds(mechanism):
                sampling += first * second * there(mean.sampling_variance)
    numbers = np.array([score(block, 0, answer) for answer in truths], dtype=np.float64)
    shares = np.array([float(share) for share in truths.values()])
    assert value == pytest.approx(shares @ numbers, abs=1e-9)
    assert variance == pytest.approx(square - value**2, abs=1e-9)
    if not _rounds(mechanism):
        spread = shares @ numbers**2 - (shares @ numbers) ** 2
        assert sampling == pytest.approx(spread / 2, abs=1e-9)
