"""Plans for telling a share from a fixed value, against R's numbers and exact sums."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from scipy import stats

from deniable_analysis.designs import Design, forced_response, unrelated_question, warner
from deniable_analysis.errors import InvalidArgument
from deniable_analysis.planning import Alternative, Detection, TwoGroups, plan_mechanism
from deniable_analysis.planning.power import PlannedTest

# Powers and sizes that R's rr 1.4.2 gives (numbers only); `smallest_n` is the
# least n whose power, by that package, reaches the target.
REFERENCE = json.loads((Path(__file__).parents[1] / "known" / "power_reference.json").read_text())
RATES = [0.01, 0.1, 0.3, 0.5]


def _design(entry: dict[str, Any]) -> Design:
    part = {name: Fraction(entry[name]) for name in ("p", "p1", "p0", "q") if name in entry}
    if entry["design"] == "forced-known":
        return forced_response(yes=part["p1"], no=part["p0"])
    if entry["design"] == "unrelated-known":
        return unrelated_question(sensitive=part["p"], prevalence=part["q"])
    return warner(part["p"])


def _cases(key: str) -> list[Any]:
    return [pytest.param(entry, id=entry["id"]) for entry in REFERENCE if key in entry]


def _test_of(entry: dict[str, Any]) -> dict[str, Any]:
    return {
        "significance": entry["significance"],
        "alternative": Alternative(entry["alternative"]),
    }


def _power(entry: dict[str, Any], respondents: int) -> float:
    design, share, null = _design(entry), entry["share"], entry["null"]
    if isinstance(share, list):
        first, second = share
        return TwoGroups(first, second, null=null, **_test_of(entry)).reached(design, respondents)
    return Detection(share, null, **_test_of(entry)).reached(design, respondents)


@pytest.mark.parametrize("entry", _cases("n"))
def test_powers_are_those_of_the_r_package(entry: dict[str, Any]) -> None:
    """The power of every design with known probabilities is R's, to ten digits."""
    assert _power(entry, entry["n"]) == pytest.approx(entry["power"], rel=1e-10)


@pytest.mark.parametrize("entry", _cases("target"))
def test_sizes_are_the_least_that_reach_the_power(entry: dict[str, Any]) -> None:
    """Enough respondents reach the power, one less does not; beyond 100,000, too."""
    design, share, null, power = _design(entry), entry["share"], entry["null"], entry["target"]
    if isinstance(share, list):
        found = TwoGroups(*share, power=power, null=null, **_test_of(entry)).respondents(design)
    else:
        found = Detection(share, null, power=power, **_test_of(entry)).respondents(design)
    assert found == entry.get("smallest_n", found)
    assert _power(entry, found) >= power > _power(entry, found - 1)


@pytest.mark.parametrize("alternative", Alternative)
def test_power_is_what_the_exact_test_has(alternative: Alternative) -> None:
    """Summed over every count, the test finds the share as often as planned."""
    mechanism, size, share, null = plan_mechanism(1), 600, 0.3, 0.15
    keep, flip = float(mechanism.keep), float(mechanism.flip)
    rate, fixed = flip + share * (keep - flip), flip + null * (keep - flip)
    z = (np.arange(size + 1) - size * fixed) / np.sqrt(size * fixed * (1 - fixed))
    if alternative is Alternative.ONE_SIDED:
        finds = z > stats.norm.isf(0.05)
    else:
        finds = np.abs(z) > stats.norm.isf(0.025)
    exact = float(stats.binom.pmf(np.arange(size + 1), size, rate)[finds].sum())
    planned = Detection(share, null, alternative=alternative).reached(mechanism, size)
    assert planned == pytest.approx(exact, abs=0.015)


@pytest.mark.parametrize("epsilon", [0.5, 1, 2])
@pytest.mark.parametrize("size", [100, 1000])
def test_two_groups_that_are_equal_are_called_different_as_often_as_said(
    size: int, epsilon: float
) -> None:
    """Summed over every pair of counts the level of the two-group test is 5 %, nearly."""
    mechanism = plan_mechanism(epsilon)
    counts = np.arange(size + 1)
    one, other = np.meshgrid(counts, counts, indexing="ij")
    pooled = np.clip((one + other) / (2 * size), 1e-12, 1 - 1e-12)
    finds = np.abs(other - one) > 1.959963984540054 * np.sqrt(2 * size * pooled * (1 - pooled))
    for share in RATES:
        rate = float(mechanism.flip + Fraction(str(share)) * (mechanism.keep - mechanism.flip))
        chance = stats.binom.pmf(counts, size, rate)
        assert chance @ finds @ chance == pytest.approx(0.05, abs=0.01)


def test_a_mechanism_and_the_same_design_plan_alike() -> None:
    """Warner's design with the truth of a mechanism takes exactly as many respondents."""
    mechanism = plan_mechanism(1)
    design = warner(mechanism.keep)
    for alternative in Alternative:
        found = [
            Detection(0.2, 0.1, alternative=alternative).respondents(one)
            for one in (mechanism, design)
        ]
        assert found[0] == found[1]
    shares = [TwoGroups(0.2, 0.1).respondents(one) for one in (mechanism, design)]
    assert shares[0] == shares[1]


def test_one_side_takes_fewer_and_half_the_level_on_two_sides_as_many() -> None:
    """A one-sided test at 2.5 % takes what a two-sided one takes at 5 %, give or take one."""
    mechanism = plan_mechanism(1)
    two = Detection(0.2, 0.1).respondents(mechanism)
    side = Alternative.ONE_SIDED
    assert Detection(0.2, 0.1, alternative=side).respondents(mechanism) < two
    half = Detection(0.2, 0.1, significance=0.025, alternative=side).respondents(mechanism)
    assert abs(half - two) <= 1


def test_a_test_without_spread_finds_all_or_nothing() -> None:
    """Where the truth cannot vary, the power is 0 or 1, and one answer can be enough."""
    test = PlannedTest(1.0, 0.0, 0.0, 1.96, is_two_sided=True)
    assert test.power(1) == 1
    assert test.respondents(0.8) == 1
    assert PlannedTest(0.1, 1.0, 0.0, 1.96, is_two_sided=False).power(100) == 0


def test_refusals_name_the_argument() -> None:
    """A share that is the null, and shares, levels and powers that are none, are named."""
    mechanism = plan_mechanism(1)
    with pytest.raises(
        InvalidArgument, match=r"^null: got 0\.1, which is the share; allowed is ano"
    ):
        Detection(0.1, 0.1).respondents(mechanism)
    with pytest.raises(InvalidArgument, match=r"^null: got 2; allowed is a share from 0 to 1"):
        Detection(0.1, 2).reached(mechanism, 100)
    with pytest.raises(
        InvalidArgument, match=r"^power: got 1; allowed is a number between 0 and 1"
    ):
        Detection(0.1, 0.2, power=1).respondents(mechanism)
    with pytest.raises(
        InvalidArgument, match=r"^significance: got 0; allowed is a number between"
    ):
        Detection(0.1, 0.2, significance=0).respondents(mechanism)
    with pytest.raises(InvalidArgument, match=r"^respondents: got 0; allowed is a whole number"):
        Detection(0.1, 0.2).reached(mechanism, 0)
