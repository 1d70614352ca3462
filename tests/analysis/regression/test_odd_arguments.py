"""Odd arguments of regressions: what they mean, or what to give instead."""

from collections.abc import Callable
from decimal import Decimal
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pandas as pd
import pytest

from analysis.regressions import DESIGNS, FORCED, people, randomized
from deniable_analysis import Regression, likelihood_ratio, regress
from deniable_analysis.designs import forced_response, warner
from deniable_analysis.errors import ColumnNotFound, InvalidArgument, NameNotFound

TABLE = randomized(people(300))
OTHER = forced_response(yes=Fraction(1, 5), no=Fraction(1, 5))


def run(formula: str, table: Any = TABLE, **choices: Any) -> Regression:
    """A regression of the table, or of another."""
    return regress(formula, table, **{"designs": DESIGNS, **choices})


@cache
def found() -> Regression:
    """The regression that most tests ask something odd."""
    return run("yes ~ age + habit")


@pytest.mark.parametrize("other", [None, "yes ~ 1", [1]])
def test_a_likelihood_ratio_takes_two_regressions(other: Any) -> None:
    """Anything else is refused by its type, whichever of the two it is."""
    for pair in ((found(), other), (other, found())):
        with pytest.raises(InvalidArgument) as caught:
            likelihood_ratio(*pair)
        assert f"got something of the type {type(other).__name__}; allowed" in str(caught.value)


@pytest.mark.parametrize(
    ("other", "difference"),
    [
        (lambda: run("habit ~ age"), "differ in the outcome (yes, habit)"),
        (
            lambda: run("yes ~ habit", link="probit"),
            "the link or the categories of yes (logit, probit)",
        ),
        (
            lambda: run("yes ~ habit", reference="yes"),
            "the link or the categories of yes (logit, logit)",
        ),
        (
            lambda: run("yes ~ 1"),
            "the randomized columns (habit in one of them, whose reports are a part",
        ),
        (
            lambda: run("yes ~ habit", designs={**DESIGNS, "yes": OTHER, "habit": warner(0.9)}),
            "the designs of yes, habit",
        ),
        (lambda: run("yes ~ habit", TABLE[::-1].reset_index(drop=True)), "their rows"),
        (lambda: run("yes ~ habit", TABLE.head(200)), "their rows"),
        (
            lambda: run("yes ~ condition + habit"),
            "their terms, none having all of the other's and more",
        ),
    ],
)
def test_a_likelihood_ratio_names_what_differs(
    other: Callable[[], Regression], difference: str
) -> None:
    """Regressions whose likelihoods are of different things are not compared."""
    with pytest.raises(InvalidArgument) as caught:
        likelihood_ratio(found(), other())
    assert difference in str(caught.value)


def test_likelihood_ratios_of_clear_outcomes_look_at_these() -> None:
    """Another column of the same name is another outcome; the same one is compared."""
    small = run("income ~ habit")
    assert likelihood_ratio(run("income ~ age + habit"), small).p_value < 0.01
    with pytest.raises(InvalidArgument, match="which differ in their rows"):
        likelihood_ratio(
            run("income ~ age + habit", TABLE.assign(income=2.0 * TABLE.income)), small
        )


@pytest.mark.deep
def test_interactions_of_randomized_predictors_are_compared() -> None:
    """Terms are left out though the columns stay."""
    large = run("yes ~ C(group) * habit")
    assert likelihood_ratio(large, run("yes ~ group + habit")).degrees == 2


@pytest.mark.parametrize("table", [{"age": 1, "habit": "yes"}, {"age": "3"}, 5, [1, 2]])
def test_predictions_take_a_table(table: Any) -> None:
    """What is no table of rows is refused, with an example of one."""
    with pytest.raises(InvalidArgument) as caught:
        found().predict(table)
    assert 'a mapping from columns to lists like {"age": [30, 40]}, or nothing' in str(
        caught.value
    )


def test_predictions_name_the_column_that_is_missing() -> None:
    """It is the table's column that is to be renamed, or one to be added."""
    for column, instead in (("agee", "rename its column 'agee', if that is it"), ("x", "add it")):
        with pytest.raises(ColumnNotFound) as caught:
            found().predict({column: [1.0]})
        assert str(caught.value) == (
            "predict: got a table without the column 'age', which the regression needs; " + instead
        )


def test_predictions_for_no_row_or_of_another_kind() -> None:
    """A table without rows is refused, and one with texts for numbers without their texts."""
    with pytest.raises(InvalidArgument, match="allowed are rows to predict for"):
        found().predict({"age": [], "habit": []})
    with pytest.raises(
        InvalidArgument, match="has, or texts in place of numbers; allowed"
    ) as caught:
        found().predict({"age": ["secret"]})
    assert "secret" not in str(caught.value)


def test_objects_that_are_numbers_are_numbers() -> None:
    """However a table holds them, missing ones too, also in predictions."""
    numbers = TABLE["age"].round(3)
    held = run("yes ~ age + habit", TABLE.assign(age=numbers))
    for kind in (float, Decimal, Fraction):
        objects = [kind(str(each)) for each in numbers.tolist()]
        told = run("yes ~ age + habit", TABLE.assign(age=pd.Series(objects, dtype=object)))
        assert [each.name for each in told.coefficients] == ["Intercept", "age", "habit[T.yes]"]
        assert [each.estimate for each in told.coefficients] == pytest.approx(
            [each.estimate for each in held.coefficients], rel=1e-9
        )
        assert told.predict({"age": objects[:2]}).values == pytest.approx(
            held.predict({"age": numbers[:2]}).values
        )
    gap = TABLE["age"].astype(object)
    gap[7] = None
    assert run("yes ~ age + habit", TABLE.assign(age=gap)).left_out == 1


def test_numbers_and_texts_do_not_mix() -> None:
    """A column of both is neither numbers nor categories, and none of it is shown."""
    mixed = TABLE["age"].astype(object)
    mixed[7] = "secret"
    with pytest.raises(
        InvalidArgument, match="column 'age': got numbers and texts mixed"
    ) as caught:
        run("yes ~ age", TABLE.assign(age=mixed))
    assert "secret" not in str(caught.value)


@pytest.mark.parametrize("size", [1e-300, 1e-12, 1e12, 1e300])
def test_only_the_ratios_of_weights_matter(size: float) -> None:
    """Weights as small or as large as floats can be give what others of the same ratios give."""
    weights = 1.0 + np.arange(300) % 3
    plain, scaled = (run("yes ~ age", weights=each) for each in (weights, weights / 3 * size))
    for one, other in zip(plain.coefficients, scaled.coefficients, strict=True):
        assert other.estimate == pytest.approx(one.estimate, rel=1e-9)
        assert other.standard_error == pytest.approx(one.standard_error, rel=1e-9)
    assert scaled.log_likelihood == pytest.approx(plain.log_likelihood)


def test_rows_that_are_left_need_a_weight() -> None:
    """Where all rows that have all columns weigh nothing, that is said."""
    table = TABLE.assign(age=np.where(np.arange(300) < 9, TABLE["age"], np.nan))
    with pytest.raises(InvalidArgument, match="got 0 for all of the 9 rows that have all of"):
        run("yes ~ age", table, weights=np.arange(300) >= 9)


@pytest.mark.parametrize("designs", [[FORCED], FORCED, "yes", ()])
def test_designs_are_a_mapping(designs: Any) -> None:
    """A design without its column is refused, with how it is named."""
    with pytest.raises(InvalidArgument) as caught:
        run("yes ~ age", designs=designs)
    assert f"designs: got something of the type {type(designs).__name__}; allowed is a" in str(
        caught.value
    )
    assert "like {'yes': warner(0.7)}" in str(caught.value)


def test_a_coefficient_that_there_is_not() -> None:
    """It is refused as a KeyError, with near names."""
    with pytest.raises(KeyError) as caught:
        found()["agee"]
    assert isinstance(caught.value, NameNotFound)
    assert str(caught.value).startswith("got the name 'agee'; did you mean age? there is:")
    with pytest.raises(NameNotFound, match="got the name 3"):
        found()[3]


def test_no_zero_has_a_sign() -> None:
    """An estimate that rounds to 0 from below is written without a minus."""
    table = pd.DataFrame({"x": [0, 1] * 40, "y": [0, 0, 1, 1] * 20})
    found = run("y ~ x", table.assign(y=table["y"].astype(str)), designs={})
    assert "-0.0000" not in str(found)
    assert "-0.0000" not in str(found.predict())
