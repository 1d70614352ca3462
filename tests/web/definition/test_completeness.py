"""A survey with missing translations never passes a check or is published as ready."""

from fractions import Fraction
from pathlib import PurePath

import pytest

from deniable_sdk import compile_survey
from deniable_sdk.weights import YEARLY_CAP
from deniable_web.definition.completeness import untranslated
from deniable_web.definition.file import UnreadableDefinition, parse_definition
from sample_definitions import choice, definition, number, scale, yes_no

BOTH = {"en": "Since when?", "de": "Seit wann?"}


def test_one_text_for_all_languages_is_named_with_its_place() -> None:
    """Titles, questions, units, labels and options, also those that are strings."""
    found = untranslated(
        compile_survey(
            definition(
                yes_no(text=BOTH, labels={"yes": "Sure"}),
                choice() | {"options": ["Option 1", {"id": "b", "text": BOTH}]},
                number(text=BOTH, unit="days"),
                title=BOTH,
                thanks="Thanks",
            )
        )
    )
    assert [str(problem).partition(": got")[0] for problem in found] == [
        "thanks",
        "questions[0].labels.yes",
        "questions[1].text",
        "questions[1].options[0]",
        "questions[2].unit",
    ]
    assert "write {id: ..., text: {de: ..., en: ...}}" in found[3].message


def test_numbers_and_surveys_in_one_language_need_no_translation() -> None:
    """Years are the same everywhere, and yes and no are said by the form."""
    years = choice(text=BOTH) | {"options": ["2020", "2021-22"]}
    whole = definition(years, yes_no(text=BOTH), scale(text=BOTH), title=BOTH)
    assert untranslated(compile_survey(whole)) == []
    one = definition(choice(), title={"en": "Health"})
    assert untranslated(compile_survey(one)) == []


def test_a_file_is_refused_with_its_line() -> None:
    """`check` and `publish` compile for devices; a simulation asks nobody."""
    text = (
        "title: {en: Since when, de: Seit wann}\nslug: since\nepsilon: 1\nquestions:\n"
        "  - {id: a, type: yes_no, text: Really?}\n"
    )
    read = parse_definition(PurePath("survey.yaml"), text)
    with pytest.raises(UnreadableDefinition, match=r"survey.yaml:5: questions\[0\].text: got the"):
        read.compile(Fraction(YEARLY_CAP))
    assert read.compile().slug == "since"
