"""Surveys as the compiler designs them: errors as forecast, and intervals that cover."""

import math
import random
from collections import defaultdict
from collections.abc import Mapping
from typing import Any

import numpy as np
import pytest

from analysis.health_answers import health, real_answers
from deniable_analysis.simulation import simulate_survey
from deniable_sdk import PublishedSurvey
from sample_definitions import Document, choice, multiple, scale, survey, yes_no
from sampling_checks import SEED

PEOPLE, TIMES = 20_000, 300
NOMINAL, ALLOWANCE = 0.95, 0.015
# For one of many rates, each of TIMES: a miss of all is below one in a thousand.
REACH = 4.5


def random_questions(source: random.Random) -> list[Document]:
    """Two to seven questions of several types, some below an earlier one."""
    found: list[Document] = []
    for index in range(source.randint(2, 7)):
        kinds: list[Any] = [yes_no, yes_no, choice, scale, multiple]
        made = source.choice(kinds)
        options: Document = {} if made is yes_no else {"options": source.randint(2, 5)}
        if made is scale:
            options = {"levels": source.randint(3, 5), "target": source.choice(["shares", "mean"])}
        asked = made(f"q{index}", **options, required=source.random() < 0.7)
        routers = [each for each in found if each["type"] == "yes_no"]
        if routers and source.random() < 0.4:
            asked["show_if"] = {"question": source.choice(routers)["id"], "is": ["yes"]}
        found.append(asked)
    return found


def population(published: PublishedSurvey, generator: np.random.Generator) -> dict[str, Any]:
    """Answers of many people, common and rare ones; also to questions they are not led to."""
    found: dict[str, Any] = {}
    for question in published.reported:
        options = len(question.option_ids)
        if question.accepts_several:
            rates = generator.uniform(0.05, 0.6, options)
            chosen = generator.random((PEOPLE, options)) < rates
            none = np.zeros((PEOPLE, len(question.names) - options), dtype=np.bool_)
            found[question.id] = np.hstack([chosen, none])
        else:
            shares = generator.dirichlet(np.full(options, 2.0))
            found[question.id] = generator.choice(options, PEOPLE, p=shares)
    return found


def drawn(answers: Mapping[str, Any], rows: np.ndarray) -> dict[str, Any]:
    """The answers of these people."""
    return {name: np.asarray(each)[rows] for name, each in answers.items()}


def numbers_of(study: Any) -> dict[tuple[str, ...], Any]:
    """Every share, mean and share among those asked, by what it is."""
    found: dict[tuple[str, ...], Any] = {}
    for question in study.estimate(interval="wilson").questions:
        for option in question.options:
            found["share", question.question, option.option] = option
        if question.mean:
            found["mean", question.question] = question.mean
        if question.among:
            for option in question.among.options:
                found["among", question.question, option.option] = option
    return found


def check_design(published: PublishedSurvey, answers: Mapping[str, Any], people: int) -> None:
    """Draw people and their reports again and again."""
    generator = np.random.default_rng(SEED)
    truth = true_numbers(published, answers)
    held: defaultdict[tuple[str, ...], list[bool]] = defaultdict(list)
    squares: defaultdict[tuple[str, ...], list[tuple[float, float]]] = defaultdict(list)
    for _ in range(TIMES):
        rows = generator.integers(0, PEOPLE, people)
        study = simulate_survey(published, drawn(answers, rows), generator)
        for name, each in numbers_of(study).items():
            value = each.value if name[0] == "mean" else each.share
            if name not in truth or value is None or each.low is None:
                continue
            held[name].append(each.low <= truth[name] <= each.high)
            if name[0] == "share":
                total = each.mechanism_variance + each.sampling_variance
                squares[name].append(((value - truth[name]) ** 2, total))
    for name, hits in held.items():
        slack = REACH * math.sqrt(NOMINAL * (1 - NOMINAL) / len(hits))
        assert np.mean(hits) >= NOMINAL - ALLOWANCE - slack, (name, np.mean(hits))
    ratios = [np.divide(*np.mean(pairs, axis=0)) for pairs in squares.values()]
    assert np.mean(ratios) == pytest.approx(1, abs=REACH * math.sqrt(2 / TIMES)), ratios
    every = [hit for hits in held.values() for hit in hits]
    assert np.mean(every) >= NOMINAL - ALLOWANCE


def true_numbers(
    published: PublishedSurvey, answers: Mapping[str, Any]
) -> dict[tuple[str, ...], float]:
    """The same of all people, from their answers; none where nobody is asked."""
    found: dict[tuple[str, ...], float] = {}
    reached: dict[str, np.ndarray] = {}
    for question in published.reported:
        given, is_asked = np.asarray(answers[question.id]), np.ones(PEOPLE, dtype=np.bool_)
        if question.show_if:
            router = question.show_if.question
            is_asked = reached[router] & (np.asarray(answers[router]) == 0)
        reached[question.id] = is_asked
        for index, name in enumerate(question.option_ids):
            chosen = given[:, index] if given.ndim == 2 else given == index
            found["share", question.id, name] = float((chosen & is_asked).mean())
            if question.show_if and is_asked.any():
                found["among", question.id, name] = float(chosen[is_asked].mean())
        if question.scale.name != "NOMINAL":
            levels = np.array([float(name) for name in question.option_ids])
            found["mean", question.id] = float(levels[given[is_asked]].mean())
    return found


@pytest.mark.deep
@pytest.mark.parametrize("people", [200, 2_000, 20_000])
@pytest.mark.parametrize("epsilon", [0.5, 1, 2, 4, 6])
def test_the_health_survey_as_it_is_designed(epsilon: float, people: int) -> None:
    """Drawn from the real answers of 20,190 people."""
    published = health(epsilon, crosstabs=[])
    answers = {name: each[:PEOPLE] for name, each in real_answers(published).items()}
    check_design(published, answers, people)


@pytest.mark.deep
@pytest.mark.parametrize("seed", range(12))
def test_random_questionnaires_as_they_are_designed(seed: int) -> None:
    """Joint blocks, paths, sets and unequal draws, as the compiler chooses them."""
    source = random.Random(seed)
    epsilon = source.choice([0.5, 1, 2, 4, 6])
    published = survey(*random_questions(source), epsilon=epsilon)
    answers = population(published, np.random.default_rng(seed))
    check_design(published, answers, source.choice([200, 1_000, 5_000]))
