"""What a regression refuses, and what it says then."""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest

from analysis.regressions import DESIGNS, DETECTOR, THREE, people, randomized
from deniable_analysis import Regression, likelihood_ratio, regress
from deniable_analysis.designs import (
    AnyDesign,
    ByGroup,
    from_matrix,
    stochastic_lie_detector,
    warner,
)
from deniable_analysis.errors import ColumnNotFound, InvalidArgument, NotIdentified
from deniable_analysis.regression.names import _FUNCTIONS

TABLE = randomized(people(300)).assign(
    **{
        "years in school": np.arange(300) % 7,
        "cov.age": np.arange(300) / 10,
        "town": ["here", "there", "far"] * 100,
        "double": lambda table: 2 * table["age"],
        "same": 1.5,
        "cluster": 1,
        "gap": [None, 1.0] * 150,
        "nothing": [None] * 300,
    }
)


def run(formula: Any, table: Any = TABLE, **choices: Any) -> Regression:
    """A regression of the table, or of another."""
    designs: Mapping[str, AnyDesign] = choices.pop("designs", DESIGNS)
    return regress(formula, table, designs=designs, **choices)


@pytest.mark.parametrize(
    ("formula", "error", "message"),
    [
        (3, InvalidArgument, "got the formula 3; allowed is one outcome, a ~, and predictors"),
        ("yes + age", InvalidArgument, "allowed is one outcome, a ~, and predictors"),
        ("yes ~ age ~ group", InvalidArgument, "allowed is one outcome, a ~, and predictors"),
        ("yes ~ (age +", InvalidArgument, "which cannot be read; allowed after the ~ are columns"),
        ("yes ~ age | group", InvalidArgument, "which cannot be read; allowed after the ~ are"),
        ("yes ~ I(age b)", InvalidArgument, "in which powers are **"),
        ("yse ~ age", ColumnNotFound, "got the column 'yse', which does not exist (before the ~ "),
        ("yes ~ agee", ColumnNotFound, "'yes ~ agee' names it); did you mean "),
        ("yes ~ center(agee)", ColumnNotFound, "got the column 'agee'"),
        ("yes ~ zzzz", ColumnNotFound, "; there are: age, group, habit, yes, level"),
        ("yes ~ age + yes", InvalidArgument, "in which yes explains itself; leave it out"),
        (
            "yes ~ I(town / 2)",
            InvalidArgument,
            "cannot compute I(town / 2) (TypeError); I(",
        ),
        ("yes ~ I((cov.age/10)^2)", InvalidArgument, "I(cov.age / 10 ^ 2) (TypeError); I("),
        ("yes ~ log(age)", InvalidArgument, "the term log(age) is not a finite number in some"),
        ("yes ~ age + double", NotIdentified, "double: the other terms determine it in all rows"),
        ("yes ~ cr(age, df=4)", NotIdentified, "add constraints='center' in the brackets"),
        ("yes ~ hashed(town)", InvalidArgument, "got the function 'hashed'"),
        ("yes ~ C(town, contr.sas)", InvalidArgument, "got the function 'contr.sas'"),
        ("yes ~ same + age", NotIdentified, "formula: same: the other terms determine it"),
        ("income ~ 0", InvalidArgument, "which cannot be read; allowed after the ~ are columns"),
        ("same ~ age", NotIdentified, "the outcome same is the same in every row that has all"),
        ("cluster ~ age", NotIdentified, "so nothing explains it; take another outcome or more"),
        ("yes ~ nothing", InvalidArgument, "got 300 rows, and none with all of the columns"),
    ],
)
def test_a_formula_that_cannot_be_used(formula: Any, error: type[Exception], message: str) -> None:
    """Its fault is named, with what is allowed; near columns are listed."""
    with pytest.raises(error) as caught:
        run(formula)
    assert message in str(caught.value)


@pytest.mark.parametrize("formula", ["yes ~ many", "yes ~ C(number)", "yes ~ few:other"])
def test_a_formula_with_very_many_coefficients_is_refused_before_they_are_computed(
    formula: str,
) -> None:
    """The work is bounded, whatever the table; the limit and the way out are named."""
    rows = np.arange(2_000)
    table = {
        "yes": rows % 2,
        "many": [f"m{each}" for each in rows],
        "number": rows,
        "few": [f"f{each % 40}" for each in rows],
        "other": [f"o{each // 40}" for each in rows],
    }
    with pytest.raises(InvalidArgument, match=r"coefficients; allowed are 200, as a regression"):
        run(formula, table, designs={"yes": warner(0.8)})


@pytest.mark.parametrize("function", sorted(_FUNCTIONS))
def test_every_function_that_is_offered_can_be_used(function: str) -> None:
    """As a message says that lists it."""
    after = {"poly": ", 2", "bs": ", df=4"}.get(function, "")
    if function in ("cc", "cr", "cs"):
        after = ", df=4, constraints='center'"
    table = {"yes": np.arange(300) % 2, "age": np.linspace(0.1, 2, 300)}
    found = run(
        f"yes ~ {function}(age{after})" if function != "C" else "yes ~ C(yes2)",
        {**table, "yes2": np.arange(300) % 3},
        designs={"yes": warner(0.8)},
    )
    assert len(found.coefficients) > 1


def test_categories_that_no_row_has_are_left_out() -> None:
    """A column of pandas keeps the categories of rows that were dropped."""
    rows = np.arange(300)
    plain = [("a", "b", "c")[each % 3] for each in rows]
    kept = pd.Categorical(plain, categories=["a", "x", "b", "c"])
    found, expected = (
        run("yes ~ town", {"yes": rows // 2 % 2, "town": each}, designs={"yes": warner(0.8)})
        for each in (kept, pd.Categorical(plain))
    )
    assert found.coefficients == expected.coefficients


def test_a_message_holds_no_value() -> None:
    """What cannot be computed is named without what stands in the column."""
    with pytest.raises(InvalidArgument) as caught:
        run("yes ~ I(town.astype(float))")
    shown = f"{caught.value} {caught.value.__cause__} {caught.value.__suppress_context__}"
    assert not any(value in shown for value in ("here", "there", "far"))
    assert caught.value.__context__ is None or caught.value.__suppress_context__


@pytest.mark.parametrize(
    ("formula", "choices", "message"),
    [
        ("yes ~ age", {"link": "logti"}, "link: got 'logti'; allowed are logit, probit, cloglog"),
        ("yes ~ age", {"se": "robust"}, "se: got 'robust'; allowed are observed, expected"),
        ("yes ~ habit", {"predictors": "free"}, "predictors: got 'free'; allowed are saturated"),
        ("yes ~ age", {"method": "em"}, "method: got 'em'; allowed are likelihood, moments"),
        (
            "level ~ age",
            {"link": "probit"},
            "the outcome level with 3 categories; allowed are logit and ordered",
        ),
        ("yes ~ age", {"link": "ordered"}, "with 2 categories; allowed are logit, probit and"),
        ("income ~ age", {"link": "logit"}, "for the outcome income, which is a number; allowed"),
        (
            "yes ~ age",
            {"reference": "maybe"},
            "reference: got 'maybe' for the outcome yes; allowed: no, yes",
        ),
        ("level ~ age", {"link": "ordered", "reference": "low"}, "allowed: none with link="),
        ("income ~ age", {"se": "expected"}, "se: got 'expected' for an outcome that is a number"),
        ("yes ~ age", {"se": "cluster"}, "se: got 'cluster' without cluster=; clusters and"),
        ("yes ~ age", {"se": "observed", "cluster": "town"}, "se: got 'observed' with cluster="),
        ("yes ~ age", {"cluster": "cluster"}, "cluster: got a single cluster; allowed are two"),
        ("yes ~ age", {"se": "observed", "weights": np.ones(300)}, "se: got 'observed' with wei"),
        ("level ~ age", {"method": "moments"}, "categories that are not numbers; allowed is"),
        ("town ~ age", {"method": "moments"}, "the outcome town is not a number, which moments"),
        ("income ~ age", {"method": "moments", "link": "probit"}, "'probit' for a regression by"),
        ("income ~ age", {"method": "moments", "se": "observed"}, "there is no likelihood"),
        (
            "income ~ detected",
            {"method": "moments"},
            "a design with unknown parameters, which moments cannot",
        ),
    ],
)
def test_a_choice_that_does_not_fit(formula: str, choices: dict[str, Any], message: str) -> None:
    """What was chosen is named, with what fits instead."""
    with pytest.raises(InvalidArgument) as caught:
        run(formula, **choices)
    assert message in str(caught.value)


@pytest.mark.parametrize("confidence", [0, 1, float("nan")])
def test_a_confidence_that_is_none(confidence: float) -> None:
    """A confidence of 0 or 1 is refused, also by what is asked later."""
    with pytest.raises(InvalidArgument, match="confidence: got"):
        run("yes ~ age", confidence=confidence)
    with pytest.raises(InvalidArgument, match="confidence: got"):
        run("yes ~ age").predict(confidence=confidence)


@pytest.mark.parametrize(
    "weights", [np.full(300, -1.0), np.zeros(300), np.full(300, np.nan), "town", "gap", [[1.0]]]
)
def test_weights_that_are_none(weights: Any) -> None:
    """Weights that are negative, missing, all 0 or no numbers are refused."""
    with pytest.raises(InvalidArgument) as caught:
        run("yes ~ age", weights=weights)
    assert "weights: got some that are negative, missing or not numbers" in str(caught.value)


def test_as_many_weights_as_rows() -> None:
    """Weights of other rows are refused."""
    with pytest.raises(InvalidArgument) as caught:
        run("yes ~ age", weights=np.ones(299))
    assert "got 299 for 300 rows" in str(caught.value)


def test_a_group_that_is_missing() -> None:
    """One group of a design that needs two is not enough, and both are named as needed."""
    with pytest.raises(NotIdentified) as caught:
        run("detected ~ age", TABLE[TABLE["condition"] == 1])
    assert "not all of the 2 groups of its design are present" in str(caught.value)
    assert "reveal detected: t" in str(caught.value)


def test_designs_that_tell_nothing() -> None:
    """A design that is no longer one-to-one is refused, as outcome and as predictor."""
    half = Fraction(1, 2)
    blind = from_matrix([[half, half], [half, half]])
    bit = from_matrix([[0.8, 0.5, 0.2], [0.2, 0.5, 0.8]], true=THREE)
    told = TABLE.assign(yes=(TABLE["yes"] == "yes").astype(int))
    with pytest.raises(NotIdentified) as caught:
        run("yes ~ age", told, designs={"yes": blind})
    assert "yes: its reports have 1 possible values" in str(caught.value)
    with pytest.raises(NotIdentified) as caught:
        run("income ~ yes", told, designs={"yes": bit})
    assert "2 possible values, which cannot distinguish 3 answers" in str(caught.value)
    mixed = from_matrix([[0.7, 0.3, 0.5], [0.2, 0.4, 0.3], [0.1, 0.3, 0.2]], true=THREE)
    with pytest.raises(NotIdentified) as caught:
        run("yes ~ age", told.assign(yes=TABLE["cluster"]), designs={"yes": mixed})
    assert "gives the same reports for different shares of its 3 answers" in str(caught.value)


def test_what_is_no_design() -> None:
    """Something else than a design is refused, and a design of several groups alone."""
    for wrong in (0.7, stochastic_lie_detector({1: 0.2, 2: 0.8})):
        with pytest.raises(InvalidArgument) as caught:
            run("yes ~ age", designs={"yes": wrong})
        assert "for 'yes'; allowed is a Design, or ByGroup(column, designs)" in str(caught.value)


def test_a_design_for_no_column() -> None:
    """A design for a column that there is not is refused by name."""
    with pytest.raises(ColumnNotFound) as caught:
        run("yes ~ age", designs={"yess": DESIGNS["yes"]})
    assert "did you mean yes?" in str(caught.value)


def test_too_many_hidden_answers() -> None:
    """Predictors with thousands of joint answers are refused, with what to do."""
    count = 40
    matrix = np.full((count, count), 0.2 / (count - 1))
    np.fill_diagonal(matrix, 0.8)
    wide = from_matrix(matrix, true=[f"o{index}" for index in range(count)])
    names = [f"o{index}" for index in range(count)]
    wide = wide.renamed(observed=names, true=names)
    table = TABLE.assign(first=[names[row % count] for row in range(300)], second="o1")
    for choices in ({}, {"method": "moments"}):
        with pytest.raises(InvalidArgument) as caught:
            run(
                "income ~ first * second",
                table,
                designs={"first": wide, "second": wide},
                **choices,
            )
        assert "name fewer" in str(caught.value)


def test_likelihood_ratios_that_compare_nothing() -> None:
    """Regressions of other rows, of the same size, by moments or weighted are refused."""
    first, second = run("yes ~ age"), run("yes ~ 1")
    for other in (run("yes ~ 1", TABLE.head(200)), run("yes ~ double"), run("level ~ age")):
        with pytest.raises(InvalidArgument) as caught:
            likelihood_ratio(first, other)
        assert "allowed are two regressions of the same outcome, link, rows and designs" in str(
            caught.value
        )
    weighted = run("yes ~ age", weights=np.ones(300))
    moments = run("income ~ age", method="moments")
    for wrong, word in ((weighted, "weighted regression"), (moments, "by moments")):
        with pytest.raises(InvalidArgument, match=word):
            likelihood_ratio(wrong, second)
        with pytest.raises(InvalidArgument, match=word):
            wrong.likelihood_ratios()
    with pytest.raises(InvalidArgument, match="got 2 tests where one is needed"):
        first.likelihood_ratios().statistic  # noqa: B018 - asking is the test


def test_predictions_for_rows_that_cannot_be_read() -> None:
    """Missing columns, missing values and unknown categories are named."""
    found = run("yes ~ habit + age")
    with pytest.raises(ColumnNotFound, match="'age'"):
        found.predict(pd.DataFrame({"habit": ["yes"]}))
    with pytest.raises(InvalidArgument, match="with missing values"):
        found.predict(pd.DataFrame({"habit": ["yes"], "age": [np.nan]}))
    with pytest.raises(InvalidArgument, match="with missing values"):
        found.predict(pd.DataFrame({"habit": [None], "age": [1.0]}))
    with pytest.raises(InvalidArgument, match="with something that is not a category"):
        found.predict(pd.DataFrame({"habit": ["maybe"], "age": [1.0]}))
    with pytest.raises(InvalidArgument, match="columns of different lengths"):
        found.predict({"habit": ["yes", "no"], "age": [1.0]})
    moments = run("income ~ habit + age", method="moments")
    with pytest.raises(InvalidArgument, match="allowed is a table with the columns habit"):
        moments.predict()
    with pytest.raises(InvalidArgument, match="its coefficients are already effects"):
        moments.average_marginal_effects()


def test_moments_drowned_in_noise() -> None:
    """Few rows and much randomization leave products that are no products."""
    names = ("0", "1", "2")
    matrix = np.full((3, 3), 0.32) + 0.04 * np.eye(3)
    noisy = from_matrix(matrix, observed=names, true=names)
    table = pd.DataFrame({"x": [0, 1, 2, 0, 0, 1], "y": [1.0, 2.0, 4.0, 3.0, 2.0, 1.0]})
    with pytest.raises(NotIdentified, match="the randomization is too large for the spread of"):
        regress("y ~ x", table, designs={"x": noisy})


def test_groups_reveal_what_is_unknown_together() -> None:
    """The same rows with both groups are regressed."""
    found = run("detected ~ age", designs={"detected": ByGroup("condition", DETECTOR.designs)})
    assert [each.name for each in found.design_parameters] == ["detected: t"]
