"""`deniable extend` moves a published end, and `deniable close` records how a survey ended."""

from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from deniable_collector.store import add_reports, open_store
from deniable_sdk import randomize
from deniable_storage.ends import End, Ending
from deniable_web.commands import run
from sample_definitions import survey, yes_no
from there import there

BOTH = survey(yes_no(), slug="both", closes="2090-03-08T09:00Z", at_most_reports=2)


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A store with a survey that has as many reports as it accepts."""
    path = tmp_path / "store.sqlite"
    with closing(open_store(path)) as opened:
        opened.publish(BOTH)
        add_reports(opened, [randomize(BOTH, {}) for _ in range(2)])
    return path


def ending(store: Path) -> Ending:
    """What is recorded of the survey's end."""
    with closing(open_store(store)) as opened:
        return there(opened.find_survey("both")).ending


def extend(store: Path, *options: str, slug: str = "both") -> int:
    """The exit code of the command."""
    return run(["extend", slug, *options, "--store", str(store)])


def test_a_survey_is_extended(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """One end, the other, or both; the command says until when the survey accepts reports."""
    assert extend(store, "--at-most", "3000") == 0
    assert capsys.readouterr().err == (
        "Extended: both@1 accepts reports until 2090-03-08T09:00Z, or until it has 3,000 reports."
        "\n"
    )
    # It was full, so its results could be known.
    assert ending(store) == Ending(at_most_reports=3_000, is_given_out=True)
    assert extend(store, "--closes", "2090-03-15T10:00+01:00", "--at-most", "4000") == 0
    longer = Ending(datetime(2090, 3, 15, 9, tzinfo=UTC), 4_000, is_given_out=True)
    assert ending(store) == longer


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ([], "got no new end; give a later moment, more reports, or both"),
        (["--at-most", "2"], "got 2; edition 1 of both accepts at most 2 reports"),
        (["--at-most", "0"], "at_most_reports: got 0; allowed is a whole number from 1"),
        (["--closes", "tomorrow"], "closes: got 'tomorrow'; allowed is a moment with its offset"),
        (["--closes", "2090-03-01T09:00Z"], "both closes at 2090-03-08T09:00Z, and only a later"),
    ],
)
def test_an_extension_that_cannot_be_is_told(
    store: Path, capsys: pytest.CaptureFixture[str], options: list[str], message: str
) -> None:
    """The error says what was got and what is allowed, and nothing is recorded."""
    assert extend(store, *options) == 1
    assert message in capsys.readouterr().err
    assert ending(store) == Ending()


def test_an_unknown_survey_is_told(store: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """The error lists what there is."""
    assert extend(store, "--at-most", "9", slug="missing") == 1
    assert "there is no survey 'missing'; the store has: both" in capsys.readouterr().err


def test_closing_records_the_end_that_had_come(store: Path) -> None:
    """The command looks at the clock, and at the number of reports."""
    assert run(["close", "both", "--store", str(store)]) == 0
    assert ending(store) == Ending(ended_by=End.AT_MOST_REPORTS)
