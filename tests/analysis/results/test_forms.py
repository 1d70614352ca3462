"""The forms that every result has: a line, a text, a data frame, and parts by their names."""

from collections.abc import Callable

import pytest

from analysis.enumerated import estimates
from analysis.related import yes_no_study
from analysis.results.test_presentation import BITS, JOINT, joint, wave
from analysis.results.test_relation_charts import OTHER, STUDY
from deniable_analysis import compare, compare_with_norm, share_above
from deniable_analysis.errors import NameNotFound
from deniable_analysis.parts import Line, Table
from deniable_analysis.presentation import Named, Presented
from there import there

RESULTS: dict[str, Callable[[], Presented]] = {
    "estimates": joint,
    "question": lambda: joint().questions[0],
    "mean": lambda: there(joint().questions[1].mean),
    "distribution": lambda: there(wave().questions[0].distribution),
    "crosstab of a block": lambda: joint().crosstabs[0],
    "crosstab": lambda: STUDY.crosstab("asthma", "region"),
    "independence": lambda: STUDY.independence("asthma", "region"),
    "winner": lambda: STUDY.winner("region"),
    "quantiles": lambda: STUDY.quantiles("stress"),
    "survival": lambda: STUDY.survival("stress"),
    "share above": lambda: share_above(STUDY, "stress", 3),
    "norm": lambda: compare_with_norm(STUDY, "stress", mean=2.5, sd=1.2),
    "comparison": lambda: compare(STUDY, OTHER, "stress"),
    "regression": lambda: STUDY.regress("asthma ~ C(stress)"),
    "nothing": lambda: estimates(JOINT, {}),
}


@pytest.mark.parametrize("name", RESULTS)
def test_every_result_has_the_same_forms(name: str) -> None:
    """Its repr fits on a line and says what it is; print and summary have its numbers."""
    result = RESULTS[name]()
    line = repr(result)
    assert line.startswith(f"<{type(result).__name__}: ")
    assert line.endswith(">")
    assert len(line.splitlines()) == 1
    assert len(line) <= 79
    text = result.summary()
    assert str(result) == text
    for part in result.parts():
        shown = part.text if isinstance(part, Line) else part.heads[0]
        assert shown in text
    frame = result.to_frame()
    assert all(frame.columns)
    assert len(frame) or name == "nothing"
    assert result.to_document()


def test_the_repr_of_a_study_fits_on_a_line() -> None:
    """It says which survey it is, and counts no report."""
    assert repr(STUDY) == "<Study: health@1, 4 questions, epsilon 8>"
    assert repr(yes_no_study(1, 0)) == "<Study: health@1, 1 question, epsilon 2>"


def test_completion_offers_what_users_call() -> None:
    """Not what other modules take from studies and results."""
    found = {*dir(STUDY), *dir(joint())}
    assert {"estimate", "regress", "survey", "questions", "to_frame", "summary"} <= found
    assert found & {"count", "joint_counts", "parts", "charts", "table", "INTERNAL"} == set()


def test_shares_are_found_by_question_and_option() -> None:
    """Questions and crosstabs are by their ids, options and cells by their names in tables."""
    found = joint()
    asthma, stress = found.questions
    (crosstab,) = found.crosstabs
    assert list(found) == [crosstab.block, "asthma", "stress"]
    assert found["asthma"] is asthma
    assert found["asthma"]["yes"] is asthma.options[0]
    assert found["stress"]["3"].share == stress.options[2].share
    assert found[crosstab.block]["yes, 1"] is crosstab.cells[0]
    assert STUDY.crosstab("asthma", "region")["no, o0"].options == ("no", "o0")


@pytest.mark.parametrize(
    ("result", "name", "near"),
    [
        (joint(), "asthm", "did you mean asthma? there is: asthma_x_stress, asthma, stress"),
        (joint().questions[0], "yess", "did you mean yes? there is: yes, no"),
        (joint().crosstabs[0], "yes, 9", "did you mean yes, "),
        (estimates(BITS, {}).questions[0], "o7", "there is: o0, o1, o2, no_answer"),
    ],
)
def test_a_wrong_name_is_answered_with_near_ones(
    result: Named[object], name: str, near: str
) -> None:
    """The error is a KeyError, too, and what is not there is not in the result."""
    assert name not in result
    with pytest.raises(KeyError) as caught:
        result[name]
    assert isinstance(caught.value, NameNotFound)
    assert str(caught.value).startswith(f"got the name '{name}'; {near}")


def test_columns_for_people_and_for_data() -> None:
    """Each question of a crosstab has a column in data, and people see one name of a cell."""
    table = STUDY.crosstab("asthma", "region").table()
    assert table.heads[0] == "cell"
    assert list(table.to_frame().columns[:3]) == ["asthma", "region", "share"]
    assert table.cells[0][0] == "yes, o0"
    assert Table((), ()).to_frame().empty
