"""Surveys with a window, or with groups: legal ones, edits, and reports with tokens or groups.

The moduli are placeholders, for which nobody can sign: devices blind for them,
and readers compare them, without a key.
"""

from typing import Any

from deniable_sdk.survey.groups import placeholder_modulus
from deniable_sdk.tokens import base64url
from vectors import kinds, scores
from vectors.building import Document, survey_document, yes_no

WINDOW: Document = {
    "opens": "2026-12-06T05:00Z",
    "closes": "2026-12-20T17:00Z",
    "at_most_reports": 5000,
}


def group(name: str, invited: int = 20, **more: Any) -> Document:
    """A group with a placeholder for its key."""
    modulus = base64url(placeholder_modulus(name))
    return {"id": name, "invited": invited, "modulus": modulus, **more}


def linked(name: str, number: int = 20, **more: Any) -> Document:
    """A group that a link gives."""
    return {"id": name, "number": number, **more}


INVITED: Document = {
    "issuer": "https://council.example.org",
    "collect_until": "2026-12-05T17:00Z",
    "groups": [group("nurses", 412, text={"en": "Nurses"}), group("doctors")],
}


def limited(**more: Any) -> Document:
    """A survey with these keys."""
    return survey_document(yes_no(), **more)


def named(*names: Any) -> Document:
    """A survey by invitation whose groups have these names; None stands for none."""
    groups = [
        group(f"g{index}", **({} if name is None else {"text": name}))
        for index, name in enumerate(names)
    ]
    return limited(invited={**INVITED, "groups": groups})


def named_by_link(*names: Any) -> Document:
    """The same of groups that links give."""
    groups = [
        linked(f"g{index}", **({} if name is None else {"text": name}))
        for index, name in enumerate(names)
    ]
    return limited(groups=groups)


def stopped(document: Any, *questions: Any, margin: Any = "0.03") -> Any:
    """A survey that closes when the shares of these questions are known to within the margin."""
    rule = {"margin": margin, "questions": list(questions)}
    return {**document, "window": {"stop_when": rule}}


_ISSUERS = (
    "https://a",
    "https://a.b-c.example:8443/issuer/x_y~z.w",
    "http://localhost:8000",
    "http://127.0.0.1",
)
DOCUMENTS: dict[str, Any] = {
    "a window": limited(window=WINDOW),
    "a window with an end only": limited(window={"closes": "2099-12-31T23:59Z"}),
    "a window with a beginning on a leap day": limited(window={"opens": "2028-02-29T00:00Z"}),
    "a window of one report": limited(window={"at_most_reports": 1}),
    "a window of a billion reports": limited(window={"at_most_reports": 10**9}),
    "a window that expects one respondent": limited(window={"respondents": 1}),
    "a window that expects a billion respondents": limited(window={"respondents": 10**9}),
    "a sealed window": limited(window={"results": "at_end"}),
    "a window of one margin": stopped(limited(), "asthma", margin="0.0001"),
    "a window with everything": limited(
        window={
            **WINDOW,
            "stop_when": {"margin": "0.4999", "questions": ["asthma"]},
            "respondents": 700,
        }
    ),
    "the margin of every kind": stopped(kinds.SURVEY, "jobs", "region", "asthma", "drugs"),
    "the margin of bands": stopped(scores.DOCUMENTS["a score in bands"], "mood"),
    "by invitation": limited(window=WINDOW, invited=INVITED),
    "by invitation without a window": limited(invited=INVITED),
    "by invitation at two sites": limited(
        invited={**INVITED, "groups": [group("a", site="north"), group("b", site="south")]}
    ),
    "by invitation at one of the sites": limited(
        invited={**INVITED, "groups": [group("a", site="north"), group("b", site="north")]}
    ),
    "a small group": limited(invited={**INVITED, "small_groups": True, "groups": [group("x", 1)]}),
    "names in several languages": named(
        {"ar": "\u0645\u0645\u0631\u0636\u0627\u062a", "en": "Nurses"},
        {"ar": "\u0623\u0637\u0628\u0627\u0621"},
        {"de": "\u00c4rzte", "en": "Doctors"},
        "\u0412\u0440\u0430\u0447\u0438",
        None,
    ),
    "names that differ in one letter, sign or mark": named(
        "Ward 1", "Ward l", "W\u00e4rd 1", "Ward 1+"
    ),
    "as many groups as there may be": limited(
        invited={**INVITED, "groups": [group(f"g{number}") for number in range(24)]}
    ),
    "groups by link": limited(
        groups=[linked("nurses", 412, text={"en": "Nurses"}), linked("doctors")]
    ),
    "one group by link in a window": limited(window=WINDOW, groups=[linked("a" * 40, 10**7)]),
    "as many groups by link as there may be": limited(
        groups=[linked(f"g{number}") for number in range(24)]
    ),
    "names of groups by link in several languages": named_by_link(
        {"de": "\u00c4rzte", "en": "Doctors"}, {"ar": "\u0623\u0637\u0628\u0627\u0621"}, None
    ),
    **{
        f"the issuer {issuer}": limited(invited={"issuer": issuer, "groups": [group("all")]})
        for issuer in _ISSUERS
    },
}

_NO_MOMENTS: list[Any] = [None, 1, True, [], {}, "", "2026-12-06", "2026-12-06T05:00"]
_NO_MOMENTS += ["2026-12-06T05:00:00Z", "2026-12-06T05:00+00:00", "2026-12-06 05:00Z"]
_NO_MOMENTS += ["2026-12-06T05:00z", "2026-12-06T05:00Z\n", "2026-02-29T05:00Z"]
_NO_MOMENTS += ["2026-13-01T05:00Z", "2026-00-01T05:00Z", "2026-12-32T05:00Z", "2026-12-06T24:00Z"]
_NO_MOMENTS += ["2026-12-06T05:60Z", "1999-12-06T05:00Z", "2100-12-06T05:00Z", "٢٠٢٦-12-06T05:00Z"]
_NO_COUNTS: list[Any] = [None, True, "1", 0, -1, [1]]
_NO_ISSUERS: list[Any] = [..., None, 1, [], {}, "", "https://", "https://A.b", "https://a.b/"]
_NO_ISSUERS += ["http://a.b", "https://a.b?c", "https://a.b#c", "https://c@a.b", "//a.b", "a.b"]
_NO_ISSUERS += ["https://a.b/C", "https://a.b/c d", "https://a.b\n", "https://ä.b", "https://a:x"]
_NO_ISSUERS += ["https://a:123456", f"https://{'a' * 202}", "https://a/b/c/d/e/f/g", "https://-a"]
_MODULUS = str(group("nurses")["modulus"])
_NO_MODULI: list[Any] = [..., None, 1, [], "", _MODULUS[:-1], f"{_MODULUS}A", f"{_MODULUS}="]
_NO_MODULI += [f"f{_MODULUS[1:]}", f"{_MODULUS[:-1]}A", f"{_MODULUS[:-1]}R", f"+{_MODULUS[1:]}"]
_NO_MODULI += [f"{_MODULUS}\n", group("doctors")["modulus"]]
_NO_GROUPS: list[Any] = [..., None, True, 1, "", {}, [], [group("a"), group("a")], ["nurses"]]
_NO_GROUPS += [[group(f"g{number}") for number in range(25)], [group("a", 19)]]

_GROUPS: list[tuple[str, list[Any]]] = [
    ("window", [None, True, 1, "", [], {}, {"extra": 1}]),
    ("window.extra", [1]),
    ("window.opens", [*_NO_MOMENTS, WINDOW["closes"], "2026-12-21T00:00Z"]),
    ("window.closes", [*_NO_MOMENTS, WINDOW["opens"], INVITED["collect_until"]]),
    ("window.at_most_reports", [*_NO_COUNTS, 10**9 + 1]),
    ("window.respondents", [*_NO_COUNTS, 10**9 + 1]),
    ("window.results", [None, True, "", "open", "at_once", ["at_end"]]),
    ("invited", [None, True, 1, "", [], {}]),
    ("invited.extra", [1]),
    ("invited.issuer", _NO_ISSUERS),
    ("invited.collect_until", [*_NO_MOMENTS, WINDOW["closes"]]),
    ("invited.small_groups", [None, False, 0, "true", []]),
    ("invited.groups", _NO_GROUPS),
    ("invited.groups.0", [None, 1, "", [], {}]),
    ("invited.groups.0.extra", [1]),
    ("invited.groups.0.id", [..., None, 1, "", "A", "a" * 41, "doctors", "a\n"]),
    ("invited.groups.0.text", [None, 1, "", {}, {"en": ""}]),
    ("invited.groups.0.invited", [..., *_NO_COUNTS, 19, 10**7 + 1]),
    ("invited.groups.0.modulus", _NO_MODULI),
    # The last is the name of a site, where the other group has none.
    ("invited.groups.0.site", [None, True, 1, "", "North", "a" * 41, "a\n", [], {}, "north"]),
]
EDITS = [(path, value) for path, values in _GROUPS for value in values]
_NO_LINKED: list[Any] = [None, True, 1, "", {}, [], [linked("a"), linked("a")], ["nurses"]]
_NO_LINKED += [[linked(f"g{number}") for number in range(25)], [group("a")]]
_LINK_GROUPS: list[tuple[str, list[Any]]] = [
    ("groups", _NO_LINKED),
    ("groups.0", [None, 1, "", [], {}]),
    ("groups.0.extra", [1]),
    ("groups.0.invited", [412]),
    ("groups.0.modulus", [group("nurses")["modulus"]]),
    ("groups.0.site", ["north"]),
    ("groups.0.id", [..., None, 1, "", "A", "a" * 41, "doctors", "a\n"]),
    ("groups.0.text", [None, 1, "", {}, {"en": ""}, "Doctors"]),
    ("groups.0.number", [..., *_NO_COUNTS, 19, 10**7 + 1]),
    # Groups by link are for surveys that everybody may answer.
    ("invited", [INVITED]),
]
LINK_EDITS = [(path, value) for path, values in _LINK_GROUPS for value in values]

# Names of two groups that look the same to the readers of one language at least.
_ALIKE: list[tuple[Any, Any]] = [
    ("Nurses", "Nurses"),
    ("Nurses", " nURSES\t"),
    ("Night nurses", "Nightnurses"),
    ("Nurses", "Nurses."),
    ("g1", None),
    ("Nurses", "\uff2e\uff55\uff52\uff53\uff45\uff53"),
    ("Nurses", "Nur\u200bses"),
    ("Nurses", "Nur\u00adses"),
    ("Nurses", "\u2068Nurses\u2069"),
    ("Nurses", "Nurses\u0007"),
    ("Nurses", "Nurses\u034f"),
    ("Nurses", "Nurses\ufe0f"),
    ("Nurses", "Nurses\U000e0100"),
    ("Nurses", "\u2800Nurses"),
    ("Nurses", "Nurses\u3164"),
    ("Nurses", "Nurs\u0435s"),
    ("\u03a1\u03a4A", "PTA"),
    ("\u00c4rzte", "A\u0308RZTE"),
    ("Stra\u00dfe", "STRASSE"),
    ("\u039d\u039f\u03a3", "\u03bd\u03bf\u03c2"),
    ("All I", "All \u0131"),
    ({"de": "Pflege", "en": "Nurses"}, {"de": "\u00c4rzte", "en": "Nurses"}),
    ({"de": "Pflege", "en": "Nurses"}, {"de": "Pflege"}),
    ({"de": "Pflege", "en": "Nurses"}, {"en": "Pflege"}),
    ({"de": "Pflege", "en": "Nurses"}, "pflege"),
    ("Nurses", "\u200b\u2060"),
    ("!", "?"),
]
ALIKE = {f"names that look the same: {pair!a}": named(*pair) for pair in _ALIKE}
ALIKE |= {
    f"names by link that look the same: {pair!a}": named_by_link(*pair) for pair in _ALIKE[-7:]
}
ALIKE["names that look the same at two sites"] = limited(
    invited={
        **INVITED,
        "groups": [group(f"g{site}", text="Nurses", site=site) for site in ("north", "south")],
    }
)

_NO_MARGINS: list[Any] = [..., None, True, 0, 1, [], {}, "", "0", "-0.03", "0.5", "0.50", "0.030"]
_NO_MARGINS += ["1", ".03", "0.", "0.00001", "3%", "0,03", "3e-2", "0.03\n", "\u0660.03", "NaN"]
_NO_QUESTIONS: list[Any] = [..., None, True, 1, "jobs", {}, [], [""], [None], [1], [["jobs"]]]
_NO_QUESTIONS += [["other"], ["jobs", "other"], ["jobs", "jobs"], ["asthma_x_region"]]
# An order without shares, three numbers, and what every object has.
_NO_QUESTIONS += [["stress"], ["visits"], ["score"], ["dose"], ["__proto__"], ["constructor"]]
_STOPPED = "window.stop_when"
_STOP_GROUPS: list[tuple[str, list[Any]]] = [
    (_STOPPED, [None, True, 1, "", [], {}]),
    (f"{_STOPPED}.extra", [1]),
    (f"{_STOPPED}.confidence", ["0.95"]),
    (f"{_STOPPED}.margin", _NO_MARGINS),
    (f"{_STOPPED}.questions", _NO_QUESTIONS),
]
STOP_EDITS = [
    *(
        ("the margin of every kind", path, value)
        for path, values in _STOP_GROUPS
        for value in values
    ),
    ("the margin of bands", f"{_STOPPED}.questions", ["mood_1"]),
]

# Which survey, and the token that its report spends: its nonce and signature.
TOKENS: list[tuple[str, str, bytes, bytes]] = [
    ("by invitation", "nurses", bytes(32), bytes(256)),
    ("by invitation", "doctors", bytes(range(32)), bytes(range(256))),
    ("a small group", "x", b"\xff" * 32, b"\xff" * 256),
]
# Which survey, and the group that the link of its report gave.
LINKS = [("groups by link", "nurses"), ("groups by link", "doctors"), ("groups by link", "")]
NO_LINKS: list[Any] = ["Nurses", "g0", "", "nurses ", None, 1, ["nurses"], {"id": "nurses"}, True]
