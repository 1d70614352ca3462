"""Small definitions and surveys that tests start from."""

from typing import Any

from deniable_sdk import PublishedSurvey, compile_survey
from deniable_sdk.canonical import JSON

Document = dict[str, Any]

# An image of one pixel.
PIXEL = (
    "data:image/png;base64,iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGNgAAAAAgAB"
    "SK+kcQAAAABJRU5ErkJggg=="
)


def definition(*questions: Document, **keys: object) -> Document:
    """A legal definition of these questions, with some keys replaced or added."""
    return {
        "title": "Health",
        "slug": "health",
        "epsilon": 2,
        "questions": list(questions) or [yes_no()],
        **keys,
    }


def yes_no(question_id: str = "asthma", **keys: object) -> Document:
    """A yes/no question."""
    return {"id": question_id, "type": "yes_no", "text": "Do you have asthma?", **keys}


def choice(question_id: str = "region", options: int = 3, **keys: object) -> Document:
    """A choice among options named o0, o1 and so on."""
    ids = [f"o{number}" for number in range(options)]
    return {"id": question_id, "type": "choice", "text": "Where?", "options": ids, **keys}


def scale(question_id: str = "stress", levels: int = 5, **keys: object) -> Document:
    """A scale from 1 to `levels`."""
    return {"id": question_id, "type": "scale", "text": "How much?", "levels": levels, **keys}


def multiple(question_id: str = "drugs", options: int = 3, **keys: object) -> Document:
    """Any of the options o0, o1 and so on."""
    ids = [f"o{number}" for number in range(options)]
    return {"id": question_id, "type": "multiple", "text": "Which?", "options": ids, **keys}


def number(question_id: str = "visits", highest: int = 30, **keys: object) -> Document:
    """A whole number from 0 to the highest."""
    text = "How often?"
    return {"id": question_id, "type": "number", "text": text, "min": 0, "max": highest, **keys}


def survey(*questions: Document, **keys: object) -> PublishedSurvey:
    """The published survey of such a definition."""
    return compile_survey(definition(*questions, **keys))


def paths(value: JSON, before: tuple[str | int, ...] = ()) -> list[tuple[str | int, ...]]:
    """The path of everything inside a JSON value."""
    members: list[tuple[str | int, JSON]] = []
    if isinstance(value, dict):
        members = list(value.items())
    elif isinstance(value, list):
        members = list(enumerate(value))
    found = []
    for key, member in members:
        found += [(*before, key), *paths(member, (*before, key))]
    return found
