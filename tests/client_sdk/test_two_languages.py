"""Python and JavaScript, given the same surveys, answers and bytes."""

import copy
import json
import random
import subprocess
from collections.abc import Iterator
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from deniable_sdk import DeniableError, PublishedSurvey, canonical, compile_survey, randomize
from deniable_sdk.mechanisms import Subset
from deniable_sdk.randomness import DRAW_RANGE
from deniable_sdk.weights import format_epsilon, integer_weights
from vectors import kinds
from vectors.building import Document, domain_size, survey_document
from vectors.spelling import Recorder

REPLAY = Path(__file__).parent / "javascript" / "replay.js"
REPORTS_EACH = 10
ALPHABET = "aZ09 _-.\"\\/'\n\t\xa0äß\u0416\u2028\u3000\ufeff漢字\U0001f600\U00010348\U000e0041"
ODD_VALUES: list[Any] = [None, True, False, 0, 1, -1, 2, 1000, 2**32, 2**53 - 1, "", " ", "\x85"]
ODD_VALUES += ["x", "é", "yes", "no_answer", "subset", "0.5", "2", "10", "01", [], {}, [[]], [{}]]
ODD_VALUES += ["a\x1bb", "a\r", "\u202ea"]
ODD_VALUES += [{"en": "x"}, {"__proto__": "x"}, [1, 1], [2, 1], "\U0001f600" * 200, "y" * 201]
ODD_KEYS = ["id", "text", "x", "__proto__", "constructor", "name"]


def in_node(cases: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """What JavaScript makes of the cases, in one process."""
    lines = "".join(f"{json.dumps(case)}\n" for case in cases)
    done = subprocess.run(
        ["node", REPLAY], input=lines, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.split("\n") if line]


def some_text(rng: random.Random, longest: int = 12) -> str:
    """A random text that shows something."""
    return "".join(rng.choices(ALPHABET, k=rng.randint(0, longest))) + rng.choice("aé漢\U0001f600")


def some_texts(rng: random.Random) -> Any:
    """A random text, or one for each of some languages."""
    tags = rng.sample(["en", "de", "pt-BR", "ar", "zh-Hant-TW"], rng.randint(1, 3))
    return rng.choice([some_text(rng), {tag: some_text(rng) for tag in tags}])


def some_option(rng: random.Random, option_id: str) -> Any:
    """An option, now and then with a text of its own."""
    return {"id": option_id} | ({"text": some_texts(rng)} if rng.random() < 0.2 else {})


def some_question(rng: random.Random, index: int) -> Document:
    """A random question of 2 to 60 options."""
    kind = rng.choice(["yes_no", "choice", "scale"])
    lowest, count = rng.randint(-100, 100), rng.choice([2, 3, 5, rng.randint(2, 60)])
    ids = {
        "yes_no": ["yes", "no"],
        "scale": [str(lowest + step) for step in range(count)],
        "choice": list(dict.fromkeys(f"{some_text(rng)}{step}" for step in range(count))),
    }[kind]
    return {
        "id": rng.choice([f"q{index}", f"constructor{index}", "valueof" + "_" * index]),
        "type": kind,
        "text": some_texts(rng),
        "options": [some_option(rng, option_id) for option_id in ids],
        "required": rng.random() < 0.3,
    }


def some_survey(rng: random.Random) -> PublishedSurvey:
    """A random legal survey, its blocks in any order and of any legal size."""
    questions = [some_question(rng, index) for index in range(rng.randint(1, 12))]
    epsilon = Fraction(rng.randint(10**4, 10**7), 10**6)
    asked = rng.randint(1, len(questions))
    weights = integer_weights(epsilon / asked)
    blocks = []
    for index, question in enumerate(questions):
        count = domain_size(question)
        largest = (DRAW_RANGE - count * weights.low) // (weights.high - weights.low)
        size = rng.randint(1, min(largest, count - 1))
        mechanism: Any = Subset(count, size, weights).to_document()
        blocks.append({"id": f"b{index}", "questions": [question["id"]], "mechanism": mechanism})
    rng.shuffle(blocks)
    privacy: Any = {"epsilon": format_epsilon(epsilon), "asked": asked, "blocks": blocks}
    document = survey_document(*questions[:1], title=some_texts(rng))
    return PublishedSurvey.from_document(
        {**document, "questions": [*questions], "privacy": privacy}
    )


def some_answers(rng: random.Random, survey: PublishedSurvey) -> dict[str, Any]:
    """Random answers, in every form a question takes, some of them missing."""
    answers: dict[str, Any] = {}
    for question in survey.questions:
        chosen = rng.choice(question.names)
        forms: list[Any] = [chosen]
        if chosen == "no_answer":
            forms.append(None)
        elif question.type == "yes_no":
            forms.append(chosen == "yes")
        elif question.type == "scale":
            forms.append(int(chosen))
        if question.required or rng.random() < 0.8:
            answers[question.id] = rng.choice(forms)
    return answers


@pytest.mark.parametrize("surveys", [100, pytest.param(2_000, marks=pytest.mark.deep)])
def test_reports_are_the_same_bytes(random_source: random.Random, surveys: int) -> None:
    """A thousand or more reports of random surveys are the same bytes in both languages."""
    cases: list[dict[str, Any]] = []
    expected: list[dict[str, Any]] = []
    for number in range(surveys):
        survey = some_survey(random_source)
        case: dict[str, Any] = {"survey": survey.document.decode(), "reports": []}
        reports = []
        for turn in range(REPORTS_EACH):
            answers = some_answers(random_source, survey)
            start = random_source.choice([b"", b"", b"\xff" * 28])
            tape = Recorder(f"{number} {turn} {random_source.random()}", start)
            reports.append(randomize(survey, answers, read_bytes=tape).to_bytes().decode())
            case["reports"].append({"answers": answers, "tape": tape.data.hex()})
        cases.append(case)
        expected.append({"digest": survey.digest, "reports": reports})
    assert sum(len(case["reports"]) for case in cases) == surveys * REPORTS_EACH
    assert in_node(cases) == expected


def some_definition(rng: random.Random) -> dict[str, Any]:
    """A definition of every kind of question in any order, with routes and a crosstab."""
    levels, options = rng.randint(2, 9), [f"o{index}" for index in range(rng.randint(2, 12))]
    low, step = rng.randint(-50, 50), rng.choice([1, 2.5, 0.1, 0.0001])
    high = low + Fraction(str(step)) * rng.randint(1, 600)
    number = {"min": low, "max": f"{float(high):.4f}", "step": step}
    questions: list[dict[str, Any]] = [
        {"id": "a", "type": "yes_no"},
        {"id": "b", "type": "choice", "options": options},
        {"id": "c", "type": "multiple", "options": options},
        {"id": "d", "type": "multiple", "options": options, "at_most": rng.randint(1, 2)},
        {"id": "e", "type": "scale", "levels": levels, "target": rng.choice(["mean", "shares"])},
        {"id": "f", "type": "number", **number, "target": rng.choice(["mean", "shares"])},
    ]
    rng.shuffle(questions)
    # Closed questions alone may all be one block, over the paths that can occur.
    if rng.random() < 0.4:
        questions = [one for one in questions if one["id"] in "abe"]
    for index, question in enumerate(questions):
        question |= {"text": some_texts(rng), "required": rng.random() < 0.4}
        routers = [one for one in questions[:index] if one["id"] in "bcd"]
        if routers and rng.random() < 0.5:
            rule = {"question": rng.choice(routers)["id"], "is": rng.sample(options, 2)}
            question["show_if"] = rule
    return {
        "title": "Health",
        "slug": "health",
        "epsilon": rng.choice([0.5, 2, 7.25]),
        "ask": rng.choice(["auto", "all", 2]),
        "crosstabs": rng.choice([[], [["a", "b"]]]),
        "questions": [{**question, "text": "?"} for question in questions],
    }


def some_names(rng: random.Random, survey: PublishedSurvey) -> dict[str, Any]:
    """Legal answers of every kind, given for questions that may not be reached too."""
    answers: dict[str, Any] = {}
    for question in survey.questions:
        names = [name for name in question.names if name != "no_answer"]
        if question.type == "multiple":
            most = min(len(names), getattr(question, "at_most", 1))
            answers[question.id] = rng.sample(names, rng.randint(0, most))
        elif question.type == "number":
            answers[question.id] = rng.choice([str, float])(rng.choice(names))
        else:
            answers[question.id] = rng.choice(names)
        if not question.required and rng.random() < 0.2:
            answers[question.id] = rng.choice([None, "no_answer"])
    return answers


@pytest.mark.parametrize("surveys", [100, pytest.param(300, marks=pytest.mark.deep)])
def test_reports_of_every_kind_are_the_same_bytes(
    random_source: random.Random, surveys: int
) -> None:
    """Hundreds of reports of surveys of every kind are the same bytes in both languages."""
    cases: list[dict[str, Any]] = []
    expected: list[dict[str, Any]] = []
    for number in range(surveys):
        survey = compile_survey(some_definition(random_source))
        case: dict[str, Any] = {"survey": survey.document.decode(), "reports": []}
        reports = []
        for turn in range(4):
            answers = some_names(random_source, survey)
            tape = Recorder(f"{number} {turn}", random_source.choice([b"", b"\xff" * 28]))
            reports.append(randomize(survey, answers, read_bytes=tape).to_bytes().decode())
            case["reports"].append({"answers": answers, "tape": tape.data.hex()})
        cases.append(case)
        expected.append({"digest": survey.digest, "reports": reports})
    assert in_node(cases) == expected


def places(value: Any, path: tuple[str | int, ...] = ()) -> Iterator[tuple[str | int, ...]]:
    """The path of everything inside a JSON value."""
    members: Any = value.items() if isinstance(value, dict) else enumerate(value)
    for key, member in members:
        yield (*path, key)
        if isinstance(member, dict | list):
            yield from places(member, (*path, key))


def mutate(rng: random.Random, document: Any) -> Any:
    """A copy in which one thing is replaced, left out, added or repeated."""
    mutated = copy.deepcopy(document)
    *steps, last = rng.choice(list(places(mutated)))
    parent = mutated
    for step in steps:
        parent = parent[step]
    value = rng.choice([*ODD_VALUES, copy.deepcopy(parent[last])])
    change = rng.choice(["replace", "leave out", "add"])
    if change == "replace":
        parent[last] = value
    elif change == "leave out":
        del parent[last]
    elif isinstance(parent, dict):
        parent[rng.choice(ODD_KEYS)] = value
    else:
        parent.append(value)
    return mutated


def verdict(text: str) -> dict[str, Any]:
    """What Python makes of a survey's text."""
    try:
        return {"digest": PublishedSurvey.from_bytes(text.encode()).digest, "reports": []}
    except DeniableError as error:
        return {"error": type(error).__name__}


@pytest.mark.parametrize("mutations", [2_000, pytest.param(20_000, marks=pytest.mark.deep)])
def test_surveys_are_accepted_by_both_or_refused_by_both(
    random_source: random.Random, mutations: int
) -> None:
    """Random changes to legal surveys get the same verdict from both."""
    definition = {
        "title": "Health",
        "slug": "health",
        "epsilon": 2,
        "ask": 2,
        "questions": [
            {"id": "asthma", "type": "yes_no", "text": "Asthma?"},
            {"id": "stress", "type": "scale", "levels": 3, "text": "Stress?"},
            {"id": "region", "type": "choice", "options": ["a", "b"], "text": {"en": "Where?"}},
        ],
    }
    documents = [json.loads(compile_survey(definition).document), kinds.SURVEY]
    mutated = [
        mutate(random_source, document) for document in documents for _ in range(mutations // 2)
    ]
    texts = [canonical.encode(mutation).decode() for mutation in mutated]
    expected = [verdict(text) for text in texts]
    found = in_node([{"survey": text, "reports": []} for text in texts])
    differing = [
        (text, ours, theirs)
        for text, ours, theirs in zip(texts, expected, found, strict=True)
        if ours != theirs
    ]
    assert differing == []
    assert {case.get("error") for case in expected} == {None, "InvalidSurvey", "BudgetExceeded"}
