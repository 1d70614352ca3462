"""Every route of the whole application, and the refusal that each kind of token gets there."""

import json
import random
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from typing import Any

from deniable_collector.tokens import Role
from deniable_web.pages.static_files import EMBED
from invitations import invited_survey
from sample_definitions import choice, definition, survey, yes_no
from store_samples import reports_of

IT, ANOTHER, ABSENT = "ours", "theirs", "nobodys"
# By invitation, and closed.
WARD = "ward"
FACT = choice("decade", 5, fixed=True)
WRITTEN = {
    slug: definition(FACT, yes_no(), slug=slug, ask="all", at_most_reports=1_000)
    for slug in (IT, ANOTHER, ABSENT)
}
# A larger number of reports at each call.
MORE = count(1_001)

NO_TOKENS = ("none", "wrong", "revoked")
TOKENS = {
    "analyst of it": (Role.ANALYST, {IT, WARD}),
    "analyst of another": (Role.ANALYST, {ANOTHER}),
    "analyst of all": (Role.ANALYST, None),
    "editor of it": (Role.EDITOR, {IT, WARD}),
    "editor of another": (Role.EDITOR, {ANOTHER}),
    "editor of all": (Role.EDITOR, None),
    "owner of it": (Role.OWNER, {IT, WARD}),
    "owner of another": (Role.OWNER, {ANOTHER}),
    "owner of all": (Role.OWNER, None),
    "reader of it": (Role.READER, {IT, WARD}),
    "reader of another": (Role.READER, {ANOTHER}),
}
KINDS = (*NO_TOKENS, *TOKENS)

OPEN, SIGN_IN, SEE_IT, READ, READ_IT, RUN, RUN_IT = range(7)
RUN_ALL, PUBLISH_IT, COUNT, WRITE, EDIT_IT, DRAFT_IT, LINK = range(7, 14)
# The refusal that each kind of token gets; "" where it may come in. In the order of KINDS: of
# analysts, editors, owners and readers, for it, for another one and for all.
REFUSED, UNKNOWN, FORBIDDEN = "token-refused", "unknown-survey", "survey-not-allowed"
OUT = (REFUSED,) * len(NO_TOKENS)
NONE, ANY, IT_ONLY = (REFUSED,) * 3, ("",) * 3, ("", UNKNOWN, "")
WHO_MAY = {
    OPEN: ("",) * len(KINDS),
    # A token is no link.
    LINK: ("link-over",) * len(KINDS),
    SIGN_IN: (*OUT, *ANY, *ANY, *ANY, "", ""),
    SEE_IT: (*OUT, *IT_ONLY, *NONE, *IT_ONLY, "", UNKNOWN),
    READ: (*OUT, *ANY, *NONE, *ANY, REFUSED, REFUSED),
    READ_IT: (*OUT, *IT_ONLY, *NONE, *IT_ONLY, REFUSED, REFUSED),
    RUN: (*OUT, *NONE, *NONE, *ANY, REFUSED, REFUSED),
    RUN_IT: (*OUT, *NONE, *NONE, *IT_ONLY, REFUSED, REFUSED),
    RUN_ALL: (*OUT, *NONE, *NONE, REFUSED, REFUSED, "", REFUSED, REFUSED),
    PUBLISH_IT: (*OUT, *NONE, *NONE, "", FORBIDDEN, "", REFUSED, REFUSED),
    COUNT: (*OUT, *(REFUSED, REFUSED, "") * 3, REFUSED, REFUSED),
    WRITE: (*OUT, *NONE, *ANY, *ANY, REFUSED, REFUSED),
    EDIT_IT: (*OUT, *NONE, *IT_ONLY, *IT_ONLY, REFUSED, REFUSED),
    DRAFT_IT: (*OUT, *NONE, *("", "unknown-draft", "") * 2, REFUSED, REFUSED),
}


@dataclass(frozen=True)
class Route:
    """What a route is asked, and which row of the table says who may ask it.

    Args:
        who: a key of WHO_MAY.
        parts: of its address, besides the slug.
        query: what stands after its address.
        body: its body for a slug.
        slug: the survey that it is about.
    """

    who: int
    parts: dict[str, str] = field(default_factory=dict)
    query: str = ""
    body: Callable[[str], dict[str, Any]] = lambda _slug: {}
    slug: str = IT


def _as_json(make: Callable[[str], object], slug: str) -> dict[str, Any]:
    return {"json": make(slug)}


def _definition(slug: str) -> object:
    return {"definition": WRITTEN[slug]}


DRAFT = partial(_as_json, _definition)
DOCUMENT = {
    slug: survey(*written["questions"], slug=slug, ask="all", at_most_reports=1_000)
    for slug, written in WRITTEN.items()
}
EXTENSION = partial(_as_json, lambda _slug: {"at_most_reports": next(MORE)})
INVITATIONS = invited_survey(slug=WARD)
INVITED = INVITATIONS.published
REPORT = reports_of(DOCUMENT[IT], 1, random.Random(1))[0].to_bytes()

ROUTES = {
    ("collector.health", "GET"): Route(OPEN),
    ("collector.read_survey", "GET"): Route(OPEN),
    ("collector.read_edition", "GET"): Route(OPEN, {"digest": DOCUMENT[IT].digest}),
    ("collector.read_fieldwork", "GET"): Route(OPEN, {"digest": DOCUMENT[IT].digest}),
    ("collector.read_log", "GET"): Route(OPEN),
    ("collector.take", "POST"): Route(
        OPEN, body=lambda _: {"data": REPORT, "content_type": "application/json"}
    ),
    ("collector.publish", "POST"): Route(
        PUBLISH_IT,
        body=lambda slug: {"data": DOCUMENT[slug].document, "content_type": "application/json"},
    ),
    ("results.list_editions", "GET"): Route(READ_IT),
    ("results.read_results", "GET"): Route(READ_IT),
    ("results.read_tuples", "GET"): Route(READ_IT, query="?blocks=asthma"),
    ("collector.read_metrics", "GET"): Route(COUNT),
    ("openapi.read_interface", "GET"): Route(OPEN),
    ("pages.form", "GET"): Route(OPEN),
    ("pages.code", "GET"): Route(OPEN),
    ("pages.file", "GET"): Route(OPEN),
    ("pages.worker", "GET"): Route(OPEN),
    ("manage.account", "GET"): Route(SIGN_IN),
    ("manage.use_link", "POST"): Route(LINK),
    ("accounts.show_trail", "GET"): Route(RUN),
    ("accounts.begin", "POST"): Route(SIGN_IN),
    ("accounts.renew", "POST"): Route(OPEN),
    ("accounts.end", "DELETE"): Route(OPEN),
    ("accounts.end_all", "DELETE"): Route(SIGN_IN),
    ("accounts.colleagues", "GET"): Route(OPEN),
    ("accounts.trail", "GET"): Route(OPEN),
    ("accounts.list_colleagues", "GET"): Route(RUN_ALL),
    ("accounts.add_colleague", "POST"): Route(
        RUN_ALL, body=lambda _: {"json": {"name": "new", "role": "analyst", "surveys": None}}
    ),
    ("accounts.change_colleague", "PUT"): Route(
        RUN_ALL, {"name": "other"}, body=lambda _: {"json": {"role": "editor", "surveys": [IT]}}
    ),
    ("accounts.replace_secret", "POST"): Route(RUN_ALL, {"name": "other"}),
    ("accounts.sign_out_colleague", "DELETE"): Route(RUN_ALL, {"name": "other"}),
    ("accounts.remove_colleague", "DELETE"): Route(RUN_ALL, {"name": "other"}),
    ("accounts.leave", "POST"): Route(OPEN),
    ("accounts.come_back", "GET"): Route(OPEN),
    ("build.home", "GET"): Route(OPEN),
    ("build.builder", "GET"): Route(OPEN),
    ("build.drafts", "GET"): Route(OPEN),
    ("build.begin", "GET"): Route(OPEN),
    ("drafts.list_drafts", "GET"): Route(WRITE),
    ("drafts.create_draft", "POST"): Route(WRITE, body=DRAFT),
    ("drafts.state", "GET"): Route(DRAFT_IT),
    ("drafts.newest", "GET"): Route(DRAFT_IT),
    ("drafts.versions", "GET"): Route(DRAFT_IT),
    ("drafts.document", "GET"): Route(DRAFT_IT, {"version": "1"}),
    ("drafts.save", "PUT"): Route(
        DRAFT_IT, body=partial(_as_json, lambda slug: {"definition": WRITTEN[slug], "version": 1})
    ),
    ("drafts.remove", "DELETE"): Route(DRAFT_IT),
    ("build.share", "GET"): Route(OPEN),
    ("build.check_definition", "POST"): Route(WRITE, body=DRAFT),
    ("build.definition", "GET"): Route(EDIT_IT),
    ("build.preview", "POST"): Route(WRITE, body=DRAFT),
    ("build.export", "POST"): Route(WRITE, body=DRAFT),
    ("build.take_import", "POST"): Route(
        WRITE, {"kind": "text"}, body=lambda slug: {"data": json.dumps(WRITTEN[slug]).encode()}
    ),
    ("build.publish_survey", "POST"): Route(PUBLISH_IT, body=DRAFT),
    ("build.code", "POST"): Route(
        READ_IT,
        {"kind": "svg"},
        body=partial(_as_json, lambda _slug: {"origin": "https://example.org"}),
    ),
    ("results_pages.surveys", "GET"): Route(OPEN),
    ("results_pages.results", "GET"): Route(OPEN),
    ("results_pages.cards", "GET"): Route(READ),
    ("results_pages.state", "GET"): Route(SEE_IT),
    ("results_pages.content", "GET"): Route(SEE_IT),
    ("results_pages.response", "GET"): Route(SEE_IT, slug=WARD),
    ("results_pages.groups", "GET"): Route(SEE_IT, slug=WARD),
    ("results_pages.collected", "GET"): Route(OPEN, {"digest": INVITED.digest}),
    ("results_pages.plan", "GET"): Route(SEE_IT),
    ("results_pages.estimates", "GET"): Route(SEE_IT, {"suffix": "csv"}),
    ("results_pages.report", "GET"): Route(SEE_IT, {"suffix": "html"}),
    ("results_pages.figure", "GET"): Route(SEE_IT, {"name": "asthma", "suffix": "svg"}),
    ("static_files.versioned", "GET"): Route(OPEN, {"version": "0", "name": EMBED}),
    ("static_files.newest", "GET"): Route(OPEN, {"name": EMBED}),
    ("collector.extend", "POST"): Route(RUN_IT, body=EXTENSION),
    # Last, because others answer differently after it.
    ("collector.close", "POST"): Route(RUN_IT),
}
