"""A formula's names are those of the table or study, and nothing else."""

import builtins
import keyword
from typing import Any

import numpy as np
import pandas as pd
import pytest

from analysis.regressions import WARNER
from deniable_analysis import Regression, regress
from deniable_analysis.errors import ColumnNotFound, InvalidArgument
from deniable_analysis.regression.names import aliased, aliases_of
from deniable_analysis.simulation import simulate_survey
from deniable_sdk import compile_survey
from sampled_params import sampled_params

# Names that mean something to Python, formulaic, numpy, pandas or the results.
TRANSFORMS = (
    "C",
    "I",
    "Q",
    "bs",
    "center",
    "scale",
    "poly",
    "log",
    "lag",
    "contr",
    "np",
)
OTHERS = (
    *("e", "pi", "inf", "nan", "self", "names", "values", "index", "name", "T", "dtype", "levels"),
    *("Intercept", "column0_", "c", "cov.age", "a b", "x:y", "2020 income", "y1", "mean", "no"),
)
NAMES = (*TRANSFORMS, *OTHERS, *keyword.kwlist, *(n for n in dir(builtins) if n[0] != "_"))
WANTED = (
    "type",
    "id",
    "license",
    "sum",
    "range",
    "min",
    "Intercept",
    "C",
    "True",
    "self",
    "class",
)

generator = np.random.default_rng(14)
ROWS = 400
GROUP = generator.integers(3, size=ROWS)
AGE = generator.normal(size=ROWS)
YES = np.where(generator.random(ROWS) < 0.3 + 0.1 * GROUP, "yes", "no")


def numbers(found: Regression) -> list[tuple[float, float]]:
    """The estimates with their errors."""
    return [(each.estimate, each.standard_error) for each in found.coefficients]


PLAIN = regress("r ~ old + C(kind)", {"r": YES, "old": AGE, "kind": GROUP}, designs={"r": WARNER})


@pytest.mark.sweep
@pytest.mark.parametrize(
    "name", [*WANTED, *sampled_params([each for each in NAMES if each not in WANTED], every=16)]
)
def test_whatever_a_column_is_called_it_is_a_column(name: str) -> None:
    """Bare, in backquotes, within C() and before other columns the regression is the same."""
    table = pd.DataFrame({"r": YES, name: GROUP, "old": AGE})
    for written in (f"r ~ old + C({name})", f"r ~ old + C(`{name}`)"):
        found = regress(written, table, designs={"r": WARNER})
        assert numbers(found) == numbers(PLAIN)
        assert found.coefficients[2].name.startswith("C(")
    alone = regress(f"r ~ {name} + old", table, designs={"r": WARNER})
    assert len(alone.coefficients) == 3
    again = alone.predict(table)
    assert np.array_equal(again.values, alone.predict().values)
    effects = alone.average_marginal_effects().effects
    assert [each.name for each in effects] == [name, "old"]


@pytest.mark.parametrize("name", WANTED)
def test_outcomes_and_ordered_outcomes_too(name: str) -> None:
    """Before the ~ and beside thresholds a column is a column whatever its name."""
    table = pd.DataFrame({name: np.array(["a", "b", "c"])[GROUP], "old": AGE})
    swapped = pd.DataFrame({"level": table[name], name: AGE})
    assert len(regress(f"{name} ~ old", table).coefficients) == 4
    found = regress(f"level ~ {name}", swapped, link="ordered")
    plain = regress("level ~ old", {"level": table[name], "old": AGE}, link="ordered")
    assert numbers(found) == numbers(plain)


@pytest.mark.sweep
@pytest.mark.parametrize("name", ["type", "id", "sum", "range", "min", "license"])
def test_questions_of_a_study(name: str) -> None:
    """A question called like a builtin explains, is explained, and is missed by near names."""
    definition = {
        "title": "T",
        "slug": "t",
        "epsilon": 3,
        "ask": 2,
        "questions": [
            {"id": name, "type": "yes_no", "text": "A?", "required": True},
            {"id": "mood", "type": "yes_no", "text": "B?", "required": True},
        ],
    }
    survey = compile_survey(definition)
    places = np.arange(400)
    answers = {name: (places % 3 == 0).astype(int), "mood": places % 2}
    study = simulate_survey(survey, answers, np.random.default_rng(1))
    for formula in (f"mood ~ {name}", f"mood ~ C({name})"):
        assert len(study.regress(formula).coefficients) == 2
    assert study.regress(f"{name} ~ mood").outcome == name
    with pytest.raises(ColumnNotFound, match=f"did you mean {name}"):
        study.regress(f"mood ~ {name}x")


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        ("r ~ old + type", "got the column 'type', which does not exist (the formula"),
        ("r ~ C(id)", "got the column 'id', which does not exist"),
        ("r ~ old + olds", "did you mean old?"),
        ("r ~ cov.agee", "got the column 'cov.agee', which does not exist"),
        ("r ~ cov.agee", "did you mean cov.age?"),
        ("r ~ `old age`", "got the column 'old age', which does not exist (the formula has it in"),
        ("r ~ True", "got the column 'True'"),
        ("r ~ column0_", "got the column 'column0_'"),
        ("r ~ I(old * e)", "got the column 'e'"),
        ("r ~ old + np", "got the function 'np' in the formula"),
    ],
)
def test_a_name_of_nothing_is_an_error_with_near_ones(formula: str, message: str) -> None:
    """It is never left out, and never a builtin."""
    table = {"r": YES, "old": AGE, "cov.age": AGE**2}
    with pytest.raises((ColumnNotFound, InvalidArgument)) as caught:
        regress(formula, table, designs={"r": WARNER})
    assert message in str(caught.value)


@pytest.mark.parametrize(
    "term",
    ["lag(old)", "I(old - np.mean(old))", "max(old)", "I(old.mean())", "exec('1')", "lgo(old)"],
)
def test_a_function_of_other_rows_is_refused(term: str) -> None:
    """Rows that are alike stand once, so that a mean over them would be another one."""
    with pytest.raises(InvalidArgument, match="allowed are functions of formulaic and numpy"):
        regress(f"r ~ {term}", {"r": YES, "old": AGE}, designs={"r": WARNER})


@pytest.mark.parametrize(
    ("term", "values"),
    [
        ("np.sqrt(np.abs(old))", np.sqrt(np.abs(AGE))),
        ("I(old / np.pi)", AGE / np.pi),
        ("exp(old)", np.exp(AGE)),
        ("scale(old)", (AGE - AGE.mean()) / AGE.std(ddof=1)),
    ],
)
def test_functions_that_there_are(term: str, values: Any) -> None:
    """They are computed, also beside a column that is called as they are."""
    column = term.split("(", maxsplit=1)[0].split(".", maxsplit=1)[0]
    table = {"r": YES, "old": AGE, column: 0.0 * AGE}
    found = regress(f"r ~ {term}", table, designs={"r": WARNER})
    plain = regress("r ~ x", {"r": YES, "x": values}, designs={"r": WARNER})
    np.testing.assert_allclose(numbers(found), numbers(plain), rtol=1e-6)


def test_texts_and_arguments_stay_what_they_are() -> None:
    """What stands in quotes, is called or is an argument's name is no column."""
    columns = ["df", "old", "C", "a.b", "2"]
    given = aliases_of(columns, "")
    text = (
        "bs(old, df=df) + C(C, contr.treatment(\"old\")) + `a.b` + a.b + I(old == 'C') + 2 + `2`"
    )
    assert aliased(text, given) == (
        'bs(column1_, df=column0_) + C(column2_, contr.treatment("old")) + column3_ + column3_ + '
        "I(column1_ == 'C') + 2 + column4_"
    )


def test_a_level_called_like_a_column_is_a_level() -> None:
    """The base of a contrast is a text, also where a column has its name."""
    kinds = np.array(["old", "new.one", "r"])[GROUP]
    table = {"r": YES, "kind": kinds, "old": AGE, "new.one": AGE}
    design = {"r": WARNER}
    found = regress('r ~ C(kind, contr.treatment("new.one"))', table, designs=design)
    assert [each.name.rpartition("[")[2] for each in found.coefficients[1:]] == ["T.old]", "T.r]"]
