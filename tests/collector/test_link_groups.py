"""Groups by link at a collector: stored, counted by group, and refused if not declared."""

from collections import Counter
from itertools import count

import pytest

from deniable_collector.clock import utc_now
from deniable_collector.store import Store, add_reports
from deniable_collector.store.base import ReportOutcome, row_of
from deniable_sdk import PublishedSurvey, randomize
from linked import linked, reports_of
from live_server import ANALYST_TOKEN, Answer, LiveCollector
from problem_checks import assert_problem
from sample_definitions import choice, survey, yes_no

JSON, NDJSON = "application/json", "application/x-ndjson"
COUNTS: dict[str | None, int] = {"nurses": 5, "doctors": 3, None: 4}
numbers = count()


def test_each_store_counts_by_group_and_without_one(store: Store) -> None:
    """A row has the group, which is empty without one; counts of the groups add up to all."""
    ward = linked()
    stored = store.publish(ward).stored
    reports = reports_of(ward, COUNTS)
    assert set(add_reports(store, reports)) == {ReportOutcome.STORED}
    assert set(add_reports(store, reports)) == {ReportOutcome.ALREADY_STORED}
    rows = store.read_rows(stored, None, 100)
    assert list(rows) == sorted(row_of(report, ward) for report in reports)
    assert Counter(list(row)[1] for row in rows) == {"nurses": 5, "doctors": 3, "": 4}
    store.close_survey("ward")
    for group, wanted in COUNTS.items():
        found = store.count_values(stored, ward.blocks, group or "", now=utc_now())
        assert found.report_count == wanted
        own = Counter(each.values["asthma"] for each in reports if each.group == (group or ""))
        assert found.blocks["asthma"].support == own
    assert store.count_values(stored, ward.blocks, None, now=utc_now()).report_count == len(
        reports
    )
    assert not store.recount(stored).differing


def test_another_report_on_a_stored_id_is_a_conflict(store: Store) -> None:
    """The group belongs to the report: the same id with another group is another report."""
    ward = linked()
    store.publish(ward)
    (report,) = reports_of(ward, {"nurses": 1})
    other = report.replace(link_group="doctors")
    assert add_reports(store, [report, other, report.replace(link_group="")]) == (
        ReportOutcome.STORED,
        ReportOutcome.CONFLICT,
        ReportOutcome.CONFLICT,
    )


def published(collector: LiveCollector) -> PublishedSurvey:
    """A survey of this test's own, open on the collector."""
    ward = linked(yes_no(), choice(options=30), ask=1, slug=f"links-{next(numbers)}")
    answer = collector.owner("POST", "/api/surveys", ward.document)
    assert answer.status == 201, answer.body
    return ward


def counted(collector: LiveCollector, ward: PublishedSurvey, group: str) -> Answer:
    """What analysts are told of a group."""
    bearer = {"Authorization": f"Bearer {ANALYST_TOKEN}"}
    path = f"/api/surveys/{ward.slug}/results?blocks=&group={group}"
    return collector.send("GET", path, headers=bearer)


def send(collector: LiveCollector, body: bytes, media_type: str = JSON) -> Answer:
    """The answer to a body."""
    return collector.send("POST", "/api/reports", body, {"Content-Type": media_type})


@pytest.mark.parametrize("is_spaced", [False, True])
def test_both_ways_of_reading_take_declared_groups_alone(
    collector: LiveCollector, *, is_spaced: bool
) -> None:
    """A report in the form of devices, and in another, is stored or refused for its group."""
    ward = published(collector)
    for group, status in (("nurses", 201), (None, 201), ("cleaners", 422)):
        report = randomize(ward, {"asthma": True})
        body = report.replace(link_group=group or "").to_bytes()
        answer = send(collector, body.replace(b'","', b'", "') if is_spaced else body)
        assert answer.status == status, answer.body
        if status == 422:
            assert_problem(answer, "invalid-report")
            assert "no such group; allowed are: nurses, doctors" in answer.document["detail"]
            assert "cleaners" not in answer.document["detail"]
    lines = b"\n".join(each.to_bytes() for each in reports_of(ward, COUNTS))
    found = send(collector, lines, NDJSON).document["results"]
    assert [each["status"] for each in found] == [201] * 12


def test_counts_by_group_wait_for_the_end(collector: LiveCollector) -> None:
    """No response depends on groups before the owner closes; then each is counted."""
    ward = published(collector)
    lines = b"\n".join(each.to_bytes() for each in reports_of(ward, COUNTS))
    send(collector, lines, NDJSON)
    assert_problem(counted(collector, ward, "nurses"), "survey-not-closed")
    collector.owner("POST", f"/api/surveys/{ward.slug}/close")
    for group, wanted in (("nurses", 5), ("doctors", 3), ("", 4)):
        answer = counted(collector, ward, group)
        assert (answer.document["reports"], answer.document["group"]) == (wanted, group)
    refused = counted(collector, ward, "cleaners")
    assert_problem(refused, "unknown-group")
    assert "nurses, doctors; or nothing, for reports without a group" in refused.document["detail"]


def test_a_group_is_refused_where_none_is_declared(collector: LiveCollector) -> None:
    """A survey without groups takes none, also not from a changed app."""
    plain = survey(yes_no(), slug=f"links-{next(numbers)}")
    assert collector.owner("POST", "/api/surveys", plain.document).status == 201
    report = randomize(plain, {"asthma": True})
    refused = send(collector, report.replace(link_group="nurses").to_bytes())
    assert_problem(refused, "invalid-report")
    assert "the survey has no groups" in refused.document["detail"]
    assert send(collector, report.to_bytes()).status == 201
