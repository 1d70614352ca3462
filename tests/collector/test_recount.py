"""A tally that something else changed is noticed, named and counted again."""

import random
import threading
from contextlib import closing
from pathlib import Path

import pytest

from deniable_collector.clock import utc_now
from deniable_collector.errors import ErasingUnfinished
from deniable_collector.store import Store, add_reports, open_store
from deniable_collector.store.base import ReportOutcome
from deniable_storage.errors import InconsistentTally, StrangeValue
from invitations import GROUPS, invited_survey, many_reports
from postgres_server import PostgresServer
from sample_definitions import choice, survey, yes_no
from store_samples import Open, reports_of
from tally_checks import (
    ask,
    change_counts,
    change_first_count,
    check_tally,
    name_of,
    stored_tally,
)
from there import there

WHOLE = survey(yes_no(), choice(options=30), ask="all", epsilon=1, slug="whole")
INVITED = invited_survey(yes_no(), choice(options=30), ask=1, epsilon="0.5", slug="ward")
WARD = INVITED.published

# How a tally may have been changed, and the blocks that a recount then names.
CHANGES: list[tuple[str, str | None]] = [
    ("asthma", "[90,99,0,0]"),
    ("", "[99]"),
    ("region", None),
    ("asthma", "[90,90]"),
    ("", None),
]
ALL = ["", "asthma", "region"]


@pytest.mark.sweep
@pytest.mark.parametrize(
    "change",
    [*CHANGES, "DELETE FROM TALLY", "DELETE FROM REPORTS"],
    ids=lambda change: change if isinstance(change, str) else " ".join(map(str, change)),
)
@pytest.mark.parametrize("is_closed", [False, True])
def test_a_changed_tally_is_seen_and_repaired(
    store: Store, location: str, change: str | tuple[str, str | None], is_closed: bool
) -> None:
    """A recount names the blocks and changes nothing; repairing counts the rows."""
    stored = store.publish(WHOLE).stored
    add_reports(store, reports_of(WHOLE, 90, random.Random(1)))
    if is_closed:
        stored = there(store.close_survey("whole"))
    if isinstance(change, str):
        differing = ALL
        for kind in ("tally", "reports"):
            change = change.replace(kind.upper(), name_of(kind, WHOLE))
        ask(location, change)
    else:
        differing = [change[0]]
        ask(location, change_counts(location, WHOLE, *change))
    before = stored_tally(location, WHOLE)
    progress: list[tuple[int, int]] = []
    found = store.recount(stored, lambda done, total: progress.append((done, total)))
    assert list(found.differing) == differing
    assert stored_tally(location, WHOLE) == before
    assert progress[-1] == (found.report_count, found.report_count)
    repaired = store.repair_tally(stored)
    assert repaired == found
    assert check_tally(location, WHOLE) == found.report_count
    assert store.recount(stored).differing == store.repair_tally(stored).differing == ()
    if not is_closed:
        add_reports(store, reports_of(WHOLE, 9, random.Random(2)))
        assert check_tally(location, WHOLE) == found.report_count + 9


@pytest.mark.sweep
@pytest.mark.parametrize("counts", ["[20]", "[20,0,0,0,0]", "[1,null]", "7", "{}", '["x"]'])
def test_reports_are_stored_beside_a_tally_that_was_changed(
    store: Store, location: str, counts: str
) -> None:
    """What something else wrote stays as it is, and a recount names its block."""
    stored = store.publish(WHOLE).stored
    add_reports(store, reports_of(WHOLE, 20, random.Random(1)))
    if location.startswith("postgresql:"):
        # There the column contains nothing but arrays of numbers.
        is_array = counts[1:2].isdigit()
        counts = counts if is_array else "[20]"
    ask(location, change_counts(location, WHOLE, "asthma", counts))
    outcomes = add_reports(store, reports_of(WHOLE, 10, random.Random(2)))
    assert set(outcomes) == {ReportOutcome.STORED}
    assert store.recount(stored).differing == ("asthma",)
    assert store.count_reports(WHOLE.digest) == 30
    with pytest.raises(InconsistentTally, match="the tally of block 'asthma' contradicts"):
        store.look(stored, WHOLE.blocks)
    store.repair_tally(stored)
    assert check_tally(location, WHOLE) == 30


@pytest.mark.parametrize("counts", ["'x'", "7", "'[]'", "X'FF5309'", "CAST(X'FF5309' AS TEXT)"])
def test_reports_are_stored_beside_a_text_that_is_no_tally(tmp_path: Path, counts: str) -> None:
    """In SQLite, where anything may be in a column; all of it has to be counted again."""
    path = str(tmp_path / "store.sqlite")
    with closing(open_store(path)) as store:
        stored = store.publish(WHOLE).stored
        add_reports(store, reports_of(WHOLE, 20, random.Random(1)))
        ask(path, f"UPDATE {name_of('tally', WHOLE)} SET counts = {counts}")  # noqa: S608  our name
        assert store.count_reports(WHOLE.digest) == 0
        add_reports(store, reports_of(WHOLE, 10, random.Random(2)))
        assert list(store.recount(stored).differing) == ALL
        with pytest.raises(InconsistentTally, match="the tally of all reports contradicts") as got:
            store.look(stored, WHOLE.blocks)
        assert "5309" not in str(got.value)
        store.repair_tally(stored)
    assert check_tally(path, WHOLE) == 30


def test_a_tally_by_group_is_recounted_by_group(
    store: Store, location: str, random_source: random.Random
) -> None:
    """A report that moved to another group is noticed, and a group of nobody is refused."""
    stored = store.publish(WARD).stored
    add_reports(store, many_reports(INVITED, 30, random_source, groups=(*GROUPS, GROUPS[0])))
    assert store.recount(stored).differing == ()
    table = name_of("reports", WARD)
    one = f"_report IN (SELECT _report FROM {table} WHERE _group = 'nurses' LIMIT 1)"  # noqa: S608  our name
    ask(location, f"UPDATE {table} SET _group = 'doctors' WHERE {one}")  # noqa: S608  our name
    assert "" in store.recount(stored).differing
    store.repair_tally(stored)
    assert check_tally(location, WARD) == 30
    ask(location, f"UPDATE {table} SET _group = 'surgeons' WHERE {one}")  # noqa: S608  our name
    for count in (store.recount, store.repair_tally):
        with pytest.raises(StrangeValue, match="that is not among the survey's; the sto"):
            count(stored)


def test_a_changed_value_is_named_by_its_block(store: Store, location: str) -> None:
    """Whoever reads the reports themselves learns the block, and not the value."""
    stored = store.publish(WHOLE).stored
    add_reports(store, reports_of(WHOLE, 30, random.Random(1)))
    ask(location, f"UPDATE {name_of('reports', WHOLE)} SET asthma = 4321")  # noqa: S608  our name
    for count in (
        lambda: store.count_tuples(stored, WHOLE.blocks, 99, now=utc_now()),
        lambda: store.recount(stored),
    ):
        with pytest.raises(StrangeValue, match="block 'asthma': got a stored value") as caught:
            count()
        assert "4321" not in str(caught.value)


def test_a_tally_that_contradicts_itself_is_refused(store: Store, location: str) -> None:
    """Before a wrong number is used, the error names the block and the command."""
    stored = store.publish(WHOLE).stored
    add_reports(store, reports_of(WHOLE, 30, random.Random(1)))
    ask(location, change_first_count(location, WHOLE, "region", 31))
    with pytest.raises(InconsistentTally, match=r"tally of block 'region' .*: deniable recount"):
        store.look(stored, WHOLE.blocks)
    assert store.look(stored, WHOLE.blocks[:1]).report_count == 30


@pytest.mark.deep
def test_repairing_waits_for_reports_that_are_being_stored(
    store: Store, reopen: Open, location: str, random_source: random.Random
) -> None:
    """While reports arrive, a repair neither loses nor doubles one."""
    stored = store.publish(WHOLE).stored
    reports = reports_of(WHOLE, 400, random_source)
    with closing(reopen()) as beside:

        def send() -> None:
            for begin in range(0, len(reports), 10):
                add_reports(beside, reports[begin : begin + 10])

        sender = threading.Thread(target=send)
        sender.start()
        while sender.is_alive():
            ask(location, change_first_count(location, WHOLE, "asthma", 77))
            store.repair_tally(stored)
        sender.join()
    assert check_tally(location, WHOLE) == 400


def test_a_recount_sees_one_moment_and_keeps_a_survey_from_closing(
    postgres_server: PostgresServer, random_source: random.Random
) -> None:
    """What is stored meanwhile is in neither number; closing has to be repeated."""
    url = postgres_server.schema()
    with closing(open_store(url, busy_timeout_s=0.2)) as store:
        stored = store.publish(WHOLE).stored
        add_reports(store, reports_of(WHOLE, 50, random_source))
        late = reports_of(WHOLE, 5, random_source)

        def disturb(_done: int, _all: int) -> None:
            add_reports(store, late)
            with pytest.raises(ErasingUnfinished):
                store.close_survey("whole")

        found = store.recount(stored, disturb)
        assert (found.report_count, found.differing) == (50, ())
        assert store.close_survey("whole") is not None
        assert check_tally(url, WHOLE) == 55
