"""Conditions of other programs: which are understood, and that others are refused quickly."""

import pytest

from deniable_web.build.imports.conditions import LONGEST, read_condition


@pytest.mark.parametrize(
    ("expression", "name", "values"),
    [
        ("{a} = 'yes'", "a", ("yes",)),
        ("{a}='yes'", "a", ("yes",)),
        ('{a} == "x y"', "a", ("x y",)),
        ("{a} = true", "a", ("true",)),
        ("{ a } = 1", "a", ("1",)),
        ("({a} = 1)", "a", ("1",)),
        ("{a} equal -1.5", "a", ("-1.5",)),
        ("{a} anyof [-1, x-ray, 2b]", "a", ("-1", "x-ray", "2b")),
        ("{a} anyof ['x', 'y']", "a", ("x", "y")),
        ("{a} ANYOF [x,y,x]", "a", ("x", "y")),
        ("{a} contains 'x'", "a", ("x",)),
        ("{a} allof ['x']", "a", ("x",)),
        ("{a} = 'x' or {a} = 'y'", "a", ("x", "y")),
        ("{a} = 'x'||{a} = 'y'", "a", ("x", "y")),
        ("${a} = 'yes'", "a", ("yes",)),
        ("selected(${a}, 'x')", "a", ("x",)),
        ("(selected( ${a} ,'x' ))", "a", ("x",)),
        ("selected(${a}, 'x') or selected(${a}, 'y')", "a", ("x", "y")),
    ],
)
def test_what_a_definition_can_say_is_read(
    expression: str, name: str, values: tuple[str, ...]
) -> None:
    """One question, and the answers to it that lead on."""
    found = read_condition(expression)
    assert found is not None
    assert (found.name, found.values) == (name, values)


@pytest.mark.parametrize(
    "expression",
    [
        "", " ", "{a}", "{a} =", "= 'x'", "{a} 'x'", "{a} = 'x' and {b} = 'y'", "{a} <> 'x'",
        "{a} > 3", "{a} = - 'x'", "{a} = --1", "{a} = 1-",
        "{a} + 1 = 2", "{a} = 'x' or {b} = 'y'", "{a} = 'x' or", "or", "{a} allof ['x', 'y']",
        "{a} = ['x'", "{a} = 'x", "{a = 'x'", "{a} = 'x' 'y'", "{a} = ,", "{a} = 'x',",
        "{a} notempty", "selected(${a})", "selected('a', 'x')", "selected(${a} 'x')",
        "not(selected(${a}, 'x'))", "{a} = iif(1)", "{{a}} = 'x'",
    ],
)  # fmt: skip
def test_what_it_cannot_say_is_not_guessed(expression: str) -> None:
    """Anything else is no condition that could be kept."""
    assert read_condition(expression) is None


@pytest.mark.sweep
@pytest.mark.parametrize(
    "part", [" ", "(", "'", '"', "{", "}", "[", ",", "a", "{a} = 'x' or ", "selected(", "|", "$"]
)
def test_a_condition_is_read_once(part: str) -> None:
    """The longest condition that is read at all is read part by part, never twice.

    With a search that goes back, each of these would take minutes.
    """
    most = "{a} = 'x'" + part * ((LONGEST - 20) // len(part)) + "x"
    assert len(most) <= LONGEST
    for _ in range(20):
        read_condition(most)
    assert read_condition("{a} = 'x'" + " " * (1 << 20)) is None
