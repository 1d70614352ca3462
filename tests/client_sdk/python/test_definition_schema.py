"""The schema for editors and the reference agree with what the SDK accepts."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from deniable_sdk import InvalidDefinition, compile_survey
from deniable_sdk.survey.authored import AUTHORED_TYPES
from sample_definitions import Document, choice, definition, scale, yes_no

ROOT = Path(__file__).parents[3]
SCHEMA = json.loads((ROOT / "docs" / "definition.schema.json").read_text())
REFERENCE = (ROOT / "docs" / "DEFINITION.md").read_text()
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)

ROOTS: dict[str, list[object]] = {
    "title": ["", " ", 1, None, {}, {"EN": "x"}, {"en": ""}, []],
    "thanks": ["x" * 4001, 0],
    "slug": ["", "A", "-a", "a-", "a_b", "a" * 65, 1, None],
    "epsilon": [
        0,
        -1,
        0.001,
        10.01,
        11,
        "",
        "1_0",
        "2 ",
        "1e0",
        ".5",
        "0." + "1" * 31,
        True,
        None,
    ],
    "ask": [0, 201, -1, "some", True, None, 1.5],
    "questions": [[], "x", ["x"], [{}], [{"type": "yes_no"}], [{"type": "yes_no", "id": "a"}]],
    "colour": [1],
}
YES_NO: dict[str, list[object]] = {
    "id": ["", "A", "1a", "a-b", "a" * 41, 1, None],
    "type": ["text", None, [], True],
    "text": ["", None, 1, {"english": "x"}],
    "required": ["yes", 0, None],
    "options": [["a", "b"]],
    "labels": [[], {"maybe": "x"}, {"yes": ""}],
}
CHOICE: dict[str, list[object]] = {
    "options": [
        *([f"o{number}" for number in range(count)] for count in (0, 1, 1000)),
        *(["a", option] for option in ("", " ", "x" * 201, "no_answer", True, 1, None)),
        *(["a", option] for option in ({"id": 1}, {"id": "b", "x": 1}, {"text": "b"}, {"": "b"})),
        "a, b",
        None,
    ],
    "levels": [5],
}
SCALE: dict[str, list[object]] = {
    "levels": [1, 102, "5", True, None],
    "lowest": [-101, 101, "1", False],
    "labels": [{"low": "x"}, {"1": ""}, {"01": "x"}, []],
    "options": [["a", "b"]],
}

GOOD: list[Document] = [
    definition(),
    definition(title={"en": "Health", "pt-BR": "Saúde"}, introduction="x", thanks="y" * 4000),
    definition(slug="a"),
    definition(slug="a-1" + "b" * 61),
    *(definition(epsilon=epsilon) for epsilon in (0.01, 10, 2.5, "0.01", "2", "10.000")),
    *(definition(ask=ask) for ask in ("auto", "all", 1)),
    definition(yes_no(required=True, labels={"yes": "Ja", "no": {"de": "Nein"}})),
    definition(choice() | {"options": ["1", {"id": "b"}, {"id": "c", "text": {"en": "C"}}]}),
    definition(choice(options=999)),
    definition(scale(levels=2), scale("b", 101, lowest=-100, labels={"-100": "a", "0": "b"})),
    definition(*(yes_no(f"q{number}") for number in range(200))),
]

BAD: list[object] = [
    [],
    None,
    {},
    *({key: value for key, value in definition().items() if key != left} for left in definition()),
    definition(*(yes_no(f"q{number}") for number in range(201))),
    *({**definition(), key: value} for key, values in ROOTS.items() for value in values),
    *(definition(yes_no() | {key: value}) for key, values in YES_NO.items() for value in values),
    *(definition(choice() | {key: value}) for key, values in CHOICE.items() for value in values),
    *(definition(scale() | {key: value}) for key, values in SCALE.items() for value in values),
    definition({"id": "a", "type": "scale", "text": "x"}),
    definition({"id": "a", "type": "choice", "text": "x"}),
]

# What a schema cannot say: it looks at one place at a time, compares no texts as numbers, and
# takes 5.0 for a whole number.
BEYOND_THE_SCHEMA: list[Document] = [
    definition(yes_no("a"), yes_no("a")),
    definition(choice() | {"options": ["a", "a"]}),
    definition(yes_no("a"), ask=2),
    definition(epsilon="0"),
    definition(epsilon="10.1"),
    definition(title={"en": "x"}, thanks={"de": "y"}),
    definition(scale(levels=3, labels={"4": "x"})),
    definition(scale() | {"levels": 5.0}),
    definition(title="\ud800"),
]


def _is_legal(document: object) -> bool:
    try:
        compile_survey(document)
    except InvalidDefinition:
        return False
    return True


def _example() -> Any:
    return yaml.safe_load(REFERENCE.split("```yaml\n")[1].split("```")[0])


def test_the_schema_is_valid() -> None:
    """It is a schema of the draft it names."""
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_good_definitions_are_accepted_by_both() -> None:
    """What compiles is accepted by the schema."""
    for document in GOOD:
        assert _is_legal(document), document
        VALIDATOR.validate(document)


def test_bad_definitions_are_refused_by_both() -> None:
    """What does not compile is refused by the schema."""
    for document in BAD:
        assert not _is_legal(document), document
        assert not VALIDATOR.is_valid(document), document


def test_what_only_the_compiler_sees() -> None:
    """These pass the schema and not the compiler, as a schema cannot say them."""
    for document in BEYOND_THE_SCHEMA:
        VALIDATOR.validate(document)
        assert not _is_legal(document), document


def test_the_schema_knows_every_type_and_its_keys() -> None:
    """Types and the keys they add are those that the SDK reads."""
    common = {"id", "type", "text", "required"}
    assert SCHEMA["$defs"]["question"]["properties"]["type"]["enum"] == [*AUTHORED_TYPES]
    for name, question_type in AUTHORED_TYPES.items():
        assert SCHEMA["$defs"][name]["properties"].keys() == common | {*question_type.keys}


def test_examples_pass_schema_and_compiler() -> None:
    """Every definition among the examples compiles and is accepted by the schema."""
    paths = [
        path for path in (ROOT / "examples").rglob("*.yaml") if "questions:" in path.read_text()
    ]
    assert paths
    for path in paths:
        document = yaml.safe_load(path.read_text())
        assert _is_legal(document), path
        VALIDATOR.validate(json.loads(json.dumps(document)))


def test_the_example_of_the_reference_compiles() -> None:
    """The definition in the reference compiles, passes the schema and shows every key."""
    document = _example()
    assert _is_legal(document)
    VALIDATOR.validate(json.loads(json.dumps(document)))
    assert document.keys() == SCHEMA["properties"].keys()
    assert {question["type"] for question in document["questions"]} == AUTHORED_TYPES.keys()


def test_the_reference_names_every_key() -> None:
    """Each key of the schema has a row in the reference."""
    keys = {*SCHEMA["properties"]}
    for name in AUTHORED_TYPES:
        keys |= SCHEMA["$defs"][name]["properties"].keys()
    rows = [line for line in REFERENCE.splitlines() if line.startswith("|")]
    for key in keys:
        assert any(f"| `{key}` |" in row for row in rows), key


@pytest.mark.parametrize("name", ["yes_no", "choice", "scale"])
def test_the_schema_describes_every_key(name: str) -> None:
    """An editor has something to show for every key an author writes."""
    for key, schema in SCHEMA["$defs"][name]["properties"].items():
        target = SCHEMA["$defs"].get(schema.get("$ref", "").removeprefix("#/$defs/"), {})
        assert key == "type" or "description" in {**target, **schema}, key
