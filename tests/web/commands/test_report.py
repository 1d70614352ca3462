"""deniable report, as people use its files."""

from contextlib import closing
from pathlib import Path

import pypdfium2
import pytest

from deniable_collector.store import open_store
from deniable_web.commands import run
from deniable_web.results.report import pdf
from hostile_texts import hostile_study
from results_site import STRESS, fill
from ward_site import WARD, fill_ward, ward

HOSTILE = "hostile"


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A survey in three languages, one with two editions, and two by invitation."""
    path = Path(tmp_path_factory.mktemp("report")) / "deniable.sqlite"
    fill(path)
    hostile_study(path)
    with closing(open_store(path)) as opened:
        fill_ward(opened, ward())
        fill_ward(opened, ward("open-ward", first_key=10))
        opened.close_survey(WARD)
    return path


@pytest.fixture
def folder(store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A working folder whose commands use this store."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("DENIABLE_STORE", str(store))
    return tmp_path


def written(folder: Path, *arguments: str) -> str:
    """The HTML that a command writes."""
    path = folder / f"{len(list(folder.iterdir()))}.html"
    assert run(["report", *arguments, "--output", str(path)]) == 0
    return path.read_text(encoding="utf-8")


@pytest.mark.deep
def test_a_report_is_written_in_the_format_of_its_suffix(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """HTML and PDF; what is there is not overwritten, and standard output is empty."""
    assert run(["report", STRESS, "--output", "a.html"]) == 0
    assert run(["report", STRESS, "--output", "a.pdf", "--language", "en"]) == 0
    printed = capsys.readouterr()
    assert printed.out == ""
    assert "Written: a.html" in printed.err
    assert "Making the PDF; this takes some seconds\nWritten: a.pdf" in printed.err
    assert (folder / "a.html").read_text(encoding="utf-8").startswith("<!doctype html>")
    document = pypdfium2.PdfDocument(folder / "a.pdf")
    assert "Stress at work" in document[0].get_textpage().get_text_bounded()
    document.close()
    before = (folder / "a.pdf").read_bytes()
    assert run(["report", STRESS, "--output", "a.pdf"]) == 1
    assert "a.pdf already exists; move it, or name another file" in capsys.readouterr().err
    assert (folder / "a.pdf").read_bytes() == before


@pytest.mark.deep
def test_it_is_in_the_chosen_language_and_confidence(folder: Path) -> None:
    """Texts of the survey in its own languages, or in that of its title if none is chosen."""
    german = written(folder, HOSTILE, "--language", "de", "--confidence", "0.9")
    assert '<html lang="de" dir="ltr">' in german
    assert "Waren Sie krank?" in german
    assert "90\N{NO-BREAK SPACE}%" in german
    assert '<html lang="ar" dir="rtl">' in written(folder, HOSTILE)


@pytest.mark.deep
def test_an_edition_is_compared_with_the_one_before(folder: Path) -> None:
    """The newest by default; the first has nothing to be compared with."""
    newest = written(folder, STRESS, "--language", "en")
    assert "Compared with edition 1" in newest
    first = written(folder, f"{STRESS}@1", "--language", "en")
    assert 'id="comparison"' not in first
    assert "closed by hand" in first


@pytest.mark.deep
def test_groups_are_there_once_the_survey_is_closed(
    folder: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Merged ones too; an open survey has none, and refuses to merge."""
    assert 'id="by-group"' in written(folder, WARD, "--language", "en")
    merged = written(folder, WARD, "--language", "en", "--merge", "nurses,cleaners")
    assert "Nursing staff + cleaners" in merged
    assert 'id="by-group"' not in written(folder, "open-ward", "--language", "en")
    capsys.readouterr()
    for slug in ("open-ward", STRESS):
        assert run(["report", slug, "--merge", "nurses,cleaners", "--output", "x.html"]) == 1
        assert capsys.readouterr().err.startswith("Error: ")
    assert not (folder / "x.html").exists()


@pytest.mark.usefixtures("folder")
@pytest.mark.parametrize(
    ("arguments", "code", "said"),
    [
        (["--output", "a.docx"], 2, "allowed is a path that ends in .html or .pdf"),
        ([], 2, "Missing option '-o' / '--output'"),
        (["--output", "a.html", "--language", "fr"], 1, "got the language 'fr'"),
        (["--output", "a.html", "--confidence", "2"], 2, "allowed is a number above 0.5"),
    ],
)
def test_bad_input_is_refused_in_words(
    arguments: list[str], code: int, said: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """It says what was got and what is allowed, and writes no file."""
    assert run(["report", STRESS, *arguments]) == code
    assert said in capsys.readouterr().err
    assert not list(Path().iterdir())


@pytest.mark.deep
@pytest.mark.usefixtures("folder")
def test_without_a_program_that_makes_pdfs_it_says_what_to_install(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """No file is left behind."""
    monkeypatch.setattr(pdf, "find_spec", lambda _: None)
    monkeypatch.setattr(pdf, "find_browser", lambda: None)
    assert run(["report", STRESS, "--output", "a.pdf"]) == 1
    assert "run: pip install 'deniable[report]'" in capsys.readouterr().err
    assert not list(Path().iterdir())
