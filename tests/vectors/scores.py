"""Surveys with scores, what makes them illegal, and answers to them."""

from typing import Any

from deniable_sdk import canonical, compile_survey
from sample_definitions import Document, definition, number, yes_no
from score_samples import FREQUENCY, score


def _published(*questions: Document) -> Any:
    return canonical.decode(
        compile_survey(definition(*questions, slug="scored", ask="all")).document
    )


_HEIGHT = number("height", 220) | {"min": 100, "reported": False}
_WEIGHT = number("weight", 250) | {"min": 30, "reported": False}
_BMI: Document = {
    "id": "bmi",
    "type": "score",
    "text": "?",
    "combine": "quotient",
    "items": [
        {"question": "weight", "weight": 10000},
        {"question": "height"},
        {"question": "height"},
    ],
    "min": 10,
    "max": 60,
}
_FEEDBACK = {
    "texts": {"marked": "Talk to somebody."},
    "links": [{"text": "Help", "url": "https://example.org/help?a=b"}],
}


def _with_short_table() -> Any:
    """Sums beyond the ends of a table are replaced by its ends."""
    document = _published(score(plus=1, table=[5, 2, 8.5, *[1] * 8], step=0.5))
    document["questions"][3] |= {"plus": "-1", "table": ["5", "2", "8.5"]}
    return document


_SKIPPED = _published(
    yes_no("drinks", reported=False),
    yes_no("often", reported=False, show_if={"question": "drinks", "is": ["yes"]}),
    score(
        items=[{"question": "drinks"}, {"question": "often"}],
        cutoffs={"none": 0, "some": 1, "much": 2},
        skipped=0.5,
        step=0.5,
    ),
)
DOCUMENTS: dict[str, Any] = {
    "a score in bands": _published(
        score(at_least=2, feedback=_FEEDBACK),
        yes_no("alone", show_if={"question": "mood", "is": ["mild", "marked"]}),
    ),
    "a score that is a number": _published(
        {key: value for key, value in score(combine="mean").items() if key != "cutoffs"}
    ),
    "a required score": _published(score(required=True)),
    "a score by a table": _with_short_table(),
    "a score with items that are skipped": _SKIPPED,
    "a quotient": _published(_HEIGHT, _WEIGHT, _BMI),
    "an item that is reported": _published(
        yes_no(), {**score(items=[{"question": "asthma"}]), "cutoffs": {"no": 0, "yes": 1}}
    ),
}
_LEVELS = [*FREQUENCY]
ANSWERS: list[tuple[str, dict[str, Any]]] = [
    ("a score in bands", {}),
    ("a score in bands", {"mood_1": "every day", "mood_2": "most days", "alone": True}),
    ("a score in bands", {"mood_1": "never", "mood_3": "never", "alone": True}),
    ("a score in bands", {"mood_1": "no_answer", "mood_2": "every day"}),
    ("a score that is a number", dict.fromkeys(("mood_1", "mood_2", "mood_3"), "some days")),
    ("a score that is a number", dict(zip(("mood_1", "mood_2", "mood_3"), _LEVELS, strict=False))),
    ("a required score", dict.fromkeys(("mood_1", "mood_2", "mood_3"), "every day")),
    ("a score by a table", dict.fromkeys(("mood_1", "mood_2", "mood_3"), "never")),
    ("a score by a table", dict.fromkeys(("mood_1", "mood_2", "mood_3"), "every day")),
    ("a score with items that are skipped", {"drinks": False}),
    ("a score with items that are skipped", {"drinks": True}),
    ("a score with items that are skipped", {"drinks": True, "often": True}),
    ("a score with items that are skipped", {}),
    ("a quotient", {"height": 180, "weight": 81}),
    ("a quotient", {"height": "100", "weight": 250}),
    ("a quotient", {"height": 180}),
    ("an item that is reported", {"asthma": True}),
]
NO_ANSWERS: list[tuple[str, dict[str, Any]]] = [
    ("a score in bands", {"mood": "marked"}),
    ("a score in bands", {"mood_1": "often"}),
    ("a score in bands", {"mood_1": ["never"]}),
    ("a required score", {"mood_1": "never", "mood_2": "never"}),
    ("a required score", dict.fromkeys(("mood_1", "mood_2", "mood_3"), "no_answer")),
    ("a quotient", {"height": 99, "weight": 81}),
]
_NO_DECIMALS: list[Any] = [..., None, 1, "", "01", "1.0", "-0", "1e3", "x", [], "1234567890"]
_BANDS: list[tuple[str, list[Any]]] = [
    ("questions.3.items", [..., None, [], {}, "mood_1", [1], [None]]),
    ("questions.3.items.0.question", [..., None, 1, "", "mood", "alone", "other", ["mood_1"]]),
    ("questions.3.items.0.points", [..., None, [], ["0"] * 3, ["0"] * 5, [0, 1, 2, 3]]),
    ("questions.3.items.0.points.0", _NO_DECIMALS[1:]),
    ("questions.3.items.0.factor", ["1"]),
    ("questions.3.combine", [..., None, 1, "", "count", "Sum", "quotient"]),
    ("questions.3.at_least", [..., None, 0, 4, "2", True]),
    ("questions.3.step", [*_NO_DECIMALS, "0", "-1"]),
    ("questions.3.plus", [each for each in _NO_DECIMALS if each is not ...]),
    ("questions.3.table", [None, [], {}, [1], ["x"], ["0"] * 5001]),
    ("questions.3.cutoffs", [None, [], ["0", "3"], ["0", "3", "3"], ["3", "0", "6"], [0, 3, 6]]),
    ("questions.3.skipped", [None, "x", 1, "01"]),
    ("questions.3.show_if", [{"question": "mood_1", "is": ["never"]}]),
    ("questions.3.min", ["0"]),
    ("questions.3.unit", ["x"]),
    ("questions.3.feedback", [None, [], {}, {"texts": {}}, {"links": []}]),
    ("questions.3.feedback.texts", [None, [], {"3": "x"}, {"mild": "x"}, {"1": ""}]),
    ("questions.3.feedback.links", [None, {}, [{}], [{"text": "x"}] * 11]),
    ("questions.3.feedback.links.0.text", [..., "", 1]),
    (
        "questions.3.feedback.links.0.url",
        [..., 1, "", "http://example.org", "https://", "https://EXAMPLE.org", "javascript:x"],
    ),
    ("privacy.blocks.0.questions", [["mood_1"]]),
]
EDITS = [
    *(("a score in bands", path, value) for path, values in _BANDS for value in values),
    *(("a score that is a number", "questions.3.plus", value) for value in ["1", None]),
    ("a quotient", "questions.0.min", "0"),
    ("a quotient", "questions.0.min", "-1"),
    ("a quotient", "questions.2.items.1.factor", "0"),
    ("a quotient", "questions.2.items.1.factor", "-1"),
    ("a quotient", "questions.2.at_least", 2),
    ("a quotient", "questions.2.skipped", "1"),
    ("a quotient", "questions.2.items", [{"question": "weight", "factor": "1"}]),
    (
        "a quotient",
        "questions.2.items",
        [{"question": "weight", "factor": "1"}] * 5,
    ),
]
