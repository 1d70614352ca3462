"""Intervals by profile likelihood, and those of what runs to infinity."""

import math
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray
from scipy import optimize, special, stats

from analysis.health_answers import clear_regression, health, real_answers
from analysis.regression.test_health import MANY, regressions
from analysis.regressions import CASES, DESIGNS, FORCED, people, randomized
from deniable_analysis import Regression, regress
from deniable_analysis.designs import warner
from deniable_analysis.errors import InvalidArgument
from deniable_analysis.regression.evaluation import log_likelihood, totals
from deniable_analysis.regression.maximize import Maximum
from deniable_analysis.regression.profile import Profile
from deniable_analysis.simulation import simulate_survey
from sample_definitions import choice, survey
from sampled_params import sampled_params
from sampling_checks import check_binomial

TABLE = randomized(people(300))
CRITICAL = float(stats.norm.ppf(0.975))


def of_one_share(yes: int, rows: int) -> Regression:
    """A regression of a share alone."""
    table = {"yes": ["yes"] * yes + ["no"] * (rows - yes)}
    return regress("yes ~ 1", table, designs={"yes": FORCED}, interval="profile")


def exact_limits(yes: int, rows: int) -> tuple[float, float]:
    """Where twice the log likelihood has lost the critical value squared, by its formula."""

    def logs(share: float) -> float:
        told = 1 / 6 + share * 4 / 6
        return float(special.xlogy(yes, told) + special.xlogy(rows - yes, 1 - told))

    share = min(1.0, max(0.0, (yes / rows - 1 / 6) * 6 / 4))

    def lost(other: float) -> float:
        return 2 * (logs(share) - logs(other)) - CRITICAL**2

    def limit(end: float) -> float:
        return (
            math.copysign(math.inf, end - 0.5)
            if lost(end) < 0
            else special.logit(optimize.brentq(lost, share, end, xtol=1e-13))
        )

    return limit(0.0), limit(1.0)


@pytest.mark.parametrize(("yes", "rows"), [(50, 100), (20, 100), (5, 100), (98, 100), (0, 9)])
def test_a_share_alone_has_the_limits_of_its_formula(yes: int, rows: int) -> None:
    """Inner shares, those at the ends, and those that may be at an end."""
    (found,) = of_one_share(yes, rows).coefficients
    assert (found.low, found.high) == pytest.approx(exact_limits(yes, rows), abs=1e-4)


SHARES = [((65, 6000), (2900, 3000)), ((65, 6000), (100, 3000)), ((4, 400), (99, 100))]


@pytest.mark.parametrize("shares", SHARES)
def test_limits_of_distant_log_odds(shares: tuple[tuple[int, int], tuple[int, int]]) -> None:
    """Both limits lose the critical value squared where the estimate is beyond 6, too.

    In the first two tables, a limit is at 9.25 or between -6 and 6.
    """
    parts = [
        pd.DataFrame({"told": ["yes"] * yes + ["no"] * (rows - yes), "x": float(place)})
        for place, (yes, rows) in enumerate(shares)
    ]
    designs = {"told": warner(Fraction(99, 100))}
    found = regress("told ~ x", pd.concat(parts), designs=designs, interval="profile")

    def logs(intercept: float, slope: float) -> float:
        odds = (intercept, intercept + slope)
        chances = [0.01 + 0.98 * special.expit(each) for each in odds]
        return float(
            sum(
                special.xlogy(yes, chance) + special.xlogy(rows - yes, 1 - chance)
                for chance, (yes, rows) in zip(chances, shares, strict=True)
            )
        )

    def highest(slope: float) -> float:
        grid = np.linspace(-40, 10, 101)
        near = max(grid, key=lambda each: logs(each, slope))
        bounds = near - 0.5, near + 0.5
        best = optimize.minimize_scalar(
            lambda each: -logs(each, slope), bounds=bounds, options={"xatol": 1e-9}
        )
        return -float(best.fun)

    assert found.log_likelihood is not None
    limits = [limit for limit in (found["x"].low, found["x"].high) if math.isfinite(limit)]
    assert limits
    for limit in limits:
        lost = 2 * (found.log_likelihood - highest(limit))
        assert lost == pytest.approx(CRITICAL**2, abs=1e-3)


@pytest.mark.sweep
@pytest.mark.parametrize("name", ["logit", "normal", "ordered", "hidden predictors alone"])
def test_nothing_higher_is_left_at_the_limits(name: str) -> None:
    """Another optimizer finds the same highest likelihood with a coefficient at its limit."""
    case = CASES[name]
    choices: dict[str, Any] = {"link": case.link, "predictors": case.predictors}
    found = regress(case.formula, TABLE, designs=DESIGNS, interval="profile", **choices)
    one, model = found.coefficients[-1], found.assembly.model
    index, best = model.names.index(one.name), found.fit.parameters
    assert found.log_likelihood is not None
    for limit in (one.low, one.high):
        if math.isinf(limit):
            continue

        def loss(others: NDArray[np.float64], held: float = limit) -> float:
            value = -log_likelihood(model, np.insert(others, index, held))
            return value if math.isfinite(value) else 1e10

        least = optimize.minimize(loss, np.delete(best, index), method="BFGS").fun
        assert 2 * (found.log_likelihood + least) == pytest.approx(CRITICAL**2, rel=1e-3)


def test_all_that_is_shown_has_such_limits() -> None:
    """Residual spread and design parameters on their own scales, and the result says so."""
    income = regress("income ~ age", TABLE, interval="profile")
    assert income.residual_sd is not None
    # Of a normal sample the profile of its spread s is known: n (2 log s + s0^2 / s^2 - 1).
    for end in (income.residual_sd.low, income.residual_sd.high):
        ratio = income.residual_sd.estimate / end
        assert 300 * (ratio**2 - 1 - 2 * math.log(ratio)) == pytest.approx(CRITICAL**2, rel=1e-3)
    told = regress("detected ~ age", TABLE, designs=DESIGNS, interval="profile")
    (share,) = told.design_parameters
    assert 0 <= share.low <= share.estimate <= share.high <= 1
    assert "0.95 profile-likelihood intervals" in str(told)
    assert told.to_document()["interval"] == told.interval == "profile"
    assert regress("income ~ age", TABLE).interval == "wald"


def test_what_runs_to_infinity_has_one_end() -> None:
    """It is shown though nobody asked, and is what profile intervals give."""
    table = TABLE.assign(
        town=["there", "here", "far"] * 100,
        yes=lambda table: np.where(table["town"] == "here", "yes", table["yes"]),
    )
    found, asked = (
        regress("yes ~ town", table, designs=DESIGNS, interval=each) for each in (None, "profile")
    )
    one = found["town[T.here]"]
    assert one.is_infinite
    assert (one.low, one.high) == pytest.approx((one.low, math.inf))
    assert 2 < one.low < 20
    assert one.low == pytest.approx(asked["town[T.here]"].low, abs=1e-4)
    assert one.cells() == ("inf", "", f"{one.low:.4f}", "inf", "", "")
    assert one.to_document()["low"] == one.low
    assert any("no interval except perhaps by profile" in each for each in found.warnings)
    clustered = regress("yes ~ town", table.assign(own=range(300)), designs=DESIGNS, cluster="own")
    assert (clustered["town[T.here]"].low, clustered["town[T.here]"].high) == (-math.inf, math.inf)


def test_studies_give_them_too() -> None:
    """An interval is chosen as for a table."""
    published = health()
    study = simulate_survey(published, real_answers(published), np.random.default_rng(1))
    wald, profile = (study.regress("limitation ~ 1", interval=each) for each in (None, "profile"))
    assert wald.coefficients[0].estimate == profile.coefficients[0].estimate
    assert profile.interval == "profile"
    assert profile.coefficients[0].low == pytest.approx(wald.coefficients[0].low, abs=0.05)
    assert profile.coefficients[0].low < wald.coefficients[0].low


TOWNS = pd.DataFrame(
    {
        "town": np.repeat([f"t{place:02}" for place in range(5)], [8, 4, 4, 4, 4]),
        "yes": ["yes", "no"] * 4 + ["no"] * 16,
    }
)


def towns(**choices: Any) -> Regression:
    """A regression of few rows, in which four coefficients run to infinity."""
    return regress("yes ~ town", TOWNS, designs={"yes": FORCED}, **choices)


@pytest.mark.deep
def test_many_that_run_to_infinity_have_an_end() -> None:
    """The same as where it is asked for; each says what it is, and none has a normal test."""
    found, asked = towns(), towns(interval="profile")
    infinite = [each.name for each in found.coefficients if each.is_infinite]
    assert len(infinite) == 4
    for each in found.coefficients:
        assert (each.low, each.high) == (asked[each.name].low, asked[each.name].high)
        assert each.interval == each.to_document()["interval"] == "profile"
        assert each.z is None
    assert all(found[name].high < math.inf for name in infinite)
    assert found.interval == "profile"


@pytest.mark.deep
def test_work_is_bounded_and_can_be_switched_off(monkeypatch: pytest.MonkeyPatch) -> None:
    """What is not reached has no interval and says how to get one; progress is told."""
    seen: list[tuple[int, int]] = []
    towns(on_progress=lambda done, all_: seen.append((done, all_)))
    assert seen == [(done, 5) for done in range(1, 6)]
    profiles: list[tuple[int, int]] = []
    wald = towns(interval="wald", on_progress=lambda done, all_: profiles.append((done, all_)))
    assert profiles == []
    assert wald.interval == "wald"
    assert any("a normal (Wald) interval can miss" in each for each in wald.warnings)
    monkeypatch.setattr("deniable_analysis.regression.profile._MOST_WORK", 5e6)
    some = towns()
    kinds = [each.interval for each in some.coefficients]
    assert set(kinds) == {"profile", "none"}
    missing = some.coefficients[kinds.index("none")]
    assert math.isnan(missing.low)
    assert missing.cells()[2:] == ("", "", "", "")
    assert any(missing.name in each and "no interval: a normal" in each for each in some.warnings)
    assert "interval" in str(some).splitlines()[2]
    assert towns(interval="profile").interval == "profile"


@pytest.mark.parametrize("options", sampled_params([8, 20]))
def test_a_wide_crosstab_has_all_its_intervals(options: int) -> None:
    """Nobody is left without one for the sake of time: 2 x 8 and 2 x 20 cells at epsilon 2."""
    published = survey(
        choice("a", 2, required=True),
        choice("b", options, required=True),
        crosstabs=[["a", "b"]],
        epsilon=2,
    )
    generator = np.random.default_rng(2)
    given = {
        question.id: generator.integers(len(question.names), size=5000)
        for question in published.questions
    }
    study = simulate_survey(published, given, generator)
    found = study.regress("a ~ b")
    assert len(found.coefficients) == options
    assert "none" not in {each.interval for each in found.coefficients}
    # What runs to infinity has one, and it holds the estimate.
    assert all(each.low < each.high for each in found.coefficients)


@pytest.mark.parametrize(
    ("formula", "choices", "message"),
    [
        ("yes ~ age", {"weights": np.ones(300)}, "got 'profile' with sandwich standard errors"),
        ("yes ~ age", {"cluster": "group"}, "got 'profile' with cluster standard errors, under"),
        ("yes ~ age", {"se": "sandwich"}, "allowed is wald, or se='observed' or 'expected'"),
        ("income ~ age", {"method": "moments"}, "by moments, which has no likelihood; allowed is"),
    ],
)
def test_profiles_need_a_likelihood(formula: str, choices: dict[str, Any], message: str) -> None:
    """Where it is not that of the rows they are refused."""
    with pytest.raises(InvalidArgument) as caught:
        regress(formula, TABLE, designs=DESIGNS, interval="profile", **choices)
    assert message in str(caught.value)


def test_an_interval_that_there_is_not() -> None:
    """Its name is shown beside those that there are."""
    with pytest.raises(InvalidArgument, match="interval: got 'wilson'; allowed are wald, profi"):
        regress("yes ~ age", TABLE, designs=DESIGNS, interval="wilson")


@pytest.mark.deep
def test_roots_of_the_health_example_are_normal() -> None:
    """Of the true coefficients 5 percent are beyond 1.96 and few beyond 3 in 220 surveys."""
    wanted = clear_regression(health())
    roots = []
    for found in regressions(range(MANY)):
        model, parameters = found.assembly.model, found.fit.parameters
        maximum = Maximum(parameters, totals(model, parameters), 0)
        profile = Profile(model, maximum, found.fit.covariance)
        roots += [
            profile.root(model.names.index(each.name))(each.estimate)
            for each in wanted.coefficients
        ]
    # In one survey a maximum 0.03 higher than the one found is met on the way.
    assert np.min(roots) > -0.3
    check_binomial(int(np.sum(np.array(roots) > CRITICAL)), len(roots), 0.05)
    check_binomial(int(np.sum(np.array(roots) > 3)), len(roots), 2 * float(stats.norm.sf(3)))
