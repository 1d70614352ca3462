"""Surveys by invitation in every store: groups in the rows, and keys that serve once."""

import random
import threading
from collections import Counter
from contextlib import closing

import psycopg
import pytest

from deniable_collector.clock import utc_now
from deniable_collector.errors import UnusableKeys
from deniable_collector.store import Store, add_reports
from deniable_collector.store.base import PublishOutcome, ReportOutcome, row_of
from deniable_sdk import PublishedSurvey
from deniable_storage.counts import Member
from deniable_storage.sqlite_tables import SqliteTable
from invitations import GROUPS, invitation, invited_survey, key, many_reports
from sample_definitions import choice, definition, survey, yes_no
from store_samples import Open

INVITED = invited_survey(yes_no(), choice(options=30), ask=1, epsilon="0.5", slug="ward")
WARD = INVITED.published


def counted(store: Store, group: str | None) -> dict[str, dict[Member, int]]:
    """How often each member of each block's values was reported, by a group or by all."""
    stored = store.find_survey("ward")
    assert stored is not None
    counts = store.look(stored, WARD.blocks, group)
    return {name: dict(found.support) for name, found in counts.blocks.items()}


def test_rows_have_the_group_and_nothing_else_of_a_token(
    store: Store, random_source: random.Random
) -> None:
    """A row is id, group and values; it comes out as it went in, in the order of the ids."""
    stored = store.publish(WARD).stored
    reports = many_reports(INVITED, 12, random_source)
    assert add_reports(store, reports) == (ReportOutcome.STORED,) * 12
    rows = store.read_rows(stored, None, 100)
    assert list(rows) == sorted(row_of(report, WARD) for report in reports)
    groups = {report.id: report.token.group for report in reports if report.token}
    assert {report.hex(): values[0] for report, *values in rows} == groups
    assert {len(row) for row in rows} == {2 + len(WARD.blocks)}
    assert store.read_rows(stored, rows[4][0], 100) == rows[5:]


def test_a_token_is_good_for_one_report(store: Store) -> None:
    """The same report again is known; another on the same token is a conflict."""
    store.publish(WARD)
    first, second = INVITED.two_on_one_token()
    assert first.id == second.id
    assert add_reports(store, [first, second, first]) == (
        ReportOutcome.STORED,
        ReportOutcome.CONFLICT,
        ReportOutcome.ALREADY_STORED,
    )
    store.close_survey("ward")
    assert add_reports(store, [second, first]) == (
        ReportOutcome.CONFLICT,
        ReportOutcome.ALREADY_STORED,
    )


def test_reports_are_counted_by_group(store: Store, random_source: random.Random) -> None:
    """The counts of the groups are those of their own reports, and add up to all."""
    stored = store.publish(WARD).stored
    reports = many_reports(INVITED, 60, random_source, groups=("nurses", "nurses", "doctors"))
    add_reports(store, reports)
    store.close_survey("ward")
    for group in (*GROUPS, None):
        own = [each for each in reports if each.token and group in (None, each.token.group)]
        asthma = Counter(each.values["asthma"] for each in own if "asthma" in each.values)
        assert counted(store, group)["asthma"] == asthma
        assert store.look(stored, [], group).report_count == len(own)
        joint = store.count_tuples(stored, [WARD.blocks[0]], 100, group, now=utc_now())
        assert joint.report_count == sum(asthma.values())
    both = Counter(counted(store, "nurses")["region"]) + Counter(
        counted(store, "doctors")["region"]
    )
    assert both == counted(store, None)["region"]


def test_a_survey_with_placeholders_for_keys_is_not_published(store: Store) -> None:
    """The message names the groups and the command that makes keys; nothing is published."""
    groups = {"nurses": {"invited": 100}, "doctors": invitation({"doctors": key(1)})["groups"]}
    groups["doctors"] = groups["doctors"]["doctors"]
    keyless = survey(**definition(invited={"issuer": "https://example.org", "groups": groups}))
    with pytest.raises(UnusableKeys, match=r"no key for nurses, .* deniable issuer keys FILE"):
        store.publish(keyless)
    assert store.list_surveys() == ()


def published_with(first_key: int, **keys: object) -> PublishedSurvey:
    """A survey whose groups have keys from this number on."""
    return invited_survey(first_key=first_key, **keys).published


def test_a_key_serves_once_in_a_store(store: Store) -> None:
    """Neither another survey, nor the next edition, nor another group may have a key again."""
    first = published_with(0, slug="first")
    assert store.publish(first).outcome is PublishOutcome.PUBLISHED
    assert store.publish(first).outcome is PublishOutcome.ALREADY_PUBLISHED
    # The second group of the first survey is the first one here.
    for again, named in (
        (published_with(0, slug="second"), "nurses, doctors"),
        (
            published_with(1, slug="third"),
            "nurses",
        ),
    ):
        with pytest.raises(UnusableKeys, match=rf"got keys for {named} that a survey") as caught:
            store.publish(again)
        assert "first" not in str(caught.value)
    successor = published_with(0, slug="first", epsilon=1)
    assert store.publish(successor).outcome is PublishOutcome.CONFLICT
    store.close_survey("first")
    store.purge_reports(first.digest)
    with pytest.raises(UnusableKeys, match="remove their moduli from the definition"):
        store.publish(successor)
    assert [found.survey for found in store.list_surveys()] == [first]
    fresh = published_with(2, slug="first", epsilon=1)
    assert store.publish(fresh).stored.edition == 2


def test_of_two_surveys_with_one_key_one_is_published(store: Store, reopen: Open) -> None:
    """Also if both come at the same time, through two openings."""
    surveys = [published_with(0, slug=f"survey-{number}") for number in range(6)]
    outcomes: list[object] = []
    with closing(reopen()) as beside:

        def publish(opened: Store, published: PublishedSurvey) -> None:
            try:
                outcomes.append(opened.publish(published).outcome)
            except UnusableKeys:
                outcomes.append(UnusableKeys)

        threads = [
            threading.Thread(target=publish, args=((store, beside)[number % 2], published))
            for number, published in enumerate(surveys)
        ]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert Counter(outcomes) == {PublishOutcome.PUBLISHED: 1, UnusableKeys: 5}
    assert len(store.list_surveys()) == 1


def test_the_table_of_a_survey_that_everybody_may_answer_has_no_group(
    store: Store, location: str
) -> None:
    """One column more, and only where people are invited."""
    store.publish(WARD)
    store.publish(survey(yes_no(), slug="open"))
    if location.startswith("postgresql:"):
        statement = (
            "SELECT table_name, data_type, is_nullable FROM information_schema.columns "
            "WHERE table_schema = current_schema() AND column_name = '_group'"
        )
        with psycopg.connect(location) as database:
            found = database.execute(statement).fetchall()
        names = [f"{kind}_ward_{WARD.digest[:12]}" for kind in ("reports", "tally")]
        assert sorted(found) == [(name, "text", "NO") for name in names]
    lines = SqliteTable.of(WARD).create_sql.splitlines()
    assert lines[1:4] == [
        "    _report BLOB PRIMARY KEY,",
        "    _group TEXT NOT NULL,",
        '    "asthma",',
    ]
    everybody = SqliteTable.of(survey(yes_no(), slug="open"))
    assert "_group" not in everybody.create_sql + everybody.create_tally_sql
