"""Estimates that run to infinity are named, and the others stay what they are."""

from dataclasses import replace

import numpy as np
import pandas as pd
import pytest

from analysis.regressions import CASES, DESIGNS, FORCED, people, randomized
from deniable_analysis import Regression, regress
from deniable_analysis.designs import direct, from_matrix, warner
from deniable_analysis.errors import NotIdentified
from deniable_analysis.regression import maximize
from deniable_analysis.regression.boundary import find_boundary
from deniable_analysis.regression.starts import best_maximum
from sampled_params import sampled_params

TABLE = randomized(people(300))


def only(table: pd.DataFrame, town: str, answer: str) -> pd.DataFrame:
    """The same table, in which everybody of one town reports the same."""
    towns = np.array(["there", "here", "far"] * 100)
    yes = np.where(towns == town, answer, table["yes"])
    return table.assign(town=towns, yes=yes)


def check_infinite(found: Regression, name: str, sign: int) -> None:
    """One coefficient has run to infinity and says so everywhere."""
    one = found[name]
    assert one.is_infinite
    assert not one.is_held
    assert np.sign(one.estimate) == sign
    assert one.standard_error == np.inf
    assert (one.high if sign > 0 else one.low) == sign * np.inf
    assert one.low < one.high
    assert one.z is None
    assert one.p_value is None
    document = one.to_document()
    assert document["estimate"] is None
    assert document["standard_error"] is None
    assert document["is_infinite"]
    assert "inf" in one.cells()[0]
    assert any(name in each and "goes to infinity" in each for each in found.warnings)
    assert "warning: " in str(found)
    drawn = [mark.name for chart in found.charts() for mark in chart.marks]
    assert drawn == [each.name for each in found.coefficients if each.is_held]


@pytest.mark.parametrize(("answer", "sign"), [("no", -1), ("yes", 1)])
def test_a_group_in_which_everybody_reports_the_same(answer: str, sign: int) -> None:
    """More of one answer than its design ever gives drives that coefficient away alone."""
    table = only(TABLE, "here", answer)
    found = regress("yes ~ town + age", table, designs={"yes": FORCED})
    check_infinite(found, "town[T.here]", sign)
    others = regress("yes ~ town + age", table[table["town"] != "here"], designs={"yes": FORCED})
    for name in ("Intercept", "town[T.there]"):
        assert found[name].estimate == pytest.approx(others[name].estimate, abs=1e-6)
        assert found[name].standard_error == pytest.approx(others[name].standard_error, abs=1e-6)
    shown = found.predict(pd.DataFrame({"town": ["here"], "age": [0.0]}))
    assert shown.values[0, 0] == pytest.approx(float(answer == "yes"), abs=1e-6)
    assert np.isnan([shown.errors, shown.low, shown.high]).all()
    elsewhere = found.predict(pd.DataFrame({"town": ["far"], "age": [0.0]}))
    assert np.isfinite([elsewhere.errors, elsewhere.low, elsewhere.high]).all()


def test_separation_of_clear_answers() -> None:
    """A predictor that tells yes from no without error has no estimate."""
    table = pd.DataFrame({"age": [1.0, 2.0, 3.0, 4.0, 5.0, 6.0], "yes": [0, 0, 0, 1, 1, 1]})
    found = regress("yes ~ age", table, designs={"yes": direct(("0", "1"))})
    assert found.log_likelihood == pytest.approx(0, abs=1e-6)
    check_infinite(found, "age", 1)
    check_infinite(found, "Intercept", -1)


def test_a_hidden_answer_that_nobody_gives() -> None:
    """Where no respondent is estimated to be somewhere, what would hold there is not held."""
    channel = from_matrix(
        [[0.8, 0.1, 0.1], [0.1, 0.8, 0.1], [0.1, 0.1, 0.8]],
        observed=("a", "b", "c"),
        true=("a", "b", "c"),
    )
    told = ["a"] * 45 + ["b"] * 45 + ["c"] * 2
    table = pd.DataFrame({"x": told * 3, "y": ([0, 1, 1, 0, 0] * 60)[: 92 * 3]})
    found = regress("y ~ x", table, designs={"x": channel})
    (gone,) = (each for each in found.predictor_coefficients if each.name == "x=c: Intercept")
    assert gone.is_infinite
    assert gone.estimate < 0
    assert not found["x[T.c]"].is_held
    assert found["x[T.b]"].is_held
    assert np.isfinite(found.average_marginal_effects().effects[0].standard_error)


def test_an_unknown_parameter_at_its_end() -> None:
    """A liar's t that would have to be above 1 is 1, and has no error."""
    table = TABLE.assign(detected="yes", age=0.0)
    table.loc[::9, "detected"] = "no"
    found = regress("detected ~ 1", table, designs=DESIGNS)
    (share,) = found.design_parameters
    assert 0 <= share.estimate <= 1
    assert found.warnings == () or any("goes to infinity" in each for each in found.warnings)


def test_a_contradiction_is_named() -> None:
    """Two reports of which no answer gives both stop the search at once."""
    model = CASES["logit"].assembly(TABLE.head(20)).model
    (reports,) = model.reports
    identity = replace(reports.channel, constant=np.eye(2))
    both = tuple(replace(reports, channel=identity, codes=np.full(20, code)) for code in (0, 1))
    with pytest.raises(NotIdentified, match="a row has a report that its design cannot"):
        best_maximum(replace(model, reports=both))


def test_a_search_that_ends_nowhere_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    """Too few steps give an error and no estimate."""
    monkeypatch.setattr(maximize, "_MOST_STEPS", 1)
    with pytest.raises(NotIdentified, match="the likelihood has no maximum that 1 steps or fewer"):
        regress("yes ~ age", TABLE, designs=DESIGNS)
    monkeypatch.setattr(maximize, "_MOST_STEPS", 30)
    perfect = {"age": [0.0, 1.0, 2.0], "income": [1.0, 3.0, 5.0]}
    with pytest.raises(NotIdentified, match=r"\(.*log spread kept growing\); there are too few"):
        regress("income ~ age", perfect)


def test_a_flat_likelihood_is_named() -> None:
    """Where the reports leave something open that stays where it is, there is no estimate."""
    case = CASES["unknown design beside another"]
    assembly = case.assembly(TABLE)
    model = assembly.model
    flat = replace(
        model,
        reports=tuple(
            replace(
                each,
                channel=replace(
                    each.channel,
                    constant=each.channel.likelihoods(np.full(len(each.channel.unknown), 0.6)),
                    slopes=0 * each.channel.slopes,
                ),
            )
            for each in model.reports
        ),
    )
    found = best_maximum(flat)
    with pytest.raises(NotIdentified, match="the reports do not determine detected: t: other"):
        find_boundary(flat, found)


@pytest.mark.deep
def test_weak_reports_do_not_look_infinite() -> None:
    """At an epsilon of 0.04 errors are wide, and nothing is called infinite."""
    generator = np.random.default_rng(5)
    truth = generator.random(40_000) < 0.5
    told = truth ^ (generator.random(40_000) < 0.49)
    table = {"yes": told.astype(int), "age": generator.normal(size=40_000)}
    found = regress("yes ~ age", table, designs={"yes": warner(0.51)})
    assert found.warnings == ()
    assert found["age"].standard_error > 0.3


def small_regression(seed: int) -> str:
    """How a regression of a few random rows ends: with a result or a reason."""
    generator = np.random.default_rng(seed)
    rows = int(generator.choice([1, 2, 3, 8, 15, 30, 60]))
    table = randomized(people(rows, seed), seed + 1)
    case = list(CASES.values())[seed % len(CASES)]
    choices = {"link": case.link, "predictors": case.predictors}
    try:
        found = regress(case.formula, table, designs=DESIGNS, **choices)  # type: ignore[arg-type]
    except NotIdentified as error:
        return str(error)
    assert np.isfinite(found.predict().values).all()
    assert np.isfinite([each.estimate for each in found.coefficients]).all()
    assert found.coefficients
    assert found.warnings or all(each.is_held for each in found.coefficients)
    assert found.average_marginal_effects().effects
    return str(found)


@pytest.mark.sweep
@pytest.mark.parametrize("seed", sampled_params(range(2 * len(CASES)), 8))
def test_few_rows_give_a_result_or_a_reason(seed: int) -> None:
    """Whatever they hold, there is no other error, no warning of numpy's and no NaN."""
    assert small_regression(seed)


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(2 * len(CASES), 40 * len(CASES)))
def test_many_few_rows_give_a_result_or_a_reason(seed: int) -> None:
    """The same of many more."""
    assert small_regression(seed)


def test_what_rests_on_an_infinite_coefficient_has_no_error() -> None:
    """Effects and predictions of such rows have neither an error, a test nor an interval."""
    found = regress("yes ~ town + age", only(TABLE, "here", "yes"), designs={"yes": FORCED})
    held = regress("yes ~ age", TABLE, designs={"yes": FORCED})
    warning = (
        "town[T.here]: goes to infinity in the regression or nearly so; results that depend "
        "on it have no standard error and no interval here"
    )
    for ask in (Regression.predict, Regression.average_marginal_effects):
        result = ask(found)
        assert result.warnings == (warning,)
        assert f"warning: {warning}" in str(result)
        assert result.to_document()["warnings"] == [warning]
        assert ask(held).warnings == ()
    effects = {each.name: each for each in found.average_marginal_effects().effects}
    # Where nobody is "here", nothing rests on it; age is averaged over those who are.
    assert effects["town: there instead of far"].is_held
    for name in ("town: here instead of far", "age"):
        one = effects[name]
        assert one.cells()[1:] == ("", "", "", "", "")
        assert (one.z, one.p_value) == (None, None)
        assert one.to_document()["standard_error"] is None
        assert one.interval == "none"
