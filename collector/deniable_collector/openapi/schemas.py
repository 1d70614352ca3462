"""The JSON of requests and responses, as JSON Schemas."""

from collections.abc import Mapping, Sequence
from typing import Final

from deniable_collector.problems import PROBLEMS, TYPE_PREFIX, Problem
from deniable_sdk.log import FORMAT as LOG_FORMAT
from deniable_sdk.report import FORMAT as REPORT_FORMAT
from deniable_sdk.survey.groups import MAX_GROUPS
from deniable_sdk.survey.published import FORMAT as SURVEY_FORMAT
from deniable_sdk.survey.reading import ID_PATTERN, SLUG_PATTERN
from deniable_storage.ends import ANYTIME, FIXED, End

Schema = Mapping[str, object]


def _matching(pattern: str, **more: object) -> Schema:
    return {"type": "string", "pattern": f"^{pattern}$", **more}


DIGEST: Final = _matching("[0-9a-f]{64}", description="SHA-256 of a published survey.")
REPORT_ID: Final = _matching(
    "[0-9a-f]{32}",
    description="Drawn at random by the device, or computed from the token; a retry keeps it.",
)
SLUG: Final = _matching(SLUG_PATTERN.pattern)
GROUP: Final = _matching(ID_PATTERN.pattern)
_COUNTED_GROUP: Final = _matching(f"({ID_PATTERN.pattern})?")
BLOCK: Final = _matching("[a-z][a-z0-9_]{0,62}")
COUNT: Final[Schema] = {"type": "integer", "minimum": 0}
EDITION: Final[Schema] = {"type": "integer", "minimum": 1}


def named(name: str) -> Schema:
    """A reference to the schema with this name in the document."""
    return {"$ref": f"#/components/schemas/{name}"}


def closed(optional: Sequence[str] = (), /, **properties: object) -> Schema:
    """An object with these members and no others; some may be missing."""
    return {
        "type": "object",
        "required": [name for name in properties if name not in optional],
        "properties": properties,
        "additionalProperties": False,
    }


def listed(items: Schema, **more: object) -> Schema:
    """An array of such items."""
    return {"type": "array", "items": items, **more}


def refusal(kinds: Sequence[Problem]) -> Schema:
    """The schema of a refusal with one of these problems, all of which have the same status."""
    return closed(
        type={"enum": [TYPE_PREFIX + kind.name for kind in kinds]},
        title={"enum": [kind.title for kind in kinds]},
        status={"const": kinds[0].status},
        detail={
            "type": "string",
            "minLength": 1,
            "description": "What was received, what is allowed, what to do; never a value.",
        },
    )


_MOMENT: Final = _matching(
    "20[0-9]{2}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}Z", description="A moment in UTC."
)
_STATE: Final[Schema] = {
    "enum": ["open", "closed", "not_open", "over", "full", "precise"],
    "description": "Whether it accepts new reports now, or why it does not.",
}
_IS_EXTENDED: Final[Schema] = {
    "type": "boolean",
    "description": "Whether its owner moved the published end.",
}
_SITE: Final[Schema] = {"oneOf": [GROUP, {"type": "null"}]}
_WINDOW: Final = closed(
    ["opens", "closes", "at_most_reports", "stop_when", "respondents"],
    opens=_MOMENT,
    closes=_MOMENT,
    at_most_reports=EDITION,
    stop_when=closed(margin=_matching(r"0\.[0-4][0-9]{0,3}"), questions=listed(GROUP, minItems=1)),
    respondents=EDITION,
)
_DESCRIBED: Final = {
    "slug": SLUG,
    "edition": EDITION,
    "digest": DIGEST,
    "is_closed": {"type": "boolean"},
    "state": _STATE,
    "ended_by": {
        "enum": [*map(str, End), None],
        "description": "How it ended; null while it accepts reports, or is not open yet.",
    },
    "is_extended": _IS_EXTENDED,
    "intervals": {
        "enum": [FIXED, ANYTIME],
        "description": "Which intervals of its results cover as often as they say.",
    },
    "window": _WINDOW,
    "is_simulated": {
        "const": True,
        "description": "Reports of it were simulated; missing otherwise.",
    },
}
_OPTIONAL: Final = ("window", "is_simulated")
_PAIR: Final = listed(COUNT, minItems=2, maxItems=2)
_VALUE: Final[Schema] = {
    "description": "An index, an ascending list of indexes, or pairs of option and bit.",
    "oneOf": [COUNT, listed(COUNT), listed(_PAIR, minItems=1)],
}
_TEXT: Final[Schema] = {
    "description": "A text, or one for each language.",
    "oneOf": [
        {"type": "string", "minLength": 1},
        {"type": "object", "minProperties": 1, "additionalProperties": {"type": "string"}},
    ],
}


def _base64url(length: int) -> Schema:
    return _matching(f"[A-Za-z0-9_-]{{{length}}}")


_INVITED: Final = closed(
    ["collect_until", "small_groups"],
    issuer={"type": "string", "description": "The address of the issuer of tokens."},
    collect_until=_MOMENT,
    small_groups={"const": True},
    groups=listed(
        closed(
            ["text", "site"],
            id=GROUP,
            text=_TEXT,
            invited=EDITION,
            modulus=_base64url(342),
            site=GROUP,
        ),
        minItems=1,
        maxItems=MAX_GROUPS,
    ),
)
_LINK_GROUPS: Final = listed(
    closed(["text"], id=GROUP, text=_TEXT, number=EDITION), minItems=1, maxItems=MAX_GROUPS
)
_NAME: Final[Schema] = {"type": "string", "minLength": 1, "maxLength": 200}
_SUPPORT: Final = listed(
    {"oneOf": [COUNT, _PAIR]},
    minItems=2,
    maxItems=2,
    description="A value, then the number of reports with it.",
)
_RECEIPT: Final = {"status": {"enum": [200, 201]}, "report": REPORT_ID}
_REFUSED: Final = {
    "index": COUNT,
    "status": {"enum": sorted({kind.status for kind in PROBLEMS.values()})},
    "report": {"oneOf": [REPORT_ID, {"type": "null"}]},
    "type": {"enum": [TYPE_PREFIX + name for name in PROBLEMS]},
    "title": {"type": "string"},
    "detail": {"type": "string"},
}

SCHEMAS: Final[Mapping[str, Schema]] = {
    "Report": closed(
        ["token", "group"],
        format={"const": REPORT_FORMAT},
        survey=DIGEST,
        report=REPORT_ID,
        values={
            "type": "object",
            "description": "The randomized value of each block that was asked.",
            "propertyNames": {"pattern": BLOCK["pattern"]},
            "minProperties": 1,
            "additionalProperties": _VALUE,
        },
        token=closed(group=GROUP, nonce=_base64url(43), signature=_base64url(342)),
        group={**GROUP, "description": "The group that a link gave."},
    ),
    "PublishedSurvey": {
        "type": "object",
        "description": "Canonical JSON, see docs/WIRE_FORMAT.md; compiled by `deniable`.",
        "required": ["format", "slug", "title", "questions", "privacy"],
        "properties": {
            "format": {"const": SURVEY_FORMAT},
            "slug": SLUG,
            **dict.fromkeys(("title", "introduction", "thanks"), _TEXT),
            "thanks_link": closed(text=_TEXT, url={"type": "string", "format": "uri"}),
            "logo": closed(data={"type": "string", "maxLength": 100_000}, text=_TEXT),
            "accent": _matching("#[0-9a-f]{6}"),
            "operator": closed(["purpose"], name=_NAME, contact=_NAME, purpose=_TEXT),
            "window": _WINDOW,
            "invited": _INVITED,
            "groups": _LINK_GROUPS,
            "questions": {"type": "array", "minItems": 1, "maxItems": 200},
            "privacy": {"type": "object"},
        },
        "additionalProperties": False,
    },
    "Receipt": closed(**_RECEIPT),
    "BatchReceipt": closed(
        stored=COUNT,
        already_stored=COUNT,
        refused=COUNT,
        results=listed({"oneOf": [closed(index=COUNT, **_RECEIPT), closed(**_REFUSED)]}),
    ),
    "Publication": closed(_OPTIONAL, status={"enum": [200, 201]}, **_DESCRIBED),
    "Extension": {
        **closed(
            ["closes", "at_most_reports"], closes={"type": "string"}, at_most_reports=EDITION
        ),
        "minProperties": 1,
        "description": "The later moment, with its offset from UTC; the larger number of reports.",
    },
    "Fieldwork": closed(
        state=_STATE,
        now={"type": "string", "format": "date-time"},
        closes={"oneOf": [_MOMENT, {"type": "null"}]},
        at_most_reports={"oneOf": [EDITION, {"type": "null"}]},
        is_extended=_IS_EXTENDED,
        site=_SITE,
    ),
    "Editions": closed(
        slug=SLUG,
        site=_SITE,
        started={
            "type": "string",
            "pattern": "^[0-9a-f]{32}$",
            "description": "Random, another one at each start of the collector.",
        },
        editions=listed(
            closed(
                _OPTIONAL,
                **{name: schema for name, schema in _DESCRIBED.items() if name != "slug"},
            ),
            minItems=1,
        ),
    ),
    "Results": closed(
        ["group", *_OPTIONAL],
        **_DESCRIBED,
        group=_COUNTED_GROUP,
        reports=COUNT,
        blocks=listed(closed(block=BLOCK, reports=COUNT, support=listed(_SUPPORT))),
    ),
    "Tuples": closed(
        ["group", *_OPTIONAL],
        **_DESCRIBED,
        group=_COUNTED_GROUP,
        blocks=listed(BLOCK, minItems=1),
        tuples=listed(
            {
                "type": "array",
                "description": "A value for each block, then the number of reports with "
                "these values.",
                "items": _VALUE,
                "minItems": 2,
            }
        ),
    ),
    "Log": closed(
        log={"const": LOG_FORMAT},
        size=COUNT,
        head={**DIGEST, "description": "SHA-256 of the head before it and the last entry."},
        entries=listed(DIGEST, description="In the order of publishing."),
        signature={"oneOf": [_base64url(342), {"type": "null"}]},
    ),
    "Health": closed(status={"const": "ok"}),
}
