"""deniable purge, as people and programs use it."""

import io
import json
from contextlib import closing
from pathlib import Path

import pytest

from deniable_collector.store import add_reports, open_store
from deniable_sdk import PublishedSurvey, randomize
from deniable_web.commands import run
from sample_definitions import survey, yes_no

FIRST = survey(yes_no(), slug="work", title="First")
SECOND = survey(yes_no(), slug="work", title="Second")


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with two closed editions, of 5 reports and of one."""
    monkeypatch.chdir(tmp_path)
    with closing(open_store("deniable.sqlite")) as store:
        for published, count in ((FIRST, 5), (SECOND, 1)):
            store.publish(published)
            add_reports(store, [randomize(published, {}) for _ in range(count)])
            store.close_survey("work")
    return tmp_path


def left(published: PublishedSurvey) -> int:
    """How many reports the store in the working folder has."""
    with closing(open_store("deniable.sqlite")) as store:
        return store.count_reports(published.digest)


@pytest.mark.usefixtures("folder")
def test_the_slug_is_asked_for_and_the_newest_edition_is_meant(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever types the slug after reading how many go removes just these."""
    monkeypatch.setattr("sys.stdin", io.StringIO("work\n"))
    assert run(["purge", "work"]) == 0
    printed = capsys.readouterr()
    assert "1 report of work@2 will be removed permanently" in printed.err
    told = json.loads(printed.out)
    assert told == {"slug": "work", "edition": 2, "digest": SECOND.digest, "purged": 1}
    assert (left(FIRST), left(SECOND)) == (5, 0)


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize("typed", ["", "yes\n", "WORK\n"])
def test_anything_else_removes_nothing(
    typed: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """No answer, and another word than the slug, leave all as it is."""
    monkeypatch.setattr("sys.stdin", io.StringIO(typed))
    assert run(["purge", "work", "--edition", "1"]) == 1
    said = capsys.readouterr().err
    assert "5 reports of work@1 will be removed" in said
    assert ("nothing was removed; type work to remove the reports" in said) == bool(typed)
    assert (left(FIRST), left(SECOND)) == (5, 1)


@pytest.mark.usefixtures("folder")
def test_an_edition_is_purged_without_a_question(capsys: pytest.CaptureFixture[str]) -> None:
    """Programs give --yes, and purging again removes nothing more."""
    for count in (5, 0):
        assert run(["purge", "work", "--edition", "1", "--yes"]) == 0
        assert json.loads(capsys.readouterr().out)["purged"] == count
    assert (left(FIRST), left(SECOND)) == (0, 1)


@pytest.mark.usefixtures("folder")
def test_what_cannot_be_purged_is_told(capsys: pytest.CaptureFixture[str]) -> None:
    """Open and unknown surveys and editions are clear errors, before any question."""
    with closing(open_store("deniable.sqlite")) as store:
        store.publish(survey(yes_no(), slug="open"))
    for arguments, message in (
        (
            ["open"],
            "edition 1 of open is open, and only closed surveys are purged; close it first",
        ),
        (["nobody"], "there is no survey 'nobody'; the store has: open, work"),
        (["work", "--edition", "3"], "got edition 3 of work; there are: 1, 2"),
        (["work", "--store", "none.sqlite"], "there is no store at none.sqlite"),
    ):
        assert run(["purge", *arguments]) == 1
        assert message in capsys.readouterr().err
