"""The schema for editors and the reference agree with what the SDK accepts."""

import json
from typing import Any

import jsonschema
import pytest
import yaml

from definition_schema import ROOT, SCHEMA, VALIDATOR, invited, is_legal
from deniable_sdk.survey.questions import QUESTION_TYPES
from sample_definitions import PIXEL, Document, choice, definition, multiple, number, scale, yes_no

REFERENCE = (ROOT / "docs" / "DEFINITION.md").read_text()

GOOD: list[Document] = [
    definition(),
    definition(title={"en": "Health", "pt-BR": "Saúde"}, introduction="x", thanks="y" * 4000),
    *(
        definition(operator={"name": "Us", "contact": contact, "purpose": {"en": "Safety"}})
        for contact in ("us@example.org", "+49 30 123456", "https://example.org/us?a=b")
    ),
    definition(slug="a"),
    definition(slug="a-1" + "b" * 61),
    *(definition(epsilon=epsilon) for epsilon in (0.01, 10, 2.5, "0.01", "2", "10.000")),
    *(definition(ask=ask) for ask in ("auto", "all", 1)),
    definition(yes_no(required=True, labels={"yes": "Ja", "no": {"de": "Nein"}})),
    definition(choice() | {"options": ["1", {"id": "b"}, {"id": "c", "text": {"en": "C"}}]}),
    definition(choice(options=999)),
    definition(scale(levels=2), scale("b", 101, lowest=-100, labels={"-100": "a", "0": "b"})),
    definition(*(yes_no(f"q{place}") for place in range(200))),
    definition(multiple(), multiple("b", 5, at_most=2, mechanism="privset", weight="0.5")),
    definition(number(), number("b", 1, step=0.0005, unit={"en": "l"}, target="mean", weight=2)),
    definition(number() | {"min": "-0.5", "max": "7.50", "step": 0.5}),
    definition(scale(target="mean", mechanism="piecewise"), yes_no(mechanism="subset")),
    *(
        definition(yes_no("a"), choice("b", show_if={"question": "a", "is": given}))
        for given in ("yes", True, ["no"], ["no", "yes"])
    ),
    definition(scale("a"), number("b", show_if={"question": "a", "is": [1, "3"]})),
    definition(
        yes_no("a", help="Count part-time work.", section={"title": {"en": "Work"}}),
        number("b", help={"en": "In years."}, section={"title": "You", "note": "About you."}),
    ),
    definition(
        yes_no("a", image={"data": PIXEL, "text": {"en": "A dot."}}),
        logo={"data": PIXEL, "text": {"en": "A dot."}},
        thanks_link={"text": {"en": "Help"}, "url": "https://a.b/c"},
        accent="#0f5f63",
    ),
    definition(choice("a", random_order=True), multiple("b", random_order=False)),
    definition(yes_no("a", new_page=True), number("b", new_page=True), yes_no(new_page=False)),
    definition(yes_no("a"), scale("b"), crosstabs=[["b", "a"]]),
    definition(yes_no("a"), scale("b"), crosstabs=[{"questions": ["a", "b"], "weight": 2.5}]),
    definition(yes_no("a"), crosstabs=[]),
    definition(yes_no("a"), scale("b"), together=[["b", "a"]], apart=[]),
    definition(yes_no("a", epsilon=0.5), scale("b"), apart=["a"]),
    definition(yes_no("a"), scale("b"), together=[{"questions": ["a", "b"], "epsilon": "1"}]),
    definition(waves=2),
    definition(waves=100, wave=100),
    definition(opens="2026-12-06T06:00+01:00", closes="2026-12-06 05:01:00Z", at_most_reports=1),
    *(
        definition(stop_when={"margin": margin, "questions": ["asthma"]})
        for margin in (0.0001, 0.4999, "0.03", "0.030")
    ),
    definition(yes_no("a"), multiple("b"), number("c"), stop_when={"margin": 0.03}),
    definition(respondents=1),
    definition(results="at_end"),
    definition(closes="2026-12-06T06:00Z", respondents=10**9),
    definition(invited=invited()),
    definition(
        closes="2027-01-01T00:00-11:30",
        invited=invited(
            a={"invited": 1, "text": {"en": "All"}},
            small_groups=True,
            collect_until="2026-12-31T00:00Z",
        ),
    ),
    *(
        definition(invited=invited(issuer=issuer))
        for issuer in ("http://localhost:8000", "https://a.b:8443/issuer/x_y~z.w")
    ),
    definition(yes_no("a", fixed=True), choice("b", show_if={"question": "a", "is": "yes"})),
    definition(yes_no("a", fixed=True), scale("b", levels=4, fixed=True), crosstabs=[["a", "b"]]),
]

KEYED: Document = {"invited": 20, "modulus": f"g{'A' * 340}Q"}

# What a schema cannot say: it looks at one place at a time, compares no texts as numbers, and
# takes 5.0 for a whole number.
BEYOND_THE_SCHEMA: list[Document] = [
    *(
        definition(*(yes_no(name) for name in "abc"), together=given)
        for given in ([["a", "b"], ["b", "c"]], [["a", "b"], ["b", "a"]])
    ),
    definition(*(yes_no(name) for name in "abc"), crosstabs=[["a", "b"]], together=[["b", "c"]]),
    definition(yes_no("a"), apart=["nobody"]),
    definition(yes_no(epsilon=0.02), waves=3),
    definition(opens="2026-02-29T06:00Z"),
    definition(closes="2026-12-06T24:00Z"),
    definition(opens="2026-12-06T06:00Z", closes="2026-12-06T07:00+01:00"),
    definition(stop_when={"margin": 0.00005}),
    definition(stop_when={"margin": "0.0"}),
    definition(stop_when={"margin": 0.1, "questions": ["other"]}),
    definition(number(), stop_when={"margin": 0.1}),
    definition(yes_no("a"), number("b"), stop_when={"margin": 0.1, "questions": ["b"]}),
    definition(invited=invited(a={"invited": 19})),
    definition(invited=invited(collect_until="2026-12-06T06:00Z"), closes="2026-12-06T06:00Z"),
    definition(invited=invited(groups={"a": KEYED, "b": KEYED})),
    definition(invited=invited(groups={"a": {"invited": 20, "site": "n"}, "b": {"invited": 20}})),
    definition(yes_no("a"), yes_no("a")),
    definition(choice() | {"options": ["a", "a"]}),
    definition(yes_no("a"), ask=2),
    definition(accent="#ffcc00"),
    definition(logo={"data": PIXEL.replace("png", "jpeg"), "text": "A dot."}),
    definition(logo={"file": "logo.png", "text": "Ours."}),
    definition(epsilon="0"),
    definition(epsilon="10.1"),
    definition(title={"en": "x"}, thanks={"de": "y"}),
    definition(scale(levels=3, labels={"4": "x"})),
    definition(scale() | {"levels": 5.0}),
    definition(title="\ud800"),
    definition(multiple(options=3, at_most=4)),
    definition(number(highest=5000)),
    definition(number(highest=-1)),
    definition(number(step=7)),
    definition(number(step=0)),
    definition(number(step=0.00001)),
    definition(yes_no(weight="0.00001")),
    definition(yes_no(show_if={"question": "asthma", "is": "yes"})),
    definition(yes_no("a"), yes_no("b", show_if={"question": "c", "is": "yes"})),
    definition(yes_no("a"), yes_no("b", show_if={"question": "a", "is": "maybe"})),
    definition(number("a"), yes_no("b", show_if={"question": "a", "is": "3"})),
    definition(yes_no("a"), number("b"), crosstabs=[["a", "b"]]),
    definition(yes_no("a"), yes_no("b"), crosstabs=[["a", "c"]]),
    definition(yes_no("a"), yes_no("b"), crosstabs=[["a", "b"], ["b", "a"]]),
    definition(yes_no("a"), choice("b", 400), crosstabs=[["a", "b"]]),
    definition(yes_no("a"), scale("b", target="mean"), crosstabs=[["a", "b"]]),
    definition(yes_no(mechanism="piecewise")),
    definition(number(mechanism="privset")),
    definition(waves=2, wave=3),
    definition(waves=3, epsilon=0.02),
    definition(yes_no("a", fixed=True), yes_no("b"), crosstabs=[["a", "b"]]),
    definition(yes_no("a"), yes_no("b", fixed=True, show_if={"question": "a", "is": "yes"})),
]


def _example() -> Any:
    return yaml.safe_load(REFERENCE.split("```yaml\n")[1].split("```")[0])


def test_the_schema_is_valid() -> None:
    """It is a schema of the draft it names."""
    assert SCHEMA["$schema"] == jsonschema.Draft202012Validator.META_SCHEMA["$id"]
    jsonschema.Draft202012Validator.check_schema(SCHEMA)


def test_good_definitions_are_accepted_by_both() -> None:
    """What compiles is accepted by the schema."""
    for document in GOOD:
        assert is_legal(document), document
        VALIDATOR.validate(document)


def test_what_only_the_compiler_sees() -> None:
    """These pass the schema and not the compiler, as a schema cannot say them."""
    for document in BEYOND_THE_SCHEMA:
        VALIDATOR.validate(document)
        assert not is_legal(document), document


def test_the_schema_knows_every_type_and_its_keys() -> None:
    """Types and the keys they add are those that the SDK reads."""
    common = {"id", "type", "text", "help", "image", "section", "required", "show_if"}
    common |= {"new_page", "fixed", "mechanism", "weight", "epsilon", "reported"}
    assert SCHEMA["$defs"]["question"]["properties"]["type"]["enum"] == [*QUESTION_TYPES]
    for name, question_type in QUESTION_TYPES.items():
        assert SCHEMA["$defs"][name]["properties"].keys() == common | {
            *question_type.authored_keys
        }


def test_examples_pass_schema_and_compiler() -> None:
    """Every definition among the examples compiles and is accepted by the schema."""
    paths = [
        path for path in (ROOT / "examples").rglob("*.yaml") if "questions:" in path.read_text()
    ]
    assert paths
    for path in paths:
        document = yaml.safe_load(path.read_text())
        assert is_legal(document), path
        VALIDATOR.validate(json.loads(json.dumps(document)))


def test_the_example_of_the_reference_compiles() -> None:
    """It passes the schema and has every key; `results` does not go with `stop_when`."""
    document = _example()
    assert is_legal(document)
    VALIDATOR.validate(json.loads(json.dumps(document)))
    # Groups by link are for surveys that everybody may answer.
    assert {*document, "results", "groups"} == {*SCHEMA["properties"]}
    assert {question["type"] for question in document["questions"]} == QUESTION_TYPES.keys()


def test_the_reference_names_every_key() -> None:
    """Each key of the schema has a row in the reference."""
    keys = {*SCHEMA["properties"]}
    for name in QUESTION_TYPES:
        keys |= SCHEMA["$defs"][name]["properties"].keys()
    rows = [line for line in REFERENCE.splitlines() if line.startswith("|")]
    for key in keys:
        assert any(f"| `{key}` |" in row for row in rows), key


@pytest.mark.parametrize("name", QUESTION_TYPES)
def test_the_schema_describes_every_key(name: str) -> None:
    """An editor has something to show for every key an author writes."""
    properties = SCHEMA["$defs"][name]["properties"]
    assert properties
    for key, schema in properties.items():
        target = SCHEMA["$defs"].get(schema.get("$ref", "").removeprefix("#/$defs/"), {})
        assert key == "type" or "description" in {**target, **schema}, key
