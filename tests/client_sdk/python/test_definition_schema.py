"""The schema for editors and the reference agree with what the SDK accepts."""

import json
from pathlib import Path
from typing import Any

import jsonschema
import pytest
import yaml

from deniable_sdk import InvalidDefinition, compile_survey
from deniable_sdk.survey.questions import QUESTION_TYPES
from sample_definitions import PIXEL, Document, choice, definition, multiple, number, scale, yes_no

ROOT = Path(__file__).parents[3]
SCHEMA = json.loads((ROOT / "docs" / "definition.schema.json").read_text())
REFERENCE = (ROOT / "docs" / "DEFINITION.md").read_text()
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def _invited(a: object = None, **changed: object) -> Document:
    """Who is invited, with one group `a`, and keys that are changed."""
    groups: Document = {"a": {"invited": 20} if a is None else a}
    return {"issuer": "https://a.b", "groups": groups, **changed}


_NO_LINKS: list[object] = [
    None,
    "https://a.b",
    {},
    {"text": "x"},
    {"text": "x", "url": "http://a.b"},
]
_NO_IMAGES: list[object] = [
    None,
    PIXEL,
    {},
    {"text": "x"},
    {"data": PIXEL},
    {"data": PIXEL, "text": ""},
]
_NO_IMAGES += [
    {"data": "https://a.b/c.png", "text": "x"},
    {"data": PIXEL + "A" * 99_979, "text": "x"},
]
_NO_GROUPS: list[object] = [{}, [], None, {"A": {"invited": 20}}, {"a": 20}]

_NO_IDS: list[object] = [[], "asthma", [""], ["A"], [1], None, {}, ["asthma", "asthma"]]

ROOTS: dict[str, list[object]] = {
    "title": ["", " ", 1, None, {}, {"EN": "x"}, {"en": ""}, []],
    "thanks": ["x" * 4001, 0],
    "thanks_link": [*_NO_LINKS],
    "logo": [*_NO_IMAGES],
    "accent": ["#fff", "#0F5F63", "0f5f63", "red", "", None, 1],
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
    "operator": [
        *({}, [], "Us", None, {"name": "Us"}, {"contact": "us@example.org"}),
        *({"name": name, "contact": "us@example.org"} for name in ("", " ", 1, "x" * 201)),
        *(
            {"name": "Us", "contact": contact}
            for contact in ("", "us", "javascript:alert(1)", "http://a.b", "a@b.c?bcc=d@e.f", 1)
        ),
        {"name": "Us", "contact": "us@example.org", "purpose": ""},
        {"name": "Us", "contact": "us@example.org", "keeps_until": "2027-12-31"},
    ],
    "opens": ["", "2026-12-06", "2026-12-06T06:00", 20261206, None, "2026-12-06T06:00+1"],
    "closes": ["soon", "2026-12-06T06:00:30Z", "1999-12-06T06:00Z", []],
    "at_most_reports": [0, -1, "5", True, None, 10**9 + 1],
    "stop_when": [
        *({}, [], 0.03, "0.03", None, {"questions": ["asthma"]}),
        *(
            {"margin": margin}
            for margin in (0, -0.1, 0.5, 1, "", "0.5", "1.1", "-0.1", ".1", "1e-2", True, None)
        ),
        *({"margin": 0.1, "questions": ids} for ids in _NO_IDS),
        {"margin": 0.1, "confidence": 0.95},
    ],
    "invited": [
        *({}, [], "all", None, {"issuer": "https://a.b"}, {"groups": {"a": {"invited": 20}}}),
        *(_invited(issuer=issuer) for issuer in ("", "a.b", "http://a.b", "https://A.b", 1)),
        *(_invited(issuer=issuer) for issuer in ("https://a.b/", "https://a.b?c", None)),
        *(_invited(collect_until=until) for until in ("", "2026-12-06", None)),
        *(_invited(small_groups=is_small) for is_small in ("yes", 1, None)),
        *(_invited(groups=groups) for groups in _NO_GROUPS),
        *(_invited(a={"invited": count}) for count in (0, "20", True, None, 10**7 + 1)),
        *(_invited(a={"invited": 20, "text": text}) for text in ("", 1, {"EN": "x"})),
        *(_invited(a={"invited": 20, "modulus": modulus}) for modulus in ("", "x" * 342, 1)),
        *(_invited(a={"invited": 20, "site": site}) for site in ("", "North", 1, None)),
        _invited(a={"invited": 20, "extra": 1}),
        _invited(extra=1),
    ],
    "waves": [0, 1, 101, "2", True, None],
    "wave": [1],
    "colour": [1],
}
YES_NO: dict[str, list[object]] = {
    "id": ["", "A", "1a", "a-b", "a" * 41, 1, None],
    "type": ["text", None, [], True],
    "text": ["", None, 1, {"english": "x"}],
    "required": ["yes", 0, None],
    "help": ["", None, 1, {"english": "x"}],
    "image": [*_NO_IMAGES],
    "section": [None, "x", {}, {"title": ""}, {"note": "x"}, {"title": "x", "text": "y"}],
    "new_page": ["yes", 0, None],
    "fixed": ["yes", 0, None],
    "random_order": [True],
    "options": [["a", "b"]],
    "labels": [[], {"maybe": "x"}, {"yes": ""}],
}
CHOICE: dict[str, list[object]] = {
    "random_order": ["yes", 0, None],
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

MULTIPLE: dict[str, list[object]] = {
    "options": [["a"], None],
    "at_most": [0, "1", True, None],
    "target": ["mean"],
}
NUMBER: dict[str, list[object]] = {
    "min": ["", "a", None, True, "1e3", 10**9],
    "max": ["-", [], -(10**9)],
    "step": ["1,5", None],
    "unit": ["", 1],
    "target": ["median", None],
    "labels": [{"0": "none"}],
}
RULES: list[object] = [
    *([], {}, {"question": "a"}, {"is": "yes"}, {"question": "A", "is": "yes"}),
    *({"question": "a", "is": given} for given in ([], None, 1.5, [None], ["no_answer"])),
    {"question": "a", "is": "yes", "or": "no"},
]
CROSSTABS: list[object] = [
    *(None, "a", [["a"]], [["a", 1]], ["a", "b"], [{"weight": 1}], [["a", "a"]]),
    *([{"questions": ["a", "b"], "weight": weight}] for weight in (0, -1, "x", None)),
    [{"questions": ["a", "b"], "mechanism": "subset"}],
]

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
    definition(waves=2),
    definition(waves=100, wave=100),
    definition(opens="2026-12-06T06:00+01:00", closes="2026-12-06 05:01:00Z", at_most_reports=1),
    *(
        definition(stop_when={"margin": margin, "questions": ["asthma"]})
        for margin in (0.0001, 0.4999, "0.03", "0.030")
    ),
    definition(yes_no("a"), multiple("b"), number("c"), stop_when={"margin": 0.03}),
    definition(invited=_invited()),
    definition(
        closes="2027-01-01T00:00-11:30",
        invited=_invited(
            a={"invited": 1, "text": {"en": "All"}},
            small_groups=True,
            collect_until="2026-12-31T00:00Z",
        ),
    ),
    *(
        definition(invited=_invited(issuer=issuer))
        for issuer in ("http://localhost:8000", "https://a.b:8443/issuer/x_y~z.w")
    ),
    definition(yes_no("a", fixed=True), choice("b", show_if={"question": "a", "is": "yes"})),
    definition(yes_no("a", fixed=True), scale("b", levels=4, fixed=True), crosstabs=[["a", "b"]]),
]

BAD: list[object] = [
    [],
    None,
    {},
    *({key: value for key, value in definition().items() if key != left} for left in definition()),
    definition(*(yes_no(f"q{place}") for place in range(201))),
    *({**definition(), key: value} for key, values in ROOTS.items() for value in values),
    *(definition(yes_no() | {key: value}) for key, values in YES_NO.items() for value in values),
    *(definition(choice() | {key: value}) for key, values in CHOICE.items() for value in values),
    *(definition(scale() | {key: value}) for key, values in SCALE.items() for value in values),
    *(
        definition(multiple() | {key: value})
        for key, values in MULTIPLE.items()
        for value in values
    ),
    *(definition(number() | {key: value}) for key, values in NUMBER.items() for value in values),
    *(definition(waves=2, wave=wave) for wave in (0, "1", True, None)),
    *(definition(yes_no("a"), yes_no("b", show_if=rule)) for rule in RULES),
    *(definition(yes_no("a"), yes_no("b"), crosstabs=given) for given in CROSSTABS),
    *(definition(yes_no(mechanism=name)) for name in ("warner", None, True)),
    *(definition(yes_no(weight=weight)) for weight in (0, -1, "1e3", None)),
    definition(yes_no(target="mean")),
    definition({"id": "a", "type": "number", "text": "x", "min": 0}),
    definition({"id": "a", "type": "scale", "text": "x"}),
    definition({"id": "a", "type": "choice", "text": "x"}),
]

KEYED: Document = {"invited": 20, "modulus": f"g{'A' * 340}Q"}

# What a schema cannot say: it looks at one place at a time, compares no texts as numbers, and
# takes 5.0 for a whole number.
BEYOND_THE_SCHEMA: list[Document] = [
    definition(opens="2026-02-29T06:00Z"),
    definition(closes="2026-12-06T24:00Z"),
    definition(opens="2026-12-06T06:00Z", closes="2026-12-06T07:00+01:00"),
    definition(stop_when={"margin": 0.00005}),
    definition(stop_when={"margin": "0.0"}),
    definition(stop_when={"margin": 0.1, "questions": ["other"]}),
    definition(number(), stop_when={"margin": 0.1}),
    definition(yes_no("a"), number("b"), stop_when={"margin": 0.1, "questions": ["b"]}),
    definition(invited=_invited(a={"invited": 19})),
    definition(invited=_invited(collect_until="2026-12-06T06:00Z"), closes="2026-12-06T06:00Z"),
    definition(invited=_invited(groups={"a": KEYED, "b": KEYED})),
    definition(invited=_invited(groups={"a": {"invited": 20, "site": "n"}, "b": {"invited": 20}})),
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
    assert SCHEMA["$schema"] == jsonschema.Draft202012Validator.META_SCHEMA["$id"]
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
    common = {"id", "type", "text", "help", "image", "section", "required", "show_if"}
    common |= {"new_page", "fixed", "mechanism", "weight", "reported"}
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
        assert _is_legal(document), path
        VALIDATOR.validate(json.loads(json.dumps(document)))


def test_the_example_of_the_reference_compiles() -> None:
    """The definition in the reference compiles, passes the schema and shows every key."""
    document = _example()
    assert _is_legal(document)
    VALIDATOR.validate(json.loads(json.dumps(document)))
    assert document.keys() == SCHEMA["properties"].keys()
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
