"""Surveys for `deniable verify`, changes to their forms, and what it finds."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from deniable_sdk import PublishedSurvey
from deniable_web.verification.visitors import VISITORS
from invitations import invited_survey
from sample_definitions import survey, yes_no
from score_samples import score
from tampering_proxy import Exchange, Tamper

ORDINARY = survey(yes_no(), slug="ordinary")
KINDS: Mapping[str, PublishedSurvey] = {
    "ordinary": ORDINARY,
    "scores": survey(score(), slug="scores"),
    "invited": invited_survey(slug="invited").published,
    "both": invited_survey(score(), first_key=2, slug="both").published,
}
CLOSED = survey(yes_no(), slug="closed")
CLIENTS = [visitor.name for visitor in VISITORS]
IPHONE = "Safari on iPhone"
PAGE, WORKER = "/s/ordinary", "/s/worker.js"
SCRIPT = "form/main.js"
# The files of an ordinary form: page, icon, two styles, script, worker, document.
FILES = 7


@dataclass(frozen=True)
class Verified:
    """How the command ended, and the document that it printed."""

    code: int
    document: dict[str, Any]

    @property
    def wrong(self) -> list[dict[str, Any]]:
        """The checks that are not the same."""
        return [check for check in self.document["checks"] if check["result"] != "same"]

    def only(self, *names: str) -> list[tuple[str, ...]]:
        """Some members of these checks, each combination once."""
        found = [tuple(str(check[name]) for name in names) for check in self.wrong]
        return list(dict.fromkeys(found))

    @property
    def problems(self) -> str:
        """All problems in one text."""
        return "\n".join(self.document["problems"])


def change(
    end: str,
    *,
    body: Callable[[bytes], bytes] = lambda body: body,
    when: Callable[[Exchange], bool] = lambda _: True,
    status: int = 0,
    headers: Mapping[str, str | None] = MappingProxyType({}),
) -> Tamper:
    """Changes the answers to paths with this end: body, status, headers (None removes one)."""

    def tamper(exchange: Exchange) -> None:
        if not exchange.path.endswith(end) or not when(exchange):
            return
        exchange.body = body(exchange.body)
        exchange.status = status or exchange.status
        for name, value in headers.items():
            exchange.headers.pop(name, None)
            if value is not None:
                exchange.headers[name] = value

    return tamper
