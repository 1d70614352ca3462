"""What the document says of one route: its request, and all possible responses."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby
from operator import attrgetter
from typing import Final

from deniable_collector.openapi.schemas import DIGEST, SLUG, Schema, refusal
from deniable_collector.problems import MEDIA_TYPE as PROBLEM_TYPE
from deniable_collector.problems import PROBLEMS

JSON_TYPE: Final = "application/json"
_IN_PATH: Final[Mapping[str, Schema]] = {"slug": SLUG, "digest": DIGEST}
_STAY: Final[Schema] = {
    "Cache-Control": {"required": True, "schema": {"type": "string"}},
    "X-Content-Type-Options": {"required": True, "schema": {"const": "nosniff"}},
    "Referrer-Policy": {"required": True, "schema": {"const": "no-referrer"}},
}
_WAIT: Final[Schema] = {
    "Retry-After": {
        "required": True,
        "description": "Send the same bytes again after this many seconds.",
        "schema": {"type": "integer", "minimum": 1},
    }
}
_CHALLENGE: Final[Schema] = {"WWW-Authenticate": {"required": True, "schema": {"const": "Bearer"}}}
_HEADERS: Final[Mapping[int, Schema]] = {401: _CHALLENGE, 425: _WAIT, 429: _WAIT, 503: _WAIT}


@dataclass(frozen=True, slots=True)
class Success:
    """One possible response to a request that succeeds."""

    description: str
    schema: Schema
    media_type: str = JSON_TYPE


@dataclass(frozen=True, slots=True)
class Operation:
    """One route and method.

    Args:
        route: the HTTP method, and the path as OpenAPI writes it.
        name: the name that programs use for it.
        summary: its purpose, in one sentence.
        successes: the responses to requests that succeed, by status.
        problems: the reasons for a refusal, besides those that follow from the rest.
        query: the parameters of the query.
        body: the schemas of the request's body, by media type.
        security: which tokens open it, "" for a request without a token; empty if it is
            open to all.
    """

    route: str
    name: str
    summary: str
    successes: Mapping[int, Success]
    problems: Sequence[str] = ()
    query: Sequence[Schema] = ()
    body: Mapping[str, Schema] = field(default_factory=dict)
    security: Sequence[str] = ()

    @property
    def path(self) -> str:
        """The path, as OpenAPI writes it."""
        return self.route.partition(" ")[2]

    @property
    def method(self) -> str:
        """The HTTP method in lower case."""
        return self.route.partition(" ")[0].lower()

    def to_document(self) -> Schema:
        """The operation in the form that the document has."""
        document: dict[str, object] = {
            "operationId": self.name,
            "summary": self.summary,
            "responses": self._responses(),
        }
        if parameters := [*self._parameters_of_path(), *self.query]:
            document["parameters"] = parameters
        if self.body:
            content = {kind: {"schema": schema} for kind, schema in self.body.items()}
            document["requestBody"] = {"required": True, "content": content}
        if self.security:
            document["security"] = [{name: []} if name else {} for name in self.security]
        return document

    def _parameters_of_path(self) -> list[Schema]:
        return [
            {"name": name, "in": "path", "required": True, "schema": schema}
            for name, schema in _IN_PATH.items()
            if f"{{{name}}}" in self.path
        ]

    def _all_problems(self) -> set[str]:
        """The reasons for a refusal, with those that any route of this kind has."""
        found = {*self.problems, "internal-error", "store-unavailable"}
        if self.path.startswith("/api/"):
            found.add("too-many-requests")
        if self._parameters_of_path():
            found |= {"unknown-survey", "not-found"}
        if self.body:
            found |= {"malformed-request", "body-too-large", "unsupported-media-type"}
        if self.security and "" not in self.security:
            found |= {"token-refused", "token-not-configured"}
        return found

    def _responses(self) -> Schema:
        answers: dict[str, object] = {
            str(status): {
                "description": success.description,
                "headers": _STAY,
                "content": {success.media_type: {"schema": success.schema}},
            }
            for status, success in self.successes.items()
        }
        names = self._all_problems()
        kinds = (kind for kind in PROBLEMS.values() if kind.name in names)
        for status, same in groupby(kinds, attrgetter("status")):
            answers[str(status)] = _refused(status, [kind.name for kind in same])
        return answers


def _refused(status: int, names: Sequence[str]) -> Schema:
    return {
        "description": "; ".join(f"{PROBLEMS[name].title} ({name})" for name in names) + ".",
        "headers": {**_STAY, **_HEADERS.get(status, {})},
        "content": {PROBLEM_TYPE: {"schema": refusal(status, names)}},
    }
