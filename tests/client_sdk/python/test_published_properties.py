"""Any definition and any changed document: read as it stands, or refused."""

import json
from typing import Any

from hypothesis import given
from hypothesis import strategies as st

from deniable_sdk import InvalidSurvey, PublishedSurvey, compile_survey
from deniable_sdk.canonical import JSON, encode
from deniable_sdk.survey.text import text_document
from deniable_sdk.weights import format_epsilon, is_within
from sample_definitions import choice, definition, paths, scale, yes_no


def _rebuilt(published: PublishedSurvey) -> JSON:
    """The document again, from what was read out of it."""
    document: dict[str, JSON] = {
        "format": "deniable-survey/1",
        "slug": published.slug,
        "title": text_document(published.title),
        "questions": [question.to_document() for question in published.questions],
        "privacy": {
            "epsilon": format_epsilon(published.epsilon),
            "asked": published.asked,
            "blocks": [
                {
                    "id": block.id,
                    "questions": [question.id for question in block.questions],
                    "mechanism": block.mechanism.to_document(),
                    **({"crosstab": True} if block.is_crosstab else {}),
                    **({"draw": block.draw} if block.draw else {}),
                }
                for block in published.blocks
            ],
        },
    }
    for key in ("introduction", "thanks"):
        text = getattr(published, key)
        if text is not None:
            document[key] = text_document(text)
    if published.operator:
        document["operator"] = published.operator.to_document()
    return document


# The compiler refuses control characters and what turns the direction of a text.
letters = st.characters(
    exclude_categories=["Cs", "Cc"], exclude_characters="\u202a\u202b\u202c\u202d\u202e"
)
texts = st.text(letters, min_size=1, max_size=8).map(lambda text: f"x{text}")
operators = st.fixed_dictionaries(
    {"name": texts, "contact": st.sampled_from(["us@example.org", "+49 30 123456"])},
    optional={"purpose": texts},
)
some_texts = texts | st.fixed_dictionaries({"en": texts, "pt-BR": texts})


@st.composite
def definitions(draw: st.DrawFn) -> dict[str, Any]:
    """Legal definitions of up to 4 questions."""
    questions = []
    for number in range(draw(st.integers(1, 4))):
        keys = {"required": draw(st.booleans()), "text": draw(some_texts)}
        name = f"q{number}"
        questions.append(
            draw(
                st.one_of(
                    st.just(yes_no(name, **keys)),
                    st.integers(2, 12).map(lambda size: choice(name, size, **keys)),  # noqa: B023
                    st.integers(2, 12).map(lambda size: scale(name, size, **keys)),  # noqa: B023
                )
            )
        )
    return definition(
        *questions,
        title=draw(some_texts),
        epsilon=str(draw(st.decimals("0.01", "10", places=3))),
        ask=draw(st.sampled_from(["auto", "all", 1, len(questions)])),
        **draw(st.fixed_dictionaries({}, optional={"thanks": some_texts, "operator": operators})),
    )


values: st.SearchStrategy[JSON] = st.sampled_from(
    [None, True, False, -1, 0, 1, 2, 3, 2**32, 2**53 - 1, "", "a", "2", "no", "q0", [], [1], {}]
)


@given(definitions())
def test_legal_definitions_compile_and_round_trip(document: dict[str, Any]) -> None:
    """Any legal definition gives a survey that reads back and rebuilds its own bytes."""
    published = compile_survey(document)
    assert PublishedSurvey.from_bytes(published.document) == published
    assert encode(_rebuilt(published)) == published.document


@given(definitions(), st.data())
def test_any_changed_document_is_legal_or_refused(
    document: dict[str, Any], data: st.DataObject
) -> None:
    """One changed, removed or added value gives InvalidSurvey, or a survey within its claim."""
    mutated: Any = json.loads(compile_survey(document).document)
    path = data.draw(st.sampled_from(paths(mutated)))
    inside = mutated
    for step in path[:-1]:
        inside = inside[step]
    action = data.draw(st.sampled_from(["set", "remove", "add"]))
    if action == "set":
        inside[path[-1]] = data.draw(values)
    elif action == "remove":
        del inside[path[-1]]
    elif isinstance(inside, list):
        inside.append(data.draw(st.sampled_from([*inside, None, 1, "a"])))
    else:
        inside[data.draw(st.sampled_from(["colour", "text", "labels"]))] = data.draw(values)
    try:
        published = PublishedSurvey.from_document(mutated)
    except InvalidSurvey:
        return
    assert encode(_rebuilt(published)) == published.document == encode(mutated)
    worst = sorted(published.blocks, key=lambda block: block.ratio)[-published.asked :]
    taken = [weights for block in worst for weights in block.mechanism.spends]
    assert is_within(taken, published.epsilon)
