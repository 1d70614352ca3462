"""The definition of a published survey, and the changes of a next edition."""

from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings

from builder_site import Owner
from client_sdk.python.test_kinds_properties import definitions
from deniable_sdk import InvalidDefinition, compile_survey
from deniable_web.builder.from_published import definition_of
from sample_definitions import choice, definition, multiple, number, scale, yes_no

FACT = choice("decade", 5, fixed=True, required=True)


@settings(max_examples=60, deadline=None)
@given(definitions())
def test_any_survey_compiles_to_itself(document: dict[str, Any]) -> None:
    """Digest for digest, whatever mechanisms, targets and numbers of blocks were chosen."""
    try:
        published = compile_survey(document)
    except InvalidDefinition:
        return
    assert compile_survey(definition_of(published)).digest == published.digest


@pytest.mark.parametrize(
    ("questions", "wishes"),
    [
        ([yes_no(), scale()], {"ask": 1}),
        ([yes_no(), scale(target="mean")], {"ask": "all", "epsilon": "0.7"}),
        ([number(mechanism="subset"), multiple()], {"epsilon": 3}),
        ([FACT, yes_no(weight=3)], {"waves": 3, "wave": 2, "epsilon": 6}),
        (
            [yes_no()],
            {"operator": {"name": "Us", "contact": "us@example.org", "purpose": {"de": "Wozu"}}},
        ),
        ([{**yes_no(), "labels": {"yes": {"en": "Yes", "de": "Ja"}}}], {}),
        ([scale(), yes_no(), multiple()], {"stop_when": {"margin": 0.03}}),
        (
            [scale(target="mean"), yes_no()],
            {
                "closes": "2040-01-01T00:00Z",
                "stop_when": {"margin": "0.4", "questions": ["asthma"]},
            },
        ),
        (
            [yes_no()],
            {
                "opens": "2026-12-06T06:00+01:00",
                "at_most_reports": 50,
                "invited": {
                    "issuer": "https://council.example.org",
                    "collect_until": "2026-12-05T18:00+01:00",
                    "small_groups": True,
                    "groups": {"all": {"invited": 12, "text": "Everybody"}},
                },
            },
        ),
        (
            [yes_no()],
            {"groups": {"nurses": {"number": 412, "text": {"en": "Nurses"}}, "b": {"number": 20}}},
        ),
    ],
    ids=[
        *("ask one", "a mean", "a named mechanism", "a panel with a fact", "an operator"),
        *("labels", "a margin", "a margin of some", "an invitation", "groups by link"),
    ],
)
def test_what_an_author_wished_comes_back(questions: list[Any], wishes: dict[str, Any]) -> None:
    """Where the compiler would choose otherwise, the definition says what was chosen."""
    published = compile_survey(definition(*questions, **wishes))
    found = definition_of(published)
    assert compile_survey(found).digest == published.digest
    assert Fraction(str(found["epsilon"])) == published.epsilon * published.waves


def test_a_margin_comes_back_as_a_number() -> None:
    """An author reads 0.03 in the file, and the questions that were meant by leaving them out."""
    written = definition(yes_no("a"), number("b"), stop_when={"margin": "0.030"})
    found = definition_of(compile_survey(written))
    assert found["stop_when"] == {"margin": 0.03, "questions": ["a"]}


def test_a_draft_can_begin_with_a_published_survey(owner: Owner) -> None:
    """The builder gets its definition, and publishes it under another name."""
    written = definition(FACT, yes_no(), slug="first")
    owner.post("/manage/surveys", json={"definition": written})
    answer = owner.get("/manage/surveys/first/definition")
    begun = answer.get_json()["definition"]
    assert compile_survey(begun).digest == compile_survey(written).digest
    copied = owner.post("/manage/surveys", json={"definition": {**begun, "slug": "second"}})
    assert copied.status_code == 201
    missing = owner.get("/manage/surveys/third/definition")
    assert missing.status_code == 404
    assert missing.get_json()["type"].endswith(":unknown-survey")


@pytest.mark.parametrize(
    ("change", "redrawn"),
    [
        ({}, []),
        ({"title": "Another title"}, []),
        ({"epsilon": 1}, ["decade"]),
        ({"questions": [choice("decade", 4, fixed=True, required=True), yes_no()]}, ["decade"]),
        ({"questions": [choice("decade", 5, required=True), yes_no()]}, []),
        ({"slug": "elsewhere", "epsilon": 1}, []),
        ({"slug": "no slug"}, []),
    ],
    ids=["nothing", "title", "epsilon", "options", "no fact any more", "other name", "no name"],
)
def test_facts_that_would_be_drawn_anew_are_named(
    owner: Owner, change: dict[str, Any], redrawn: list[str]
) -> None:
    """Exactly those whose block, question or path is not the published one's."""
    written = definition(FACT, yes_no(), slug="facts", ask="all")
    owner.post("/manage/surveys", json={"definition": written})
    found = owner.post("/manage/definitions/check", json={"definition": {**written, **change}})
    assert found.get_json()["redrawn"] == redrawn
