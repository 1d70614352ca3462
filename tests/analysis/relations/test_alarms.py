"""Every estimate warns where chance does not explain how far it lies outside what is possible."""

import csv
import dataclasses
import io
import json
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

from analysis.related import (
    LN3,
    MUST,
    counted_study,
    table_study,
    wave,
    with_mechanisms,
    yes_no_apart,
    yes_no_study,
)
from deniable_analysis import Study, pool_studies, trend
from deniable_analysis.arrays import Floats
from deniable_analysis.estimate.alarms import FALSE_ALARM_RATE, largest_by_chance, sum_warnings
from deniable_analysis.estimate.mechanisms.piecewise_sums import contributions, mean_tails
from deniable_analysis.estimate.tails import group_tails, pair_tails
from deniable_analysis.planning import plan_mean
from deniable_analysis.simulation import simulate_survey
from deniable_sdk import theory
from deniable_sdk.mechanisms import SampledBits, SomeOf, Subset
from deniable_sdk.mechanisms.base import Target
from deniable_sdk.weights import integer_weights
from deniable_web.results.files import csv_cells, flat_rows
from deniable_web.results.findings import EditionFindings
from deniable_web.results.labels import Labels
from sample_definitions import choice, multiple, number, scale, survey, yes_no
from sampling_checks import SEED

TOO_MUCH = "which chance alone hardly explains; were reports made up"


def joint(mechanism: Subset, counts: Sequence[int]) -> Study:
    """A study of a crosstab of a yes/no question and a choice of 6."""
    asked = yes_no("a", **MUST), choice("b", 6, **MUST)
    published = with_mechanisms(survey(*asked, crosstabs=[["a", "b"]]), mechanism)
    return counted_study(published, a_x_b=counts)


def forged_joint(size: int = 1) -> Study:
    """12,000 reports that all say yes to the first question of a crosstab.

    As in a second look at the program, where a share of 1.35 went without a warning.
    """
    mechanism = Subset(12, size, integer_weights(Fraction(2), size))
    return joint(mechanism, [2000 * size] * 6 + [0] * 6)


def forged_twice() -> Study:
    """The same of a question that stands in two crosstabs."""
    asked = [yes_no("a", **MUST), yes_no("b", **MUST), yes_no("c", **MUST)]
    published = survey(*asked, crosstabs=[["a", "b"], ["a", "c"]], ask="all")
    mechanism = Subset(4, 1, LN3)
    said = {block.id: [500, 500, 0, 0] for block in published.blocks}
    return counted_study(with_mechanisms(published, mechanism, mechanism), **said)


def forged_apart() -> Study:
    """Two questions of their own, of whose reports all say yes to both."""
    return table_study(yes_no_apart(), [[2000, 0], [0, 0]])


def forged_drugs() -> Study:
    """Several options at once, of which one is reported by all who were asked about it."""
    published = survey(multiple(options=2, **MUST), yes_no(**MUST), ask="all")
    block, other = published.blocks
    assert isinstance(block.domain, SomeOf)
    mechanism = SampledBits(block.domain, 1, LN3)
    return counted_study(
        published.replace(blocks=(block.replace(mechanism=mechanism), other)),
        asthma=[1000, 1000],
        drugs={(0, 0): 0, (0, 1): 1000, (1, 0): 500, (1, 1): 500},
    )


def forged_mean() -> Study:
    """A mean of a scale of whose reports nearly all say that it is high."""
    published = survey(scale(levels=5, target="mean", **MUST))
    return counted_study(published, stress=[10, 0, 0, 0, 0, 990])


FORGED: Mapping[str, tuple[Callable[[], Study], str, str]] = {
    "a question of a crosstab": (forged_joint, "a", "share of 'yes'"),
    "of a crosstab reported in sets": (lambda: forged_joint(4), "a", "share of 'yes'"),
    "of two crosstabs": (forged_twice, "a", "share of 'yes'"),
    "several options at once": (forged_drugs, "drugs", "share of 'o0'"),
    "a mean": (forged_mean, "stress", "mean lies"),
}


@pytest.mark.parametrize("kind", FORGED)
def test_an_impossible_estimate_is_warned_of(kind: str) -> None:
    """In the question, the text, the document and the rows of files."""
    make, name, named = FORGED[kind]
    study = make()
    estimates = study.estimate(name)
    (question,) = estimates.questions
    (warning, *_) = question.warnings
    assert named in warning
    assert TOO_MUCH in warning
    assert warning in str(estimates)
    assert f"{name}: {warning}" in json.loads(json.dumps(estimates.to_document()))["warnings"]
    found = EditionFindings(study.survey, estimates, {}, {}, {}, {})
    labels = Labels.of(study.survey, "en")
    rows = [csv_cells(row) for row in flat_rows(found, labels) if row.kind == "warning"]
    assert {(row["question"], row["note"]) for row in rows} >= {(name, warning)}
    written = io.StringIO()
    csv.DictWriter(written, rows[0]).writerows(rows)
    assert TOO_MUCH in written.getvalue()


@pytest.mark.parametrize("kind", FORGED)
def test_an_impossible_pooled_estimate_is_warned_of(kind: str) -> None:
    """Each edition's warnings and those of all editions come with what is pooled."""
    make, name, named = FORGED[kind]
    study = make()
    found = pool_studies([study, dataclasses.replace(study, edition=2)], name)
    warnings = found.questions[0].warnings
    assert any(each.startswith("health@2: the raw") and named in each for each in warnings)
    assert any(each.startswith("the raw") and named in each for each in warnings)
    assert warnings[0] in str(found)
    assert warnings[0] in found.to_document()["questions"][0]["warnings"]


def test_editions_that_are_only_together_impossible_are_warned_of() -> None:
    """Each of 10 editions is just within chance above 1; all of them are not."""
    one = yes_no_study(780, 220)
    assert one.estimate().warnings == ()
    found = pool_studies([dataclasses.replace(one, edition=each) for each in range(1, 11)])
    assert "share of 'yes'" in "".join(found.questions[0].warnings)


@pytest.mark.parametrize(
    ("make", "ids"),
    [
        (forged_joint, ("a", "b")),
        (lambda: forged_joint(4), ("a", "b")),
        (forged_apart, ("asthma", "limited")),
    ],
)
def test_impossible_margins_of_a_crosstab_are_warned_of(
    make: Callable[[], Study], ids: tuple[str, str]
) -> None:
    """Of a joint block and of separate ones; also where rows of it are compared."""
    study = make()
    found = study.crosstab(*ids)
    margins = [each for each in found.warnings if "share of 'yes'" in each and TOO_MUCH in each]
    assert margins
    assert margins[0] in found.to_document()["warnings"]
    turned = study.crosstab(*reversed(ids))
    assert margins[0] in turned.warnings


def test_impossible_groups_and_waves_are_warned_of() -> None:
    """A comparison of groups and a trend say what is impossible in their reports."""
    study = forged_joint()
    found = study.compare_groups("a", "b", ("o0", "o1"))
    assert any("share of 'yes' lies" in each for each in found.warnings)
    waves = trend([wave(1, 400, 600), wave(2, 1000, 0)], "asthma")
    assert [each[:13] for each in waves.warnings] == ["health@2: the"] * 2
    assert waves.warnings[0] in str(waves)
    assert list(waves.warnings) == waves.to_document()["warnings"]


@pytest.mark.parametrize("count", [1, 5, 20, 100])
@pytest.mark.parametrize("size", [2, 4, 6])
def test_chance_hardly_ever_makes_a_margin_of_sets_impossible(count: int, size: int) -> None:
    """Of an honest margin that is a sum of cells, exactly, where everybody said yes, or nobody.

    Each report's set holds some cells of the option; the sum over reports is convolved.
    """
    mechanism = Subset(12, size, integer_weights(Fraction(2), size))
    channel, tails = theory.channel(mechanism), group_tails(mechanism, 6)
    for answer in (0, 6):
        held = np.zeros(size + 1)
        for members, chances in channel.items():
            cells = json.loads(members)
            held[sum(cell < 6 for cell in cells)] += float(chances[answer])
        total = np.array([1.0])
        for _ in range(count):
            total = np.convolve(total, held)
        keep, flip = float(mechanism.keep), float(mechanism.flip)
        shares = (np.arange(len(total)) / count - 6 * flip) / (keep - flip)
        assert float(total @ shares) == pytest.approx(float(answer == 0), abs=1e-9)
        is_alarming = [
            bool(sum_warnings(["yes"], [share], np.divide(tails, count), among=2))
            for share in shares
        ]
        assert float(total[is_alarming].sum()) <= FALSE_ALARM_RATE / 2


@pytest.mark.sweep
@pytest.mark.parametrize("first", [(2, 1, 1.0), (6, 2, 2.0)])
@pytest.mark.parametrize("second", [(3, 1, 4.0), (4, 2, 0.5)])
@pytest.mark.parametrize("count", [5, 60])
def test_chance_hardly_ever_makes_a_pair_impossible(
    first: tuple[int, int, float], second: tuple[int, int, float], count: int
) -> None:
    """Of two questions that were randomized separately, for every pair of answers."""
    mechanisms, scores, laws = [], [], []
    for options, size, epsilon in (first, second):
        mechanism = Subset(options, size, integer_weights(Fraction(epsilon), size))
        keep, flip = float(mechanism.keep), float(mechanism.flip)
        mechanisms.append(mechanism)
        scores.append((np.array([1.0, 0.0]) - flip) / (keep - flip))
        laws.append(np.array([[keep, flip], [1 - keep, 1 - flip]]))
    tails = np.divide(pair_tails((mechanisms[0], mechanisms[1]), (1, 1)), count)
    values, law = np.outer(*scores).ravel(), np.kron(*laws)
    for chances in law.T:
        mean = float(values @ chances)
        is_one = mean > 0.5
        assert mean == pytest.approx(float(is_one), abs=1e-9)
        far = largest_by_chance(2) * np.sqrt(tails[int(is_one)])
        toward = values - 1 if is_one else -values
        assert chance_beyond(toward, chances, count, far) <= FALSE_ALARM_RATE / 2


def chance_beyond(values: Floats, chances: Floats, count: int, far: float) -> float:
    """How often the mean of so many values is beyond a distance; a close upper bound.

    Values are rounded up to a fine grid, on which their sum is convolved by Fourier's
    transform.
    """
    least, grid = float(values.min()), float(np.ptp(values)) / 4000
    steps = np.ceil((values - least) / grid).astype(int)
    law = np.bincount(steps, chances)
    size = 1 << int(np.ceil(np.log2(count * len(law))))
    total = np.fft.irfft(np.fft.rfft(law, size) ** count, size)
    means = least + np.arange(size) * grid / count
    return max(0.0, float(total[means > far].sum()))


@pytest.mark.sweep
@pytest.mark.parametrize("target", list(Target))
@pytest.mark.parametrize("is_optional", [False, True])
@pytest.mark.parametrize("epsilon", ["0.5", "2", "4", "6", "8"])
@pytest.mark.parametrize("count", [5, 30, 100])
def test_chance_hardly_ever_makes_a_mean_impossible(
    target: Target, is_optional: bool, epsilon: str, count: int
) -> None:
    """Of numbers from 0 to 100 that are all the smallest, or all the largest, or no answers."""
    mechanism = plan_mean(epsilon, 101, target=target, offers_no_answer=is_optional)
    channel = np.array(list(theory.channel(mechanism).values()), np.float64)
    above, below = contributions(mechanism)
    tails, limit = mean_tails(mechanism), largest_by_chance(1)
    ends = (0, -above - below / 2, tails[0]), (100, above - below / 2, tails[1])
    for answer, beyond, tail in ends:
        for place in (answer, 101) if is_optional else (answer,):
            chances = channel[:, place]
            assert float(beyond @ chances) == pytest.approx(0, abs=1e-9)
            far = limit * np.sqrt(tail / count)
            assert chance_beyond(beyond, chances, count, far) <= FALSE_ALARM_RATE / 2


def test_estimated_variances_would_raise_alarms() -> None:
    """The test above can fail: the variance of the reports themselves is often far too small."""
    mechanism = plan_mean("8", 101, target=Target.SHARES, offers_no_answer=False)
    chances = np.array(list(theory.channel(mechanism).values()), np.float64)[:, 0]
    above, _ = contributions(mechanism)
    generator, alarms = np.random.default_rng(1), 0
    for counts in generator.multinomial(30, chances / chances.sum(), 300):
        mean = float(counts @ above) / 30
        spread = float(counts @ (above - mean) ** 2) / 30 / 29
        alarms += -0.5 - mean > largest_by_chance(1) * np.sqrt(spread)
    assert alarms > 60


HONEST: Mapping[str, tuple[dict[str, Any], int]] = {
    "a number": (number(highest=100, **MUST), 0),
    "a number for its mean": (number(highest=30, target="mean"), 30),
    "a scale for its mean": (scale(levels=7, target="mean", **MUST), 6),
    "a scale": (scale(levels=5), 0),
    "no answer": (number(highest=30), 31),
}


@pytest.mark.parametrize("kind", HONEST)
@pytest.mark.parametrize("epsilon", [1, 4, 8])
def test_honest_people_at_an_end_are_not_accused(kind: str, epsilon: float) -> None:
    """Of 60 surveys of 5 to 100 people who all give the same answer, none has a warning."""
    asked, answer = HONEST[kind]
    published, generator = survey(asked, epsilon=epsilon), np.random.default_rng(SEED)
    for people in (5, 30, 100):
        answers = {asked["id"]: np.full(people, answer)}
        studies = [
            dataclasses.replace(simulate_survey(published, answers, generator), edition=place)
            for place in range(1, 21)
        ]
        warned = [study.estimate(asked["id"]).warnings for study in studies]
        assert not any(warned)
        assert pool_studies(studies[:5], asked["id"]).questions[0].warnings == ()
