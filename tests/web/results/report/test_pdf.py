"""A PDF of a report, read back by another program."""

import re
import socket
import sys
from pathlib import Path

import pypdfium2
import pytest

from deniable_web.results.findings import EditionFindings
from deniable_web.results.labels import Labels
from deniable_web.results.questions import question_view
from deniable_web.results.report import page as report_pages
from deniable_web.results.report import pdf, weasyprint_program
from deniable_web.results.report.page import report_file, report_page
from deniable_web.results.report.pdf import PdfUnavailable, make_pdf
from web.results.report.conftest import report_of

# No font has a letter for it.
UNDRAWN = "\uf8f0"
_PAGE = "<!doctype html><html lang='en'><head><title>T</title></head><body>{body}</body></html>"


def texts_of(content: bytes) -> list[str]:
    """The text of each page, each on one line."""
    document = pypdfium2.PdfDocument(content)
    try:
        return [
            " ".join(document[index].get_textpage().get_text_bounded().split())
            for index in range(len(document))
        ]
    finally:
        document.close()


def missing_in(content: bytes, findings: EditionFindings) -> list[str]:
    """What a PDF of a report in English should have and does not."""
    pages = texts_of(content)
    found, labels = [], Labels.of(findings.survey, "en")
    whole = _letters("".join(re.sub(rf"\d+ / {len(pages)}\b", "", page) for page in pages))
    for index, page in enumerate(pages, 1):
        if len(page) < 100:
            found.append(f"page {index}")
        if f"{index} / {len(pages)}" not in page:
            found.append(f"number of page {index}")
    for each in findings.estimates.questions:
        view = question_view(each, findings, labels)
        for row in view.chart.rows if view.chart else ():
            line = f"{row.name}{row.value}{row.low} to {row.high}"
            found += [line] * (_letters(line) not in whole)
        text = labels.question(each.question)
        found += [text] * (_letters(text) not in whole)
    digest = findings.estimates.digest
    return found + [digest] * (digest not in whole)


def _letters(text: str) -> str:
    """Without blanks, which programs put where they like, and marks of directions."""
    return re.sub(r"[\s\u2066-\u2069\ufffe\u00ad]", "", text)


@pytest.fixture(scope="module")
def page(council_findings: EditionFindings) -> str:
    """A report of 15 questions."""
    return report_page(report_of(council_findings))


@pytest.fixture(scope="module")
def content(page: str) -> bytes:
    """Its PDF by WeasyPrint."""
    made = make_pdf(page, with_browser=False)
    assert made.engine.startswith("WeasyPrint")
    assert made.missing == ""
    return made.content


def test_a_pdf_has_every_question_and_number_on_numbered_pages(
    content: bytes, council_findings: EditionFindings
) -> None:
    """No page is empty, and 15 questions with all of their numbers take 10 to 24 pages."""
    assert missing_in(content, council_findings) == []
    assert 10 <= len(texts_of(content)) <= 24


@pytest.mark.deep
def test_what_a_pdf_does_not_have_is_seen(ward_findings: EditionFindings) -> None:
    """A changed share, and an empty page at the end."""
    page = report_page(report_of(ward_findings))
    value = re.search(r'<td role="cell" class="value"><bdi>([^<]+)', page)
    assert value
    whole = make_pdf(page, with_browser=False).content
    assert missing_in(whole, ward_findings) == []
    faulty = page.replace(f"<bdi>{value[1]}</bdi>", "<bdi>gone</bdi>", 1)
    # The policy of a report is for browsers, so that the style works here.
    faulty = faulty.replace("</main>", "</main><p style='break-before: page'>x</p>", 1)
    missing = missing_in(make_pdf(faulty, with_browser=False).content, ward_findings)
    assert any(value[1] in each for each in missing)
    assert any(re.fullmatch(r"page \d+", each) for each in missing)
    assert make_pdf(page, with_browser=False).content == whole


def test_drawings_have_their_colours(content: bytes) -> None:
    """Bars, the part of the protection and that of sampling are not black."""
    document = pypdfium2.PdfDocument(content)
    image = document[1].render(scale=1).to_pil().convert("RGB")
    document.close()
    colours = {colour for _, colour in image.getcolors(1 << 24)}
    for expected in ((0x9C, 0xC9, 0xC6), (0xB4, 0x54, 0x0A), (0x3B, 0x5F, 0xA8)):
        assert any(
            max(abs(a - b) for a, b in zip(colour, expected, strict=True)) <= 3
            for colour in colours
        )


@pytest.mark.deep
def test_arabic_is_written_from_the_right(ward_findings: EditionFindings) -> None:
    """The letters are there; names in other letters keep their own direction."""
    file, missing = report_file(report_of(ward_findings, "ar"), "pdf")
    assert missing == ""
    pages = texts_of(file.content)
    assert any("How much?" in page for page in pages)
    assert re.search(r"[\u0600-\u06ff\ufb50-\ufeff]{4}", pages[0])


@pytest.mark.deep
def test_a_character_without_a_font_is_named_and_said_on_the_first_page(
    ward_findings: EditionFindings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever gets the file knows that something is missing, and what helps."""
    report = report_of(ward_findings)
    monkeypatch.setattr(report_pages, "cover_lines", lambda *_: (f"It ended {UNDRAWN}.",))
    file, missing = report_file(report, "pdf")
    assert missing == UNDRAWN
    assert "This file lacks one character" in texts_of(file.content)[0]


@pytest.mark.deep
def test_a_browser_makes_it_without_weasyprint(
    page: str, council_findings: EditionFindings, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Chromium prints the same report; where it may not, the error names what to install."""
    monkeypatch.setattr(pdf, "find_spec", lambda _: None)
    made = make_pdf(page, with_browser=True)
    assert not made.engine.startswith("WeasyPrint")
    assert missing_in(made.content, council_findings) == []
    assert b"/CreationDate (D:20000101" in made.content
    with pytest.raises(PdfUnavailable, match=r"neither is there; run: pip install 'deniable\[rep"):
        make_pdf(page, with_browser=False)


@pytest.mark.parametrize(
    ("code", "is_there"), [(weasyprint_program.UNAVAILABLE, False), (1, True)]
)
def test_a_library_that_fails_is_an_error_in_words(
    code: int, is_there: bool, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """If it cannot be loaded it counts as not installed; if it fails the error says what helps."""
    program = tmp_path / "program.py"
    program.write_text(f"import sys; sys.exit({code})", encoding="utf-8")
    monkeypatch.setattr(weasyprint_program, "__file__", str(program))
    expected = "WeasyPrint made no PDF" if is_there else "neither is there"
    with pytest.raises(PdfUnavailable, match=expected):
        make_pdf(_PAGE, with_browser=False)


@pytest.mark.parametrize("has_weasyprint", [True, False])
def test_a_page_that_asks_for_something_gets_nothing(
    has_weasyprint: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No program that makes a PDF sends a request."""
    if not has_weasyprint:
        monkeypatch.setattr(pdf, "find_spec", lambda _: None)
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(0.2)
        address = f"http://localhost:{server.getsockname()[1]}/x.png"
        body = f"<p>Text of the page</p><img src='{address}' alt='picture'>"
        made = make_pdf(_PAGE.format(body=body), with_browser=True)
        assert "Text of the page" in texts_of(made.content)[0]
        with pytest.raises(TimeoutError):
            server.accept()


def test_the_library_is_not_loaded_here(content: bytes) -> None:
    """It works in a process of its own, so that a collector that makes a PDF stays quick."""
    assert content
    assert "weasyprint" not in sys.modules
