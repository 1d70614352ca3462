"""Percentages of all, of rows and of columns, and the test in words."""

import numpy as np
import pytest

from deniable_analysis import Study
from deniable_analysis.simulation import simulate_survey
from deniable_sdk import PublishedSurvey
from deniable_web.results.crosstabs import CrosstabView, crosstab_view
from deniable_web.results.findings import ResultChoices, find
from deniable_web.results.labels import Labels
from sample_definitions import choice, survey, yes_no
from there import there


def asked(*options: int) -> PublishedSurvey:
    """Choices with so many options each, and one crosstab of them all."""
    names = [f"q{place}" for place in range(len(options))]
    return survey(
        *(choice(name, count, required=True) for name, count in zip(names, options, strict=True)),
        epsilon=6,
        crosstabs=[names],
    )


def study_of(published: PublishedSurvey, people: int = 4000) -> Study:
    """Simulated respondents, whose answers to the questions depend on each other."""
    generator = np.random.default_rng(1)
    first = generator.integers(0, 2, people)
    answers = {
        each.id: np.minimum(first + (generator.random(people) < 0.3), len(each.names) - 1)
        for each in published.questions
    }
    return simulate_survey(published, answers, generator)


def view_of(study: Study) -> CrosstabView:
    """The crosstab as the English page has it."""
    findings = find(study, ResultChoices(0.95, None))
    (found,) = findings.estimates.crosstabs
    return crosstab_view(found, findings, Labels.of(study.survey, "en"))


def shown(view: CrosstabView, of: str) -> list[list[float]]:
    """The percentages of one of its tables."""
    (table,) = (each for each in view.tables if each.of == of)
    return [[float(cell[0].rstrip("%")) for cell in cells] for _, cells in table.rows]


@pytest.mark.parametrize("options", [(2, 3), (3, 2)], ids=["as asked", "turned"])
def test_rows_and_columns_are_the_studys(options: tuple[int, int]) -> None:
    """The question with more options is that of the columns; its percentages turn with it."""
    study = study_of(asked(*options))
    view = view_of(study)
    rows, columns = ("q0", "q1") if options == (2, 3) else ("q1", "q0")
    by_row, by_column = study.crosstab(rows, columns), study.crosstab(columns, rows)
    expected = {
        "all": [100 * there(each.valid_share) for each in by_row.cells],
        "rows": [100 * there(each.valid_share) for each in by_row.within_rows],
        "columns": [
            100 * there(each.valid_share)
            for row in range(2)
            for each in by_column.within_rows[row::2]
        ],
    }
    for of, shares in expected.items():
        assert np.ravel(shown(view, of)) == pytest.approx(np.array(shares), abs=1)
    assert [sum(line) for line in shown(view, "rows")] == pytest.approx([100, 100], abs=2)
    assert np.sum(shown(view, "columns"), axis=0) == pytest.approx(np.full(3, 100), abs=2)
    assert len(view.columns) == 3
    assert view.verdict == "very_clear"


def test_many_columns_are_not_made() -> None:
    """With more options than fit beside each other, the question stays that of the rows."""
    assert len(view_of(study_of(asked(9, 2))).columns) == 2
    assert len(view_of(study_of(asked(8, 2))).columns) == 8


def test_three_questions_have_one_table() -> None:
    """Its rows have the options of the first two, and no percentages of their own."""
    view = view_of(study_of(asked(2, 2, 3)))
    (table,) = view.tables
    assert (table.of, len(table.rows), len(view.columns)) == ("all", 4, 3)
    assert [names for names, _ in table.rows][1] == ("o0", "o1")
    assert view.test is None


def test_a_crosstab_without_reports_has_no_percentages() -> None:
    """Nobody was asked it yet."""
    published = survey(
        yes_no("a"), yes_no("b"), choice("c", 3), ask=1, crosstabs=[["a", "b"]], epsilon=4
    )
    empty = [
        find(
            simulate_survey(published, {"a": [0], "b": [0], "c": [0]}, rng),
            ResultChoices(0.95, None),
        )
        for rng in map(np.random.default_rng, range(8))
    ]
    assert any(not each.within for each in empty)
    assert any(each.within for each in empty)
