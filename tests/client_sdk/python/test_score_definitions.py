"""What a definition may say of a score, how it is published, and what is refused."""

from typing import Any

import pytest

from deniable_sdk import (
    InvalidDefinition,
    InvalidSurvey,
    PublishedSurvey,
    canonical,
    compile_survey,
)
from sample_definitions import Document, choice, definition, survey, yes_no
from score_samples import score


def test_no_report_depends_on_whether_a_score_can_be_computed() -> None:
    """A required score whose items only some are asked, or may leave out, is refused."""
    open_items = [{"text": text, "required": False} for text in "abc"]
    led = yes_no("ill", required=True, reported=False)
    more = yes_no("more", required=True, reported=False, show_if={"question": "ill", "is": "yes"})
    items = [{"question": "ill"}, {"question": "more"}]
    routed = score(required=True, items=items, cutoffs={"a": 0, "b": 1})
    for questions in ((score(required=True, at_least=2, items=open_items),), (led, more, routed)):
        with pytest.raises(InvalidDefinition, match="a required score needs 2 items that are req"):
            compile_survey(definition(*questions))
    shown = {"question": "ill", "is": ["yes"]}
    survey(yes_no("ill"), score(required=True, show_if=shown))


def test_scores_may_be_crossed_fixed_and_weighted() -> None:
    """Bands are a closed question like any other."""
    crossed = survey(score(), yes_no(), crosstabs=[["mood", "asthma"]])
    assert crossed.blocks[0].domain.size == 4 * 3
    fixed = survey(score(fixed=True, weight=2), ask="all")
    assert fixed.blocks[0].fixed


def test_links_are_the_same_whatever_was_answered() -> None:
    """A score that only some are asked has no links, in a definition and when published."""
    help_links = [{"text": "Help", "url": "https://example.org/"}]
    shown = {"question": "asthma", "is": ["yes"]}
    with pytest.raises(InvalidDefinition, match=r"\[1\]\.feedback\.links: only those who are"):
        survey(yes_no(), score(show_if=shown, feedback={"links": help_links}))
    texts = survey(yes_no(), score(show_if=shown, feedback={"texts": {"marked": "x"}}))
    published: Any = canonical.decode(texts.document)
    published["questions"][-1]["feedback"]["links"] = help_links
    with pytest.raises(InvalidSurvey, match="only those who are asked would see the links"):
        PublishedSurvey.from_document(published)


def test_feedback_is_published_and_read() -> None:
    """Texts by band and links for all of them."""
    feedback = {
        "texts": {"mäßig": {"en": "Please talk to somebody."}},
        "links": [{"text": {"en": "Helpline"}, "url": "https://example.org/help"}],
    }
    cutoffs = {"gering": 0, "mäßig": 3}
    asked = survey(score(feedback=feedback, cutoffs=cutoffs), title={"en": "Health"})
    found = asked.questions[-1].feedback
    assert found
    assert found.to_document() == feedback
    assert PublishedSurvey.from_bytes(asked.document).questions == asked.questions


@pytest.mark.parametrize(
    ("question", "message"),
    [
        (score(items=[]), "questions[0].items: got 0 items; allowed is a list of 1 to 60 items"),
        (
            score(items=["x"] * 61),
            "questions[0].items: got 61 items; allowed is a list of 1 to 60 items",
        ),
        (score(levels={"never": 0}), "questions[0].levels: got"),
        (score(levels={"never": 0, "often": "many"}), "questions[0].levels.often: got 'many'"),
        (score(levels=None), "questions[0].levels: got"),
        (score(at_least=4), "questions[0].at_least: got 4; allowed is a whole number from 1 to 3"),
        (score(combine="product"), "questions[0].combine: got 'product'; allowed: sum, mean"),
        (score(combine="quotient"), "questions[0].items: a quotient is divided by items that are"),
        (score(combine="mean", plus=1), "questions[0].plus: belongs to a sum, not to a mean"),
        (score(reached=2), "questions[0].reached: belongs to count, any, all, not to sum"),
        (score(cutoffs={"a": 0, "b": 0}), "questions[0].cutoffs: the cut-offs do not ascend"),
        (
            score(cutoffs={"mild": 5, "marked": 6}),
            "questions[0].cutoffs: scores are from 0 to 9; add a band that begins at the lowest",
        ),
        (
            score(cutoffs=["minimal", "mild"]),
            "questions[0].cutoffs: got ['minimal', 'mild']; allowed are bands, each once, with",
        ),
        (
            score(combine="all", cutoffs={"a": 0, "b": 1, "c": 2}),
            "questions[0].cutoffs: scores are from 0 to 1, so nobody can be in the band 'c'",
        ),
        (
            score(levels=["never", "often"]),
            "questions[0].levels: got ['never', 'often']; allowed are the answers and their",
        ),
        (
            {key: value for key, value in score().items() if key != "levels"},
            "questions[0].levels: the key 'levels' is missing; it takes the answers and their",
        ),
        (score(items=["a (R)", "b"]), "questions[0].items[0]: ends in (R); write {text: ..., rev"),
        (score(cutoffs={"a": 1}), "questions[0].cutoffs: allowed are 2 to 999 bands"),
        (score(cutoffs={1: 0, "1": 3}), "questions[0].cutoffs: got the names 1, 1, of which two"),
        (
            score(cutoffs={"a": 0, "b": 10}),
            "questions[0].cutoffs: scores are from 0 to 9, so nobody can be in the band 'b'",
        ),
        (
            score(cutoffs={"a": -3, "b": 0}),
            "questions[0].cutoffs: scores are from 0 to 9, so nobody can be in the band 'a'",
        ),
        (
            score(table=[0, 1, 2]),
            "questions[0].table: got 3 entries, and sums from 0 to 9; write one entry for each",
        ),
        (
            score(plus=-1, table=[*range(10)]),
            "questions[0].table: got 10 entries, and sums from -1 to 8; write one entry for each",
        ),
        (score(combine="all", table=[1]), "questions[0].table: belongs to sum and count, not to"),
        (
            score(combine="all", items=[{"text": "x", "weight": 2}], cutoffs={"a": 0, "b": 1}),
            "questions[0].items[0].weight: unknown key",
        ),
        (
            score(items=[{"text": "x", "weight": 999_999_999}], levels={"a": 0, "b": 9}),
            "questions[0].items[0].weight: points times weight: allowed is a number below a",
        ),
        (
            score(skipped="x"),
            "questions[0].skipped: got 'x'; allowed is a number below a thousand",
        ),
        (score(min=1), "questions[0].min: belongs to a score without cutoffs"),
        (score(step=0), "questions[0].step: got 0; allowed is a number above 0"),
        (score(items=[{"question": "mood"}]), "questions[0].items[0].question: got 'mood'"),
        (score(items=["x", {"text": "y", "weigth": 2}]), "questions[0].items[1].weigth: unknown"),
        (
            score(feedback={"links": [{"text": "x", "url": "http://example.org"}]}),
            "questions[0].feedback.links[0].url: got 'http://example.org'; allowed is an address",
        ),
        (
            score(feedback={"texts": {"severe": "x"}}),
            "questions[0].feedback.texts.severe: unknown key; allowed are minimal, mild, marked",
        ),
        (choice(reported=False), "questions[0].reported: no score uses it"),
        (
            yes_no(reported=False, weight=2),
            "questions[0].reported: has no mechanism, weight",
        ),
    ],
)
def test_what_is_wrong_is_named(question: Document, message: str) -> None:
    """With its place, what was got and what is allowed."""
    with pytest.raises(InvalidDefinition) as refused:
        compile_survey(definition(question))
    assert str(refused.value).startswith(message)
    assert len(refused.value.problems) <= 2


def test_a_definition_comes_back_from_its_survey() -> None:
    """The keys of a score in a definition, made from the published one, publish the same."""
    asked = survey(score(at_least=2), ask="all")
    again = [
        {
            "id": question.id,
            "type": question.type,
            "text": "x" if isinstance(question.text, dict) else question.text,
            **question.to_authored(),
            **({} if question in asked.reported else {"reported": False}),
        }
        for question in asked.questions
    ]
    assert survey(*again, ask="all").document == asked.document


def test_hostile_tables_are_bounded() -> None:
    """A table beyond 5,000 entries and a list of a million points are refused."""
    published: Any = canonical.decode(survey(score(table=[*range(10)])).document)
    published["questions"][-1]["table"] = ["1"] * 5_001
    with pytest.raises(InvalidSurvey, match="got 5001 decimal texts"):
        PublishedSurvey.from_document(published)
    published["questions"][-1]["table"] = ["1"]
    published["questions"][-1]["items"][0]["points"] = ["1"] * 1_000_000
    with pytest.raises(InvalidSurvey, match="got 1000000 decimal texts"):
        PublishedSurvey.from_document(published)
