"""A store of every earlier layout opens as one of the present layout.

`layouts/N.sql` is the dump of a store that the first N migrations made.
"""

import json
import sqlite3
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from itertools import chain
from pathlib import Path

import pytest

from deniable_collector.clock import utc_now
from deniable_collector.errors import UnreadableStore
from deniable_collector.store import add_reports, migrations, open_store
from deniable_collector.store.base import ReportOutcome
from deniable_collector.tokens import AccessToken, Role
from deniable_sdk import Report
from deniable_storage.ends import UNDERWAY, End, Fieldwork

LAYOUTS = sorted((Path(__file__).parent / "layouts").glob("*.sql"))
WITHOUT_TALLIES = next(layout for layout in LAYOUTS if layout.stem == "6")


def dump(path: Path) -> list[str]:
    """Every statement that would make the file again."""
    with closing(sqlite3.connect(path)) as connection:
        return list(connection.iterdump())


def build(path: Path, layout: Path) -> list[str]:
    """The statements of a file that is made as the dump says."""
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(layout.read_text())
    return dump(path)


def reports_in(path: Path, table: str, digest: str) -> Iterator[Report]:
    """The reports of a table, as devices sent them."""
    with closing(sqlite3.connect(path)) as connection:
        cursor = connection.execute(f'SELECT * FROM "{table}"')  # noqa: S608  the store's own name
        names = [column[0] for column in cursor.description]
        blocks = [name for name in names if not name.startswith("_")]
        for identifier, *columns in cursor:
            values = columns[-len(blocks) :]
            answers = {
                block: json.loads(value) if isinstance(value, str) else value
                for block, value in zip(blocks, values, strict=True)
                if value is not None
            }
            yield Report(digest, identifier.hex(), answers)


def test_each_migration_but_the_last_has_its_dump(tmp_path: Path) -> None:
    """Whoever adds a layout keeps a store of the one before."""
    path = tmp_path / "store.sqlite"
    open_store(path).close()
    with closing(sqlite3.connect(path)) as connection:
        (count,) = connection.execute("SELECT count(*) FROM _sqlite_migrations").fetchone()
    assert [layout.stem for layout in LAYOUTS] == [str(number) for number in range(1, count)]


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda path: path.stem)
def test_an_earlier_store_opens_with_everything_in_it(tmp_path: Path, layout: Path) -> None:
    """Surveys, closings and reports are as they were, and tokens can be added."""
    path = tmp_path / "store.sqlite"
    before = build(path, layout)
    with closing(open_store(path)) as store:
        first, second, *others = store.list_surveys()
        assert store.read_log()[:2] == (first.survey.digest, second.survey.digest)
        assert (first.edition, first.is_closed, second.edition) == (1, True, 2)
        assert [store.count_reports(found.survey.digest) for found in (first, second)] == [12, 3]
        assert [store.count_reports(each.survey.digest) for each in others] == [5] * len(others)
        assert {store.fieldwork(each, utc_now()) for each in others} <= {UNDERWAY}
        assert store.fieldwork(first, utc_now()) == Fieldwork(End.HAND)
        for found in (first, second):
            reports = list(reports_in(path, found.reports_table, found.survey.digest))
            assert set(add_reports(store, reports)) == {ReportOutcome.ALREADY_STORED}
        new = [Report(second.survey.digest, "0" * 32, {"asthma": 1})]
        assert add_reports(store, new) == (ReportOutcome.STORED,)
        earlier = store.list_tokens()
        assert [token.surveys for token in earlier] == [None] * len(earlier)
        added = AccessToken("anna", Role.OWNER, frozenset({"health"}))
        assert store.add_token(added, "a" * 64)
        assert store.find_token("a" * 64) == added
    # Tallies had other forms.
    assert {each for each in before if "tally_" not in each} <= set(dump(path))


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda path: path.stem)
def test_an_earlier_store_gets_the_tallies_of_its_reports(tmp_path: Path, layout: Path) -> None:
    """Counted as any tool counts the rows; and recounted, they are the same."""
    path = tmp_path / "store.sqlite"
    build(path, layout)
    with closing(open_store(path)) as store:
        for found in store.list_surveys():
            assert not store.recount(found).differing
            reports = list(reports_in(path, found.reports_table, found.survey.digest))
            counts = store.count_values(found, found.survey.blocks)
            assert counts.report_count == len(reports)
            for name, counted in counts.blocks.items():
                values = [report.answers[name] for report in reports if name in report.answers]
                assert counted.report_count == len(values)
                members = [value if isinstance(value, list) else [value] for value in values]
                assert counted.support == Counter(
                    tuple(member) if isinstance(member, list) else member
                    for member in chain.from_iterable(members)
                )


def test_an_upgrade_that_is_killed_is_taken_up_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Nothing of it stays, whatever was counted already; the next opening counts everything."""
    path = tmp_path / "store.sqlite"
    before = build(path, WITHOUT_TALLIES)

    def fail(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(migrations, "add_to_tally", fail)
        with pytest.raises(KeyboardInterrupt):
            open_store(path)
    assert dump(path) == before
    with closing(open_store(path)) as store:
        assert not any(store.recount(found).differing for found in store.list_surveys())


def test_reports_that_no_device_sends_are_not_counted(tmp_path: Path) -> None:
    """A store that was changed is left as it is, and the error says of which survey and block."""
    path = tmp_path / "store.sqlite"
    build(path, WITHOUT_TALLIES)
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute("UPDATE reports_health_6c05839acc3d SET asthma = 5309")
    before = dump(path)
    with pytest.raises(UnreadableStore, match=r"of 'health' cannot be counted: block 'asthma'"):
        open_store(path)
    assert dump(path) == before


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda path: path.stem)
def test_opening_leaves_no_time_and_is_done_once(tmp_path: Path, layout: Path) -> None:
    """What was brought up to date says nothing of when, and stays as it is."""
    path = tmp_path / "store.sqlite"
    build(path, layout)
    open_store(path).close()
    after = dump(path)
    open_store(path).close()
    assert dump(path) == after
    with closing(sqlite3.connect(path)) as connection:
        times = connection.execute("SELECT DISTINCT applied_at FROM _sqlite_migrations")
        assert times.fetchall() == [("",)]


@pytest.mark.parametrize("layout", LAYOUTS, ids=lambda path: path.stem)
def test_a_damaged_earlier_store_is_refused_and_left_as_it_is(
    tmp_path: Path, layout: Path
) -> None:
    """A file that is not what its layout says is not built upon."""
    path = tmp_path / "store.sqlite"
    build(path, layout)
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("ALTER TABLE surveys ADD COLUMN created_at TEXT")
    before = dump(path)
    with pytest.raises(UnreadableStore, match="its table of surveys is missing or was changed"):
        open_store(path)
    assert dump(path) == before


def test_a_changed_table_of_tokens_is_refused(tmp_path: Path) -> None:
    """A store that lost its tokens is not one that anybody may open."""
    path = tmp_path / "store.sqlite"
    open_store(path).close()
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TABLE tokens")
    with pytest.raises(UnreadableStore, match="its table of tokens is missing or was changed"):
        open_store(path)


def test_a_present_store_is_opened_without_the_tool_that_makes_one(tmp_path: Path) -> None:
    """What is imported for changing a layout takes longer than all else at a start."""
    path = tmp_path / "store.sqlite"
    open_store(path).close()
    program = (
        "import sys; from deniable_collector.store import open_store; "
        f"open_store({str(path)!r}, must_exist=True).close(); "
        "print(sorted({'pandas', 'sqlite_utils'} & set(sys.modules)))"
    )
    found = subprocess.run(
        [sys.executable, "-c", program], capture_output=True, text=True, check=True
    )
    assert found.stdout.strip() == "[]"
