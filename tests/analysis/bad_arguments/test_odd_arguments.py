"""Whatever is given to a public function, what comes back is a clear error."""

import inspect
from collections.abc import Callable, Iterator, Mapping
from enum import Enum
from typing import Any

import pytest

from analysis.odd_arguments import EXAMPLES, METHODS, ODD, OTHERS, STUDY, Example
from analysis.public_names import PUBLIC
from deniable_sdk import DeniableError

# These are held to the same by tests of their own.
ELSEWHERE = ("deniable_analysis.planning", "deniable_analysis.regression")


EVERY: Mapping[str, Example] = {**EXAMPLES, **METHODS, **OTHERS}


def callables() -> Iterator[tuple[str, Callable[..., object]]]:
    """The public functions and classes; an error or a choice is given nothing odd."""
    for name, value in PUBLIC.items():
        is_class = inspect.isclass(value)
        # An alias of types has no module.
        if (
            not callable(value)
            or value.__module__.startswith(ELSEWHERE)
            or (is_class and issubclass(value, (BaseException, Enum)))
        ):
            continue
        yield name, value


CALLABLES = dict(callables())


def outcome(function: Callable[..., object], arguments: dict[str, Any]) -> str:
    """What goes wrong otherwise than by a clear error; nothing if nothing does."""
    try:
        function(**arguments)
    except DeniableError as error:
        return "" if len(str(error)) < 1000 else "a message that nobody reads to its end"
    except Exception as error:  # noqa: BLE001 - that none comes out is what is tested
        return f"{type(error).__name__}: {error}"[:200]
    return ""


@pytest.mark.parametrize("name", CALLABLES)
def test_odd_things_everywhere_are_refused_clearly(name: str) -> None:
    """A new public function is tried by itself: the same odd thing for all it asks for."""
    function = CALLABLES[name]
    asked = [
        parameter.name
        for parameter in inspect.signature(function).parameters.values()
        if parameter.default is parameter.empty
    ]
    found = {label: outcome(function, dict.fromkeys(asked, thing)) for label, thing in ODD.items()}
    assert {label: wrong for label, wrong in found.items() if wrong} == {}


@pytest.mark.parametrize("name", EVERY)
def test_one_odd_argument_among_good_ones_is_refused_clearly(name: str) -> None:
    """Each argument in turn is something odd, and the others are as they should be."""
    example = EVERY[name]
    wrong = {}
    for argument in example.arguments:
        for label, thing in ODD.items():
            found = outcome(example.function, {**example.arguments, argument: thing})
            if found:
                wrong[f"{argument} = {label}"] = found
    assert wrong == {}


def test_every_public_function_has_an_example() -> None:
    """What is new must be added to the examples, with every one of its arguments."""
    functions = {name for name, value in CALLABLES.items() if inspect.isfunction(value)}
    assert functions <= EXAMPLES.keys()
    for name, example in EXAMPLES.items():
        parameters = inspect.signature(example.function).parameters
        assert set(example.arguments) >= set(parameters) - {"on_progress"}, name


def test_the_methods_of_a_study_have_examples() -> None:
    """Every public method that takes arguments is tried; its regressions are tried elsewhere."""
    methods = {
        f"Study.{name}"
        for name, value in inspect.getmembers(type(STUDY), inspect.isfunction)
        if not name.startswith("_")
        and name
        not in ("count", "joint_counts", "released_count", "regress", "closed_file", "has")
    }
    assert methods <= METHODS.keys()


@pytest.mark.parametrize("name", EVERY)
def test_the_examples_are_good(name: str) -> None:
    """With its own arguments each works; only what opens files finds none."""
    example = EVERY[name]
    wants_file = {"location", "locations"} & {*example.arguments}
    if wants_file:
        with pytest.raises(DeniableError, match="there is no file none"):
            example.function(**example.arguments)
    else:
        assert example.function(**example.arguments) is not None
