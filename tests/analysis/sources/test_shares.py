"""Stores of several machines, exported as one: each report once, whichever machines have it."""

import random
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pytest

from analysis.kinds import MIXED
from analysis.sources.test_parts import reports_of, rows_of, small_parts, sorted_rows
from analysis.study_files import in_parquet, reports_table
from deniable_analysis import export_parts, open_sites, open_study
from deniable_analysis.errors import (
    InvalidArgument,
    StudyNotFound,
    SurveyNotClosed,
    SurveyNotFound,
    UnreadableStudy,
)
from deniable_analysis.sources import shares
from deniable_collector import add_reports, open_store
from deniable_sdk import PublishedSurvey, Report
from deniable_storage.whole_rows import ids_of
from invitations import GROUPS, invited_survey, many_reports
from postgres_server import PostgresServer
from sample_definitions import yes_no

__all__ = ["small_parts"]


def fill(
    location: str, published: PublishedSurvey, reports: Sequence[Report], *, is_open: bool = False
) -> str:
    """A store with some reports of the survey, which is closed unless it is to be open."""
    with closing(open_store(location)) as opened:
        opened.publish(published)
        add_reports(opened, reports)
        if not is_open:
            opened.close_survey(published.slug)
    return location


def contents(folder: Path) -> dict[str, bytes]:
    """The files of a folder."""
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.deep
@pytest.mark.usefixtures("small_parts")
def test_several_stores_make_the_files_of_one(
    tmp_path: Path, postgres_server: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Reports that two or three machines have are in one part once, as if there were one store."""
    monkeypatch.setattr(shares, "_MOST_IDS", 16)
    reports = reports_of(MIXED, 300)
    locations = [
        fill(str(tmp_path / "one"), MIXED, reports[:120]),
        fill(postgres_server.schema(), MIXED, reports[90:210]),
        fill(str(tmp_path / "three"), MIXED, [*reports[205:], *reports[:3], reports[100]]),
    ]
    exported = export_parts(locations, tmp_path / "out")
    assert (exported.report_count, exported.part_count) == (300, 8)
    assert exported.repeated_count == 30 + 5 + 3 + 1
    export_parts(fill(str(tmp_path / "all"), MIXED, reports), tmp_path / "whole")
    assert contents(tmp_path / "out") == contents(tmp_path / "whole")


def test_the_store_that_is_named_first_decides(tmp_path: Path) -> None:
    """Two reports with one id count as in one store, where the first one stays."""
    said = reports_of(MIXED, 2)
    other = said[0].replace(values=said[1].values)
    assert other.values != said[0].values
    one = fill(str(tmp_path / "one"), MIXED, [said[0]])
    two = fill(str(tmp_path / "two"), MIXED, [other])
    for place, locations in enumerate(([one, two], [two, one])):
        exported = export_parts(locations, tmp_path / f"out{place}")
        assert (exported.report_count, exported.repeated_count) == (1, 1)
        found = rows_of(tmp_path / f"out{place}/part-00000.parquet")
        kept = said[0] if place == 0 else other
        assert sorted_rows(found) == sorted_rows([in_parquet(MIXED, kept.values)])


def test_one_invitation_counts_once(tmp_path: Path) -> None:
    """The id of an invited report is that of its token, so a token used twice counts once."""
    invited = invited_survey(yes_no("order"), slug="ward", epsilon=4)
    reports = many_reports(invited, 40, random.Random(3), GROUPS)
    one = fill(str(tmp_path / "one"), invited.published, reports)
    two = fill(str(tmp_path / "two"), invited.published, reports[::4])
    exported = export_parts([one, two], tmp_path / "out")
    assert (exported.report_count, exported.repeated_count) == (40, 10)
    study = open_study(tmp_path / "out")
    assert study.report_count == 40
    assert study.estimate(by_group=True) == open_study(one).estimate(by_group=True)


def test_folders_of_several_machines_are_one_study(tmp_path: Path) -> None:
    """Each machine may export its own store; a list of the folders counts all of them."""
    reports = reports_of(MIXED, 300)
    whole = open_study(fill(str(tmp_path / "all"), MIXED, reports))
    folders = []
    for place in range(3):
        folders.append(tmp_path / f"machine{place}")
        export_parts(fill(str(tmp_path / f"{place}"), MIXED, reports[place::3]), folders[-1])
    study = open_sites(folders)
    assert study.count(MIXED.blocks) == whole.count(MIXED.blocks)
    cells, others = (each.crosstab("region", "order").cells for each in (study, whole))
    assert [cell.share for cell in cells] == [cell.share for cell in others]
    (caution,) = study.about_sites
    assert "sent to two sites counts twice, and cannot be told apart" in caution


def test_all_stores_must_be_closed_and_have_the_survey(tmp_path: Path) -> None:
    """Errors name the store, and nothing is written."""
    one = fill(str(tmp_path / "one"), MIXED, reports_of(MIXED, 5))
    still = fill(str(tmp_path / "still"), MIXED, [], is_open=True)
    other = fill(str(tmp_path / "other"), invited_survey(yes_no(), slug="mixed").published, [])
    export_parts(one, tmp_path / "parts")
    cases: list[tuple[list[str | Path], type[Exception], str]] = [
        ([one, still], SurveyNotClosed, "survey 'mixed' still accepts reports"),
        ([one, other], SurveyNotFound, "^other has not published the document of 'mixed' with"),
        ([one, tmp_path / "parts"], StudyNotFound, "^parts is not a store of a collector; name"),
        ([one, one], InvalidArgument, "^got the store one twice; name each once"),
        ([], InvalidArgument, "^got no store; name at least one"),
    ]
    for locations, error, message in cases:
        with pytest.raises(error, match=message):
            export_parts(locations, tmp_path / "out")
    assert not (tmp_path / "out").exists()


def test_damaged_ids_are_refused(tmp_path: Path) -> None:
    """An id that no device sends stops the export, without being shown."""
    one = fill(str(tmp_path / "one"), MIXED, reports_of(MIXED, 5))
    two = fill(str(tmp_path / "two"), MIXED, reports_of(MIXED, 5, seed=2))
    with closing(sqlite3.connect(two)) as database, database:
        longer = "CAST(x'4142' || _report AS BLOB)"
        database.execute(f'UPDATE "{reports_table(MIXED)}" SET _report = {longer}')  # noqa: S608 - ours
    with pytest.raises(
        UnreadableStudy, match="got a report whose id does not have 16 bytes; "
    ) as caught:
        export_parts([one, two], tmp_path / "out")
    assert "AB" not in str(caught.value)


def test_ids_compare_as_their_bytes_do() -> None:
    """Zeros at the end and high bits make no difference."""
    source = random.Random(1)
    ids = [source.randbytes(16) for _ in range(50)] + [
        bytes(16),
        b"\xff" * 16,
        b"\x80" + bytes(15),
    ]
    numbers = [tuple(each) for each in ids_of(ids).tolist()]
    assert [ids[place] for place in sorted(range(len(ids)), key=numbers.__getitem__)] == sorted(
        ids
    )
