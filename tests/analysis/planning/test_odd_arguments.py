"""Whatever a planning function is given, nothing but our own errors comes out."""

import inspect
import math
from collections.abc import Callable, Mapping
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd
import pytest

from analysis.public_names import PUBLIC
from deniable_analysis.designs import forced_response, stochastic_lie_detector
from deniable_analysis.errors import Infeasible, InvalidArgument
from deniable_analysis.planning import (
    Goal,
    Margin,
    MeanMargin,
    plan_groups,
    plan_mean,
    plan_mechanism,
)
from deniable_sdk import DeniableError, compile_survey
from deniable_sdk.mechanisms.base import Target
from deniable_sdk.survey.definition import Definition
from sample_definitions import choice, definition, scale
from sampled_params import sampled_params

HUGE = 10**400
ODD: Mapping[str, Any] = {
    "None": None,
    "5": 5,
    "-1": -1,
    "0": 0,
    "1.5": 1.5,
    "1e-300": 1e-300,
    "nan": math.nan,
    "infinity": math.inf,
    "True": True,
    "huge": HUGE,
    "huge fraction": Fraction(HUGE, 3),
    "tiny fraction": Fraction(1, HUGE),
    "nearly 1": 1 - Fraction(1, HUGE),
    "decimal": Decimal("0.3"),
    "signalling": Decimal("sNaN"),
    "text": "x",
    "number as text": "0.5",
    "NUL": "\0",
    "bytes": b"x",
    "empty list": [],
    "list": [0.1] * 7,
    "list of None": [None, None],
    "list of texts": ["x", "y"],
    "empty mapping": {},
    "mapping": {"t": HUGE},
    "set": {1, 2},
    "array": np.array([0.2, 0.8]),
    "scalar": np.float64(0.3),
    "whole scalar": np.int64(7),
    "zero-dimensional": np.array(3),
    "table": pd.DataFrame({"x": [1, 2]}),
    "complex": 1j,
    "type": int,
    "function": len,
    "object": object(),
    "mechanism": plan_mechanism(1, 3),
    "number's mechanism": plan_mean(1, 5),
    "design": forced_response(yes=0.2, no=0.2),
    "design of groups": stochastic_lie_detector({1: 0.2, 2: 0.8}),
    "groups": plan_groups(stochastic_lie_detector({1: 0.2, 2: 0.8}), {"t": 0.8}),
}

SUBSET, NUMBER, GROUPS = ODD["mechanism"], ODD["number's mechanism"], ODD["groups"]
AUTHORED = definition(choice(options=3), scale(levels=4))
BLOCK = compile_survey(AUTHORED).blocks[0]
SHARE: dict[str, Any] = {"mechanism": SUBSET, "share": 0.2, "population": 900}
TEST: dict[str, Any] = {"power": 0.8, "significance": 0.05, "alternative": "two-sided"}
PAIR: dict[str, Any] = {"first": 0.3, "second": 0.2}
SURE: dict[str, Any] = {"confidence": 0.95, "simultaneous": True, "weighting_effect": 1}
WATCHED: dict[str, Any] = {
    "mechanism": SUBSET, "share": 0.2, "confidence": 0.95, "simultaneous": True,
}  # fmt: skip
RANGE: dict[str, Any] = {"low": 0, "high": 10}
FUNCTIONS: Mapping[str, Mapping[str, Any]] = {
    "design_effect": {"mechanism": SUBSET, "share": 0.2},
    "expected_absolute_error": {
        "mechanism": SUBSET, "respondents": 100, "shares": [0.2, 0.3, 0.5],
    },
    "margin_of_reports": {
        "unit_variance": Fraction(2), "reports": 100, "confidence": 0.95, "comparisons": 1,
    },
    "mean_unit_variance": {"mechanism": NUMBER, "domain": NUMBER.domain},
    "merged_unit_variance": {"mechanism": SUBSET, "merged": 2, "share": 0.2},
    "plan_asking": {"definition": Definition.from_document(AUTHORED)},
    "plan_groups": {
        "design": GROUPS.design, "guesses": {"t": 0.8}, "category": "yes", "parts": {1: 1, 2: 2},
    },
    "plan_mean": {"epsilon": 1, "places": 5, "target": "mean", "offers_no_answer": True},
    "plan_mechanism": {"epsilon": 1, "options": 3},
    "planned_estimates": {"block": BLOCK, "target": Target.SHARES},
    "reports_for_margin": {
        "unit_variance": Fraction(2), "margin": 0.1, "confidence": 0.95, "comparisons": 1,
    },
    "unit_variance": {"mechanism": SUBSET, "share": 0.2},
    "worst_share": {"mechanism": SUBSET},
}  # fmt: skip
GOALS: Mapping[str, Mapping[str, Any]] = {
    "AnytimeMargin": {**WATCHED, "margin": 0.1},
    "Detection": {"mechanism": SUBSET, "share": 0.3, "null": 0.2, **TEST},
    "TwoGroups": {"mechanism": SUBSET, **PAIR, **TEST, "null": 0.2},
    "Margin": {**SHARE, "margin": 0.1, **SURE},
    "MeanMargin": {"mechanism": NUMBER, "margin": 1, **RANGE, "confidence": 0.95},
    "MeanStandardError": {"mechanism": NUMBER, "sd": 1, **RANGE},
    "Order": {"mechanism": SUBSET, **PAIR, "probability": 0.9},
    "StandardError": {**SHARE, "sd": 0.1, "weighting_effect": 1},
}  # fmt: skip
GOOD: Mapping[str, Mapping[str, Any]] = {
    **FUNCTIONS,
    **{f"{name}.respondents": example for name, example in GOALS.items()},
    **{f"{name}.reached": {**example, "respondents": 100} for name, example in GOALS.items()},
    "AnytimeMargin.respondents_in_nine_of_ten": GOALS["AnytimeMargin"],
}


def _ask(name: str, arguments: Mapping[str, Any]) -> Any:
    """Call a function; or make a goal and call its method, for a name like Margin.reached."""
    goal, _, method = name.partition(".")
    if not method:
        return PUBLIC[goal](**arguments)
    of_method = {
        each: arguments[each] for each in ("mechanism", "respondents") if each in arguments
    }
    of_goal = {each: value for each, value in arguments.items() if each not in of_method}
    return getattr(PUBLIC[goal](**of_goal), method)(**of_method)


def _planners(kind: Callable[[Any], bool]) -> list[str]:
    """The public names of a kind that live in the planning room."""
    return sorted(
        name
        for name, value in PUBLIC.items()
        if kind(value) and value.__module__.startswith("deniable_analysis.planning")
    )


def _is_goal(value: Any) -> bool:
    return inspect.isclass(value) and issubclass(value, Goal) and value is not Goal


def _outcome(name: str, arguments: Mapping[str, Any], label: str) -> Any:
    """What a function gives, or the error of ours that it raises."""
    try:
        return _ask(name, arguments)
    except DeniableError as error:
        return error
    except Exception as error:  # noqa: BLE001 - the failure names the value
        pytest.fail(f"{label}: {error!r}")


def test_every_planning_function_and_argument_is_tried() -> None:
    """A function without an example here, or an argument it leaves out, fails."""
    assert sorted(FUNCTIONS) == _planners(inspect.isfunction)
    assert sorted(GOALS) == _planners(_is_goal)
    for name, arguments in FUNCTIONS.items():
        assert sorted(arguments) == sorted(inspect.signature(PUBLIC[name]).parameters)
    for name, arguments in GOALS.items():
        assert sorted(arguments) == sorted(
            ["mechanism", *inspect.signature(PUBLIC[name]).parameters]
        )


@pytest.mark.parametrize("name", GOOD)
def test_the_examples_work(name: str) -> None:
    """Without an odd argument each function gives something."""
    assert _ask(name, GOOD[name]) is not None


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("name", "argument"), [(name, each) for name, example in GOOD.items() for each in example]
)
def test_odd_arguments_give_an_answer_or_an_error_of_ours(name: str, argument: str) -> None:
    """One argument after the other is replaced by odd ones: None, texts, huge numbers, tables."""
    for label, value in ODD.items():
        found = _outcome(name, {**GOOD[name], argument: value}, f"{argument}={label}")
        if isinstance(found, DeniableError):
            assert len(str(found)) < 700, label
        assert not isinstance(found, float) or math.isfinite(found), label


PUBLISHED: Mapping[str, Any] = {"options": 3, "places": 11, "target": "mean"}


def _epsilon(name: str, wanted: Mapping[str, Any], published: Mapping[str, Any]) -> Any:
    """The epsilon of a goal, or the error of ours that it raises."""
    arguments = {each: value for each, value in wanted.items() if each != "mechanism"}
    try:
        goal = PUBLIC[name](**arguments)
        respondents = published["respondents"]
        rest = {each: value for each, value in published.items() if each != "respondents"}
        return goal.epsilon(respondents, **rest)
    except DeniableError as error:
        return error
    except Exception as error:  # noqa: BLE001 - the failure names the value
        pytest.fail(f"{name} {published}: {error!r}")


@pytest.mark.parametrize("name", sampled_params(list(GOALS), 4))
def test_odd_goals_give_an_epsilon_or_an_error_of_ours(name: str) -> None:
    """So do the number of respondents, and what the question is published with."""
    wanted, published = GOALS[name], {"respondents": 900, **PUBLISHED}
    assert isinstance(_epsilon(name, wanted, published), float | Infeasible)
    for label, value in ODD.items():
        for argument in wanted:
            if argument != "mechanism":
                found = _epsilon(name, {**wanted, argument: value}, published)
                assert isinstance(found, float | DeniableError), label
        for argument in published:
            found = _epsilon(name, wanted, {**published, argument: value})
            assert isinstance(found, float | DeniableError), label


@pytest.mark.parametrize("name", [name for name in GOALS if {"margin", "sd"} & {*GOALS[name]}])
def test_a_goal_without_its_number_only_tells_what_is_reached(name: str) -> None:
    """The number of respondents needs the number that is wanted."""
    example = {each: value for each, value in GOALS[name].items() if each not in ("margin", "sd")}
    assert _ask(f"{name}.reached", {**example, "respondents": 100}) > 0
    with pytest.raises(InvalidArgument, match=r"^(margin|sd): got something of the type NoneType"):
        _ask(f"{name}.respondents", example)


def test_a_mean_is_planned_with_the_number_of_its_places() -> None:
    """Without the number of places there is no mechanism for a mean."""
    goal = MeanMargin(1, low=0, high=10)
    with pytest.raises(InvalidArgument, match=r"^places: got none; allowed is how many different"):
        goal.epsilon(900)


@pytest.mark.parametrize("mechanism", [GROUPS, forced_response(yes=0.2, no=0.2)])
def test_odd_shares_of_designs_are_refused_too(mechanism: Any) -> None:
    """Declared designs and designs of groups read their arguments like mechanisms."""
    for label, value in ODD.items():
        for name in ("design_effect", "Detection.reached", "Margin.respondents"):
            example = {**GOOD[name], "mechanism": mechanism, "share": value}
            example.pop("population", None)
            assert _outcome(name, example, label) is not None


@pytest.mark.parametrize(
    ("name", "changes", "message"),
    [
        ("unit_variance", {"mechanism": None},
         r"^mechanism: got something of the type NoneType; allowed is plan_mechanism\(epsilon"),
        ("Order.reached", {"mechanism": NUMBER},
         r"^mechanism: got something of the type \w+; allowed is .* subset selection$"),
        ("mean_unit_variance", {"mechanism": "x"},
         r"^mechanism: got something of the type str; allowed is that of a scale or number"),
        ("mean_unit_variance", {"domain": plan_mean(1, 7).domain},
         r"^domain: got something of the type OneOf; allowed is .* one of 5 answers$"),
        ("planned_estimates", {"block": AUTHORED},
         r"^block: got something of the type dict; allowed is a block of a published survey$"),
        ("planned_estimates", {"target": "median"}, r"^target: got 'median'; allowed: "),
        ("plan_asking", {"definition": AUTHORED},
         r"^definition: got something of the type dict; allowed is a survey's definition"),
        ("Detection.reached", {"alternative": "left"},
         r"^alternative: got 'left'; allowed: two-sided, one-sided$"),
        ("plan_mean", {"target": 3}, r"^target: got 3; allowed: shares, mean$"),
        ("plan_mean", {"offers_no_answer": "no"},
         r"^offers_no_answer: got something of the type str; allowed are True and False$"),
        ("margin_of_reports", {"comparisons": 0}, r"^comparisons: got 0; allowed are 1 to 1"),
        ("margin_of_reports", {"reports": 1e-200},
         r"^reports: got 1e-200; allowed is a number from 1e-100 to 1e100$"),
        ("Detection.reached", {"respondents": 10**13},
         r"^respondents: got 1e\+13; allowed are at most 1,000,000,000,000, more than there"),
        ("plan_mechanism", {"epsilon": "a" * 99}, r"^epsilon: got 'a+\.\.\.; allowed is a number"),
        ("design_effect", {"share": 0}, r"^share: got 0, where an estimate without privacy has"),
        ("expected_absolute_error", {"shares": 5}, r"^shares: got 0; allowed are 3, one for each"),
    ],
)  # fmt: skip
def test_refusals_say_what_is_allowed(name: str, changes: dict[str, Any], message: str) -> None:
    """The message names the argument, what was got, and what is allowed."""
    with pytest.raises(InvalidArgument, match=message):
        _ask(name, {**GOOD[name], **changes})


@pytest.mark.parametrize(
    ("name", "changes"),
    [
        ("Margin.respondents", {"margin": 1e-9, "population": None}),
        ("StandardError.respondents", {"sd": 1e-9, "population": None}),
        ("AnytimeMargin.respondents", {"margin": 1e-9}),
        ("MeanMargin.respondents", {"margin": 1e-9}),
        ("MeanStandardError.respondents", {"sd": 1e-9}),
        ("reports_for_margin", {"margin": 1e-9}),
        ("Detection.respondents", {"null": 0.3 - 1e-9}),
        ("TwoGroups.respondents", {"second": 0.3 + 1e-12}),
        ("TwoGroups.respondents", {"second": Fraction(3, 10) + Fraction(1, 10**400)}),
        ("Order.respondents", {"second": 0.3 - 1e-9}),
    ],
)
def test_more_respondents_than_people_are_infeasible(name: str, changes: dict[str, Any]) -> None:
    """What more than a million million people are needed for is refused, not overflown."""
    with pytest.raises(
        Infeasible, match=r"^it requires more than 1,000,000,000,000 respondents, more"
    ):
        _ask(name, {**GOOD[name], **changes})


@pytest.mark.parametrize("confidence", [1e-300, 1 - Fraction(1, HUGE), HUGE, "x", math.nan])
def test_confidences_without_an_interval_are_refused(confidence: Any) -> None:
    """A confidence that a float takes for 0 or 1 has no finite interval, or an empty one."""
    with pytest.raises(InvalidArgument, match=r"^confidence: got .*; allowed is a numb"):
        Margin(0.1, confidence=confidence).respondents(SUBSET)
