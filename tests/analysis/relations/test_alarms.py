"""Every estimate warns where chance does not explain how far it lies outside what is possible."""

import csv
import dataclasses
import io
import json
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction

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
from deniable_analysis.estimators.sanity import FALSE_ALARM_RATE, errors_beyond, largest_by_chance
from deniable_sdk import theory
from deniable_sdk.mechanisms import SampledBits, SomeOf, Subset
from deniable_sdk.weights import integer_weights
from deniable_web.results.files import csv_cells, flat_rows
from deniable_web.results.findings import EditionFindings
from deniable_web.results.labels import Labels
from sample_definitions import choice, multiple, scale, survey, yes_no

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
    assert warning in repr(estimates)
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
    assert warnings[0] in repr(found)
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
    assert waves.warnings[0] in repr(waves)
    assert list(waves.warnings) == waves.to_document()["warnings"]


@pytest.mark.parametrize("count", [1, 5, 20, 100])
@pytest.mark.parametrize("size", [2, 4, 6])
def test_chance_hardly_ever_gives_a_normal_alarm(count: int, size: int) -> None:
    """Of an honest margin that is a sum of cells, exactly, where everybody said yes, or nobody.

    Each report's set holds some cells of the option; the sum over reports is convolved.
    """
    mechanism = Subset(12, size, integer_weights(Fraction(2), size))
    study = joint(mechanism, [0] * 12)
    (block,) = study.survey.blocks
    assert isinstance(block.mechanism, Subset)
    channel = theory.channel(mechanism)
    for answer in (0, 6):
        held = np.zeros(size + 1)
        for members, chances in channel.items():
            cells = json.loads(members)
            held[sum(cell < 6 for cell in cells)] += float(chances[answer])
        total = np.array([1.0])
        for _ in range(count):
            total = np.convolve(total, held)
        keep, flip = float(mechanism.keep), float(mechanism.flip)
        supports = np.arange(len(total)) / count
        shares = (supports - 6 * flip) / (keep - flip)
        mean = float(total @ shares)
        assert mean == pytest.approx(float(answer == 0), abs=1e-9)
        variance = float(total @ (shares - mean) ** 2)
        beyond = np.maximum(shares - 1, 0) + np.minimum(shares, 0)
        deviations = np.abs(errors_beyond(beyond, variance, count))
        alarming = float(total[deviations > largest_by_chance(2)].sum())
        assert alarming <= FALSE_ALARM_RATE / 2
