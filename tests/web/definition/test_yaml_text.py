"""The YAML of definitions, read as its authors see it."""

import pytest
import yaml

from deniable_web.definition.yaml_text import (
    DEEPEST,
    MOST_VALUES,
    DefinitionLoader,
    SlowLoader,
    is_reasonable,
)

LOADERS = [DefinitionLoader, SlowLoader]


def test_libyaml_is_there() -> None:
    """The tests below look at two loaders, not twice at the slow one."""
    assert len(set(LOADERS)) == 2


@pytest.mark.parametrize("loader", LOADERS)
@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("- {text: Are you well?}", [{"text": "Are you well?"}]),
        (
            "{en: Were you at work?, de: Warst du da?}",
            {"en": "Were you at work?", "de": "Warst du da?"},
        ),
        ("a: is it? really", {"a": "is it? really"}),
        ("[yes, no, on, off, y]", ["yes", "no", "on", "off", "y"]),
        ("[true, False]", [True, False]),
        ("[2020-01-01, 10:30, 010, 1_0]", ["2020-01-01", "10:30", "010", "1_0"]),
        ("[0, -3, 1.5, -0.25e3]", [0, -3, 1.5, -250.0]),
        ("[null, ~, '']", [None, None, ""]),
        ("{1: none, 5: all}", {1: "none", 5: "all"}),
        ("? a\n: b", {"a": "b"}),
        ("x: &a [1]\ny: *a", {"x": [1], "y": [1]}),
    ],
)
def test_reads_what_the_author_sees(
    text: str, value: object, loader: type[yaml.SafeLoader]
) -> None:
    """Question marks stay in texts, and only what looks like JSON changes its type."""
    assert yaml.load(text, Loader=loader) == value  # noqa: S506 - a safe loader


@pytest.mark.parametrize("loader", LOADERS)
def test_builds_no_objects(loader: type[yaml.SafeLoader]) -> None:
    """A tag cannot make the loader call anything."""
    with pytest.raises(yaml.constructor.ConstructorError, match="could not determine"):
        yaml.load("!!python/object/apply:os.getcwd []", Loader=loader)  # noqa: S506 - as shown


@pytest.mark.parametrize(
    ("text", "is_one"),
    [
        ("[" * DEEPEST + "]" * DEEPEST, True),
        ("[" * (DEEPEST + 1) + "]" * (DEEPEST + 1), False),
        ("- " * 1_000_000, False),
        ("- a\n" * (MOST_VALUES - 10), True),
        ("- a\n" * (MOST_VALUES + 1), False),
    ],
    ids=["deep", "too deep", "far too deep", "many", "too many"],
)
def test_what_no_definition_needs_is_not_composed(text: str, is_one: bool) -> None:
    """Deep nesting would end the process, in C; it is counted before anything is built."""
    assert is_reasonable(text) is is_one
