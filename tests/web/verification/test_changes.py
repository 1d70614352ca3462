"""`deniable verify` finds what a server changes, for whomever and in whatever it changes it."""

from collections.abc import Callable
from pathlib import Path

import pytest

from sample_definitions import survey, yes_no
from served import Served
from tampering_proxy import Exchange
from web.verification.verified import (
    CLIENTS,
    FILES,
    IPHONE,
    KINDS,
    ORDINARY,
    PAGE,
    SCRIPT,
    WORKER,
    Verified,
    change,
)

DOCUMENT = f"/api/surveys/by-digest/{ORDINARY.digest}"


@pytest.mark.parametrize("kind", KINDS)
def test_what_is_untouched_is_the_same(
    site: Served, verified: Callable[..., Verified], kind: str
) -> None:
    """For every kind of survey, each file is the same for each client, page to document."""
    published = KINDS[kind]
    found = verified(f"{site.url}/s/{kind}")
    assert (found.code, found.wrong, found.document["problems"]) == (0, [], [])
    assert found.document["result"] == "same"
    assert found.document["digest"] == published.digest
    assert found.document["same_for_all"] is True
    issuer = [published.invited.issuer] if published.invited else []
    assert found.document["connects_to"] == [site.url, *issuer]
    checks = found.document["checks"]
    files = list(dict.fromkeys(check["file"] for check in checks))
    assert len(files) == FILES
    assert [files[0], *files[-2:]] == [
        f"/s/{kind}",
        WORKER,
        f"/api/surveys/by-digest/{published.digest}",
    ]
    assert [check["client"] for check in checks] == [name for name in CLIENTS for _ in files]
    assert all(check["sha256"] == check["expected_sha256"] for check in checks)


def test_a_proxy_that_changes_nothing_that_matters_passes(
    tampered: Callable[..., Verified],
) -> None:
    """Headers of servers and proxies, a repeated one and the transport's own are fine."""

    def add_headers(exchange: Exchange) -> None:
        exchange.headers.update(
            {"server": "nginx", "via": "1.1 proxy", "strict-transport-security": "max-age=9"}
        )
        exchange.headers["x-content-type-options"] += "\nnosniff"
        del exchange.headers["vary"]

    assert tampered(add_headers, "--digest", ORDINARY.digest).code == 0


def flip(body: bytes, at: int = 100) -> bytes:
    """A body with one other byte."""
    return body[:at] + bytes([body[at] ^ 1]) + body[at + 1 :]


@pytest.mark.sweep
@pytest.mark.parametrize("end", [PAGE, "icon.svg", "base.css", "form.css", SCRIPT, WORKER])
def test_one_byte_of_any_file_is_found(tampered: Callable[..., Verified], end: str) -> None:
    """With its position and both digests, for every client."""
    found = tampered(change(end, body=flip))
    assert found.code == 1
    assert found.document["result"] == "differs"
    assert [check["client"] for check in found.wrong] == CLIENTS
    (only,) = found.only("result", "reason", "position", "sha256", "expected_sha256")
    assert only[:3] == ("differs", "its bytes differ from position 100", "100")
    assert only[3] != only[4]
    assert found.wrong[0]["file"].endswith(end)
    assert found.document["same_for_all"] is True


@pytest.mark.parametrize("body", [lambda body: body[:-1], lambda body: body + b" "])
def test_a_file_that_is_longer_or_shorter_is_found(
    tampered: Callable[..., Verified], body: Callable[[bytes], bytes]
) -> None:
    """Also where all bytes that both have are the same."""
    found = tampered(change(SCRIPT, body=body))
    assert found.code == 1
    assert found.wrong[0]["position"] > 10_000


@pytest.mark.parametrize(
    ("end", "headers", "reason"),
    [
        (PAGE, {"content-security-policy": None}, "content-security-policy is missing"),
        (
            PAGE,
            {"content-security-policy": "default-src *; frame-ancestors *"},
            """content-security-policy differs: it has 'default-src *'""",
        ),
        (PAGE, {"permissions-policy": "camera=*"}, "permissions-policy differs"),
        (PAGE, {"content-type": "text/html; charset=utf-7"}, "content-type differs"),
        (PAGE, {"cross-origin-embedder-policy": None}, "cross-origin-embedder-policy is missing"),
        (PAGE, {"set-cookie": "person=17"}, "never sends the header set-cookie"),
        (PAGE, {"link": "</x.css>; rel=stylesheet"}, "never sends the header link"),
        (SCRIPT, {"use-as-dictionary": 'match="/*", id="17"'}, "the header use-as-dictionary"),
        (SCRIPT, {"x-content-type-options": None}, "x-content-type-options is missing"),
        (SCRIPT, {"etag": '"17"'}, "never sends the header etag"),
        (WORKER, {"content-security-policy": None}, "content-security-policy is missing"),
        (WORKER, {"service-worker-allowed": "/"}, "never sends the header service-worker-allowed"),
        (DOCUMENT, {"content-type": "text/html"}, "content-type differs"),
    ],
)
def test_a_header_that_protects_less_is_found(
    tampered: Callable[..., Verified], end: str, headers: dict[str, str | None], reason: str
) -> None:
    """A missing or another one of ours, or one that makes browsers do more."""
    found = tampered(change(end, headers=headers))
    assert found.code == 1
    (only,) = found.only("file", "reason", "position")
    assert only[0].endswith(end)
    assert reason in only[1]
    assert only[2] == "None"


@pytest.mark.parametrize(
    ("when", "clients"),
    [
        (lambda exchange: "iPhone" in exchange.agent, [IPHONE]),
        (lambda exchange: "Windows" in exchange.agent, ["Chrome on Windows"]),
        (
            lambda exchange: exchange.asked.get("accept-language", "").startswith("ar"),
            ["Firefox in Arabic"],
        ),
        (lambda exchange: "referer" in exchange.asked, ["Chrome on Android, from a link"]),
        (lambda exchange: "cookie" in exchange.asked, ["Firefox, reloading with a cookie"]),
        (lambda exchange: "accept-encoding" not in exchange.asked, ["curl"]),
        (lambda exchange: "br" in exchange.asked.get("accept-encoding", ""), CLIENTS[:5]),
    ],
    ids=["iphone", "windows", "arabic", "referer", "cookie", "plain", "brotli"],
)
def test_what_only_some_get_is_named_with_them(
    tampered: Callable[..., Verified], when: Callable[[Exchange], bool], clients: list[str]
) -> None:
    """A page that is changed for one kind of browser is no other client's difference."""
    found = tampered(change(PAGE, body=flip, when=when))
    assert found.code == 1
    assert [check["client"] for check in found.wrong] == clients
    assert found.document["same_for_all"] is False
    assert f"Not everybody gets the same: {PAGE}." in found.problems


def test_what_is_changed_at_one_address_only_is_named_with_it(
    tampered: Callable[..., Verified],
) -> None:
    """One of two servers of one name."""
    both = ("--address", "127.0.0.1", "--address", "127.0.0.2")
    assert tampered(change("none"), *both).code == 0
    tamper = change(SCRIPT, body=flip, when=lambda exchange: exchange.over == "127.0.0.2")
    found = tampered(tamper, *both)
    assert found.code == 1
    assert found.only("address") == [("127.0.0.2",)]
    assert len(found.wrong) == len(CLIENTS)
    assert found.document["same_for_all"] is False
    assert tampered(tamper).code == 0


def test_a_form_below_a_path_is_verified_there(tampered: Callable[..., Verified]) -> None:
    """Its page has the same bytes, and its files are asked below the path."""
    same = tampered(change("none"), below="/survey")
    assert (same.code, same.wrong) == (0, [])
    changed = tampered(change(SCRIPT, body=flip), below="/survey")
    assert changed.only("result") == [("differs",)]


def test_what_a_page_loads_besides_is_named(tampered: Callable[..., Verified]) -> None:
    """A script that this version's page does not have, wherever it is."""
    more = b'<script src="/static/more.js"></script>'
    found = tampered(change(PAGE, body=lambda body: body.replace(b"</head>", more + b"</head>")))
    assert found.code == 1
    assert found.only("file", "result") == [(PAGE, "differs"), ("/static/more.js", "unknown")]


def test_another_document_under_the_digest_is_found(tampered: Callable[..., Verified]) -> None:
    """The SHA-256 is computed here."""
    found = tampered(change(DOCUMENT, body=lambda body: body.replace(b"asthma", b"cancer")))
    assert found.code == 1
    assert f"Under the digest {ORDINARY.digest} there is another document" in found.problems


def test_the_form_of_another_survey_is_found(
    tampered: Callable[..., Verified], tmp_path: Path
) -> None:
    """The digest, or the published file, that somebody else gave decides."""
    other = survey(yes_no(), slug="ordinary", epsilon=1)
    file = tmp_path / "other.json"
    file.write_bytes(other.document)
    by_file = tampered(change("none"), "--survey", str(file))
    assert by_file.code == 1
    assert by_file.document["digest"] == other.digest
    assert f"it is the form of another survey, {ORDINARY.digest}" in by_file.wrong[0]["reason"]
    by_digest = tampered(change("none"), "--digest", other.digest)
    assert by_digest.code == 1
    assert f"does not have the survey with the digest {other.digest}" in by_digest.problems
    elsewhere = tampered(change("none"), "--digest", KINDS["scores"].digest)
    assert elsewhere.code == 1
    assert f"survey scores should be at /s/scores, and it is at {PAGE}" in elsewhere.problems


def test_the_file_of_the_survey_may_be_given(
    site: Served, verified: Callable[..., Verified], tmp_path: Path
) -> None:
    """Then what the server says about the document is only compared."""
    file = tmp_path / "ordinary.json"
    file.write_bytes(ORDINARY.document)
    found = verified(site.url + PAGE, "--survey", str(file), "--digest", ORDINARY.digest)
    assert found.code == 0


def test_who_may_frame_the_form_is_the_operators_choice_and_is_shown(
    tampered: Callable[..., Verified],
) -> None:
    """It is a setting, so another value is no difference, unless some get another one."""

    def let(framing: str, exchange: Exchange) -> None:
        policy = exchange.headers.get("content-security-policy", "")
        exchange.headers["content-security-policy"] = policy.replace(
            "frame-ancestors *", f"frame-ancestors {framing}"
        )

    def tamper(exchange: Exchange) -> None:
        if exchange.path == PAGE:
            let("'self' https://a.example", exchange)

    found = tampered(tamper)
    assert (found.code, found.document["frame_ancestors"]) == (0, "'self' https://a.example")

    def some(exchange: Exchange) -> None:
        if exchange.path == PAGE and "iPhone" in exchange.agent:
            let("'none'", exchange)

    assert tampered(some).only("client") == [(IPHONE,)]
