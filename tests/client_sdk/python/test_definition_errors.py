"""What an author gets wrong is named with its place, what was got and what is allowed."""

from pathlib import Path

import pytest

from deniable_sdk import DefinitionProblem, DeniableError, InvalidDefinition, compile_survey
from deniable_sdk.errors import Code, format_path
from sample_definitions import choice, definition, yes_no
from wrong_definitions import CHOICES, DOCUMENTS, QUESTIONS, SCALES, SETTINGS, TEXTS

ROOT = Path(__file__).parents[3]
PARTS = ("client_sdk", "collector", "web")


@pytest.mark.parametrize(
    "cases", [DOCUMENTS, TEXTS, SETTINGS, QUESTIONS, CHOICES, SCALES], ids=len
)
def test_each_problem_is_named(cases: list[tuple[object, str]]) -> None:
    """One thing wrong gives one problem, whose text says where, what was got, what is allowed."""
    for document, message in cases:
        with pytest.raises(InvalidDefinition) as caught:
            compile_survey(document)
        assert [str(problem) for problem in caught.value.problems] == [message]
        assert str(caught.value) == message


def test_all_problems_are_reported_at_once() -> None:
    """A definition with many faults names every one, each with its path."""
    document = {
        "titel": "Health",
        "epsilon": "two",
        "ask": 7,
        "questions": [yes_no("a", required=1), {}, choice("a", 1), "text"],
    }
    with pytest.raises(InvalidDefinition) as caught:
        compile_survey(document)
    assert [format_path(problem.path) for problem in caught.value.problems] == [
        "titel",
        "questions[0].required",
        "questions[1]",  # no type
        "questions[1]",  # no id
        "questions[1]",  # no text
        "questions[2].options",
        "questions[2].id",
        "questions[3]",
        "the whole document",  # no slug
        "the whole document",  # no title
        "epsilon",
        "ask",
    ]
    assert str(caught.value).count("\n") == 11
    assert "the key 'slug' is missing; it takes 1 to 64 lower-case" in str(caught.value)


def test_texts_must_be_given_in_the_same_languages() -> None:
    """A text that lacks a language which another has is named, labels and options too."""
    document = definition(
        yes_no(text={"en": "a", "de": "b"}, labels={"yes": {"en": "Yes"}}),
        choice() | {"options": ["a", {"id": "b", "text": {"de": "B"}}]},
        title={"en": "x"},
        thanks="for all languages",
    )
    with pytest.raises(InvalidDefinition) as caught:
        compile_survey(document)
    assert [str(problem) for problem in caught.value.problems] == [
        "title: has no text in de, as others have",
        "questions[0].labels.yes: has no text in de, as others have",
        "questions[1].options[1]: has no text in en, as others have",
    ]


def test_a_definition_error_is_caught_as_what_it_refines() -> None:
    """InvalidDefinition is a DeniableError and a ValueError, and holds frozen problems."""
    with pytest.raises(InvalidDefinition) as caught:
        compile_survey({})
    assert isinstance(caught.value, DeniableError)
    assert isinstance(caught.value, ValueError)
    problem = DefinitionProblem(("questions", 2, "options"), "no")
    assert str(problem) == "questions[2].options: no"


def test_every_code_is_used_and_explained() -> None:
    """Each kind of problem is found somewhere, and stands in the docs' table."""
    sources = [path.read_text() for part in PARTS for path in (ROOT / part).rglob("*.py")]
    page = (ROOT / "docs" / "DEFINITION.md").read_text().partition("## Problems")[2]
    for code in Code:
        assert any(f"Code.{code.name}" in source for source in sources), code
        assert f"`{code}`" in page, code


def test_facts_fill_sentences_of_other_languages() -> None:
    """A problem of two languages says which, apart from its own sentence."""
    with pytest.raises(InvalidDefinition) as caught:
        compile_survey(definition(title={"en": "x", "de": "y"}, thanks={"en": "z"}))
    (problem,) = caught.value.problems
    assert (problem.code, problem.facts) == (Code.NO_TEXT, {"languages": "de"})
