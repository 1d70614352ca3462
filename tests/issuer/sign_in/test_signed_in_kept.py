"""What is kept and said of people who sign in: the digest of a code, and nothing else."""

import base64
import hashlib
from pathlib import Path
from urllib.parse import parse_qs, unquote, urlsplit

from canaries import CANARY, assert_no_marks
from deniable_issuer.codes import code_digest
from deniable_web.commands import run
from live_provider import ACCOUNTS, ANNA, BEN, CARLA, DORA, SECRET
from live_sign_in import LiveSignIn, Visitor, live_sign_in

# Everything that the provider says about its people has this number.
MARK = b"5309"


def test_nothing_of_the_provider_is_kept_or_said(tmp_path: Path) -> None:
    """No name, address, claim, token, state, cookie, secret or code is in a store or a log."""
    used = {"claim": "email", "scopes": ["profile", "email"]}
    with live_sign_in(tmp_path, used, sends_all=False) as desk:
        visitors = [
            desk.visitor(account, **{"User-Agent": f"{CANARY}-agent", "Referer": CANARY})
            for account in (ANNA, BEN, CARLA)
        ]
        codes = [visitor.signs_in() for visitor in visitors]
        desk.issuer.collect(desk.prepared.survey, codes[0])
        visitors += fail_in_all_ways(desk)
        running = desk.everything_kept()
        copy = tmp_path / "copy.sqlite"
        assert run(["backup", str(copy), "--store", str(desk.prepared.store)]) == 0
        assert desk.issuer.stop() == 0
        kept = [("running", running), ("stopped", desk.everything_kept())]
        kept += [("backup", copy.read_bytes())]
        wanted = [
            *said_by(visitors),
            *(token.encode() for token in desk.provider.issued()),
            *hashes_of_people(),
            SECRET.encode(),
        ]
        log = desk.issuer.log.read_text()
    for code in codes:
        plain = code.replace("-", "")
        wanted += [code.encode(), plain.encode(), base64.b32decode(plain)]
    assert len(wanted) > 60
    assert [place for place, text in kept if MARK in text] == []
    assert_no_marks(kept)
    found = [(needle, place) for needle in wanted for place, text in kept if needle in text]
    assert found == []
    for place, text in kept:
        assert all(code_digest(code) in text for code in codes), place
    # The log does say what went wrong, and nothing besides.
    causes = sorted(line.partition(": ")[2] for line in log.splitlines())
    assert causes == [
        "cause another provider sends people back, times 1",
        "cause the ID token of the provider is not valid, times 1",
        "cause the provider cannot be reached, times 1",
    ]


def fail_in_all_ways(desk: LiveSignIn) -> list[Visitor]:
    """Browsers of people who were refused for all kinds of reasons."""
    refused = [desk.visitor(account) for account in (DORA, ANNA, ANNA, BEN, CARLA)]
    uninvited, forged, mixed, lied, late = refused
    assert uninvited.comes_back().status_code == 403
    address = forged.authorized(forged.leaves())
    assert forged.open(address.replace("state=", "state=x")).status_code == 400
    address = mixed.authorized(mixed.leaves())
    assert mixed.open(f"{address.partition('&iss')[0]}&iss={CANARY}").status_code == 502
    address = lied.authorized(lied.leaves())
    desk.provider.lie(claims={"nonce": CANARY, "email": f"{CANARY}@clinic5309.example"})
    assert lied.open(address).status_code == 502
    desk.provider.lie()
    address = late.authorized(late.leaves())
    desk.provider.stop()
    assert late.open(address).status_code == 502
    return refused


def said_by(visitors: list[Visitor]) -> list[bytes]:
    """What went through these browsers: codes and states of the provider, nonces, cookies."""
    texts: set[str] = set()
    for answer in (answer for visitor in visitors for answer in visitor.seen):
        for address in (answer.url, answer.headers.get("location", "")):
            values = parse_qs(urlsplit(address).query)
            texts |= {
                value
                for name in ("code", "state", "nonce", "code_challenge")
                for value in values.get(name, [])
            }
        texts |= {cookie.value for cookie in answer.cookies if cookie.value}
    return [unquote(text).encode() for text in texts if len(text) > 8]


def hashes_of_people() -> list[bytes]:
    """Names and addresses as hashes that anybody could compute."""
    people = [*ACCOUNTS, *(str(claims["email"]) for claims in ACCOUNTS.values())]
    hashed = [
        hashlib.new(name, person.encode()).digest()
        for person in people
        for name in ("sha1", "sha256", "blake2b")
    ]
    return [*hashed, *(each.hex().encode() for each in hashed)]
