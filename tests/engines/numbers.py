"""Rules for numbers, written by hand and drawn at random, and the numbers to try them with."""

import random
from typing import Any

NUMBERS = [
    *(number / 4 for number in range(-16, 61)),
    *(-1000, -100, -99.5, 99, 100, 100.5, 101, 999, 1000, 0.1, 0.2, 0.3, 1.2, 1.3, 0.30000001),
]  # fmt: skip
_SIGNS = ["<", "<=", ">", ">=", "=", "!="]
_ENDS = ["-3", "0", "0.2", "1", "1.3", "2.5", "4", "10", "100"]
_BY_HAND = [
    ". > 0.2 and . < 1.3", "not(. > 100)", ". < 5 or . > 10", "(. >= 0 and . <= 10) or . = 999",
    ". >= -3", "0 <= . and 10 >= .", ". != 4", ". = 4", "not(. < 0 or . > 10)", "true()",
    "not(. < 0 and . > 10)", "not(not(. >= 0))", ". >= 0 and (. <= 4 or . <= 10)",
    ". > 10 and . < 0", "if(. > 4, true(), false())", ". * 2 > 4 and . < 10",
    "(. > 1) and true() and not(false())", "string-length(.) < 3 and . >= 0", ". div 2 <= 4",
    ". mod 2 = 0 and . <= 10", ". > '4'", ". >= 0 and . <= 10 and . != 4",
    "(. >= 1 and . <= 2.5) or (. >= 2.5 and . <= 4)", ".>=0 and.<=10",
    "coalesce(., 0) < 4 or . < 1", "selected('1 2', .) and . < 10", "-3 < . and . < 4",
    "not(. = 0) and . >= 0", "boolean(. > 4) and . < 10", ". > 4 = true() and . < 10",
]  # fmt: skip


def constraints() -> list[str]:
    """Constraints of XLSForms."""
    draw = random.Random(1)
    return list(dict.fromkeys([*_BY_HAND, *(_constraint(draw, 3) for _ in range(300))]))


def questions() -> list[dict[str, Any]]:
    """Questions of SurveyJS for a number."""
    draw = random.Random(2)
    found: list[dict[str, Any]] = [{"validators": [{"type": "numeric"}]}, {"min": "today()"}]
    for _ in range(200):
        question: dict[str, Any] = {}
        for key, likely in (("min", 0.6), ("max", 0.6), ("step", 0.4)):
            if draw.random() < likely:
                end = draw.choice(_ENDS[4:] if key == "step" else _ENDS)
                question[key] = end if key != "step" and draw.random() < 0.2 else float(end)
        if draw.random() < 0.4:
            keys = draw.sample(["minValue", "maxValue"], draw.randint(1, 2))
            rule = {key: float(draw.choice(_ENDS)) for key in keys}
            question["validators"] = [{"type": "numeric", **rule}]
        found.append(question)
    return [{"type": "text", "inputType": "number", **question} for question in found]


def _constraint(draw: random.Random, depth: int) -> str:
    kind = draw.random()
    if depth == 0 or kind < 0.4:
        sides = [".", draw.choice(_ENDS)]
        if draw.random() < 0.2:
            sides.reverse()
        return f"{sides[0]} {draw.choice(_SIGNS)} {sides[1]}"
    if kind < 0.5:
        return f"not({_constraint(draw, depth - 1)})"
    joint = draw.choice([" and ", " or "])
    parts = (_constraint(draw, depth - 1) for _ in range(draw.randint(2, 3)))
    return f"({joint.join(parts)})"
