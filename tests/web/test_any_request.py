"""No request makes the application fail, whatever is in its path, query, headers and body."""

import json
import random
from collections import Counter
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from werkzeug.routing import Rule

from deniable_collector.settings import Settings
from deniable_issuer import open_issuer_store
from deniable_web.site import add_issuer
from live_issuer import prepare
from mutated_bodies import broken, changed
from web.access_rights import IT, ROUTES, WARD
from web.rights_site import ELSEWHERE, PAGE, Site, open_site

SEED = 5309
FEW, MANY = 150, 20_000
DEEP = b"[" * 900 + b"]" * 900
# Each refused by json.loads, or by whoever uses its value.
STRANGE = (
    *(b"", b"null", b"1", b'"x"', b"[]", b"{}", b"\xff", b"[" * 50_000, b"\xef\xbb\xbf{}"),
    *(b'{"a":1,"a":2}', b"NaN", b'{"definition":{}}', b'{"definition":[]}', b'{"code":"\\ud800"}'),
    b'{"definition":' + DEEP + b"}",
    b'{"definition":{"title":"\\ud800","slug":"x","epsilon":1,"questions":[]}}',
    b'{"definition":{"epsilon":' + b"9" * 5_000 + b"}}",
    b'{"definition":{"epsilon":1e999,"questions":[]}}',
    b'{"definition":{"questions":[{"options":[{}]}]},"respondents":' + b"9" * 400 + b"}",
    b'{"definition":{},"margin":' + b"9" * 400 + b"}",
)
PARTS = (
    *("", "x", IT, WARD, "..", "%00", "%FF", "%ED%A0%80", "é", "a" * 5_000, "0", "-1", "1.5"),
    *("9" * 18, "9" * 30, "0" * 64, "{}", "svg", "csv", "text", "xlsform", "%2F", "'", '"'),
)
QUERIES = (
    *("edition", "group", "blocks", "confidence", "interval", "margin", "merge", "lang", "to"),
    *("template", "in", "state", "code", "error", "iss"),
)
TYPES = ("application/json", "application/x-ndjson", "text/plain", "multipart/form-data", "", "é")


def _own_body(rule: Rule, method: str) -> bytes:
    if rule.endpoint.startswith("issuer."):
        return json.dumps({"survey": "0" * 64, "code": "AB12", "blinded": "A" * 342}).encode()
    route = ROUTES.get((rule.endpoint, method))
    sent: dict[str, Any] = route.body(IT) if route else {}
    return bytes(sent.get("data") or json.dumps(sent.get("json", {})).encode())


def _body(own: bytes, source: random.Random) -> bytes:
    kind = source.randrange(5)
    if kind == 0:
        return source.choice(STRANGE)
    if kind == 1:
        return broken(own, source)
    document = json.loads(own)
    for _ in range(source.randint(0, 3)):
        document = changed(document, source)
    return json.dumps(document).encode()


def _path(rule: Rule, draft: str, source: random.Random) -> str:
    route = next((found for (name, _), found in ROUTES.items() if name == rule.endpoint), None)
    known = {"slug": IT, "draft_id": draft, **(route.parts if route else {})}
    path = str(rule.rule)
    for part in rule.arguments:
        value = source.choice(PARTS) if source.random() < 0.3 else known.get(part, "x")
        for kind in ("", "int:", "path:"):
            path = path.replace(f"<{kind}{part}>", value)
    names = source.sample(QUERIES, source.choice((0, 0, 1, 2)))
    return path + "?" * bool(names) + "&".join(f"{each}={source.choice(PARTS)}" for each in names)


def _asked(app: Flask, site: Site, source: random.Random) -> Iterator[tuple[str, int]]:
    """What was asked, and the status of the answer, without end."""
    client = app.test_client()
    rules = [
        (rule, method)
        for rule in app.url_map.iter_rules()
        for method in sorted(rule.methods or ())
        # Most of what can go wrong is in bodies.
        for _ in range(5 if method in ("POST", "PUT") else 1)
    ]
    token, draft = site.token("owner of all"), site.make_draft(IT)
    while True:
        rule, method = source.choice(rules)
        if rule.endpoint == "drafts.remove":
            draft = site.make_draft(IT)
        path = _path(rule, draft, source)
        body = _body(_own_body(rule, method), source)
        headers = {**PAGE, "Authorization": f"Bearer {token}"}
        answer = client.open(
            path,
            method=method,
            data=body,
            content_type=TYPES[0] if source.random() < 0.8 else source.choice(TYPES),
            headers=headers,
            environ_overrides=ELSEWHERE,
        )
        yield f"{method} {path[:80]} {body[:200]!r}", answer.status_code


def _fail(folder: Path, count: int) -> None:
    prepared = prepare(folder / "issuer.sqlite")
    with (
        open_site(folder) as site,
        closing(open_issuer_store(prepared.store, must_exist=True)) as issuer,
    ):
        add_issuer(site.app, issuer, Settings(rate_limit=0), None)
        asking = _asked(site.app, site, random.Random(SEED))
        found = [next(asking) for _ in range(count)]
    statuses = Counter(status for _, status in found)
    assert [asked for asked, status in found if status == 500] == []
    # Both kinds of answers: the requests are not nonsense alone.
    assert {200, 400, 404, 422} <= statuses.keys()


def test_no_request_makes_the_application_fail(tmp_path: Path) -> None:
    """Some requests of all routes, those of an issuer included."""
    _fail(tmp_path, FEW)


@pytest.mark.deep
def test_20_000_requests_do_not_make_the_application_fail(tmp_path: Path) -> None:
    """As above, with more of them."""
    _fail(tmp_path, MANY)
