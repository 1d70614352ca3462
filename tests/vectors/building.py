"""Published surveys built by hand, not by the compiler under test."""

from fractions import Fraction

from deniable_sdk.canonical import JSON
from deniable_sdk.mechanisms import Subset
from deniable_sdk.theory.subset import best_subset
from deniable_sdk.weights import integer_weights

Document = dict[str, JSON]


def question(question_id: str, kind: str, *option_ids: str, required: bool = False) -> Document:
    """A question of a published survey."""
    options: list[JSON] = [{"id": option_id} for option_id in option_ids]
    text = f"What about {question_id}?"
    return {
        "id": question_id,
        "type": kind,
        "text": text,
        "options": options,
        "required": required,
    }


def yes_no(question_id: str = "asthma", *, required: bool = False) -> Document:
    """A yes/no question of a published survey."""
    return question(question_id, "yes_no", "yes", "no", required=required)


def choice(question_id: str = "region", count: int = 2, *, required: bool = True) -> Document:
    """A choice among options named o0, o1 and so on."""
    ids = (f"o{number}" for number in range(count))
    return question(question_id, "choice", *ids, required=required)


def scale(question_id: str = "stress", lowest: int = 1, levels: int = 5) -> Document:
    """A scale of a published survey."""
    ids = (str(lowest + step) for step in range(levels))
    return question(question_id, "scale", *ids)


def domain_size(asked: Document) -> int:
    """How many different answers a question has."""
    options = asked["options"]
    assert isinstance(options, list)
    return len(options) + (not asked["required"])


def block(asked: Document, epsilon: Fraction, size: int | None = None) -> Document:
    """A block of one question at an epsilon, of the best size if none is given."""
    weights = integer_weights(epsilon)
    count = domain_size(asked)
    mechanism = Subset(count, size, weights) if size else best_subset(count, weights)
    described: JSON = mechanism.to_document()
    return {"id": asked["id"], "questions": [asked["id"]], "mechanism": described}


def survey_document(
    *questions: Document, epsilon: str = "1", asked: int | None = None, **keys: JSON
) -> Document:
    """A published survey of these questions, one block each."""
    count = asked or len(questions)
    members: list[JSON] = list(questions)
    blocks: list[JSON] = [block(member, Fraction(epsilon) / count) for member in questions]
    return {
        "format": "deniable-survey/1",
        "slug": "health",
        "title": "Health",
        "questions": members,
        "privacy": {"epsilon": epsilon, "asked": count, "blocks": blocks},
        **keys,
    }
