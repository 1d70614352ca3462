"""The YAML of definitions, as its authors see it."""

import pytest
import yaml

from deniable_web.yaml_loader import DefinitionLoader


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
def test_reads_what_the_author_sees(text: str, value: object) -> None:
    """Question marks stay in texts, and only what looks like JSON changes its type."""
    assert yaml.load(text, Loader=DefinitionLoader) == value  # noqa: S506 - a safe loader


def test_builds_no_objects() -> None:
    """A tag cannot make the loader call anything."""
    with pytest.raises(yaml.constructor.ConstructorError, match="could not determine"):
        yaml.load("!!python/object/apply:os.getcwd []", Loader=DefinitionLoader)  # noqa: S506 - as shown
