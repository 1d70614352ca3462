"""A survey of every kind of question, its answers, and what makes it illegal."""

from fractions import Fraction
from typing import Any

from deniable_sdk.mechanisms import (
    Mechanism,
    OneOf,
    Piecewise,
    PrivSet,
    SampledBits,
    SomeOf,
    Subset,
)
from deniable_sdk.weights import integer_weights
from vectors.building import choice, question, scale, yes_no

AT_ONE = integer_weights(Fraction(1))
AT_HALF = integer_weights(Fraction(1, 2))
HUGE = 2**53 - 1


def _shown(asked: dict[str, Any], router: str, *options: str) -> dict[str, Any]:
    return {**asked, "show_if": {"question": router, "is": list(options)}}


def _number(question_id: str, low: str, high: str, step: str, **keys: Any) -> dict[str, Any]:
    return {
        "id": question_id,
        "type": "number",
        "text": "How many?",
        "required": False,
        "min": low,
        "max": high,
        "step": step,
        **keys,
    }


def _block(block_id: str, mechanism: Mechanism, *questions: str) -> dict[str, Any]:
    return {
        "id": block_id,
        "questions": list(questions or [block_id]),
        "mechanism": mechanism.to_document(),
    }


QUESTIONS: list[dict[str, Any]] = [
    yes_no("asthma"),
    choice("region", 3),
    _shown(scale("stress", -1, 3), "asthma", "yes"),
    {**question("drugs", "multiple", "a", "b", "c", required=True), "at_most": 3},
    {**_shown(question("jobs", "multiple", *"pqrst"), "drugs", "a", "c"), "at_most": 2},
    _shown(_number("visits", "0", "77", "1", unit={"en": "visits"}), "jobs", "q"),
    _number("score", "-1.5", "58.5", "0.125", required=True),
    _shown({**_number("dose", "0.1", "0.5", "0.1"), "required": True}, "stress", "-1", "1"),
]
BLOCKS = [
    _block("asthma_x_region", Subset(9, 2, AT_ONE), "asthma", "region"),
    _block("stress", Piecewise(OneOf(3, True), 2, 2, AT_ONE)),
    _block("drugs", SampledBits(SomeOf(3, 3), 2, AT_HALF)),
    _block("jobs", PrivSet(SomeOf(6, 2), 2, AT_ONE)),
    _block("visits", Piecewise(OneOf(78, True), 77, 25, AT_ONE)),
    _block("score", Piecewise(OneOf(481), 24, 24, AT_ONE)),
    _block("d" * 63, Subset(6, 1, AT_ONE), "dose"),
    _block("again", Piecewise(OneOf(3, True), 2, 1, AT_ONE), "stress"),
]
SURVEY: dict[str, Any] = {
    "format": "deniable-survey/1",
    "slug": "kinds",
    "title": "Every kind",
    "questions": QUESTIONS,
    "privacy": {"epsilon": "8", "asked": 8, "blocks": BLOCKS},
}
WIDEST: dict[str, Any] = {
    **SURVEY,
    "questions": [
        _number("cells", "-999999999", "-999999998.5001", "0.0001", required=True),
        *(yes_no(f"q{place}", required=True) for place in range(9)),
    ],
    "privacy": {
        "epsilon": "2",
        "asked": 1,
        "blocks": [
            _block("cells", Piecewise(OneOf(5000), 4999, 1666, AT_ONE)),
            _block("nine", Subset(512, 137, AT_ONE), *(f"q{place}" for place in range(9))),
        ],
    },
}


def fixed(*ids: str) -> list[dict[str, Any]]:
    """The questions of every kind, those of these ids fixed."""
    return [{**asked, "fixed": True} if asked["id"] in ids else asked for asked in QUESTIONS]


DOCUMENTS = {"every kind": SURVEY, "widest kinds": WIDEST}

_FULL: dict[str, Any] = {
    "asthma": True,
    "region": "o2",
    "stress": -1,
    "drugs": ["c", "a"],
    "jobs": ["t", "q"],
    "visits": 77,
    "score": -1.375,
    "dose": 0.3,
}
_LEAST: dict[str, Any] = {"region": "o0", "drugs": [], "score": "58.5"}

ANSWERS: list[tuple[str, dict[str, Any]]] = [
    ("every kind", _FULL),
    ("every kind", _LEAST),
    # Whatever stands at questions that were not reached is no answer.
    ("every kind", {**_LEAST, "jobs": ["p", "q"], "visits": 3, "stress": 1, "dose": "0.5"}),
    ("every kind", {**_FULL, "jobs": [], "visits": "no such number"}),
    ("every kind", {**_FULL, "jobs": "no_answer", "asthma": "no_answer"}),
    ("every kind", {**_FULL, "jobs": ["no_answer"], "asthma": None}),
    ("every kind", {**_FULL, "score": 0, "visits": "077.000", "dose": "0.50000", "stress": "1"}),
    ("every kind", {**_FULL, "score": -0.0, "visits": None, "drugs": ["b"]}),
    ("every kind", {**_FULL, "score": "-0", "visits": 0, "dose": 0.1}),
    (
        "widest kinds",
        {**dict.fromkeys((f"q{place}" for place in range(9)), "no"), "cells": -999999999},
    ),
    (
        "widest kinds",
        {**dict.fromkeys((f"q{place}" for place in range(9)), "yes"), "cells": "-999999998.5001"},
    ),
]
_WRONG: dict[str, list[Any]] = {
    "drugs": [None, "no_answer", ["no_answer"], "a", ["a", "a"], ["d"], [1], [None], {}, True],
    "jobs": [["p", "q", "r"], ["no_answer", "p"], "p", 0, [["p"]], {"0": "p"}],
    "visits": [
        "",
        " 1",
        "1 ",
        "1e1",
        "+1",
        ".5",
        "1.",
        78,
        -1,
        0.5,
        True,
        [1],
        {},
        "٣",
        "0x1",
    ],
    "score": [None, "no_answer", 58.625, -1.4, 2**70, -(2**70), 1e300, "1" * 16, "0,5"],
    "dose": [None, 0.30000000000000004, "0.3000000000000001", 0],
    "stress": [-2, 2, 0.5, ["-1"], "-01"],
    "asthma": ["maybe", ["yes"]],
    "region": [None, "no_answer"],
    "other": [None],
}
NO_ANSWERS: list[tuple[str, dict[str, Any]]] = [
    ("every kind", {**_FULL, key: value}) for key, values in _WRONG.items() for value in values
]

# What each block cannot report, and a few that it can.
NO_VALUES: dict[str, list[Any]] = {
    "asthma_x_region": [0, [0], [0, 9], [1, 0], [0, 0], [0, 1, 2]],
    "stress": [-1, 5, None, [0], "0", 5.5],
    "drugs": [0, [[0, 1]], [[0, 1], [0, 0]], [[1, 0], [0, 1]], [[0, 2], [1, 0]], [[0, 1], [3, 1]]],
    "jobs": [0, [0], [0, 8], [1, 0], [0, 1, 2]],
    "score": [48, -1, True],
    "again": [4, -1, None],
}
VALUES: dict[str, list[Any]] = {
    "asthma_x_region": [[0, 8]],
    "stress": [0, 4],
    "drugs": [[[0, 1], [2, 0]]],
    "jobs": [[6, 7]],
    "visits": [0, 102],
    "score": [0, 47],
    "again": [3],
}
REPORTED: dict[str, Any] = {
    "asthma_x_region": [3, 4],
    "stress": 1,
    "drugs": [[0, 0], [1, 1]],
    "jobs": [0, 7],
    "visits": 50,
    "score": 31,
    "d" * 63: 5,
    "again": 0,
}

_NO_NUMBERS: list[Any] = [..., None, 0, 1, "", "01", "1.0", "1.50", ".5", "5.", "-0", "+1", " 1"]
_NO_NUMBERS += ["1e1", "0.00001", "1234567890", "1,5", "١", [], True, "NaN"]
_NO_RULES: list[Any] = [None, True, [], "asthma", {}, {"question": "asthma"}, {"is": ["yes"]}]
_NO_ROUTERS: list[Any] = [..., None, 1, [], "other", "stress", "drugs", "visits", "__proto__"]
_NO_ROUTES: list[Any] = [..., None, "yes", [], [1], [None], ["maybe"], ["no_answer"], [["yes"]]]
_NO_ROUTES += [["yes", "yes"], ["no", "yes"]]
# Each fits nine answers, or as many options.
_NO_JOINT_MECHANISMS: list[Mechanism] = [Piecewise(OneOf(9), 8, 3, AT_ONE)]
_NO_JOINT_MECHANISMS += [SampledBits(SomeOf(9, 1), 1, AT_ONE), PrivSet(SomeOf(9, 1), 1, AT_ONE)]

_GROUPS: list[tuple[str, list[Any]]] = [
    ("questions.0.at_most", [1]),
    ("questions.0.min", ["0"]),
    ("questions.0.unit", ["x"]),
    ("questions.0.show_if", [*_NO_RULES, {"question": "asthma", "is": ["yes"]}]),
    ("questions.2.show_if", [*_NO_RULES, {"question": "asthma", "is": ["yes"], "x": 1}]),
    ("questions.2.show_if.question", _NO_ROUTERS),
    ("questions.2.show_if.is", _NO_ROUTES),
    ("questions.4.show_if.is", [["c", "a"], ["a", "b", "c", "d"]]),
    ("questions.6.show_if", [{"question": "visits", "is": ["0"]}]),
    ("questions.3.type", ["choice", "number"]),
    ("questions.3.required", [False]),
    ("questions.3.at_most", [..., None, True, "1", 0, -1, 2, 4, HUGE]),
    ("questions.3.min", ["0"]),
    ("questions.3.options", [..., [], [{"id": "a"}]]),
    ("questions.5.type", ["scale", "multiple"]),
    ("questions.5.options", [[{"id": "a"}, {"id": "b"}]]),
    ("questions.5.min", [*_NO_NUMBERS, "1", "-1", "77", "78", "0.5"]),
    ("questions.5.max", [*_NO_NUMBERS, "76", "78", "0", "-1", "77.5"]),
    ("questions.5.step", [*_NO_NUMBERS, "0", "-1", "2", "0.5", "78", "0.0001"]),
    ("questions.5.unit", [None, "", 1, [], {}]),
    ("questions.6.required", [False]),
    ("privacy.blocks.0.id", ["a" * 64, "a.b", "", "A", None]),
    ("privacy.blocks.0.questions", [["asthma"], ["asthma", "asthma"], ["region", "drugs"], []]),
    ("privacy.blocks.0.questions", [["asthma", "region", "stress"], ["asthma", "visits"]]),
    ("privacy.blocks.0.questions", [["asthma", "region", *["stress"] * 8], [["asthma"]]]),
    ("privacy.blocks.0.mechanism.domain_size", [8, 10]),
    ("privacy.blocks.0.mechanism", [one.to_document() for one in _NO_JOINT_MECHANISMS]),
    ("privacy.blocks.1.mechanism.no_answer", [False, None, 1]),
    ("privacy.blocks.1.mechanism.cells", [2, 4]),
    ("privacy.blocks.2.mechanism.at_most", [2, 4]),
    ("privacy.blocks.2.mechanism.options", [4]),
    ("privacy.blocks.2.mechanism.sampled", [0, 4]),
    ("privacy.blocks.2.mechanism.name", ["privset", "subset"]),
    ("privacy.blocks.3.mechanism.name", ["sampled_bits"]),
    ("privacy.blocks.5.mechanism.no_answer", [True]),
]
EDITS = [(path, value) for path, values in _GROUPS for value in values]
