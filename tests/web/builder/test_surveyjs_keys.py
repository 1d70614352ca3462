"""Every key of SurveyJS is taken over, listed to the author, or known to change nothing."""

import json

import pytest

from deniable_web.builder.imports.surveyjs_keys import UNREAD
from surveyjs_schema import SCHEMA, classes, fate, fates, imported

WORDS = "some words"
# The names of answers in results, and an address.
UNSEEN = ("choicesByUrl", "valueFalse", "valueTrue")


@pytest.mark.parametrize("name", classes())
def test_every_key_has_the_expected_effect(name: str) -> None:
    """Setting one more key changes the definition or the account, unless it is harmless."""
    expected = fates(name)
    assert expected
    assert {key: fate(name, key) for key in expected} == expected


def test_a_key_that_is_unknown_is_listed() -> None:
    """A key of a later version, or of somebody's own, is not dropped."""
    SCHEMA["values"]["soundEffects"] = "some words"
    try:
        assert {name: fate(name, "soundEffects") for name in classes()} == dict.fromkeys(
            classes(), "listed"
        )
    finally:
        del SCHEMA["values"]["soundEffects"]


def test_the_written_list_has_only_keys_that_exist() -> None:
    """A name that is misspelled there would not be found in any file."""
    assert UNREAD.keys() <= SCHEMA["values"].keys()


@pytest.mark.parametrize("name", classes())
def test_words_are_in_the_definition_or_in_the_account(name: str) -> None:
    """Whatever key holds them, unless respondents do not read them."""
    expected = fates(name)
    worded = [key for key in expected if WORDS in json.dumps(SCHEMA["values"][key])]
    assert [
        key
        for key in worded
        if expected[key] != "harmless" and key not in UNSEEN
        if WORDS not in json.dumps(imported(name, {key: SCHEMA["values"][key]}))
    ] == []
