"""Figures have titles and labels in one language, or ids where no font has the characters."""

import io
import re
from collections.abc import Iterator
from html import unescape
from textwrap import fill

import pytest
from PIL import Image

from deniable_web.pages.languages import catalog
from deniable_web.results.files import FIGURES, figure_file, figures
from deniable_web.results.findings import EditionFindings
from deniable_web.results.labels import Labels
from hostile_texts import MARKUP, REPORTS
from there import there


def drawn(found: EditionFindings, name: str, language: str, suffix: str = "svg") -> bytes:
    """A figure."""
    labels = Labels.of(found.survey, language)
    return there(figure_file(found, labels, name, suffix)).content


def texts_of(found: EditionFindings, name: str, language: str) -> str:
    """The texts of an SVG: beside the outlines of its letters it names each."""
    return drawn(found, name, language).decode()


@pytest.mark.parametrize("language", ["en", "de", "es", "ar"])
def test_a_figure_is_in_its_language(hostile: EditionFindings, language: str) -> None:
    """The question, its answers, what the axis shows, reports and epsilon."""
    found, labels = texts_of(hostile, "was_ill", language), Labels.of(hostile.survey, language)
    own = catalog("files", language)["figures"]
    for text in (labels.question("was_ill"), labels.own["yes"], own["of_all"], own["of_asked"]):
        assert f"<!-- {text} -->" in found
    based = own["based"].format(reports=REPORTS, epsilon=4, confidence="%").partition(".")[0]
    assert based in found
    assert f"<title>{labels.question('was_ill')}</title>" in found


@pytest.mark.sweep
@pytest.mark.parametrize("name", ["told", "days", "told_x_was_ill"])
@pytest.mark.parametrize("suffix", FIGURES)
def test_the_same_estimates_make_the_same_figure(
    hostile: EditionFindings, name: str, suffix: str
) -> None:
    """Byte by byte, and it is a picture of its kind."""
    content = drawn(hostile, name, "en", suffix)
    assert content == drawn(hostile, name, "en", suffix)
    if suffix == "png":
        assert Image.open(io.BytesIO(content)).size[0] == 1400
    else:
        assert content.startswith(b"<?xml")


@pytest.fixture
def without_wide_fonts(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """A machine without fonts for Chinese."""
    monkeypatch.setattr(figures, "_WIDE", ())
    figures._characters.cache_clear()
    yield
    figures._characters.cache_clear()


@pytest.mark.parametrize("language", ["en", "ar"])
@pytest.mark.parametrize("name", ["told", "told_x_was_ill"])
def test_texts_are_drawn_as_they_are_written(
    hostile: EditionFindings, name: str, language: str
) -> None:
    """Dollar signs and backslashes begin no formula: each line has a comment with its text."""
    found = unescape(texts_of(hostile, name, language))
    lines = {line for text in MARKUP for line in fill(text, figures._LABEL).split("\n")[:-1]}
    assert lines <= set(re.findall("<!-- (.*?) -->", found))


@pytest.mark.usefixtures("without_wide_fonts")
def test_ids_are_shown_where_no_font_has_the_labels(hostile: EditionFindings) -> None:
    """The figure says why, and has no letter that would be an empty box."""
    found = texts_of(hostile, "was_ill", "zh")
    assert "<!-- was_ill -->" in found
    assert "<!-- no -->" in found
    assert "No font on this server has the characters of the labels" in found
    assert not figures.can_draw("是")
    assert figures.can_draw("Größe نعم Ωψ")


def test_what_has_no_figure_is_none(hostile: EditionFindings) -> None:
    """Another question, and another format."""
    labels = Labels.of(hostile.survey, "en")
    assert figure_file(hostile, labels, "nothing", "svg") is None
    assert figure_file(hostile, labels, "told", "gif") is None
