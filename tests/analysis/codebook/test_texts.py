"""Texts as labels."""

import json

import pytest

from deniable_analysis.codebook.texts import language_of, one_line, shortened
from deniable_analysis.errors import LanguageNotFound
from deniable_sdk import PublishedSurvey
from sample_definitions import survey, yes_no

PLAIN = survey(yes_no())
BOTH = survey(yes_no(text={"fr": "Asthme?", "de": "Asthma?"}))
# Another author's tool may leave a text out in a language.
TITLE = PublishedSurvey.from_document({**json.loads(BOTH.document), "title": {"fr": "Santé"}})


def test_the_language_is_the_title_s_unless_another_is_named() -> None:
    """Without a choice it is that of the title, else the first one, else it has no name."""
    assert [language_of(each, None) for each in (PLAIN, TITLE, BOTH)] == ["", "fr", "de"]
    assert language_of(TITLE, "de") == "de"


@pytest.mark.parametrize(
    ("survey_number", "problem"),
    [
        (0, "got the language 'en'; the survey's texts are not marked with a language; leave"),
        (1, "got the language 'en'; the survey's texts are in: de, fr"),
    ],
)
def test_a_language_that_is_not_there_is_refused(survey_number: int, problem: str) -> None:
    """The message lists the languages that there are."""
    with pytest.raises(LanguageNotFound) as refused:
        language_of((PLAIN, TITLE)[survey_number], "en")
    assert str(refused.value).startswith(problem)


def test_a_label_is_one_line_that_every_file_can_contain() -> None:
    """Line breaks and what XML forbids become single spaces."""
    assert one_line("\x00\n") == "?"
    assert one_line(" a\n\tb\x00c\u2028d\ufffee \U0001f600 ") == "a b c d e \U0001f600"


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("a" * 10, "a" * 10),
        ("a" * 11, "a" * 9 + "…"),
        ("ü" * 10, "ü" * 10),
        ("中" * 8, "中" * 5 + "…"),
        ("12345678 90a", "12345678…"),
    ],
)
def test_a_text_is_cut_at_a_character(text: str, expected: str) -> None:
    """At most 10 characters and 20 bytes are left, and the end says that it was cut."""
    assert shortened(text, 10, 20) == expected
    assert len(shortened(text, 10, 20).encode()) <= 20
