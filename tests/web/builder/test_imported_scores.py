"""Imported scores have the same values as the original calculations."""

import json
import math
import random
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deniable_sdk import PublishedSurvey, compile_survey, compute_scores
from deniable_web.builder.imports.imported import Imported
from deniable_web.builder.imports.text import import_text
from deniable_web.builder.imports.xlsform import import_xlsform
from workbooks import Row, workbook

Answers = Mapping[str, Fraction]

HEADER: Row = ["type", "name", "label", "required", "constraint", "calculation"]
SETTINGS: list[Row] = [["form_title", "form_id"], ["Wellbeing", "w"]]
OFTEN: list[Row] = [
    ["list_name", "name", "label"],
    ["often", 0, "Not once"],
    ["often", 1, "On a few days"],
    ["often", 2, "On most days"],
    ["often", 3, "Every day"],
]
MOOD = [
    "Little wish to do anything", "Sad or empty", "Slept badly", "Worn out", "No appetite",
    "Felt like a failure", "Could not follow a text", "Slow or unable to sit still",
    "Thought it would be better not to be there",
]  # fmt: skip
NAMES = [f"mood{number}" for number in range(1, 10)]


def survey_of(found: Imported) -> PublishedSurvey:
    """The compiled definition, of which no calculation was left out."""
    assert found.account.left_out == []
    return compile_survey(found.definition)


def form(*rows: Row) -> PublishedSurvey:
    """An XLSForm with these questions."""
    sheets = {"survey": [HEADER, *rows], "choices": OFTEN, "settings": SETTINGS}
    return survey_of(import_xlsform(workbook(sheets)))


def half_up(value: Fraction, step: str) -> Fraction:
    """A value rounded to a step as XPath's round() does."""
    return math.floor(value / Fraction(step) + Fraction(1, 2)) * Fraction(step)


def score(survey: PublishedSurvey, answers: Mapping[str, str], name: str) -> Fraction:
    """The score that the device computes, as a number."""
    found = compute_scores(survey, answers)[name]
    assert found is not None
    return Fraction(found)


def test_a_scale_of_nine_items_has_the_same_sum() -> None:
    """The nine answers are not reported, and the score is their sum."""
    items: list[Row] = [
        ["select_one often", name, text, "yes"] for name, text in zip(NAMES, MOOD, strict=True)
    ]
    survey = form(
        *items,
        ["calculate", "total", None, None, None, " + ".join(f"${{{name}}}" for name in NAMES)],
    )
    assert [block.id for block in survey.blocks] == ["total"]
    draw = random.Random(1)
    for _ in range(200):
        answers = {name: str(draw.randint(0, 3)) for name in NAMES}
        assert score(survey, answers, "total") == sum(map(int, answers.values()))


def test_without_an_answer_there_is_no_score() -> None:
    """As in the other program, where the sum is then no number."""
    survey = form(
        ["select_one often", "a", "A"],
        ["select_one often", "b", "B"],
        ["calculate", "both", None, None, None, "${a} + ${b}"],
    )
    assert compute_scores(survey, {"a": "3"}) == {"both": None}


@pytest.mark.parametrize(
    "calculation",
    [
        "round(${weight} div pow(${height} div 100, 2), 1)",
        "${weight} div ((${height} div 100) * (${height} div 100))",
        "10000 * number(${weight}) div ${height} div ${height}",
    ],
)
def test_a_body_mass_index_is_the_same(calculation: str) -> None:
    """Whichever way it is written; it is rounded to 0.1."""
    survey = form(
        ["decimal", "weight", "Weight in kg", "yes", ". >= 30 and . <= 250"],
        ["integer", "height", "Height in cm", "yes", ". >= 120 and . <= 220"],
        ["calculate", "bmi", "Body mass index", None, None, calculation],
    )
    draw = random.Random(2)
    for _ in range(200):
        kilograms, centimetres = Fraction(draw.randint(300, 2500), 10), draw.randint(120, 220)
        answers = {"weight": f"{float(kilograms):g}", "height": str(centimetres)}
        expected = half_up(kilograms / Fraction(centimetres, 100) ** 2, "0.1")
        assert score(survey, answers, "bmi") == expected


def test_a_form_of_surveyjs_has_the_same_scores() -> None:
    """Rows of a matrix, reversed items, answers with points, means and largest values."""
    columns = [{"value": value, "text": f"{value} points"} for value in range(4)]
    matrix = {"type": "matrix", "name": "week", "columns": columns, "rows": ["calm", "tired"]}
    elements = [
        matrix,
        {"type": "rating", "name": "rest", "rateMin": 1, "rateMax": 5},
        {"type": "radiogroup", "name": "help", "choices": ["none", "some", "much"]},
        {"type": "expression", "name": "top", "expression": "max({week.calm}, {rest})"},
    ]
    values = {
        "strain": "3 - {week.calm} + {week.tired}"
        " + iif({help} = 'none', 2, iif({help} = 'some', 1, 0))",
        "mean": "avg({week.calm}, {week.tired}, {rest})",
    }
    named = [{"name": name, "expression": each} for name, each in values.items()]
    document = {"title": "Week", "elements": elements, "calculatedValues": named}
    survey = survey_of(import_text(json.dumps(document).encode()))
    draw = random.Random(3)
    for _ in range(200):
        calm, tired, rest = draw.randint(0, 3), draw.randint(0, 3), draw.randint(1, 5)
        points = draw.randint(0, 2)
        answers = {
            "week_calm": str(calm),
            "week_tired": str(tired),
            "rest": str(rest),
            "help": ("much", "some", "none")[points],
        }
        assert score(survey, answers, "strain") == 3 - calm + tired + points
        assert score(survey, answers, "top") == max(calm, rest)
        assert score(survey, answers, "mean") == half_up(Fraction(calm + tired + rest, 3), "0.01")


class Sum:
    """An expression with the function that it is of the answers."""

    def __init__(self, text: str, of: Callable[[Answers], Fraction]) -> None:
        self.text = text
        self.of = of


RANGES: Mapping[str, Sequence[str]] = {
    "a": ["0", "1", "3"],
    "b": ["-1", "0", "2"],
    "c": ["1", "2", "3", "4", "5"],
    "n": [str(number) for number in range(10, 21)],
    "d": ["0", "0.5", "1", "1.5", "2"],
}
ELEMENTS: list[dict[str, Any]] = [
    {"type": "radiogroup", "name": "a", "choices": [0, 1, 3]},
    {"type": "radiogroup", "name": "b", "choices": [-1, 0, 2]},
    {"type": "rating", "name": "c"},
    {"type": "text", "inputType": "number", "name": "n", "min": 10, "max": 20},
    {"type": "slider", "name": "d", "min": 0, "max": 2, "step": 0.5},
]


def leaf(name: str, factor: Fraction) -> Sum:
    """One question times a number, or points for one of its answers."""
    return Sum(f"{float(factor):g} * number(${{{name}}})", lambda answers: factor * answers[name])


def chosen(name: str, factor: Fraction) -> Sum:
    """The same points for all answers but the largest."""
    last = RANGES[name][-1]
    return Sum(
        f"if(${{{name}}} != '{last}', {float(factor):g}, ${{{name}}})",
        lambda answers: answers[name] if answers[name] == Fraction(last) else factor,
    )


def joined(left: Sum, right: Sum, how: str, factor: Fraction) -> Sum:
    """Two sums as one, in several spellings."""
    number = f"{float(factor):g}"
    return {
        "plus": Sum(f"{left.text} + {right.text}", lambda given: left.of(given) + right.of(given)),
        "minus": Sum(
            f"-({right.text}) + {left.text} - {number}",
            lambda given: left.of(given) - right.of(given) - factor,
        ),
        "sum": Sum(
            f"sum({left.text}, {number}, {right.text})",
            lambda given: left.of(given) + factor + right.of(given),
        ),
        "half": Sum(
            f"({left.text} + {right.text}) div 2",
            lambda given: (left.of(given) + right.of(given)) / 2,
        ),
        "times": Sum(
            f"{number} * ({left.text}+{right.text})",
            lambda given: factor * (left.of(given) + right.of(given)),
        ),
    }[how]


FACTORS = st.sampled_from([Fraction(1), Fraction(2), Fraction(-1), Fraction(3)])
HOW = st.sampled_from(["plus", "minus", "sum", "half", "times"])


@given(
    names=st.permutations(["a", "b", "c", "n", "d"]),
    count=st.integers(2, 4),
    draws=st.lists(st.tuples(FACTORS, HOW), min_size=10, max_size=10),
    seed=st.integers(0, 999),
)
@settings(max_examples=60, deadline=None)
def test_any_sum_is_the_same(
    names: list[str], count: int, draws: list[tuple[Fraction, str]], seed: int
) -> None:
    """Whatever questions, factors and brackets it has, within 4 decimals and 5,000 values."""
    factors, hows = zip(*draws, strict=True)
    kinds = {"a": chosen, "c": chosen} if seed % 2 else {}
    leaves = [
        kinds.get(name, leaf)(name, factor)
        for name, factor in zip(names[:count], factors, strict=False)
    ]
    whole = leaves[0]
    for other, how, factor in zip(leaves[1:], hows, factors[5:], strict=False):
        whole = joined(whole, other, how, factor)
    values = [{"name": "whole", "expression": whole.text}]
    document = {"title": "Sums", "elements": ELEMENTS, "calculatedValues": values}
    survey = survey_of(import_text(json.dumps(document).encode()))
    draw = random.Random(seed)
    for _ in range(20):
        answers = {name: draw.choice(values) for name, values in RANGES.items()}
        expected = whole.of({name: Fraction(answer) for name, answer in answers.items()})
        assert score(survey, answers, "whole") == expected
