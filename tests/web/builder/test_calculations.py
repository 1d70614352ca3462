"""Calculations of other programs: the scores they become, and why some are left out."""

import json
from collections.abc import Mapping
from typing import Any

import pytest

from deniable_sdk import compile_survey
from deniable_web.builder.imports.imported import Changed, Imported, LeftOut
from deniable_web.builder.imports.syntax import LONGEST
from deniable_web.builder.imports.text import import_text
from deniable_web.builder.imports.xlsform import import_xlsform
from deniable_web.pages.languages import CODES, catalog
from workbooks import Row, workbook

ELEMENTS: list[dict[str, Any]] = [
    {"type": "radiogroup", "name": "a", "choices": [0, 1, 2, {"value": 3, "text": "always"}]},
    {"type": "radiogroup", "name": "b", "choices": [0, 1.5, -2]},
    {"type": "radiogroup", "name": "w", "choices": ["low", "high"]},
    {"type": "boolean", "name": "s"},
    {"type": "boolean", "name": "t", "valueTrue": 2, "valueFalse": 0},
    {"type": "rating", "name": "r", "rateMin": 0, "rateMax": 2},
    {"type": "text", "inputType": "number", "name": "n", "min": 0, "max": 10},
    {"type": "text", "inputType": "number", "name": "kg", "min": 30, "max": 250},
    {"type": "text", "inputType": "number", "name": "cm", "min": 100, "max": 220},
    {"type": "checkbox", "name": "m", "choices": [1, 2]},
    {"type": "comment", "name": "why"},
]
A = {"question": "a", "points": {"0": 0, "1": 1, "2": 2, "3": 3}}
B = {"question": "b", "points": {"0": 0, "1.5": 1.5, "-2": -2}}


def imported(*expressions: str) -> Imported:
    """The import of all these questions and of calculations c0, c1, ..."""
    values = [{"name": f"c{index}", "expression": each} for index, each in enumerate(expressions)]
    document = {"title": "T", "elements": ELEMENTS, "calculatedValues": values}
    return import_text(json.dumps(document).encode())


def scores(found: Imported) -> list[dict[str, Any]]:
    """The scores of a definition, without what all of them have."""
    return [
        {key: value for key, value in question.items() if key not in ("id", "type", "text")}
        for question in found.definition["questions"]
        if question["type"] == "score"
    ]


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("{a} + {b}", {"items": [A, B]}),
        ("number(${a}) + int(${n})", {"items": [A, {"question": "n"}], "step": 1}),
        ("sum({a}, {b}, 1) - 1.5", {"items": [A, B], "plus": -0.5}),
        ("({a} + {r}) div 2", {
            "items": [A, {"question": "r", "points": {"0": 0, "1": 1, "2": 2}}],
            "combine": "mean", "step": 0.5,
        }),
        ("avg({a}, {n}, {r})", {
            "items": [A, {"question": "n"}, {"question": "r", "points": {"0": 0, "1": 1, "2": 2}}],
            "combine": "mean", "step": 0.01,
        }),
        ("max({a}, 2 * {n})", {
            "items": [A, {"question": "n", "weight": 2}], "combine": "largest", "step": 1,
        }),
        ("{kg} div pow({cm} div 100, 2)", {
            "items": [{"question": "kg", "weight": 10000}, {"question": "cm"}, {"question": "cm"}],
            "combine": "quotient", "step": 0.1,
        }),
        ("round({kg} / ({cm} / 3), 0)", {
            "items": [{"question": "kg", "weight": 3}, {"question": "cm"}],
            "combine": "quotient", "step": 1,
        }),
        ("{kg} / {cm} / 3", {
            "items": [{"question": "kg"}, {"question": "cm", "weight": 3}],
            "combine": "quotient", "step": 0.1,
        }),
        ("if(${w} = 'high', 2, 0) + selected(${a}, '3')", {
            "items": [
                {"question": "w", "points": {"low": 0, "high": 2}},
                {"question": "a", "points": {"0": 0, "1": 0, "2": 0, "3": 1}},
            ],
        }),
        ("iif({s} = true, 1, 0) - {t}", {
            "items": [
                {"question": "s", "points": {"yes": 1, "no": 0}},
                {"question": "t", "points": {"yes": -2, "no": 0}},
            ],
        }),
        ("iif({a} >= 1 and not({a} = '3'), {a} * 10, {a}) + {b}", {
            "items": [{"question": "a", "points": {"0": 0, "1": 10, "2": 20, "3": 3}}, B],
        }),
        ("iif({w} = 'low' || {w} == 'high', 4, 5) + (3 - {a})", {
            "items": [
                {"question": "w", "points": {"low": 4, "high": 4}},
                {"question": "a", "points": {"0": 0, "1": -1, "2": -2, "3": -3}},
            ],
            "plus": 3,
        }),
    ],
)  # fmt: skip
def test_a_calculation_becomes_a_score(expression: str, expected: Mapping[str, Any]) -> None:
    """Each question with its points, in the order in which they are named."""
    found = imported(expression)
    assert scores(found) == [expected]
    assert found.account.left_out[1:] == []
    assert compile_survey(found.definition).questions[-1].type == "score"


@pytest.mark.parametrize(
    ("expression", "reason"),
    [
        ("1 + 1", "computed"), ("{a}", "computed"), ("{a} + {a}", "computed"),
        ("{a} + {b} - {b}", "computed"), ("{a} * {b}", "computed"), ("1 div {n}", "computed"),
        ("{a} +", "computed"), ("({a} + {b}", "computed"), ("{a} {b}", "computed"),
        ("{a} + ../b", "computed"), ("{a} mod 2 + {b}", "computed"), ("", "computed"),
        ("iif({n} > 3, 1, 0) + {a}", "computed"), ("iif({a} = {b}, 1, 0)", "computed"),
        ("iif({a} = 1, {b}, 0)", "computed"), ("iif({a} = '', 0, {a}) + {b}", "computed"),
        ("iif({a}, 1, 0) + {b}", "computed"), ("iif({w} = 'Low', 1, 0) + {a}", "computed"),
        ("iif({w} != 'LOW', 1, 0) + {a}", "computed"), ("iif({a} = 7, 1, 0) + {b}", "computed"),
        ("int({b}) + {a}", "computed"),
        ("round({a} / 2) + {b}", "computed"), ("{kg} / {cm} + {a}", "computed"),
        ("today() + {a}", "function"), ("once({a} + {b})", "function"),
        ("coalesce({a}, 0) + {b}", "function"), ("min({a}, {b})", "function"),
        ("{w} + {a}", "names"), ("{s} + {a}", "names"), ("iif({a} = 1, {w}, 0)", "names"),
        ("iif({w} = 'low', {w}, 0) + {a}", "names"),
        ("{c0} + {a}", "nested"), ("{m} + {a}", "refers"), ("{why} + {a}", "refers"),
        ("{nobody} + {a}", "refers"), ("{a} / {n}", "divisor"), ("{a} / {r}", "divisor"),
        ("({a} + {b}) / 0", "divisor"), ("{a} / (0 * {cm})", "divisor"),
        ("{a} * 0.00001 + {b}", "numbers"), ("{a} * 1000000000 + {b}", "numbers"),
        ("{a} * 99999999 * 99999999 + {b}", "numbers"), ("({a} + 2 * {b}) / 7", "numbers"),
        ("(" * 31 + "{a} + {b}" + ")" * 31, "too_long"),
        ("{a} + {b}" + " " * LONGEST, "too_long"),
        ("+".join(["{a}"] * 100_000), "too_long"),
    ],
)  # fmt: skip
def test_any_other_is_left_out_with_its_reason(expression: str, reason: str) -> None:
    """Nothing is guessed, and the questions are there all the same."""
    found = imported(expression)
    assert [(note.name, note.reason) for note in found.account.left_out] == [
        ("why", "free_text"),
        ("c0", reason),
    ]
    assert scores(found) == []
    assert [each for each in found.definition["questions"] if "reported" in each] == []


def test_a_calculation_beyond_all_numbers_leaves_the_questions() -> None:
    """No step makes so many values few enough."""
    wide = {"type": "text", "inputType": "number", "name": "wide", "min": 0, "max": 10**12}
    values = [{"name": "c", "expression": "{wide} * 1000 + {n}"}]
    document = {"title": "T", "elements": [*ELEMENTS, wide], "calculatedValues": values}
    found = import_text(json.dumps(document).encode())
    assert [note.reason for note in found.account.left_out if note.name == "c"] == ["numbers"]
    assert scores(found) == []


def test_every_reason_has_words_in_every_language() -> None:
    """What the account lists, the page can say."""
    reasons = {f"left_out_{each}" for each in LeftOut} | {f"changed_{each}" for each in Changed}
    for code in CODES:
        texts = {key for section in catalog("builder", code).values() for key in section}
        assert reasons - texts == set()


def test_more_than_60_items_are_too_many() -> None:
    """A score has no more of them."""
    names = [f"q{index}" for index in range(61)]
    elements = [{"type": "rating", "name": name} for name in names]
    sums = ["+".join(f"{{{name}}}" for name in names[:count]) for count in (60, 61)]
    values = [{"name": f"c{index}", "expression": each} for index, each in enumerate(sums)]
    document = {"title": "T", "elements": elements, "calculatedValues": values}
    found = import_text(json.dumps(document).encode())
    assert [len(score["items"]) for score in scores(found)] == [60]
    assert [(note.name, note.reason) for note in found.account.left_out] == [("c1", "too_long")]


def test_a_score_with_too_many_values_is_rounded() -> None:
    """It has at most 5,000, and the account says that it has others than before."""
    found = imported("1000 * {a} + {n} / 4")
    assert [score["step"] for score in scores(found)] == [1]
    assert ("c0", "rounded") in {(note.name, note.reason) for note in found.account.changed}
    compile_survey(found.definition)


HEADER: Row = ["type", "name", "label", "required", "relevant", "calculation"]
CHOICES: list[Row] = [
    ["list_name", "name", "label"],
    ["often", 0, "Never"],
    ["often", 1, "Some days"],
    ["often", 2, "Always"],
    ["yes_no", "yes", "Yes"],
    ["yes_no", "no", "No"],
]
FORM: list[Row] = [
    HEADER,
    ["calculate", "early", None, None, None, "${tired} + ${tense}"],
    ["select_one yes_no", "works", "Do you work?", "yes"],
    ["select_one often", "tired", "Tired", "yes", "${works} = 'yes'"],
    ["select_one often", "tense", "Tense", "yes", "${works} = 'yes'"],
    ["calculate", "strain", "Strain", "yes", "${works} = 'yes'", "${tired} + ${tense}"],
    ["calculate", "load", None, None, None, "${tired} * 2 + if(${works} = 'yes', 1, 0)"],
    ["note", "advice", "Rest!", None, "${strain} >= 3"],
    ["select_one often", "rest", "Do you rest?", None, "${strain} >= 3"],
]


def test_scores_are_where_the_calculations_were() -> None:
    """After their questions; a calculation that comes too early is moved behind them."""
    found = import_xlsform(workbook({"survey": FORM, "choices": CHOICES}))
    questions = found.definition["questions"]
    assert [question["id"] for question in questions] == [
        "works", "tired", "tense", "early", "strain", "load", "rest",
    ]  # fmt: skip
    compile_survey({**found.definition, "title": "Work"})


def test_questions_of_scores_are_not_reported_unless_they_decide() -> None:
    """The share of those who were asked explains the answers of the others."""
    found = import_xlsform(workbook({"survey": FORM, "choices": CHOICES}))
    questions = {question["id"]: question for question in found.definition["questions"]}
    assert [name for name, each in questions.items() if each.get("reported") is False] == [
        "tired",
        "tense",
    ]
    survey = compile_survey({**found.definition, "title": "Work"})
    assert [block.id for block in survey.blocks] == ["works", "early", "strain", "load", "rest"]


def test_a_score_is_required_if_everybody_has_it() -> None:
    """Who is asked for it must answer all of its questions."""
    found = import_xlsform(workbook({"survey": FORM, "choices": CHOICES}))
    questions = {question["id"]: question for question in found.definition["questions"]}
    assert questions["strain"]["show_if"] == {"question": "works", "is": ["yes"]}
    assert {name for name, each in questions.items() if each.get("required")} == {
        *("works", "tired", "tense", "strain"),
    }


def test_conditions_on_a_calculation_are_listed() -> None:
    """What only those above a cut-off saw, everybody sees."""
    found = import_xlsform(workbook({"survey": FORM, "choices": CHOICES}))
    assert [(note.name, note.reason) for note in found.account.changed] == [
        ("advice", "note"), ("rest", "condition"), ("early", "score"), ("strain", "score"),
        ("load", "score"), ("tired", "unreported"), ("tense", "unreported"), ("", "epsilon"),
    ]  # fmt: skip
    assert found.account.left_out == []
