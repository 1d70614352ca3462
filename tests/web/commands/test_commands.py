"""The command line, as people and programs use it."""

import csv
import io
import json
import subprocess
import sys
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from deniable_collector.store import open_store
from deniable_web.commands import COMMANDS, run
from deniable_web.stores.publication import SurveyClosed, publish
from live_site import live_site
from sample_definitions import number, survey, yes_no

DEFINITION = """\
title: A title
slug: work
epsilon: 1.0986122886681098
ask: 1
questions:
  - {id: harassed, type: yes_no, text: Were you harassed?, required: true}
  - {id: stress, type: scale, levels: 5, text: How stressed are you?}
"""
INVITED = "  issuer: https://example.org\n  groups: {nurses: {invited: 40}}\n"
ANSWERS = "harassed,stress,remark\n" + "yes,1,x\nno,5,x\nno,,x\n" * 200


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder with a definition and a table of answers."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "survey.yaml").write_text(DEFINITION)
    (tmp_path / "answers.csv").write_text(ANSWERS)
    return tmp_path


class Ran:
    """What a command printed and how it ended."""

    def __init__(self, capsys: pytest.CaptureFixture[str], *arguments: str) -> None:
        self.code = run(arguments)
        captured = capsys.readouterr()
        self.out, self.err = captured.out, captured.err
        assert "Traceback" not in self.out + self.err

    @property
    def document(self) -> dict[str, Any]:
        """Standard output as one JSON object."""
        document: dict[str, Any] = json.loads(self.out)
        return document


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help(capsys: pytest.CaptureFixture[str], name: str) -> None:
    """Each command says what it does and which options it takes."""
    ran = Ran(capsys, name, "--help")
    assert ran.code == 0
    assert "Usage:" in ran.out
    assert "--help" in ran.out


@pytest.mark.parametrize(
    "end", ["", "at_most_reports: 9", "closes: 2090-01-01T00:00Z", "results: at_end"]
)
def test_publishing_without_an_end_says_what_that_costs(
    folder: Path, capsys: pytest.CaptureFixture[str], end: str
) -> None:
    """And only then; in a terminal it would ask."""
    (folder / "survey.yaml").write_text(f"{end}\n{DEFINITION}")
    published = Ran(capsys, "publish", "survey.yaml")
    assert published.code == 0
    assert ("margins are about 1.6 times as wide" in " ".join(published.err.split())) is (not end)


@pytest.mark.usefixtures("folder")
def test_from_a_definition_to_results(capsys: pytest.CaptureFixture[str]) -> None:
    """All commands work on one store in the working folder."""
    assert Ran(capsys, "check", "survey.yaml").code == 0
    published = Ran(capsys, "publish", "survey.yaml", "--format", "json")
    assert published.document["published"] is True
    again = Ran(capsys, "publish", "survey.yaml", "--format", "json")
    assert again.document == {**published.document, "published": False}
    simulated = Ran(capsys, "simulate", "survey.yaml", "answers.csv", "--format", "json")
    assert simulated.document["reports"] == 600
    results = Ran(capsys, "results", "work", "--format", "json").document
    assert results["digest"] == published.document["digest"]
    assert results["reports"] == 600
    table = Ran(capsys, "results", "work")
    assert "harassed" in table.out
    assert "work, edition 1: 600 reports" in table.out
    rows = list(csv.DictReader(io.StringIO(Ran(capsys, "results", "work", "--format", "csv").out)))
    options = [row["option"] for row in rows if row["kind"] == "option"]
    assert options == ["yes", "no", "1", "2", "3", "4", "5", "no_answer"]
    mixed = Ran(capsys, "simulate", "survey.yaml", "answers.csv")
    assert mixed.code == 1
    assert "has 600 reports in this store already, and invented ones could" in mixed.err
    assert "Closed: work@1." in Ran(capsys, "close", "work").err


@pytest.mark.usefixtures("folder")
def test_a_closed_survey_stays_closed(capsys: pytest.CaptureFixture[str]) -> None:
    """Publishing or simulating a closed survey again is refused with what to do."""
    Ran(capsys, "publish", "survey.yaml")
    Ran(capsys, "close", "work")
    for arguments in (("publish", "survey.yaml"), ("simulate", "survey.yaml", "answers.csv")):
        refused = Ran(capsys, *arguments)
        assert refused.code == 1
        assert "was published before and stays closed; change the" in refused.err


def test_a_collector_of_another_store_is_said(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    """If the collector serves another store, simulate says so."""
    with live_site(folder / "other.sqlite") as site:
        ran = Ran(capsys, "simulate", "survey.yaml", "answers.csv", "--to", site.url)
    assert ran.code == 1
    assert "500 of 500 reports not accepted; is the survey closed, or does the" in ran.err


def test_a_published_survey_never_changes(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    """Another document under an open slug is refused, and taken after closing."""
    Ran(capsys, "publish", "survey.yaml")
    (folder / "survey.yaml").write_text(DEFINITION.replace("A title", "Another"))
    refused = Ran(capsys, "publish", "survey.yaml")
    assert refused.code == 1
    assert "another survey is open under the slug 'work'" in refused.err
    assert "deniable close work" in refused.err
    Ran(capsys, "close", "work")
    assert Ran(capsys, "publish", "survey.yaml").code == 0


@pytest.mark.parametrize(
    ("place", "keys"),
    [
        ("3: closes", "closes: 2020-01-01T00:00Z\n"),
        (
            "4: invited.collect_until",
            f"invited:\n  collect_until: 2020-01-01T00:00Z\n{INVITED}",
        ),
    ],
)
def test_a_survey_that_nobody_could_answer_is_not_published(
    capsys: pytest.CaptureFixture[str], folder: Path, place: str, keys: str
) -> None:
    """Its end is past: check warns with the line, and publish refuses it."""
    (folder / "survey.yaml").write_text(DEFINITION.replace("epsilon", keys + "epsilon"))
    checked = Ran(capsys, "check", "survey.yaml")
    assert checked.code == 0
    assert f"Warning: survey.yaml:{place}: is past (2020-01-01T00:00Z), so nobody" in checked.err
    published = Ran(capsys, "publish", "survey.yaml")
    assert published.code == 1
    assert "is past (2020-01-01T00:00Z), so nobody could answer this survey" in published.err
    assert Ran(capsys, "list").out == ""


def test_a_published_survey_may_be_published_again_after_its_end(tmp_path: Path) -> None:
    """Nothing changes then, so a server that publishes at each start goes on starting."""
    dated, late = (survey(each, closes="2031-03-08T09:00Z") for each in (yes_no(), number()))
    with closing(open_store(tmp_path / "store.sqlite")) as store:
        assert publish(store, dated, datetime(2031, 3, 8, 8, 59, tzinfo=UTC))
        assert not publish(store, dated, datetime(2032, 1, 1, tzinfo=UTC))
        with pytest.raises(SurveyClosed, match="closes: is past"):
            publish(store, late, datetime(2031, 3, 8, 9, tzinfo=UTC))


def test_a_survey_by_invitation_needs_keys(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    """Without keys it is checked but not published, and the message says how to make them."""
    invited = "invited: {issuer: 'https://example.org', groups: {nurses: {invited: 40}}}\n"
    (folder / "survey.yaml").write_text(invited + DEFINITION)
    assert Ran(capsys, "check", "survey.yaml").code == 0
    refused = Ran(capsys, "publish", "survey.yaml")
    assert refused.code == 1
    assert "got no key for nurses, so nobody could sign their tokens" in refused.err
    assert "deniable issuer keys FILE" in refused.err
    assert "Traceback" not in refused.err


def test_check_names_the_line(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    """A mistake is printed with file, line and advice; the exit code is 1 and nothing is made."""
    (folder / "survey.yaml").write_text(DEFINITION.replace("levels: 5", "levels: 1"))
    ran = Ran(capsys, "check", "survey.yaml")
    assert ran.code == 1
    assert "survey.yaml:7: questions[1].levels: got 1; allowed is a whole number from 2" in ran.err
    assert sorted(path.name for path in folder.iterdir()) == ["answers.csv", "survey.yaml"]


@pytest.mark.usefixtures("folder")
def test_check_forecasts(capsys: pytest.CaptureFixture[str]) -> None:
    """Margins for so many respondents, and respondents for a margin, are forecast."""
    arguments = ("check", "survey.yaml", "--respondents", "20000", "--margin", "0.01")
    document = Ran(capsys, *arguments, "--format", "json").document
    assert (document["asked"], document["epsilon"]) == (1, "1.0986122886681098")
    blocks = document["blocks"]
    assert isinstance(blocks, list)
    assert blocks[0]["margin"] == pytest.approx(1.959963985 / 100)
    assert blocks[0]["respondents_for_margin"] == 2 * 38415
    assert blocks[0]["guess_with_report"] == pytest.approx(0.75)
    assert "reports the true answer with" in Ran(capsys, *arguments).out


@pytest.mark.parametrize(
    ("arguments", "code", "expected"),
    [
        (("results", "none"), 1, "there is no file deniable.sqlite"),
        (("results", "none", "--confidence", "2"), 2, "allowed is a number above 0.5 and below 1"),
        (("close", "none"), 1, "deniable.sqlite"),
        (("publish", "none.yaml"), 1, "none.yaml: No such file or directory"),
        (("serve", "--host", "0.0.0.0"), 1, "a store without any token; make one with"),  # noqa: S104 - refused
        (("serve", "--store", "postgresql:/x"), 1, "got a postgresql url that cannot be read"),
        (("nonsense",), 2, "No such command 'nonsense'"),
    ],
)
@pytest.mark.usefixtures("folder")
def test_clear_errors(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], code: int, expected: str
) -> None:
    """Exit 1 for a clear error, 2 for usage; both say what is allowed, on standard error."""
    ran = Ran(capsys, *arguments)
    assert ran.code == code
    assert expected.lower() in ran.err.lower()
    assert ran.out == ""


def test_simulate_never_says_an_answer(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    """A row that does not fit is named by its line; what it holds is not repeated."""
    (folder / "answers.csv").write_text("harassed,stress\nyes,1\nzebrafinch,2\n")
    ran = Ran(capsys, "simulate", "survey.yaml", "answers.csv")
    assert ran.code == 1
    assert "answers.csv:3: question 'harassed' takes one of its options: yes, no;" in ran.err
    assert "zebrafinch" not in ran.out + ran.err
    assert not (folder / "deniable.sqlite").exists(), "the whole table is checked first"


@pytest.mark.parametrize(
    ("table", "expected"),
    [
        (
            b"harassed\nyes\n",
            "answers.csv: no column for stress; the first line must name each once, with commas",
        ),
        (b"", "answers.csv: no column for harassed, stress;"),
        (b"harassed,stress\n", "answers.csv: no row after the column names"),
        (b"harassed|stress\nyes|1\n", "with commas, semicolons or tabs between the names"),
        (b"harassed,stress,harassed\n", "answers.csv: two columns for harassed;"),
        (b"harassed,stress,\x81\n", "not a text in UTF-8 or Windows-1252"),
        (b"harassed,stress\nyes," + b"1" * 200_000, "not a CSV table: field larger than"),
        (
            b"harassed,stress\nyes,1\nno\n",
            "answers.csv:3: got 1 cells; the first line has 2",
        ),
        (b"harassed,stress\nyes,1,2\n", "answers.csv:2: got 3 cells; the first line has 2"),
    ],
)
def test_tables_that_cannot_be_used(
    capsys: pytest.CaptureFixture[str], folder: Path, table: bytes, expected: str
) -> None:
    """What is wrong with a table is said, and nothing is published."""
    (folder / "answers.csv").write_bytes(table)
    ran = Ran(capsys, "simulate", "survey.yaml", "answers.csv")
    assert ran.code == 1
    assert expected in ran.err
    assert not (folder / "deniable.sqlite").exists()


@pytest.mark.parametrize(
    ("sign", "encoding"), [(",", "utf-8-sig"), (";", "cp1252"), (";", "utf-8"), ("\t", "utf-16")]
)
def test_tables_of_spreadsheets_are_read(
    capsys: pytest.CaptureFixture[str], folder: Path, sign: str, encoding: str
) -> None:
    """Every separator and encoding that Excel writes, with numbers of other languages."""
    (folder / "survey.yaml").write_text(
        DEFINITION + "  - {id: hours, type: number, min: 0, max: 2400, step: 0.5, text: How?}\n"
    )
    header = sign.join((" Harassed ", "stress", '"Größe, cm"', "hours"))
    rows = [
        sign.join(("yes", "1", "", f'"{hours}"')) for hours in ("7,5", "2\u00a0000", "1'000.5")
    ]
    (folder / "answers.csv").write_bytes("\r\n".join((header, *rows)).encode(encoding))
    ran = Ran(capsys, "simulate", "survey.yaml", "answers.csv", "--format", "json")
    assert ran.document["reports"] == 3
    (mean,) = (each for each in ran.document["means"] if each["question"] == "hours")
    assert mean["truth"] == pytest.approx((7.5 + 2000 + 1000.5) / 3)


def test_a_number_that_can_mean_two_is_refused(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    """2.000 is two thousand in half of Europe: the line is named, the number is not."""
    (folder / "survey.yaml").write_text(
        DEFINITION + "  - {id: hours, type: number, min: 0, max: 2500, text: How long?}\n"
    )
    (folder / "answers.csv").write_text("harassed;stress;hours\nyes;1;2.000\n")
    ran = Ran(capsys, "simulate", "survey.yaml", "answers.csv")
    assert ran.code == 1
    assert "answers.csv:2: a number has a point or comma before its last three digits" in ran.err
    assert "2.000" not in ran.err


@pytest.mark.parametrize(
    "url", ["localhost:8000", "http://[::1", "http://h:99999", "http://h:x", "ftp://h", ""]
)
@pytest.mark.usefixtures("folder")
def test_addresses_that_are_none(capsys: pytest.CaptureFixture[str], url: str) -> None:
    """An address that cannot be used is named with one that could."""
    ran = Ran(capsys, "simulate", "survey.yaml", "answers.csv", "--to", url)
    assert ran.code == 1
    assert "allowed is an address like https://example.org" in ran.err


def test_the_installed_command_ends_with_its_code(tmp_path: Path) -> None:
    """The real process prints no traceback and ends with 0, 1 or 2."""
    for arguments, code in ((["--version"], 0), (["check", "none.yaml"], 1), (["plan", "-x"], 2)):
        ran = subprocess.run(
            [sys.executable, "-m", "deniable_web", *arguments],
            cwd=tmp_path, capture_output=True, text=True, check=False,
        )  # fmt: skip
        assert ran.returncode == code
        assert "Traceback" not in ran.stderr


@pytest.mark.sweep
@pytest.mark.parametrize("missing", ["click", "rich", "yaml", "flask", "lazy_loader", "numpy"])
def test_a_command_without_its_packages_says_what_to_install(missing: str) -> None:
    """Where only some packages are installed, each command names the extra that has all."""
    program = (
        f"import sys; sys.modules['{missing}'] = None; sys.argv = ['deniable', 'serve', '-h']\n"
        "from deniable_web.command_line import main; main()"
    )
    command = [sys.executable, "-c", program]
    ran = subprocess.run(command, capture_output=True, text=True, check=False, timeout=60)
    assert ran.returncode == 1
    assert ran.stderr == (
        f"Error: the command needs the package {missing}, which is not installed; "
        "run: pip install 'deniable[web]'\n"
    )
