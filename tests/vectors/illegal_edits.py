"""Edits that each make a legal survey of three questions illegal."""

from typing import Any

from sample_definitions import PIXEL

SMILE = "\U0001f600"
HUGE = 2**53 - 1
QUESTION: dict[str, Any] = {"id": "region", "type": "choice", "text": "?", "required": False}

_Values = list[Any]

_NO_TEXTS: _Values = [..., None, 1, [], {}, "", "  ", "\x85\u2003\x1c", {"en": ""}, {"en": 1}]
_NO_TEXTS += [{"EN": "a"}, {"e": "a"}, {"en-": "a"}, {"en": "a", "": "b"}, {"__proto__": "a"}]
_NO_TEXTS += [{"en\n": "a"}]
_CONTROLS = ["\x00", "\x08", "\x0b", "\r", "\x1b", "\x1f", "\x7f", "\x9f", "\u202a", "\u202e"]
_NO_TEXTS += [f"a{sign}b" for sign in _CONTROLS] + [{"en": "a\x1bb"}]
_NO_SLUGS: _Values = [..., None, 1, [], "", "a-", "-a", "A", "a_b", "a" * 65, "a\n"]
_NO_IDS: _Values = [..., None, 1, [], "", "A", "1a", "_a", "a-b", "a" * 41, "a\n", "__proto__"]
_NO_IDS += [SMILE, "stress"]
_NO_BLOCK_IDS: _Values = ["a" * 64 if value == "a" * 41 else value for value in _NO_IDS]
_NO_TYPES: _Values = [..., None, 1, [], {}, True, "", "Choice", "number", "constructor"]
_NO_FLAGS: _Values = [..., None, 0, 1, "true", []]
_NO_COUNTS: _Values = [..., None, True, "1", 0, -1, HUGE, [1]]
_NO_OBJECTS: _Values = [..., None, True, 1, "", []]
_NO_LISTS: _Values = [..., None, True, 1, "", {}, []]
_NO_EPSILONS: _Values = [..., None, True, 3, [], {}, "", "0", "0.0", "0.009", "0.0099999999"]
_NO_EPSILONS += ["10.1", "11", "03", "3.0", "3.", ".5", "+3", "-3", " 3", "3 ", "3\n", "3e0"]
_NO_EPSILONS += ["0x3", "3_0", "NaN", "inf", "３", "1" * 40, "0." + "3" * 31]
_NO_OPTION_IDS: _Values = [..., None, 1, [], "", " ", "\x1f", "no_answer", "no", "x" * 201]
_NO_OPTION_IDS += [SMILE * 201, *(f"a{sign}b" for sign in _CONTROLS)]
_NO_NAMES: _Values = [..., None, 1, [], {}, "", "other", "Subset", "__proto__", "constructor"]
_NO_WEIGHTS: _Values = [[2], [3, 2, 1], [2, 2], [1, 2], [1, 0], [1, -1], [2, True], ["2", 1]]
_NO_WEIGHTS += [[HUGE, 1], [HUGE, HUGE - 1], [2**48, 1], {"0": 2, "1": 1}, [None, 1], [[2], [1]]]
_NO_MEMBERS: _Values = [
    [""],
    ["other"],
    [None],
    [1],
    [[]],
    ["stress"],
    ["asthma", "stress"],
    ["asthma"] * 2,
]

_NO_IMAGES: _Values = [None, 1, "", [], {}, {"data": PIXEL}, {"text": "x"}]
_NO_IMAGES += [{"data": PIXEL, "text": text} for text in _NO_TEXTS[1:]]
_NO_IMAGES += [{"data": PIXEL, "text": "x", "width": 1}]
_NO_IMAGES += [
    {"data": data, "text": "x"}
    for data in (
        *(None, 1, "", "x", "https://a.b/c.png", "data:,", "data:image/png;base64,", PIXEL + "="),
        *(PIXEL + "\n", " " + PIXEL, PIXEL.replace("png", "svg+xml"), PIXEL.replace("base64", "")),
        *(PIXEL.replace("=", "-")),
    )
]
_NO_LINKS: _Values = [None, 1, "", [], {}, {"text": "x"}, {"url": "https://a.b"}]
_NO_LINKS += [{"text": text, "url": "https://a.b"} for text in _NO_TEXTS[1:]]
_NO_LINKS += [{"text": "x", "url": "https://a.b", "new": True}]
_NO_LINKS += [
    {"text": "x", "url": url}
    for url in (
        *(None, 1, "", "a.b", "http://a.b", "javascript:alert(1)", "https://", "https://A.b"),
        *("https://a.b/ c", "https://a.b/ä", "https://a.b\n", "https://a.b:123456", "https://a@b"),
        "https://a.b/" + "x" * 1001,
    )
]
_NO_COLOURS: _Values = [None, 1, "", [], "#fff", "#0F5F63", "0f5f63", "#0f5f63\n", "#0f5f6", "red"]
_NO_COLOURS += ["#0f5f633", "#0f5f6g", " #0f5f63", "url(x)"]

_OPTIONS = "questions.0.options"
_BLOCK = "privacy.blocks.0"
_MECHANISM = f"{_BLOCK}.mechanism"

_GROUPS: list[tuple[str, _Values]] = [
    ("extra", [1]),
    ("__proto__", [1]),
    ("slug", _NO_SLUGS),
    ("title", [*_NO_TEXTS, "x" * 4001, SMILE * 4001]),
    ("introduction", _NO_TEXTS[1:6]),
    ("thanks", _NO_TEXTS[1:6]),
    ("thanks_link", _NO_LINKS),
    ("logo", [*_NO_IMAGES, {"data": f"data:image/png;base64,{'A' * 99_979}", "text": "x"}]),
    ("accent", _NO_COLOURS),
    ("questions", [*_NO_LISTS, [QUESTION] * 201]),
    ("questions.0", _NO_OBJECTS[1:]),
    ("questions.0.extra", [1]),
    ("questions.0.id", _NO_IDS),
    ("questions.0.type", _NO_TYPES),
    ("questions.0.text", _NO_TEXTS),
    ("questions.0.required", [*_NO_FLAGS, True]),
    ("questions.0.new_page", _NO_FLAGS[1:]),
    ("questions.0.help", _NO_TEXTS[1:]),
    ("questions.0.image", _NO_IMAGES),
    ("questions.0.section", [None, "Work", [], {}, {"note": "x"}, {"title": "x", "text": "y"}]),
    ("questions.0.section", [{"title": text} for text in _NO_TEXTS[1:]]),
    ("questions.0.section", [{"title": "x", "note": text} for text in _NO_TEXTS[1:]]),
    ("questions.0.random_order", [True, False, *_NO_FLAGS[1:]]),
    ("questions.0.fixed", _NO_FLAGS[1:]),
    (_OPTIONS, [*_NO_LISTS, [{"id": "yes"}], [{"id": str(number)} for number in range(1000)]]),
    (_OPTIONS, [["yes", "no"], [{"id": "yes"}, {"id": "yes"}]]),
    (f"{_OPTIONS}.0.id", _NO_OPTION_IDS),
    (f"{_OPTIONS}.0.text", _NO_TEXTS[1:]),
    (f"{_OPTIONS}.0.extra", [1]),
    ("privacy", _NO_OBJECTS),
    ("privacy.extra", [1]),
    ("privacy.epsilon", _NO_EPSILONS),
    ("privacy.asked", [*_NO_COUNTS, 4]),
    ("privacy.blocks", _NO_LISTS),
    (_BLOCK, [*_NO_OBJECTS, {}]),
    (f"{_BLOCK}.extra", [1]),
    (f"{_BLOCK}.id", _NO_BLOCK_IDS),
    (f"{_BLOCK}.crosstab", [None, True, False, 1, "true", []]),
    (f"{_BLOCK}.draw", [None, True, 0, -1, 1, 5, 1_000_000, 1_000_001, HUGE, "2", [1]]),
    (f"{_BLOCK}.questions", [*_NO_LISTS, *_NO_MEMBERS]),
    (_MECHANISM, [*_NO_OBJECTS, {}]),
    (f"{_MECHANISM}.extra", [1]),
    (f"{_MECHANISM}.__proto__", [1]),
    (f"{_MECHANISM}.name", _NO_NAMES),
    (f"{_MECHANISM}.domain_size", [*_NO_COUNTS, 1, 2, 4, 1001]),
    (f"{_MECHANISM}.size", [*_NO_COUNTS, 3]),
    (f"{_MECHANISM}.weights", [*_NO_LISTS, *_NO_WEIGHTS]),
]

# Of a survey that is one of three waves.
_NO_WAVES: _Values = [*_NO_COUNTS, 1, 4, 101]
_NO_WAVE: _Values = [*_NO_COUNTS, 4]
PANEL_EDITS: list[tuple[str, Any]] = [
    *(("privacy.waves", value) for value in _NO_WAVES),
    *(("privacy.wave", value) for value in _NO_WAVE),
]

# Of a survey that says who runs it.
OPERATOR: dict[str, Any] = {"name": "Us", "contact": "us@example.org"}
_NO_CONTACTS: _Values = [..., None, 1, [], {}, "", " ", "us", "@a.b", "a@", "a@b", "a@b.", "a@.b"]
_NO_CONTACTS += [
    "a@b.c ",
    "a@b.c\n",
    "a b@c.d",
    "a@b.c?bcc=d@e.f",
    "a@b.c,d@e.f",
    "ä@b.c",
    "a%40@b.c",
]
_NO_CONTACTS += [
    "javascript:alert(1)",
    "data:text/html,x",
    "http://a.b",
    "ftp://a.b",
    "mailto:a@b.c",
]
_NO_CONTACTS += [
    "//a.b",
    "HTTPS://a.b",
    "https://",
    "https:///a",
    "https://a@b.c",
    "https://a:b@c.d",
]
_NO_CONTACTS += [
    "https://a.b?c",
    "https://a.b/c d",
    "https://a.b/\x85",
    "https://a.b:x",
    "https://a.b:8443/",
    "https://ä.b",
]
_NO_CONTACTS += ["+", "12345", "1" * 201, "++123456", "123456+", "٣٣٣٣٣٣٣", "tel:123456"]
_OPERATOR_GROUPS: list[tuple[str, _Values]] = [
    ("operator", [*_NO_OBJECTS[1:], {}]),
    ("operator.extra", [1]),
    ("operator.keeps_until", ["2027-12-31"]),
    ("operator.name", [..., None, 1, [], {}, "", " ", "\x1f", "x" * 201, SMILE * 201]),
    ("operator.name", [f"a{sign}b" for sign in _CONTROLS]),
    ("operator.contact", _NO_CONTACTS),
    ("operator.purpose", _NO_TEXTS[1:]),
]
OPERATOR_EDITS = [(path, value) for path, values in _OPERATOR_GROUPS for value in values]

EDITS = [(path, value) for path, values in _GROUPS for value in values]
