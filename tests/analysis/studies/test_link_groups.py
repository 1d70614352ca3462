"""Groups by link in the analysis: weighted to their numbers, and a known predictor."""

from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from analysis.study_files import add_reports, close_survey, write_store
from deniable_analysis import Study, open_study, regress
from deniable_analysis.designs import from_mechanism
from deniable_analysis.errors import NoGroups
from deniable_analysis.results import OptionEstimate
from deniable_sdk import PublishedSurvey
from linked import groups, linked
from sample_definitions import Document, survey, yes_no
from there import there

MUST = {"required": True}
PEOPLE = {"nurses": 200, "doctors": 80, "cleaners": 20}
REPORTS = {"nurses": 90, "doctors": 60, "cleaners": 15, "": 40}


def asked(**keys: object) -> PublishedSurvey:
    """A survey in which everybody is asked two questions, each in a block of its own."""
    questions: list[Document] = [yes_no(each, **MUST) for each in ("bullied", "ill")]
    return survey(*questions, **{"slug": "ward", "ask": "all", "epsilon": 4, **keys})


LINKED = asked(groups=groups(**PEOPLE))


def table_of(groups_of_reports: dict[str, int]) -> pd.DataFrame:
    """Reports whose values look as if groups differed."""
    names = [name for name, count in groups_of_reports.items() for _ in range(count)]
    random = np.random.default_rng(47)
    shares = {"nurses": 0.3, "doctors": 0.6, "cleaners": 0.5, "": 0.4}
    said = {
        each: (random.random(len(names)) < [shares[name] for name in names]).astype(int)
        for each in ("bullied", "ill")
    }
    return pd.DataFrame({"_group": names, **said})


def stored(path: Path, published: PublishedSurvey, table: pd.DataFrame) -> Study:
    """The closed study of these reports."""
    write_store(path, published)
    add_reports(path, published, table.to_dict("records"))
    close_survey(path, published)
    return open_study(str(path))


@pytest.fixture
def study(tmp_path: Path) -> Study:
    """A closed study with reports of all groups, and of none."""
    return stored(tmp_path / "ward.sqlite", LINKED, table_of(REPORTS))


def test_groups_are_weighted_to_their_numbers(study: Study) -> None:
    """The share of all is that of the groups by their numbers; other reports are left out."""
    found = study.estimate("bullied", by_group=True)
    grouped = found.by_group
    assert grouped is not None
    (question,) = grouped.questions
    assert found.reports == sum(REPORTS.values())
    assert {each.group: (each.invited, each.reports) for each in grouped.responses} == {
        name: (people, REPORTS[name]) for name, people in PEOPLE.items()
    }
    own = {name: estimate.options[0].share for name, estimate in question.groups}
    weighted = sum(PEOPLE[name] * there(share) for name, share in own.items()) / 300
    assert question.options[0].share == pytest.approx(weighted, abs=1e-12)
    assert grouped.without_group == 40
    assert "all invited: left out here, without a group: 40 reports" in str(grouped)


def by_invitation(path: Path, factor: int) -> Study:
    """The reports of the groups by invitation; so many times as many people are invited."""
    invited = {name: {"invited": factor * people} for name, people in PEOPLE.items()}
    ward = asked(invited={"issuer": "https://a.b", "groups": invited})
    table = table_of(REPORTS)
    return stored(path, ward, table[table["_group"] != ""])


def shares_of(study: Study) -> list[tuple[str, OptionEstimate]]:
    """The shares of each group, and of all, by name."""
    grouped = there(study.estimate("bullied", by_group=True).by_group)
    return [*grouped.questions[0].shares()]


def test_a_link_gives_no_finite_population(study: Study, tmp_path: Path) -> None:
    """A link can be passed on, so intervals are those of the same reports of very many people."""
    by_link = shares_of(study)
    few = shares_of(by_invitation(tmp_path / "few.sqlite", 1))
    many = shares_of(by_invitation(tmp_path / "many.sqlite", 10_000))
    for (name, link), (_, one), (_, other) in zip(by_link, few, many, strict=True):
        assert link.share == pytest.approx(there(one.share), abs=1e-12)
        assert there(link.high) - there(link.low) > there(one.high) - there(one.low)
        if name == "all invited":
            assert link.low == pytest.approx(there(other.low), abs=1e-4)
            assert link.high == pytest.approx(there(other.high), abs=1e-4)
    assert study.population is None
    assert study.group("nurses").population is None
    assert study.estimate("bullied").response is None


def test_it_is_the_regression_of_the_reports_with_a_group(study: Study) -> None:
    """The group is a known column, and reports without one are left out, in words."""
    found = study.regress("bullied ~ group")
    table = table_of(REPORTS)
    table = table[table["_group"] != ""].reset_index(drop=True)
    mechanism = LINKED.block("bullied").mechanism
    clear = {
        "group": table["_group"],
        "bullied": np.where(table["bullied"] == 0, "yes", "no"),
    }
    designs = {"bullied": from_mechanism(mechanism, ["yes", "no"])}
    expected = regress("bullied ~ group", clear, designs=designs)
    assert [each.name for each in found.coefficients] == [
        each.name for each in expected.coefficients
    ]
    for one, other in zip(found.coefficients, expected.coefficients, strict=True):
        assert one.estimate == pytest.approx(other.estimate, abs=1e-6)
        assert one.low == pytest.approx(other.low, abs=1e-4)
    assert "group: left out, without a group: 40 reports" in found.warnings


def test_more_reports_than_people_are_said(tmp_path: Path) -> None:
    """Nobody can check who used a link; the numbers stand, with a warning."""
    study = stored(tmp_path / "ward.sqlite", LINKED, table_of({**REPORTS, "cleaners": 21}))
    warnings = study.estimate("bullied", by_group=True).warnings
    assert any(
        each.startswith("cleaners: 21 reports by the link of 20 people") for each in warnings
    )


def test_an_open_survey_has_no_results_by_group(tmp_path: Path) -> None:
    """Counts by group wait for the end, and a survey without groups says so."""
    path = tmp_path / "ward.sqlite"
    write_store(path, LINKED)
    add_reports(path, LINKED, table_of(REPORTS).to_dict("records"))
    with pytest.raises(NoGroups, match="is not closed"):
        open_study(str(path)).estimate(by_group=True)
    plain = tmp_path / "plain.sqlite"
    write_store(plain, linked(groups=groups(a=20), slug="other"))
    without = stored(tmp_path / "without.sqlite", asked(), table_of({"": 9})[["bullied", "ill"]])
    with pytest.raises(NoGroups, match="no groups by link"):
        without.estimate(by_group=True)
