"""What each route of the whole application is asked, and what it answers to each kind of token.

The answer is computed from what is declared beside the route.
"""

import json
import random
from collections.abc import Callable, Set
from dataclasses import dataclass, field
from functools import partial
from itertools import count
from typing import Any

from deniable_collector.permissions import Access, Scope
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
# A larger number at each call.
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
SESSION = "session of "
# A session may do what the token may that began it.
KINDS = (*NO_TOKENS, *TOKENS, *(f"{SESSION}{kind}" for kind in TOKENS))


def refusal(access: Access, kind: str, route: "Route", parts: Set[str]) -> str:
    """The name of the refusal that a kind of token gets; empty where it may come in.

    Args:
        access: what is declared beside the route.
        kind: one of KINDS.
        route: what is asked.
        parts: the names of the parts of the route's path.
    """
    if route.answer is not None:
        return route.answer(kind)
    if not access.roles:
        return ""
    role, surveys = TOKENS.get(kind.removeprefix(SESSION), (None, None))
    if role not in access.roles:
        return "token-refused"
    is_for_all = surveys is None
    if is_for_all or route.slug in (surveys or ()):
        return "token-refused" if access.scope is Scope.ALL and not is_for_all else ""
    if "slug" in parts:
        return "unknown-survey"
    return {
        Scope.PATH: "",
        Scope.BODY: "survey-not-allowed",
        Scope.DRAFT: "unknown-draft",
        Scope.ALL: "token-refused",
    }[access.scope]


@dataclass(frozen=True)
class Route:
    """What a route is asked.

    Args:
        parts: of its address, besides the slug.
        query: what stands after its address.
        body: its body for a slug.
        slug: the survey that it is about.
        answer: what it answers to a kind of token, if that does not follow from who may use it.
    """

    parts: dict[str, str] = field(default_factory=dict)
    query: str = ""
    body: Callable[[str], dict[str, Any]] = lambda _slug: {}
    slug: str = IT
    answer: Callable[[str], str] | None = None


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
    ("operators.health", "GET"): Route(),
    ("collector.read_survey", "GET"): Route(),
    ("collector.read_edition", "GET"): Route({"digest": DOCUMENT[IT].digest}),
    ("collector.read_fieldwork", "GET"): Route({"digest": DOCUMENT[IT].digest}),
    ("collector.read_log", "GET"): Route(),
    ("collector.take", "POST"): Route(
        body=lambda _: {"data": REPORT, "content_type": "application/json"}
    ),
    ("collector.publish", "POST"): Route(
        body=lambda slug: {"data": DOCUMENT[slug].document, "content_type": "application/json"},
    ),
    ("results.list_editions", "GET"): Route(),
    ("results.read_results", "GET"): Route(),
    ("results.read_tuples", "GET"): Route(query="?blocks=asthma"),
    ("operators.read_metrics", "GET"): Route(),
    ("openapi.read_interface", "GET"): Route(),
    ("pages.form", "GET"): Route(),
    ("pages.code", "GET"): Route(),
    ("pages.file", "GET"): Route(),
    ("pages.worker", "GET"): Route(),
    ("manage.account", "GET"): Route(),
    # A token is no link.
    ("manage.use_link", "POST"): Route(answer=lambda _kind: "link-over"),
    ("accounts.show_trail", "GET"): Route(),
    # A session does not begin another one.
    ("accounts.begin", "POST"): Route(
        answer=lambda kind: "" if kind in TOKENS else "token-refused"
    ),
    ("accounts.renew", "POST"): Route(),
    ("accounts.end", "DELETE"): Route(),
    ("accounts.end_all", "DELETE"): Route(),
    ("accounts.colleagues", "GET"): Route(),
    ("accounts.trail", "GET"): Route(),
    ("accounts.list_colleagues", "GET"): Route(),
    ("accounts.add_colleague", "POST"): Route(
        body=lambda _: {"json": {"name": f"new{next(MORE)}", "role": "analyst", "surveys": None}}
    ),
    ("accounts.add_reader", "POST"): Route(
        body=lambda _: {"json": {"name": f"new{next(MORE)}", "after_reports": None}}
    ),
    ("accounts.change_colleague", "PUT"): Route(
        {"name": "other"}, body=lambda _: {"json": {"role": "editor", "surveys": [IT]}}
    ),
    ("accounts.replace_secret", "POST"): Route({"name": "other"}),
    ("accounts.sign_out_colleague", "DELETE"): Route({"name": "other"}),
    ("accounts.remove_colleague", "DELETE"): Route({"name": "other"}),
    ("accounts.leave", "POST"): Route(),
    ("accounts.come_back", "GET"): Route(),
    ("build.home", "GET"): Route(),
    ("build.builder", "GET"): Route(),
    ("build.drafts", "GET"): Route(),
    ("build.begin", "GET"): Route(),
    ("drafts.list_drafts", "GET"): Route(),
    ("drafts.create_draft", "POST"): Route(body=DRAFT),
    ("drafts.state", "GET"): Route(),
    ("drafts.newest", "GET"): Route(),
    ("drafts.versions", "GET"): Route(),
    ("drafts.document", "GET"): Route({"version": "1"}),
    ("drafts.save", "PUT"): Route(
        body=partial(_as_json, lambda slug: {"definition": WRITTEN[slug], "version": 1})
    ),
    ("drafts.remove", "DELETE"): Route(),
    ("build.share", "GET"): Route(),
    ("build.check_definition", "POST"): Route(body=DRAFT),
    ("build.definition", "GET"): Route(),
    ("build.preview", "POST"): Route(body=DRAFT),
    ("build.export", "POST"): Route(body=DRAFT),
    ("build.take_import", "POST"): Route(
        {"kind": "text"}, body=lambda slug: {"data": json.dumps(WRITTEN[slug]).encode()}
    ),
    ("build.publish_survey", "POST"): Route(body=DRAFT),
    ("build.code", "POST"): Route(
        {"kind": "svg"},
        body=partial(_as_json, lambda _slug: {"site": "https://example.org"}),
    ),
    ("results_pages.surveys", "GET"): Route(),
    ("results_pages.results", "GET"): Route(),
    ("results_pages.cards", "GET"): Route(),
    ("results_pages.state", "GET"): Route(),
    ("results_pages.content", "GET"): Route(),
    ("results_pages.response", "GET"): Route(slug=WARD),
    ("results_pages.groups", "GET"): Route(slug=WARD),
    ("results_pages.collected", "GET"): Route({"digest": INVITED.digest}),
    ("results_pages.plan", "GET"): Route(),
    ("results_pages.estimates", "GET"): Route({"suffix": "csv"}),
    ("results_pages.report", "GET"): Route({"suffix": "html"}),
    ("results_pages.figure", "GET"): Route({"name": "asthma", "suffix": "svg"}),
    ("static_files.versioned", "GET"): Route({"version": "0", "name": EMBED}),
    ("static_files.newest", "GET"): Route({"name": EMBED}),
    ("collector.extend", "POST"): Route(body=EXTENSION),
    # Last, because others answer differently after it.
    ("collector.close", "POST"): Route(),
}
