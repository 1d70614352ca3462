"""Counts by group of real collectors: their files, databases and answers over HTTP."""

import json
import random
import sqlite3
from collections import Counter
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import psycopg
import pytest

from analysis.sources.test_collector_answers import answering
from analysis.study_files import Row, close_survey, tally, write_store
from analysis.study_files import add_reports as add_rows
from deniable_analysis import Study, export_study, open_study
from deniable_analysis.errors import NoGroups, UnreadableStudy
from deniable_analysis.sources.addresses import Address
from deniable_analysis.sources.base import ListedSurvey
from deniable_analysis.sources.collector import CollectorSource
from deniable_collector import add_reports, open_store
from deniable_sdk import Report
from invitations import GROUPS, InvitedSurvey, invited_survey, many_reports
from live_server import ANALYST_TOKEN, live_collector
from postgres_server import PostgresServer
from sample_definitions import choice, yes_no
from there import there

PEOPLE = 90
CLOSED = r"^survey 'ward' is not closed: while reports come in, counts by group would show who"


@dataclass(frozen=True)
class Ward:
    """A survey by invitation with the reports that its people sent."""

    invited: InvitedSurvey
    reports: list[Report]

    def of(self, group: str) -> list[Report]:
        """The reports of a group."""
        return [each for each in self.reports if there(each.token).group == group]


@pytest.fixture(scope="module")
def ward() -> Ward:
    """Ninety reports with real tokens: of two nurses for each doctor."""
    invited = invited_survey(
        yes_no("order"), choice("region", 3), slug="ward", ask="all", epsilon=4
    )
    groups = (*GROUPS, GROUPS[0])
    return Ward(invited, many_reports(invited, PEOPLE, random.Random(3), groups))


@pytest.fixture(params=["sqlite", "postgres"])
def location(
    request: pytest.FixtureRequest, ward: Ward, tmp_path: Path, postgres_server: PostgresServer
) -> str:
    """A store of either engine with these reports, still open."""
    found = str(tmp_path / "store.sqlite")
    if request.param == "postgres":
        found = postgres_server.schema()
    with closing(open_store(found)) as store:
        store.publish(ward.invited.published)
        add_reports(store, ward.reports)
    return found


def close(location: str) -> None:
    """Close the survey, as its owner does."""
    with closing(open_store(location)) as store:
        store.close_survey("ward")


def check_counts(study: Study, ward: Ward) -> None:
    """A group's counts are those of its reports, and all groups' those of all."""
    blocks = study.survey.blocks
    for group in GROUPS:
        found, reports = study.group(group).count(blocks), ward.of(group)
        assert found.report_count == len(reports)
        for block in blocks:
            said = Counter(report.values[block.id] for report in reports)
            assert dict(found.blocks[block.id].support) == said
    assert study.group(*GROUPS).count(blocks) == study.count(blocks)


def test_groups_are_counted_once_a_survey_is_closed(location: str, ward: Ward) -> None:
    """A study that was opened before gives them from then on, and no earlier."""
    study = open_study(location)
    for ask in (lambda: study.group("nurses"), lambda: study.estimate(by_group=True)):
        with pytest.raises(NoGroups, match=CLOSED):
            ask()
    assert there(study.estimate().response).reports == PEOPLE
    close(location)
    check_counts(study, ward)
    found = there(study.estimate(by_group=True).by_group)
    assert [each.reports for each in found.responses] == [60, 30]


def test_joint_values_of_a_group_are_those_of_its_reports(location: str, ward: Ward) -> None:
    """Pairs of values of a group's respondents, and of merged groups, are counted alone."""
    close(location)
    study = open_study(location)
    for groups in (("doctors",), GROUPS):
        part = study.group(*groups)
        joint = part.joint_counts(part.survey.blocks)
        pairs = zip(joint.of(0).tolist(), joint.of(1).tolist(), strict=True)
        found = dict(zip(pairs, joint.counts.tolist(), strict=True))
        reports = [report for group in groups for report in ward.of(group)]
        assert found == Counter(
            (report.values["order"], report.values["region"]) for report in reports
        )
        assert part.crosstab("order", "region").reports == len(reports)


def test_a_collector_counts_groups_over_http(ward: Ward, tmp_path: Path) -> None:
    """Its results are those of its file, and it gives none of an open survey."""
    path = tmp_path / "store.sqlite"
    with closing(open_store(path)) as store:
        store.publish(ward.invited.published)
        add_reports(store, ward.reports)
    with live_collector(path) as running:
        study = open_study(f"{running.url}/s/ward", token=ANALYST_TOKEN)
        with pytest.raises(NoGroups, match=CLOSED):
            study.estimate(by_group=True)
        close(str(path))
        local = open_study(path)
        assert study.estimate(by_group=True) == local.estimate(by_group=True)
        nurses, same = study.group("nurses"), local.group("nurses")
        one, other = (each.joint_counts(each.survey.blocks) for each in (nurses, same))
        np.testing.assert_array_equal(one.counts, other.counts)


def test_a_collector_that_ignores_groups_is_refused() -> None:
    """One of an older version would return the counts of all reports for those of a group."""
    listed = ListedSurvey("a" * 64, "ward", 1, True, "1")
    for answer in ({}, {"group": "doctors"}):
        body = {"digest": listed.digest, "reports": 90, "blocks": [], **answer}
        with answering(200, json.dumps(body).encode()) as (url, _):
            source = CollectorSource(Address(url, "ward"), ANALYST_TOKEN)
            with pytest.raises(UnreadableStudy, match=r"both run the same version of deniable$"):
                source.count(listed, (), "nurses")


def test_exports_are_without_groups(ward: Ward, tmp_path: Path) -> None:
    """Estimates of all reports are possible; of groups the error names where they are."""
    path = tmp_path / "store.sqlite"
    with closing(open_store(path)) as store:
        store.publish(ward.invited.published)
        add_reports(store, ward.reports)
        store.close_survey("ward")
    export_study(path, tmp_path / "ward.csv")
    study = open_study(tmp_path / "ward.csv")
    assert study.estimate().questions == open_study(path).estimate().questions
    message = r"^the reports of 'ward' are here without their groups, as in an export, .* address$"
    with pytest.raises(NoGroups, match=message):
        study.estimate(by_group=True)
    with pytest.raises(NoGroups, match=message):
        study.group("nurses")


@pytest.fixture
def strange(ward: Ward, tmp_path: Path) -> Mapping[str, Path]:
    """Closed stores with one report of a group that nobody is invited to."""
    found = {}
    for name, group in (("other", "surgeons"), ("empty", ""), ("longer", "nurses ")):
        path = found[name] = tmp_path / f"{name}.sqlite"
        published = ward.invited.published
        write_store(path, published)
        rows: list[Row] = [{"_group": "nurses", "order": 0}, {"_group": group, "order": 1}]
        add_rows(path, published, rows)
        close_survey(path, published)
    return found


@pytest.mark.parametrize("name", ["other", "empty", "longer"])
def test_a_group_that_is_not_invited_is_refused(name: str, strange: Mapping[str, Path]) -> None:
    """The error lists the invited groups, and tells nothing of the report."""
    study = open_study(strange[name])
    message = (
        r"^some reports of survey 'ward' have a group that is not among the survey's "
        r"\(nurses, doctors\); the store was changed by something other than the collector; "
        r"restore it$"
    )
    assert study.estimate("order").reports == 2
    for ask in (lambda: study.group("doctors"), lambda: study.estimate(by_group=True)):
        with pytest.raises(UnreadableStudy, match=message):
            ask()


def test_a_group_that_is_no_text_is_refused(ward: Ward, tmp_path: Path) -> None:
    """Bytes that are not UTF-8 are no group, and a table may even lack the column."""
    path, published = tmp_path / "store.sqlite", ward.invited.published
    write_store(path, published)
    add_rows(path, published, [{"_group": "nurses", "order": 0}])
    close_survey(path, published)
    table = tally(published)
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(f"UPDATE \"{table}\" SET _group = CAST(X'FF' AS TEXT)")  # noqa: S608
    with pytest.raises(UnreadableStudy, match=r"^some reports of survey 'ward' have a group"):
        open_study(path).group("nurses")
    with closing(sqlite3.connect(path)) as database, database:
        database.execute(f'ALTER TABLE "{table}" RENAME COLUMN _group TO moved')
    with pytest.raises(UnreadableStudy):
        open_study(path).group("nurses")


def test_a_database_without_the_column_is_refused(
    ward: Ward, postgres_server: PostgresServer
) -> None:
    """The error is that of a damaged store."""
    url = postgres_server.schema()
    with closing(open_store(url)) as store:
        store.publish(ward.invited.published)
        add_reports(store, ward.reports[:1])
        store.close_survey("ward")
    with psycopg.connect(url, autocommit=True) as database:
        table = tally(ward.invited.published)
        database.execute(f'ALTER TABLE "{table}" RENAME COLUMN _group TO moved'.encode())
    with pytest.raises(UnreadableStudy, match="cannot be read as a store of surveys"):
        open_study(url).group("nurses")
