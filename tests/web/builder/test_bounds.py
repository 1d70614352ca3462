"""Bounds of imported numbers: no number that the other program accepts is beyond them."""

import json
from collections.abc import Mapping
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from deniable_sdk import compile_survey
from deniable_web.builder.imports.bounds import Bounds, read_constraint
from deniable_web.builder.imports.text import import_text
from deniable_web.builder.imports.xlsform import import_xlsform
from engines.numbers import NUMBERS, constraints, questions
from workbooks import Row, workbook

ENGINES = Path(__file__).parents[2] / "engines"
CONSTRAINTS: dict[str, str] = dict(json.loads((ENGINES / "constraints.json").read_text()))
QUESTIONS: list[Any] = json.loads((ENGINES / "questions.json").read_text())
MANY = " or ".join(f". = {number}" for number in range(101))
EXACT = [Fraction(str(number)) for number in NUMBERS]


def accepted(bits: str) -> list[Fraction]:
    """The numbers that the other program accepts."""
    return [number for number, bit in zip(EXACT, bits, strict=True) if bit == "1"]


def inside(bounds: Bounds, number: Fraction) -> bool:
    """Whether a number is within bounds."""
    above = (
        bounds.low is None
        or number > bounds.low
        or (number == bounds.low and not bounds.is_low_excluded)
    )
    below = (
        bounds.high is None
        or number < bounds.high
        or (number == bounds.high and not bounds.is_high_excluded)
    )
    return above and below


def form(kind: str, constraint: str, parameters: str = "") -> tuple[dict[str, Any], set[str]]:
    """The question that an XLSForm with one number becomes, and what was changed."""
    header: Row = ["type", "name", "label", "constraint", "parameters"]
    rows: list[Row] = [header, [kind, "n", "How many?", constraint, parameters]]
    found = import_xlsform(workbook({"survey": rows}))
    compile_survey({**found.definition, "title": "T"})
    return dict(found.definition["questions"][0]), {
        note.reason for note in found.account.changed if note.name == "n"
    }


def test_the_tables_are_those_of_the_rules() -> None:
    """After a change of a rule, engines/make.py writes new tables."""
    assert list(CONSTRAINTS) == constraints()
    assert [question for question, _ in QUESTIONS] == questions()


def test_no_number_that_a_constraint_accepts_is_beyond_the_bounds() -> None:
    """Compared with the evaluator of XPath in Enketo."""
    for constraint, bits in CONSTRAINTS.items():
        bounds = read_constraint(constraint)
        assert all(inside(bounds, number) for number in accepted(bits)), constraint


def test_bounds_are_as_narrow_as_the_constraint() -> None:
    """If only the number is compared, the bounds are the ends of what is accepted."""
    for constraint, bits in CONSTRAINTS.items():
        bounds = read_constraint(constraint)
        if bounds.are_all_rules:
            rules = [number for number in EXACT if inside(bounds, number)]
            assert rules == accepted(bits), constraint
    read = [read_constraint(constraint).are_all_rules for constraint in CONSTRAINTS]
    assert sum(read) > len(read) / 3


@pytest.mark.parametrize(
    ("kind", "constraint", "expected", "changed"),
    [
        ("decimal", ". > 0.2 and . < 1.3", {"min": 0.3, "max": 1.2, "step": 0.1}, set()),
        ("decimal", ". >= 0.25 and . < 1", {"min": 0.25, "max": 0.99, "step": 0.01}, set()),
        ("decimal", ". >= 0 and . <= 1000", {"min": 0, "max": 1000}, set()),
        ("integer", ". > 0.2 and . < 1.3", {"min": 1, "max": 101}, {"bounds"}),
        ("integer", "not(. > 60)", {"min": 0, "max": 60}, {"bounds"}),
        ("integer", ". < -60", {"min": -161, "max": -61}, {"bounds"}),
        ("integer", ". >= 18", {"min": 18, "max": 118}, {"bounds"}),
        ("integer", ". < 5 or . > 10", {"min": 0, "max": 100}, {"bounds", "rules"}),
        ("integer", ". = 999 or (. >= 0 and . <= 120)", {"min": 0, "max": 999}, {"rules"}),
        ("integer", ". >= 0 and . <= 9 and . != 4", {"min": 0, "max": 9}, {"rules"}),
        ("integer", "${n} >= 1 and 9 > ${n}", {"min": 1, "max": 8}, set()),
        ("integer", ". >= 0 and . <= pi()", {"min": 0, "max": 100}, {"bounds", "rules"}),
        ("integer", ". = 4", {"min": 4, "max": 104}, {"bounds"}),
        ("integer", ". > 4 and . < 2", {"min": 0, "max": 100}, {"bounds", "rules"}),
        ("integer", MANY, {"min": 0, "max": 100}, {"bounds", "rules"}),
        ("integer", "", {"min": 0, "max": 100}, {"bounds"}),
    ],
)  # fmt: skip
def test_a_constraint_becomes_bounds(
    kind: str, constraint: str, expected: Mapping[str, object], changed: set[str]
) -> None:
    """Exact decimals; missing ends are filled in, and other rules are listed."""
    question, reasons = form(kind, constraint)
    assert {key: question[key] for key in ("min", "max", "step") if key in question} == expected
    assert reasons == (changed | {"rounded"} if kind == "decimal" else changed)


@pytest.mark.parametrize(
    ("parameters", "expected"),
    [
        ("start=0 end=10 step=1", {"lowest": 0, "levels": 11}),
        ("", {"levels": 10}),
        ("start=0 end=100 step=10", {"min": 0, "max": 100, "step": 10}),
        ("start=0 end=10 step=3", {"min": 0, "max": 9, "step": 3}),
        ("start=10 end=1 step=3", {"min": 1, "max": 10, "step": 3}),
        ("start=10 end=0 step=4", {"min": 2, "max": 10, "step": 4}),
        ("start=0.1 end=0.7 step=0.2", {"min": 0.1, "max": 0.7, "step": 0.2}),
        ("start=0.5 end=3.5 step=1", {"min": 0.5, "max": 3.5}),
    ],
)
def test_a_range_has_the_numbers_of_its_parameters(
    parameters: str, expected: Mapping[str, object]
) -> None:
    """The steps begin at the start, which may be the largest number."""
    question, _ = form("range", "", parameters)
    keys = ("min", "max", "step", "lowest", "levels")
    assert {key: question[key] for key in keys if key in question} == expected


def test_a_constraint_of_a_range_is_listed() -> None:
    """All numbers of the range can still be answered."""
    question, changed = form("range", ". != 3", "start=0 end=10 step=1")
    assert (question["levels"], changed) == (11, {"rules"})


@pytest.mark.parametrize(
    ("question", "expected", "changed"),
    [
        ({"min": 1, "max": 9}, (1, 9), set()),
        ({"min": "1", "max": "9"}, (1, 9), set()),
        ({"min": "{a}", "max": 9}, (0, 9), {"bounds", "rules"}),
        ({"validators": [{"type": "numeric", "minValue": 2, "maxValue": 5}]}, (2, 5), set()),
        ({"min": 1, "max": 9, "validators": [{"type": "expression"}]}, (1, 9), {"rules"}),
        ({"type": "slider"}, (0, 100), set()),
        ({"type": "slider", "max": 10, "step": 4}, (0, 8), set()),
        ({"inputType": "range", "min": 5}, (5, 100), set()),
    ],
)
def test_a_question_of_surveyjs_has_bounds(
    question: Mapping[str, object], expected: tuple[int, int], changed: set[str]
) -> None:
    """From its keys and its numeric validators; what is neither is listed."""
    element = {"type": "text", "inputType": "number", "name": "n", **question}
    found = import_text(json.dumps({"title": "T", "elements": [element]}).encode())
    (number,) = found.definition["questions"]
    assert (number["min"], number["max"]) == expected
    reasons = {note.reason for note in found.account.changed if note.name == "n"}
    assert reasons & {"bounds", "rules"} == changed


def test_a_number_of_surveyjs_takes_the_numbers_of_the_file() -> None:
    """Compared with survey-core: within the bounds and the steps is exactly what it accepts."""
    elements = [{**question, "name": f"n{place}"} for place, (question, _) in enumerate(QUESTIONS)]
    found = import_text(json.dumps({"title": "T", "elements": elements}).encode())
    listed = {note.name for note in found.account.changed if note.reason == "bounds"}
    complete = 0
    for question, (file, bits) in zip(found.definition["questions"], QUESTIONS, strict=True):
        low, high, step = (Fraction(str(question.get(key, 1))) for key in ("min", "max", "step"))
        is_any = "step" not in file
        grid = [number for number in EXACT if low <= number <= high and not (number - low) % step]
        own = [each for each in accepted(bits) if not is_any or not (each - low) % step]
        if question["id"] not in listed:
            assert grid == own, file
            complete += 1
        elif len(own) > 1:
            assert {*grid} <= {*own}, file
    assert complete > 20
