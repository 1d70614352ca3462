"""What a regression's results say, and what can be asked of them."""

import json
from dataclasses import replace

import numpy as np
import pandas as pd
import pytest
from scipy import special

from analysis.regressions import DESIGNS, THREE, people, randomized
from deniable_analysis import likelihood_ratio, regress
from deniable_analysis.errors import InvalidArgument, NothingToPlot

TABLE = randomized(people(800)).assign(
    town=["here", "there", None, "far"] * 200, flag=[True] * 400 + [False] * 400
)
FOUND = regress("yes ~ habit + age", TABLE, designs=DESIGNS)


def test_the_results_read_as_a_table() -> None:
    """The formula, what was done, every coefficient and the log likelihood are shown."""
    lines = str(FOUND).splitlines()
    assert lines[0] == "yes ~ habit + age: 800 rows, epsilon 2.996"
    assert lines[1] == (
        "logit of yes against no by likelihood; observed standard errors, 0.95 Wald intervals"
    )
    assert lines[2].split() == ["coefficient", "estimate", "se", "low", "high", "z", "p"]
    assert [line.split()[0] for line in lines[3:6]] == ["Intercept", "habit[T.yes]", "age"]
    assert lines[-1] == f"log likelihood {FOUND.log_likelihood:.4f}"
    assert "<table>" in FOUND._repr_html_()


def test_rows_that_miss_something_are_counted() -> None:
    """They are left out, and the result says how many."""
    found = regress("yes ~ town", TABLE, designs=DESIGNS)
    assert (found.rows, found.left_out) == (600, 200)
    assert "200 rows left out, with something missing" in str(found)
    table = TABLE.assign(yes=TABLE["yes"].mask(TABLE["flag"]))
    assert regress("yes ~ age", table, designs=DESIGNS).left_out == 400


def test_the_document_is_plain_json() -> None:
    """Every number comes back from JSON as it was."""
    document = FOUND.to_document()
    assert json.loads(json.dumps(document)) == document
    assert document["coefficients"][2]["name"] == "age"
    assert document["coefficients"][2]["estimate"] == FOUND["age"].estimate
    assert document["categories"] == ["no", "yes"]
    for part in (FOUND.predict(), FOUND.average_marginal_effects(), FOUND.likelihood_ratios()):
        assert json.loads(json.dumps(part.to_document())) == part.to_document()
        assert str(part)


def test_the_frame_has_a_row_for_each_coefficient() -> None:
    """Estimates, errors and intervals are columns of numbers."""
    frame = FOUND.to_frame()
    assert frame["name"].tolist() == ["Intercept", "habit[T.yes]", "age"]
    assert frame["standard_error"].dtype == np.float64
    np.testing.assert_allclose(np.sqrt(np.diag(FOUND.covariance)), frame["standard_error"])
    effects = FOUND.average_marginal_effects().to_frame()
    assert effects["name"].tolist() == ["habit: yes instead of no", "age"]
    assert FOUND.likelihood_ratios().to_frame()["degrees"].tolist() == [1, 1, 1]


def test_the_numbers_have_the_names_of_statsmodels() -> None:
    """Columns by the names of the terms, which can be looked up and compared."""
    age = FOUND["age"]
    assert FOUND.params["age"] == age.estimate
    assert FOUND.bse["age"] == age.standard_error
    assert FOUND.pvalues["age"] == age.p_value
    assert FOUND.conf_int().loc["age", [0, 1]].tolist() == [age.low, age.high]
    named = (FOUND.params, FOUND.bse, FOUND.pvalues, FOUND.conf_int())
    assert all(list(each.index) == ["Intercept", "habit[T.yes]", "age"] for each in named)


def test_plots_show_coefficients_and_effects() -> None:
    """Both have a chart with the rows and epsilon in its title."""
    (chart,) = FOUND.charts()
    assert "800 rows, epsilon 2.996" in chart.title
    assert [mark.name for mark in chart.marks] == ["Intercept", "habit[T.yes]", "age"]
    assert len(FOUND.plot().axes) == 1
    (effects,) = FOUND.average_marginal_effects().charts()
    assert [mark.name for mark in effects.marks] == ["habit: yes instead of no", "age"]


def test_akaike_counts_every_parameter() -> None:
    """It is twice the parameters less twice the log likelihood, None of moments."""
    assert FOUND.log_likelihood is not None
    assert FOUND.parameter_count == 5
    assert FOUND.aic == pytest.approx(10 - 2 * FOUND.log_likelihood)
    assert regress("income ~ age", TABLE, method="moments").aic is None


def test_predictions_are_the_link_of_the_linear_predictor() -> None:
    """With true answers given it is the plain formula, and its error the delta method's."""
    shown = FOUND.predict({"habit": ["no", "yes"], "age": [0.5, -1.0]})
    matrix = np.array([[1, 0, 0.5], [1, 1, -1.0]])
    linear = matrix @ [each.estimate for each in FOUND.coefficients]
    shares = special.expit(linear)
    np.testing.assert_allclose(shown.values[:, 0], shares, rtol=1e-12)
    spread = np.sqrt(np.einsum("ip,pq,iq->i", matrix, FOUND.covariance, matrix))
    np.testing.assert_allclose(shown.errors[:, 0], spread * shares * (1 - shares), rtol=1e-10)
    low = special.expit(linear - 1.959963984540054 * spread)
    np.testing.assert_allclose(shown.low[:, 0], low, rtol=1e-10)
    assert shown.categories == ("yes",)
    assert shown.to_frame()["row"].tolist() == [0, 1]


def test_predictions_without_the_randomized_column_average_over_it() -> None:
    """They mix the predictions for each answer by how likely it is."""
    both = FOUND.predict({"habit": ["no", "yes"], "age": [0.7, 0.7]}).values[:, 0]
    intercept, slope = (each.estimate for each in FOUND.predictor_coefficients)
    share = special.expit(intercept + 0.7 * slope)
    averaged = FOUND.predict({"age": [0.7]})
    assert averaged.values[0, 0] == pytest.approx((1 - share) * both[0] + share * both[1])
    assert averaged.errors[0, 0] > 0


def test_predictions_with_one_of_two_randomized_columns_average_over_the_other() -> None:
    """What is known of one hidden answer says which of the others are likely."""
    found = regress("yes ~ habit + group", TABLE, designs=DESIGNS)
    names = [each.name for each in found.predictor_coefficients]
    logits = np.array([0.0, *(each.estimate for each in found.predictor_coefficients)])
    assert names[:2] == ["habit=no, group=middle: Intercept", "habit=no, group=high: Intercept"]
    given_yes = special.softmax(logits[3:])
    each = found.predict({"habit": ["yes"] * 3, "group": list(THREE)}).values[:, 0]
    mixed = found.predict({"habit": ["yes"]})
    assert mixed.values[0, 0] == pytest.approx(float(given_yes @ each))
    alone = found.predict({"group": ["low"]})
    assert alone.values.shape == (1, 1)


def test_predictions_of_the_regressions_own_rows() -> None:
    """There is one for each row that was used, in the table's order."""
    shown = FOUND.predict()
    assert shown.values.shape == (800, 1)
    again = FOUND.predict(TABLE[["age"]])
    np.testing.assert_allclose(shown.values, again.values)
    assert "and 780 more: see to_frame()" in str(shown)


@pytest.mark.parametrize("link", [None, "ordered"])
def test_predictions_of_several_categories_sum_to_one(link: str | None) -> None:
    """Each category has a probability, and all effects on them cancel."""
    found = regress("level ~ habit + age", TABLE, designs=DESIGNS, link=link)
    shown = found.predict(TABLE.head(5)[["habit", "age"]])
    assert shown.categories == found.categories
    np.testing.assert_allclose(shown.values.sum(axis=1), 1, rtol=1e-12)
    effects = found.average_marginal_effects().effects
    assert [each.name for each in effects[:3]] == [
        f"{level}: habit: yes instead of no" for level in found.categories
    ]
    assert sum(each.estimate for each in effects[:3]) == pytest.approx(0, abs=1e-12)


def test_effects_are_differences_of_predictions() -> None:
    """Of a category: each row with it and without; of a number: the slope at each row."""
    found = regress("yes ~ habit * age + town + flag", TABLE, designs=DESIGNS)
    rows = TABLE.dropna()[["age", "town", "flag"]]
    effects = {each.name: each for each in found.average_marginal_effects().effects}

    def mean(**changed: object) -> float:
        return float(found.predict(rows.assign(**changed)).values.mean())

    wanted = mean(habit="yes") - mean(habit="no")
    assert effects["habit: yes instead of no"].estimate == pytest.approx(wanted, rel=1e-9)
    flagged = effects["flag: True instead of False"].standard_error
    assert flagged > 0
    assert set(effects) == {
        "habit: yes instead of no",
        "age",
        "town: here instead of far",
        "town: there instead of far",
        "flag: True instead of False",
    }


def test_the_effect_of_a_linear_term_is_its_coefficient() -> None:
    """In a linear regression without products effects and coefficients are the same."""
    found = regress("income ~ habit + age", TABLE, designs=DESIGNS)
    effects = {each.name: each for each in found.average_marginal_effects().effects}
    for effect, name in (("habit: yes instead of no", "habit[T.yes]"), ("age", "age")):
        assert effects[effect].estimate == pytest.approx(found[name].estimate, rel=1e-8)
        assert effects[effect].standard_error == pytest.approx(
            found[name].standard_error, rel=1e-6
        )


def test_errors_of_effects_are_those_of_small_steps() -> None:
    """The delta method's gradient is what moving each parameter does to the effect."""
    found = regress("yes ~ habit * age", TABLE, designs=DESIGNS)
    (before,) = found.average_marginal_effects().effects[:1]
    gradient = []
    for index in range(found.parameter_count):
        steps = []
        for sign in (1, -1):
            moved = found.fit.parameters.copy()
            moved[index] += sign * 1e-5
            other = replace(found, fit=replace(found.fit, parameters=moved))
            steps.append(other.average_marginal_effects().effects[0].estimate)
        gradient.append((steps[0] - steps[1]) / 2e-5)
    variance = np.array(gradient) @ found.fit.covariance @ np.array(gradient)
    assert before.standard_error == pytest.approx(np.sqrt(variance), rel=1e-6)


def test_the_likelihood_ratio_of_one_coefficient_is_that_of_two_regressions() -> None:
    """Fixing a slope at 0 is leaving its term out, where nothing else depends on it."""
    larger = regress("yes ~ age + town", TABLE, designs=DESIGNS)
    smaller = regress("yes ~ town", TABLE, designs=DESIGNS)
    pair = likelihood_ratio(smaller, larger)
    assert pair.degrees == 1
    tests = {each.name: each for each in larger.likelihood_ratios().tests}
    assert tests["age"].statistic == pytest.approx(pair.statistic, abs=1e-7)
    assert "yes ~ age + town -> yes ~ town" in str(pair)


def test_a_mapping_of_columns_is_a_table() -> None:
    """Lists by name give what a pandas table gives."""
    plain = {name: TABLE[name].tolist() for name in ("yes", "age", "habit")}
    designs = {name: DESIGNS[name] for name in ("yes", "habit")}
    again = regress("yes ~ habit + age", plain, designs=designs)
    assert again.to_document() == FOUND.to_document()


def test_names_that_python_cannot_read_are_columns_too() -> None:
    """Dots and blanks in column names are taken as they stand, plain or in backquotes."""
    table = TABLE.rename(columns={"age": "cov.age", "habit": "the habit", "yes": "rr.q1"})
    designs = {"rr.q1": DESIGNS["yes"], "the habit": DESIGNS["habit"]}
    found = regress("rr.q1 ~ `the habit` + I(cov.age / 2) + town", table, designs=designs)
    names = [each.name for each in found.coefficients]
    assert names[:3] == ["Intercept", "the habit[T.yes]", "I(cov.age / 2)"]
    assert names[3:] == ["town[T.here]", "town[T.there]"]
    assert isinstance(found.average_marginal_effects().to_frame(), pd.DataFrame)


def test_a_regression_without_predictors_has_no_effects() -> None:
    """Its average marginal effects are an empty table, and no chart."""
    found = regress("yes ~ 1", TABLE, designs=DESIGNS).average_marginal_effects()
    assert found.effects == ()
    assert list(found.to_frame().columns)[:2] == ["name", "estimate"]
    with pytest.raises(NothingToPlot):
        found.plot()


def test_predictions_for_an_unknown_category_are_refused() -> None:
    """A category that the regression never saw is not taken for the first one."""
    table = TABLE.assign(town=np.resize(["here", "there"], len(TABLE)))
    found = regress("yes ~ town", table, designs=DESIGNS)
    with pytest.raises(InvalidArgument, match="a category that no row of the regression has"):
        found.predict({"town": ["elsewhere"]})


def test_clear_answers_have_no_epsilon() -> None:
    """Without randomized columns nothing says epsilon 0, which would be perfect privacy."""
    found = regress("yes ~ age", TABLE)
    assert found.epsilon is None
    assert "epsilon" not in str(found)
