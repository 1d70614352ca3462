"""What the SDK refuses in a definition is refused by the schema for editors too."""

from definition_schema import VALIDATOR, invited, is_legal
from sample_definitions import PIXEL, choice, definition, multiple, number, scale, yes_no

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
    "respondents": [0, -1, "5", True, None, 10**9 + 1],
    "results": [None, True, "", "open", "At_end", ["at_end"]],
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
        *(invited(issuer=issuer) for issuer in ("", "a.b", "http://a.b", "https://A.b", 1)),
        *(invited(issuer=issuer) for issuer in ("https://a.b/", "https://a.b?c", None)),
        *(invited(collect_until=until) for until in ("", "2026-12-06", None)),
        *(invited(small_groups=is_small) for is_small in ("yes", 1, None)),
        *(invited(groups=groups) for groups in _NO_GROUPS),
        *(invited(a={"invited": count}) for count in (0, "20", True, None, 10**7 + 1)),
        *(invited(a={"invited": 20, "text": text}) for text in ("", 1, {"EN": "x"})),
        *(invited(a={"invited": 20, "modulus": modulus}) for modulus in ("", "x" * 342, 1)),
        *(invited(a={"invited": 20, "site": site}) for site in ("", "North", 1, None)),
        invited(a={"invited": 20, "extra": 1}),
        invited(extra=1),
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

APART: list[object] = [None, "a", {}, [1], [["a"]]]

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
    *(definition(yes_no("a"), yes_no("b"), together=given) for given in CROSSTABS),
    *(definition(yes_no("a"), apart=given) for given in APART),
    *(definition(yes_no(epsilon=epsilon)) for epsilon in (0, 11, "x", None, True)),
    *(definition(yes_no(mechanism=name)) for name in ("warner", None, True)),
    *(definition(yes_no(weight=weight)) for weight in (0, -1, "1e3", None)),
    definition(yes_no(target="mean")),
    definition({"id": "a", "type": "number", "text": "x", "min": 0}),
    definition({"id": "a", "type": "scale", "text": "x"}),
    definition({"id": "a", "type": "choice", "text": "x"}),
]


def test_bad_definitions_are_refused_by_both() -> None:
    """What does not compile is refused by the schema."""
    for document in BAD:
        assert not is_legal(document), document
        assert not VALIDATOR.is_valid(document), document
