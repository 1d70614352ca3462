"""Python and JavaScript compute the same scores, and refuse the same surveys."""

import copy
import json
import random
import subprocess
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from deniable_sdk import (
    DeniableError,
    InvalidAnswer,
    PublishedSurvey,
    canonical,
    compile_survey,
    compute_scores,
)
from score_samples import some_answers, some_scores

REPLAY = Path(__file__).parent / "javascript" / "score_replay.js"
ANSWERS_EACH = 10
Case = dict[str, Any]
ODD: list[Any] = [None, True, 0, -1, 61, 2**53 - 1, "", "x", "0", "1", "-1", "0.5", "1e9", [], {}]
ODD += [["1"], "sum", "quotient", "999999999.9999", "-999999999.9999", "00", "1000000000"]


def in_node(cases: list[Case]) -> list[Case]:
    """What JavaScript makes of the cases, in one process."""
    lines = "".join(f"{json.dumps(case)}\n" for case in cases)
    done = subprocess.run(
        ["node", REPLAY], input=lines, capture_output=True, encoding="utf-8", check=False
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def in_python(survey: str, answers: list[dict[str, Any]]) -> dict[str, Any]:
    """What Python makes of one case, in the same words."""
    try:
        opened = PublishedSurvey.from_bytes(survey.encode())
    except DeniableError as error:
        return {"error": type(error).__name__}

    def one(given: dict[str, Any]) -> Any:
        try:
            return compute_scores(opened, given)
        except InvalidAnswer:
            return "refused"

    return {"scores": [one(given) for given in answers]}


@pytest.mark.parametrize("surveys", [100, pytest.param(600, marks=pytest.mark.deep)])
def test_random_scores_are_the_same(random_source: random.Random, surveys: int) -> None:
    """10 sets of answers to each of these surveys, with every operation, give the same scores."""
    cases: list[Case] = []
    for _ in range(surveys):
        document = some_scores(random_source)
        answers = [some_answers(random_source, document) for _ in range(ANSWERS_EACH)]
        cases.append({"survey": compile_survey(document).document.decode(), "answers": answers})
    found = in_node(cases)
    assert found == [in_python(**case) for case in cases]
    scores = [each for result in found for each in result["scores"]]
    assert len(scores) == ANSWERS_EACH * surveys
    values = [value for each in scores if each != "refused" for value in each.values()]
    assert values.count(None) > 1.6 * surveys
    assert len({str(value) for value in values}) > 50


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    """The paths of all values inside scores."""
    steps = value.items() if isinstance(value, dict) else enumerate(value)
    for step, inner in steps:
        yield (*path, step)
        if isinstance(inner, dict | list):
            yield from _places(inner, (*path, step))


def _mutated(rng: random.Random, document: dict[str, Any]) -> str:
    """The published survey with one or two values of a score changed."""
    changed = copy.deepcopy(document)
    scores = [each for each in changed["questions"] if each["type"] == "score"]
    for _ in range(rng.randint(1, 2)):
        target: Any = rng.choice(scores)
        path = rng.choice(list(_places(target)))
        for step in path[:-1]:
            target = target[step]
        if isinstance(target, dict) and rng.random() < 0.2:
            target.pop(path[-1])
            break
        target[path[-1]] = rng.choice(ODD)
    return canonical.encode(changed).decode()


@pytest.mark.parametrize("surveys", [300, pytest.param(2_000, marks=pytest.mark.deep)])
def test_mutated_surveys_are_judged_alike(random_source: random.Random, surveys: int) -> None:
    """Changed surveys are accepted by both with the same scores, or refused by both."""
    cases: list[Case] = []
    while len(cases) < surveys:
        document = some_scores(random_source)
        published: Any = canonical.decode(compile_survey(document).document)
        answers = [some_answers(random_source, document)]
        cases += [
            {"survey": _mutated(random_source, published), "answers": answers} for _ in range(10)
        ]
    found = in_node(cases)
    mine = [in_python(**case) for case in cases]
    different = [
        (case["survey"], theirs, ours)
        for case, theirs, ours in zip(cases, found, mine, strict=True)
        if theirs != ours
    ]
    assert not different, (len(different), different[0])
    refused = sum("error" in each for each in mine)
    assert 0.25 * surveys < refused < 0.95 * surveys
