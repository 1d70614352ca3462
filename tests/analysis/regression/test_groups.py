"""Regressions with the group of invited people, which is known, among the predictors."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from analysis.invited_groups import ward
from analysis.study_files import add_reports, close_survey, write_store
from deniable_analysis import Study, likelihood_ratio, open_study, regress
from deniable_analysis.designs import from_mechanism
from deniable_analysis.errors import ColumnNotFound, InvalidArgument, NoGroups, NotIdentified
from deniable_sdk import PublishedSurvey
from sample_definitions import Document, survey, yes_no

MUST = {"required": True}
SHARES = {"nurses": 0.3, "doctors": 0.6, "cleaners": 0.45}


def asked(*ids: str) -> PublishedSurvey:
    """A survey of the ward, in which everybody is asked all of these questions."""
    questions: list[Document] = [yes_no(each, **MUST) for each in ids]
    return ward(*questions, ask="all", epsilon=4, crosstabs=[])


def reported(published: PublishedSurvey, groups: list[str]) -> pd.DataFrame:
    """A report for each of these groups' people, by the channel of each block."""
    random = np.random.default_rng(7)
    table = pd.DataFrame({"_group": groups})
    for block in published.blocks:
        truth = random.random(len(groups)) < [SHARES[each] for each in groups]
        keep, flip = (float(getattr(block.mechanism, each)) for each in ("keep", "flip"))
        table[block.id] = (random.random(len(groups)) < np.where(truth, keep, flip)).astype(int)
        table[block.id] = 1 - table[block.id]
    return table


def stored(path: Path, published: PublishedSurvey, table: pd.DataFrame) -> Study:
    """The closed study of these reports."""
    write_store(path, published)
    add_reports(path, published, table.to_dict("records"))
    close_survey(path, published)
    return open_study(str(path))


MIXED = ["nurses"] * 150 + ["doctors"] * 70 + ["cleaners"] * 20


@pytest.mark.parametrize(
    ("formula", "names"),
    [
        ("bullied ~ group", ["Intercept", "group[T.cleaners]", "group[T.doctors]"]),
        ("bullied ~ ill + C(group)", None),
        ("bullied ~ C(group, contr.treatment('doctors'))", None),
    ],
)
def test_it_is_the_regression_of_a_table_with_the_groups(
    tmp_path: Path, formula: str, names: list[str] | None
) -> None:
    """Every number is that of `regress` with a clear column, whatever tuples were merged."""
    published = asked("bullied", "ill")
    table = reported(published, MIXED)
    study = stored(tmp_path / "ward.sqlite", published, table)
    blocks = {block.id: block for block in published.blocks}
    clear = {"group": table["_group"]}
    randomized = {name: np.where(table[name] == 0, "yes", "no") for name in blocks}
    designs = {
        name: from_mechanism(block.mechanism, ["yes", "no"])
        for name, block in blocks.items()
        if name in formula
    }
    found = study.regress(formula)
    wanted = regress(formula, {**clear, **randomized}, designs=designs)
    assert found.rows == len(MIXED)
    assert not found.warnings
    assert names is None or [each.name for each in found.coefficients] == names
    for each in wanted.coefficients:
        assert found[each.name].estimate == pytest.approx(each.estimate, rel=1e-6)
        assert found[each.name].standard_error == pytest.approx(each.standard_error, rel=1e-6)
    if formula == "bullied ~ group":
        # It can be tested against one without the groups, and asked about a group.
        (test,) = likelihood_ratio(found, study.regress("bullied ~ 1")).tests
        plain = regress("bullied ~ 1", {**clear, **randomized}, designs=designs)
        (other,) = likelihood_ratio(wanted, plain).tests
        assert test.degrees == other.degrees == 2
        assert test.statistic == pytest.approx(other.statistic, rel=1e-6)
        rows = {"group": ["doctors"]}
        mine, others = (each.predict(rows) for each in (found, wanted))
        assert mine.values == pytest.approx(others.values, rel=1e-6)
        assert mine.errors == pytest.approx(others.errors, rel=1e-6)


def test_groups_without_reports_are_named(tmp_path: Path) -> None:
    """One group of three is missing: a warning. Two are missing: nothing can be compared."""
    published = asked("bullied")
    two = reported(published, MIXED[:220])
    found = stored(tmp_path / "two.sqlite", published, two).regress("bullied ~ group")
    assert found.warnings == (
        "group: no report from cleaners, so the regression says nothing about them",
    )
    one = stored(tmp_path / "one.sqlite", published, two[:150])
    with pytest.raises(NotIdentified, match="group: the same in all rows, so there is no coeff"):
        one.regress("bullied ~ group")
    nobody = stored(tmp_path / "nobody.sqlite", published, two[:0])
    with pytest.raises(InvalidArgument, match="no report carries bullied yet"):
        nobody.regress("bullied ~ group")


def test_a_term_that_is_the_same_in_all_rows_is_refused() -> None:
    """Formulaic leaves it out, also in a table, and the others would seem adjusted for it."""
    table = {"used": ["yes", "no"] * 9, "place": ["here"] * 18, "age": list(range(18))}
    for formula in ("used ~ place", "used ~ age + C(place)"):
        with pytest.raises(NotIdentified, match=r"place.*: the same in all rows.*leave it out"):
            regress(formula, table)


def test_a_question_may_be_named_group(tmp_path: Path) -> None:
    """Then its id is the question, and the group has the name of its column in tables."""
    published = asked("bullied", "group")
    study = stored(tmp_path / "ward.sqlite", published, reported(published, MIXED))
    assert [each.name for each in study.regress("bullied ~ group").coefficients][:2] == [
        "Intercept",
        "group[T.yes]",
    ]
    names = [each.name for each in study.regress("bullied ~ _group + group").coefficients]
    assert names[:4] == ["Intercept", "_group[T.cleaners]", "_group[T.doctors]", "group[T.yes]"]


def test_what_has_no_groups_says_so(tmp_path: Path) -> None:
    """Open surveys, the reports of some groups, a survey that runs."""
    published = asked("bullied")
    table = reported(published, MIXED)
    study = stored(tmp_path / "ward.sqlite", published, table)
    with pytest.raises(InvalidArgument, match="got the outcome group, which nobody answers"):
        study.regress("group ~ bullied")
    with pytest.raises(NoGroups, match="here without their groups"):
        study.group("nurses", "doctors").regress("bullied ~ group")
    running = tmp_path / "running.sqlite"
    write_store(running, published)
    add_reports(running, published, table.to_dict("records"))
    with pytest.raises(NoGroups, match="is not closed"):
        open_study(str(running)).regress("bullied ~ group")
    assert open_study(str(running)).regress("bullied ~ 1").rows == len(MIXED)
    everybody = survey(yes_no("bullied", **MUST))
    write_store(tmp_path / "open.sqlite", everybody)
    with pytest.raises(ColumnNotFound, match="group"):
        open_study(str(tmp_path / "open.sqlite")).regress("bullied ~ group")
