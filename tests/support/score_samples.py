"""Definitions with scores, random ones too, and answers to them."""

import random
from typing import Any

from sample_definitions import Document, definition, survey

FREQUENCY = {"never": 0, "some days": 1, "most days": 2, "every day": 3}
OPERATIONS = ("sum", "mean", "largest", "quotient", "count", "any", "all")


def score(score_id: str = "mood", **keys: object) -> Document:
    """Three items from 0 to 3 in three bands."""
    return {
        "id": score_id,
        "type": "score",
        "text": "How often, in the past two weeks, did these bother you?",
        "levels": FREQUENCY,
        "items": ["little interest", "feeling down", "poor sleep"],
        "cutoffs": {"minimal": 0, "mild": 3, "marked": 6},
        **keys,
    }


def some_scores(rng: random.Random) -> Document:
    """A definition with random items and scores of every operation."""
    numbers = [_some_number(rng, f"n{index}") for index in range(rng.randint(1, 3))]
    closed = [_some_closed(rng, f"c{index}") for index in range(rng.randint(2, 6))]
    for question in closed[1:]:
        if rng.random() < 0.4:
            question["show_if"] = {"question": "c0", "is": ["o0"]}
    for question in (*numbers, *closed):
        question["reported"] = rng.random() < 0.3
    scores = [_some_score(rng, f"s{index}", closed, numbers) for index in range(4)]
    _cut_some(rng, [*numbers, *closed], scores)
    used = {item["question"] for each in scores for item in each["items"]}
    for question in (*numbers, *closed):
        if question["id"] not in used:
            question["reported"] = True
    return definition(*numbers, *closed, *scores)


def some_answers(rng: random.Random, document: Document) -> dict[str, Any]:
    """An answer to most of its questions."""
    answers: dict[str, Any] = {}
    for question in document["questions"]:
        if question["type"] == "score" or rng.random() < 0.15:
            continue
        if question["type"] == "number":
            steps = (question["max"] - question["min"]) // question["step"]
            answers[question["id"]] = question["min"] + question["step"] * rng.randint(0, steps)
        else:
            answers[question["id"]] = rng.choice([*question["options"], "no_answer"])
    return answers


def _some_number(rng: random.Random, question_id: str) -> Document:
    lowest, step = rng.randint(-20, 40), rng.randint(1, 5)
    return {
        "id": question_id,
        "type": "number",
        "text": "?",
        "min": lowest,
        "max": lowest + step * rng.randint(1, 60),
        "step": step,
    }


def _some_closed(rng: random.Random, question_id: str) -> Document:
    options = [f"o{index}" for index in range(rng.randint(2, 6))]
    return {"id": question_id, "type": "choice", "text": "?", "options": options}


def _some_score(
    rng: random.Random, score_id: str, closed: list[Document], numbers: list[Document]
) -> Document:
    combine = rng.choice(OPERATIONS)
    above = [each for each in numbers if each["min"] > 0]
    made: Document = {"id": score_id, "type": "score", "text": "?", "combine": combine}
    if combine == "quotient" and above:
        divisors = [{"question": each["id"]} for each in rng.choices(above, k=rng.randint(1, 2))]
        made |= {"items": [_some_item(rng, numbers[0]), *divisors], "step": rng.choice([1, 0.5])}
        return made | {"min": -50, "max": 50}
    made["combine"] = combine = "mean" if combine == "quotient" else combine
    items = [_some_item(rng, each) for each in rng.sample(closed, 2)]
    if rng.random() < 0.5:
        made["skipped"] = rng.choice([0, 1, 0.5])
    if combine == "sum" and rng.random() < 0.3:
        # Two items have from -2 to 6 points together.
        made |= {"plus": rng.randint(2, 9), "table": [rng.randint(-9, 9) for _ in range(16)]}
    elif combine in ("sum", "mean", "largest"):
        items.append(_some_item(rng, rng.choice(numbers)))
        made |= {"plus": rng.randint(-9, 9)} if combine == "sum" else {}
    made |= {"items": items, "at_least": rng.randint(1, len(items))}
    if rng.random() < 0.5:
        return made | {"step": 1, "min": rng.randint(-9, 0), "max": rng.randint(1, 99)}
    return made | {"step": 1}


def _cut_some(rng: random.Random, questions: list[Document], scores: list[Document]) -> None:
    """Give the scores without ends bands between the lowest and the highest."""
    free = [each for each in scores if "max" not in each]
    if not free:
        return
    whole = survey(*(each | {"reported": True} for each in questions), *free)
    for made, asked in zip(free, whole.questions[-len(free) :], strict=True):
        low, high = (asked.grid[index] // 10_000 for index in (0, -1))
        # The first may begin anywhere, all others where somebody can be.
        later = rng.sample(range(low + 1, high), min(max(high - low - 1, 0), rng.randint(1, 3)))
        begins = [low - rng.randint(0, 5), *sorted(later)]
        if later:
            made["cutoffs"] = {f"b{index}": begin for index, begin in enumerate(begins)}
            made["step"] = rng.choice([1, 0.5, 0.1])


def _some_item(rng: random.Random, question: Document) -> Document:
    if question["type"] == "number":
        return {"question": question["id"], "weight": rng.choice([1, -1, 0.25, 2, 0])}
    points = {option: rng.choice([0, 1, 2, 3, -1, 0.5, 2.25]) for option in question["options"]}
    # A score that is the same for everybody is refused.
    points |= {"o0": 0, "o1": 3}
    return {"question": question["id"], "points": points, "reversed": rng.random() < 0.3}
