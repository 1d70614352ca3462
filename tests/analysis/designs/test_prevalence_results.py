"""What comes back: intervals, forms, warnings, and the comparison with direct answers."""

import contextlib
import dataclasses
import json
import math
from fractions import Fraction

import numpy as np
import pytest
from scipy import stats

from analysis.known.prevalences import KNOWN
from deniable_analysis import Interval, IntervalRule, share_interval
from deniable_analysis.defaults import FOR_ONE_LOOK
from deniable_analysis.designs import (
    ByGroup,
    Design,
    compare_with_direct,
    crosswise,
    direct,
    forced_response,
    prevalence,
    stochastic_lie_detector,
    unrelated_question,
    warner,
)
from deniable_analysis.errors import NotIdentified
from deniable_analysis.estimate.channel import Channel

DETECTOR = stochastic_lie_detector({1: 0.2, 2: 0.8})
BOTH = ByGroup("mode", {"openly": direct(), "die": warner(0.75)})


@pytest.mark.parametrize("interval", FOR_ONE_LOOK)
def test_binary_intervals_are_binomial_ones(interval: Interval) -> None:
    """With two categories the interval is the binomial one, taken through the design."""
    found = prevalence([550, 450], design=warner(0.7), interval=interval, confidence=0.9)
    rule = IntervalRule(interval, 0.9)
    low, high = share_interval([550, 450], 1000, Channel(0.7, 0.3), rule)
    for index, option in enumerate(found.options):
        assert (option.low, option.high) == pytest.approx((low[index], high[index]))
    assert found.interval == interval.value


def test_a_design_that_turns_answers_round_turns_the_interval() -> None:
    """Where a yes makes the trait less likely, low and high change places."""
    straight = prevalence([640, 360], design=warner(0.75))["yes"]
    turned = prevalence([360, 640], design=crosswise(0.25))["yes"]
    assert (turned.low, turned.high) == pytest.approx((straight.low, straight.high))
    assert turned.low is not None
    assert turned.share is not None
    assert turned.low < turned.share


def test_intervals_of_more_categories_are_normal() -> None:
    """With three categories an interval reaches so many standard errors to both sides."""
    found = prevalence([500, 300, 200], design=KNOWN["a matrix of three"].design)
    assert found.interval == "wald"
    for option in found.options:
        assert option.standard_error is not None
        assert option.share is not None
        reach = 1.959963984540054 * option.standard_error
        assert (option.low, option.high) == pytest.approx(
            (option.share - reach, option.share + reach)
        )


def test_simultaneous_intervals_are_bonferronis() -> None:
    """All intervals at once are those at a third of the error; of two shares there is one."""
    design = KNOWN["a matrix of three"].design
    joint = prevalence([500, 300, 200], design=design, simultaneous=True)
    single = prevalence([500, 300, 200], design=design, confidence=1 - 0.05 / 3)
    assert [each.low for each in joint.options] == pytest.approx([o.low for o in single.options])
    two = prevalence([55, 45], design=warner(0.7))
    assert prevalence([55, 45], design=warner(0.7), simultaneous=True).options == two.options


def test_the_parts_of_the_variance() -> None:
    """Mechanism and sampling part are Warner's, and add up to the squared error."""
    yes = prevalence([600, 400], design=warner(0.75))["yes"]
    share, keep = 0.3, 0.75
    mechanism = keep * (1 - keep) / (1000 * (2 * keep - 1) ** 2)
    assert yes.share == pytest.approx(share)
    assert yes.mechanism_variance == pytest.approx(mechanism)
    total = 0.4 * 0.6 / (999 * 0.25)
    assert yes.standard_error == pytest.approx(math.sqrt(total))
    assert yes.sampling_variance == pytest.approx(total - mechanism)
    likeliest = prevalence([600, 400], design=warner(0.75), method="likelihood")["yes"]
    assert likeliest.sampling_variance == pytest.approx(share * (1 - share) / 1000)
    assert likeliest.mechanism_variance == pytest.approx(mechanism)


def test_a_share_on_a_bound_is_named_and_has_no_error() -> None:
    """The likelihood's boundary is named; an interval that lies wholly outside is left out."""
    found = prevalence([990, 10], design=warner(0.75), method="likelihood")
    assert found.boundary == ("no", "yes")
    yes = found["yes"]
    assert (yes.share, yes.standard_error, yes.low, yes.high) == (0.0, None, None, None)
    assert "on a bound: no, yes; no standard error there" in str(found)
    near = prevalence([76, 24], design=warner(0.75), method="likelihood")["yes"]
    assert (near.share, near.low) == (0.0, 0.0)
    assert near.high == pytest.approx(prevalence([76, 24], design=warner(0.75))["yes"].high)


def test_what_is_not_on_the_bound_keeps_its_error() -> None:
    """With everybody in one category the detector is a plain share of yes."""
    found = prevalence([[42, 92], [48, 123]], design=DETECTOR, method="likelihood")
    (truth,) = found.parameters
    assert found.boundary == ("no", "yes")
    assert truth.value == pytest.approx(215 / 305)
    expected = math.sqrt(truth.value * (1 - truth.value) / 305)
    assert truth.standard_error == pytest.approx(expected)


def test_impossible_estimates_carry_a_warning() -> None:
    """A share far beyond 0 or 1 is warned of by either method, one a little beyond is not."""
    for method in ("moment", "likelihood"):
        found = prevalence([990, 10], design=warner(0.75), method=method)
        first, second = found.warnings
        assert "the unbiased estimate of 'no' is 1.4800, further above 1 than chance" in first
        assert "'yes' is -0.4800, further below 0 than chance alone explains" in second
        assert "warning: the unbiased estimate" in str(found)
        assert prevalence([76, 24], design=warner(0.75), method=method).warnings == ()


@pytest.mark.parametrize("rows", [2, 12, 60, 400])
@pytest.mark.parametrize(
    "design",
    [
        warner(0.9),
        forced_response(yes=Fraction(1, 100), no=Fraction(1, 6)),
        unrelated_question(sensitive=0.9, prevalence=0.02),
    ],
    ids=str,
)
def test_honest_answers_hardly_ever_have_a_warning(design: Design, rows: int) -> None:
    """Summed over all counts, where nobody or everybody has the trait: once in 10,000."""
    is_warned = [
        bool(prevalence([rows - yes, yes], design=design).warnings) for yes in range(rows + 1)
    ]
    for rate in np.asarray(design.probabilities)[1]:
        assert stats.binom.pmf(np.arange(rows + 1), rows, rate)[is_warned].sum() <= 1e-4


def test_honest_answers_to_two_groups_hardly_ever_have_a_warning() -> None:
    """Of the detector, whose truth is estimated: at every end of the share and of the truth."""
    rows = 25

    def is_warned(one: int, other: int) -> bool:
        with contextlib.suppress(NotIdentified):
            counts = [[rows - one, one], [rows - other, other]]
            return bool(prevalence(counts, design=DETECTOR).warnings)
        return False

    numbers = range(rows + 1)
    alarms = np.array([[is_warned(one, other) for other in numbers] for one in numbers])
    assert alarms.any()
    for truth in (0.0, 1.0):
        for rates in np.transpose([matrix[1] for matrix in DETECTOR.matrices([truth])]):
            laws = [np.asarray(stats.binom.pmf(numbers, rows, rate)) for rate in rates]
            chances = np.asarray(np.outer(*laws))
            assert chances[alarms].sum() <= 1e-4


def test_a_design_read_the_wrong_way_round_is_often_impossible() -> None:
    """Rare traits read through the transposed die are warned of."""
    die = forced_response(yes=Fraction(1, 6), no=Fraction(2, 6))
    assert prevalence([8300, 1700], design=die).warnings == ()
    turned = forced_response(yes=Fraction(2, 6), no=Fraction(1, 6))
    assert prevalence([8300, 1700], design=turned).warnings


def test_the_forms_of_a_prevalence() -> None:
    """A result gives a frame, plain JSON, HTML and text, all with the same numbers."""
    found = prevalence({"a": ["no"] * 30 + ["yes"] * 20}, "a", design=warner(0.7))
    frame = found.to_frame()
    assert frame["category"].tolist() == ["no", "yes"]
    assert frame["share"].tolist() == pytest.approx([0.75, 0.25])
    document = json.loads(json.dumps(found.to_document(), allow_nan=False))
    assert document["options"][1]["share"] == pytest.approx(0.25)
    assert document["rows"] == 50
    assert '<th scope="row">yes</th>' in found._repr_html_()
    assert "a (Warner's design, truth 7/10): 50 rows" in str(found)
    assert found.covariance[0][1] == pytest.approx(-found.covariance[0][0])
    with pytest.raises(dataclasses.FrozenInstanceError):
        found.rows = 3  # type: ignore[misc]
    with pytest.raises(KeyError, match="maybe"):
        found["maybe"]


def test_a_result_on_a_bound_is_still_plain_json() -> None:
    """What has no error is null in the document."""
    found = prevalence([[42, 92], [48, 123]], design=DETECTOR, method="likelihood")
    document = json.loads(json.dumps(found.to_document(), allow_nan=False))
    assert document["covariance"][0] == [None, None, None]
    assert document["parameters"][0]["standard_error"] == pytest.approx(0.0261150390738)
    assert document["boundary"] == ["no", "yes"]


def test_a_prevalence_can_be_plotted() -> None:
    """The shares are drawn with their intervals."""
    (axes,) = prevalence([30, 20], design=warner(0.7)).plot().axes
    assert [label.get_text() for label in axes.get_yticklabels()] == ["no", "yes"]


def test_the_comparison_with_direct_answers() -> None:
    """The difference, its error and z are those of two independent shares."""
    found = compare_with_direct({"openly": [300, 100], "die": [500, 500]}, design=BOTH)
    yes = found["yes"]
    assert (yes.randomized, yes.direct) == pytest.approx((0.5, 0.25))
    error = math.sqrt(0.25 / 999 / 0.25 + 0.25 * 0.75 / 399)
    assert yes.standard_error == pytest.approx(error)
    assert yes.z == pytest.approx(0.25 / error)
    assert yes.p_value == pytest.approx(2 * stats.norm.sf(0.25 / error))
    assert (yes.low, yes.high) == pytest.approx(
        (0.25 - 1.959963984540054 * error, 0.25 + 1.959963984540054 * error)
    )
    assert (found.randomized_rows, found.direct_rows) == (1000, 400)


def test_the_likelihood_ratio_of_equal_shares() -> None:
    """It is twice the log likelihood that is lost on a grid of common shares."""
    found = compare_with_direct({"openly": [300, 100], "die": [500, 500]}, design=BOTH)
    grid = np.linspace(0.2, 0.5, 300_001)
    die = 0.25 + grid / 2
    common = 300 * np.log(1 - grid) + 100 * np.log(grid) + 500 * np.log(die * (1 - die))
    apart = 300 * math.log(0.75) + 100 * math.log(0.25) + 1000 * math.log(0.5)
    expected = 2 * (apart - common.max())
    assert found.likelihood_ratio == pytest.approx(expected, rel=1e-8)
    assert found.degrees_of_freedom == 1
    assert found.p_value == pytest.approx(stats.chi2.sf(expected, 1), rel=1e-6)


def test_equal_shares_have_no_likelihood_ratio() -> None:
    """Where both kinds of answers say the same the ratio is 0 and p is 1."""
    found = compare_with_direct({"openly": [300, 100], "die": [625, 375]}, design=BOTH)
    assert found.likelihood_ratio == pytest.approx(0, abs=1e-9)
    assert found.p_value > 0.999


def test_the_forms_of_a_comparison() -> None:
    """A comparison gives a frame, plain JSON and text."""
    found = compare_with_direct(
        {"openly": [400, 0], "die": [500, 500]}, design=BOTH, method="likelihood"
    )
    yes = found["yes"]
    assert (yes.standard_error, yes.z, yes.p_value, yes.low) == (None, None, None, None)
    assert found.to_frame()["difference"].tolist() == pytest.approx([-0.5, 0.5])
    document = json.loads(json.dumps(found.to_document(), allow_nan=False))
    assert document["differences"][1]["category"] == "yes"
    assert document["direct_rows"] == 400
    assert "1000 rows by several designs, 400 asked openly" in str(found)
    assert "equal shares: likelihood ratio" in found._repr_html_()
