"""What regressions find: against plain fits, against truths, and among themselves."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pandas as pd
import pytest
from numpy.typing import NDArray
from scipy import optimize, special, stats

from analysis.regressions import CASES, DESIGNS, THREE, people, randomized
from deniable_analysis import Regression, regress
from deniable_analysis.designs import ByGroup, direct, warner
from sampling_checks import ALPHA, SampleRejected, check_binomial, count_check

TRUE = people(3000)
TABLE = randomized(TRUE)
PLAIN = people(400).assign(group=lambda table: [THREE[place] for place in table["group"]])


def estimates(found: Regression) -> NDArray[np.float64]:
    """The estimates of the coefficients."""
    return np.array([each.estimate for each in found.coefficients])


def errors(found: Regression) -> NDArray[np.float64]:
    """Their standard errors."""
    return np.array([each.standard_error for each in found.coefficients])


def plain_fit(link: str) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """A binary regression of clear answers by a general optimizer, and its slopes."""
    matrix = np.column_stack([np.ones(len(PLAIN)), PLAIN["age"], PLAIN["habit"]])
    yes = PLAIN["yes"].to_numpy()
    shares_of: dict[str, Callable[[NDArray[np.float64]], Any]] = {
        "logit": special.expit,
        "probit": special.ndtr,
        "cloglog": lambda predictor: -np.expm1(-np.exp(predictor)),
    }
    share = shares_of[link]

    def loss(where: NDArray[np.float64]) -> float:
        shares = share(matrix @ where)
        return -float(np.log(np.where(yes == 1, shares, 1 - shares)).sum())

    return optimize.minimize(loss, np.zeros(3), method="BFGS", options={"gtol": 1e-7}).x, matrix


@pytest.mark.parametrize("link", ["logit", "probit", "cloglog"])
@pytest.mark.parametrize("is_designed", [False, True])
def test_clear_answers_give_a_plain_fit(link: str, is_designed: bool) -> None:
    """Without randomization, declared as a direct design or not, it is the usual regression."""
    designs = {"yes": direct(("0", "1"))} if is_designed else None
    found = regress("yes ~ age + habit", PLAIN, designs=designs, link=link)
    wanted, matrix = plain_fit(link)
    np.testing.assert_allclose(estimates(found), wanted, atol=1e-5)
    if link == "logit":
        shares = special.expit(matrix @ wanted)
        information = (matrix.T * (shares * (1 - shares))) @ matrix
        root = np.sqrt(np.diag(np.linalg.inv(information)))
        np.testing.assert_allclose(errors(found), root, rtol=1e-4)


def test_a_clear_number_gives_least_squares() -> None:
    """Linear regression of clear answers is least squares, by likelihood and by moments."""
    matrix = np.column_stack([np.ones(len(PLAIN)), PLAIN["age"], PLAIN["habit"]])
    income = PLAIN["income"].to_numpy()
    wanted, squares = np.linalg.lstsq(matrix, income)[:2]
    bread = np.linalg.inv(matrix.T @ matrix)
    likely = regress("income ~ age + habit", PLAIN)
    np.testing.assert_allclose(estimates(likely), wanted, rtol=1e-8)
    variances = np.diag(bread) * squares[0] / len(PLAIN)
    np.testing.assert_allclose(errors(likely), np.sqrt(variances), rtol=1e-7)
    moments = regress("income ~ age + habit", PLAIN, method="moments")
    np.testing.assert_allclose(estimates(moments), wanted, rtol=1e-8)
    scores = matrix * (income - matrix @ wanted)[:, np.newaxis]
    sandwich = bread @ scores.T @ scores @ bread
    np.testing.assert_allclose(errors(moments), np.sqrt(np.diag(sandwich)), rtol=1e-8)
    np.testing.assert_allclose(
        errors(regress("income ~ age + habit", PLAIN, se="sandwich")),
        np.sqrt(np.diag(sandwich)),
        rtol=1e-5,
    )


def test_several_categories_are_pairs_against_the_reference() -> None:
    """With a saturated formula the coefficients are the log-odds of a clear table."""
    found = regress("group ~ C(habit)", PLAIN, reference="middle")
    counts = pd.crosstab(PLAIN["habit"], PLAIN["group"])
    assert found.categories == ("middle", "high", "low")
    for name in ("high", "low"):
        odds = np.log(counts[name] / counts["middle"])
        assert found[f"{name}: Intercept"].estimate == pytest.approx(odds[0], rel=1e-8)
        slope = found[f"{name}: C(habit)[T.1]"].estimate
        assert slope == pytest.approx(odds[1] - odds[0], rel=1e-7)


def test_an_ordered_outcome_without_slope_has_the_thresholds_of_its_shares() -> None:
    """Where a predictor says nothing, thresholds are the log-odds of the cumulative shares."""
    levels = ["a", "b", "c", "c"] * 25
    sides = [-1.0] * 50 + [1.0] * 50
    table = pd.DataFrame({"level": levels, "side": [*sides[::2], *sides[1::2]]})
    table["side"] = np.tile([-1.0, -1.0, -1.0, -1.0, 1.0, 1.0, 1.0, 1.0], 13)[:100]
    found = regress("level ~ side", table.iloc[:96], link="ordered")
    assert found["a|b"].estimate == pytest.approx(special.logit(1 / 4), abs=1e-6)
    assert found["b|c"].estimate == pytest.approx(special.logit(1 / 2), abs=1e-6)
    assert found["side"].estimate == pytest.approx(0, abs=1e-6)


def test_rows_in_another_order_or_split_give_the_same() -> None:
    """Neither the order of rows nor weights of 2 for doubled rows change estimates."""
    found = regress("yes ~ habit + age", TABLE.head(500), designs=DESIGNS)
    turned = regress("yes ~ habit + age", TABLE.head(500)[::-1], designs=DESIGNS)
    np.testing.assert_allclose(estimates(turned), estimates(found), rtol=1e-6)
    twice = pd.concat([TABLE.head(500), TABLE.head(500)])
    doubled = regress("yes ~ habit + age", twice, designs=DESIGNS, se="sandwich")
    weighted = regress(
        "yes ~ habit + age", TABLE.head(500), designs=DESIGNS, weights=np.full(500, 2.0)
    )
    np.testing.assert_allclose(estimates(weighted), estimates(doubled), rtol=1e-6)
    np.testing.assert_allclose(errors(weighted), errors(doubled) * np.sqrt(2), rtol=1e-6)
    assert doubled.rows == 1000
    assert weighted.standard_errors == "sandwich"


def test_clusters_of_one_and_of_copies() -> None:
    """Clusters of single rows give sandwich errors; of copies those of the originals."""
    table = TABLE.head(400).assign(row=range(400))
    alone = regress("yes ~ age", table, designs=DESIGNS, cluster="row")
    sandwich = regress("yes ~ age", table, designs=DESIGNS, se="sandwich")
    assert alone.standard_errors == "cluster"
    np.testing.assert_allclose(errors(alone), errors(sandwich) * np.sqrt(400 / 399), rtol=1e-8)
    copies = regress("yes ~ age", pd.concat([table, table, table]), designs=DESIGNS, cluster="row")
    np.testing.assert_allclose(errors(copies), errors(alone), rtol=1e-6)


def test_a_design_by_row_and_a_centred_column() -> None:
    """Two groups of which one was asked directly, and a term that depends on all rows."""
    told = TABLE.assign(
        habit=np.where(TABLE["condition"] == 1, TRUE["habit"], (TABLE["habit"] == "yes") + 0)
    )
    numbered = warner(0.8).renamed(observed=("0", "1"), true=("0", "1"))
    designs = {"habit": ByGroup("condition", {1: direct(("0", "1")), 2: numbered})}
    found = regress("yes ~ habit + center(age)", told, designs={**DESIGNS, **designs})
    plain = regress("yes ~ habit + age", told, designs={**DESIGNS, **designs})
    moved = plain["Intercept"].estimate + plain["age"].estimate * TRUE["age"].mean()
    assert found["Intercept"].estimate == pytest.approx(moved, abs=1e-6)
    assert found["habit"].estimate == pytest.approx(plain["habit"].estimate, abs=1e-6)


def check_near(found: Regression, wanted: NDArray[np.float64]) -> None:
    """Accept estimates that are as near to others as their standard errors say."""
    for each, true in zip(found.coefficients, wanted, strict=True):
        count_check()
        if 2 * stats.norm.sf(abs(each.estimate - true) / each.standard_error) < ALPHA:
            raise SampleRejected(f"{each.name}: {each.estimate} where {true} belongs")


FULL = {name: case for name, case in CASES.items() if "two hidden" not in name}


@pytest.mark.sweep
@pytest.mark.parametrize("name", FULL)
def test_randomized_answers_find_what_clear_ones_say(name: str) -> None:
    """Coefficients are as near to those of the true answers as chance has it."""
    case = FULL[name]
    clear = TRUE.assign(
        level=[THREE[place] for place in TRUE["level"]],
        group=pd.Categorical.from_codes(TRUE["group"], categories=list(THREE)),
        yes=TRUE["yes"].map({0: "no", 1: "yes"}),
        habit=TRUE["habit"].map({0: "no", 1: "yes"}),
    )
    clear["level"] = pd.Categorical(clear["level"], categories=list(THREE))
    clear["detected"] = clear["habit"]
    choices: dict[str, Any] = {"link": case.link, "predictors": case.predictors}
    found = regress(case.formula, TABLE, designs=DESIGNS, **choices)
    check_near(found, estimates(regress(case.formula, clear, **choices)))
    assert found.warnings == ()


def test_a_wrong_design_is_rejected() -> None:
    """The same check rejects answers read by a design the other way round."""
    wrong = {**DESIGNS, "yes": warner(1 / 6)}
    clear = regress("yes ~ habit + age", TRUE.assign(yes=TRUE["yes"] == 1, habit=TRUE["habit"]))
    with pytest.raises(SampleRejected):
        check_near(regress("yes ~ habit + age", TABLE, designs=wrong), estimates(clear))


@pytest.mark.deep
def test_intervals_cover() -> None:
    """Over 100 tables of 600 rows the intervals hold the truth about as often as they say."""
    hits = 0
    truth = np.array([-0.4, 0.9])
    for seed in range(100):
        generator = np.random.default_rng(seed)
        age = generator.normal(size=600)
        yes = generator.random(600) < special.expit(truth[0] + truth[1] * age)
        flipped = yes ^ (generator.random(600) < 0.2)
        table = {"age": age, "yes": flipped.astype(int)}
        found = regress("yes ~ age", table, designs={"yes": warner(0.8)})
        hits += sum(
            each.low <= true <= each.high
            for each, true in zip(found.coefficients, truth, strict=True)
        )
    check_binomial(hits, 200, 0.95)
