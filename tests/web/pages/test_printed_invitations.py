"""Slips on paper: printed by a real browser to PDF, and read back with a scanner's eyes."""

import re
import subprocess
import time
from collections import Counter
from collections.abc import Iterator
from html import unescape
from pathlib import Path
from typing import Any

import pypdfium2
import pytest
import zxingcpp

from chromium import ARGUMENTS, find_headless
from deniable_issuer.codes import codes_in, link_of, make_code
from deniable_issuer.inviting import Issued
from deniable_sdk import PublishedSurvey
from deniable_sdk.invitation import read_code
from deniable_web.pages.languages import CODES, catalog
from deniable_web.pages.printed_invitations import SlipPage, language_of
from live_issuer import GROUPS, by_invitation, signing_key
from organiser import ANNA, COLLECTOR, Organiser
from sample_definitions import survey

HOSTILE = "<script>alert(1)</script> & \"'"
LONG = "an-address-that-is-as-long-as-they-come.and-longer@a-department-of-a-hospital.example.org"


def wards(**others: Any) -> PublishedSurvey:
    """A survey by invitation."""
    return by_invitation({name: signing_key(name) for name in GROUPS}, GROUPS, **others)


def page_of(published: PublishedSurvey, language: str = "en") -> SlipPage:
    """The slips of a survey."""
    return SlipPage(
        published,
        language,
        f"{COLLECTOR}/s/{published.slug}",
        lambda code: link_of(COLLECTOR, published.slug, code),
    )


def print_to_pdf(page: Path) -> Path:
    """The PDF that a browser prints of a page, without a dialog."""
    target = page.with_suffix(".pdf")
    command = [find_headless(), *ARGUMENTS, "--headless", "--no-pdf-header-footer"]
    subprocess.run(
        [*command, f"--print-to-pdf={target}", f"--user-data-dir={page.parent}", page.as_uri()],
        check=True,
        capture_output=True,
        timeout=120,
    )
    return target


def scanned(file: Path) -> list[tuple[list[str], str]]:
    """The links in the pictures of each page, and its text."""
    document = pypdfium2.PdfDocument(file)
    try:
        return [
            (
                # 150 dots an inch, as a cheap printer and a cheap camera have.
                [
                    read.text
                    for read in zxingcpp.read_barcodes(page.render(scale=150 / 72).to_pil())
                ],
                page.get_textpage().get_text_bounded(),
            )
            for page in document
        ]
    finally:
        document.close()


def test_every_slip_can_be_scanned_and_typed(tmp_path: Path) -> None:
    """Eight to a page, none cut in two; each picture is the link with the code printed beside."""
    issued = [Issued(make_code(), "nurses", None) for _ in range(19)]
    issued += [Issued(make_code(), "doctors", LONG) for _ in range(2)]
    file = tmp_path / "slips.html"
    file.write_text(
        page_of(wards(title="Work on our wards " * 3)).render(issued), encoding="utf-8"
    )
    pages = scanned(print_to_pdf(file))
    assert [len(links) for links, _ in pages] == [8, 8, 5]
    for links, text in pages:
        found = {link.partition("#code=")[2] for link in links}
        assert found == set(codes_in(text))
        assert all(link.startswith(f"{COLLECTOR}/s/wards#code=") for link in links)
    assert Counter(code for links, _ in pages for code in codes_in(" ".join(links))) == Counter(
        each.code for each in issued
    )
    for links, text in pages:
        words = " ".join(text.split())
        assert words.count("Nobody can link it to your answers.") == len(links)
        assert len(re.findall(r"Use the code before January 31, 2040, 6:00\sPM UTC\.", words)) == (
            len(links)
        )


@pytest.fixture(autouse=True)
def in_utc(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The same local time on every machine."""
    monkeypatch.setenv("TZ", "UTC")
    time.tzset()
    yield
    monkeypatch.undo()
    time.tzset()


@pytest.mark.sweep
@pytest.mark.parametrize("language", CODES)
def test_the_words_are_the_readers(tmp_path: Path, language: str) -> None:
    """Each language has its words and its direction of writing, and still prints whole."""
    text = page_of(wards(), language).render([Issued(make_code(), "nurses", ANNA)] * 8)
    words = catalog("slips", language)["slip"]
    assert text.count(words["private"]) == 8
    assert f'<html lang="{language}" dir="{"rtl" if language == "ar" else "ltr"}">' in text
    file = tmp_path / "slips.html"
    file.write_text(text, encoding="utf-8")
    ((links, printed),) = scanned(print_to_pdf(file))
    assert len(links) == 8
    assert printed.count("2040") == 8


def test_a_page_carries_no_script_and_loads_nothing() -> None:
    """Titles and contacts are text, whatever is in them; nothing comes from elsewhere."""
    published = wards(title=HOSTILE)
    code = make_code()
    text = page_of(published).render([Issued(code, "nurses", HOSTILE)])
    assert "<script" not in text
    assert unescape(text).count(HOSTILE) == 3
    assert "default-src 'none'" in text
    assert not re.findall(r"(?:src|href|url)\s*[=(]", text)
    assert [read_code(found) for found in codes_in(text)] == [code]


def test_the_language_is_one_of_the_survey() -> None:
    """Without a wish, one that survey and interface both have; English otherwise."""
    titles = {"de": "Arbeit", "fr": "Travail"}
    question = {"id": "a", "type": "yes_no", "text": {"de": "A?", "fr": "A?"}}
    both = survey(question, title=titles)
    french = survey({**question, "text": {"fr": "A?"}}, title={"fr": "Travail"})
    assert language_of(both, None) == "de"
    assert language_of(both, "ar") == "ar"
    assert language_of(french, None) == language_of(survey(), None) == "en"


def test_slips_of_a_list(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The command's page has a slip for everybody on the list, for its owner alone."""
    monkeypatch.chdir(tmp_path)
    organiser = Organiser(tmp_path, capsys)
    organiser.list_people([f"{ANNA},nurses", ",nurses", ",doctors"])
    ended = organiser.invite("--slips", "slips.html", "--links", "links.csv", "--language", "de")
    assert ended.code == 0
    page = Path("slips.html")
    text = page.read_text(encoding="utf-8")
    assert sorted(codes_in(text)) == sorted(
        row["link"].partition("#code=")[2] for row in organiser.links()
    )
    assert text.count("Jeder Code gilt für eine Person und eine Antwort.") == 3
    assert ANNA in text
    assert page.stat().st_mode & 0o777 == 0o600
