"""Public logs that are legal, and others that were forged, changed or damaged."""

import json
from collections.abc import Iterator
from hashlib import sha256
from pathlib import Path

from deniable_sdk.log import Head, check_log, head_of
from deniable_sdk.tokens import EXPONENT, KEY_BYTES, SALT_BYTES, base64url, pss_encoded
from vectors.spelling import Case, error_of

# A published test key, of RFC 9578.
KEY_FILE = Path(__file__).parents[1] / "collector" / "rfc9578_key.json"
ENTRIES = [sha256(b"survey %d" % number).hexdigest() for number in range(4)]
UNKNOWN = sha256(b"another survey").hexdigest()

_PRIMES = json.loads(KEY_FILE.read_text(encoding="ascii"))
_P, _Q = int(_PRIMES["p"], 16), int(_PRIMES["q"], 16)
KEY = base64url((_P * _Q).to_bytes(KEY_BYTES, "big"))
OTHER_KEY = base64url((_P * _Q - 2).to_bytes(KEY_BYTES, "big"))


def signed(head: Head) -> str:
    """The signature of a head; the salt is fixed, so that it is the same each time."""
    encoded = int.from_bytes(pss_encoded(head.to_bytes(), bytes(SALT_BYTES), KEY_BYTES), "big")
    private = pow(EXPONENT, -1, (_P - 1) * (_Q - 1))
    return base64url(pow(encoded, private, _P * _Q).to_bytes(KEY_BYTES, "big"))


def log(entries: list[str], /, **changes: object) -> dict[str, object]:
    """A signed log, with some members changed afterwards."""
    head = head_of(entries)
    members = {"log": "deniable-log/1", "size": head.size, "head": head.digest}
    return {**members, "entries": entries, "signature": signed(head), **changes}


def _seen(*entries: str) -> dict[str, object]:
    head = head_of(entries)
    return {"size": head.size, "digest": head.digest}


def _whole() -> Iterator[tuple[str, object, dict[str, object]]]:
    for count in range(len(ENTRIES) + 1):
        yield f"{count} entries", log(ENTRIES[:count]), {"key": KEY, "seen": _seen()}
    all_of_them = log(ENTRIES)
    for count in range(len(ENTRIES) + 1):
        yield f"grown from {count}", all_of_them, {"key": KEY, "seen": _seen(*ENTRIES[:count])}
    for place, digest in enumerate(ENTRIES):
        yield f"with survey {place}", all_of_them, {"key": KEY, "survey": digest}
    yield "not signed", log(ENTRIES, signature=None), {"survey": ENTRIES[0]}
    yield "nothing is required", all_of_them, {}
    yield "spaces", json.dumps(all_of_them, indent=1), {"key": KEY}


def _without_survey() -> Iterator[tuple[str, object, dict[str, object]]]:
    yield "without the survey", log(ENTRIES), {"key": KEY, "survey": UNKNOWN}
    yield "empty, without the survey", log([]), {"key": KEY, "survey": ENTRIES[0]}
    yield "an upper-case digest", log(ENTRIES), {"survey": ENTRIES[0].upper()}


def _changed() -> Iterator[tuple[str, object, dict[str, object]]]:
    swapped = [ENTRIES[1], ENTRIES[0], *ENTRIES[2:]]
    true_head = head_of(ENTRIES)
    yield "an entry exchanged", log(ENTRIES, entries=[*ENTRIES[:3], UNKNOWN]), {}
    yield "entries swapped", log(ENTRIES, entries=swapped), {}
    yield "the last one dropped", log(ENTRIES, entries=ENTRIES[:3]), {}
    yield "the first one dropped", log(ENTRIES, entries=ENTRIES[1:]), {}
    yield "one more", log(ENTRIES, entries=[*ENTRIES, UNKNOWN]), {}
    yield "a smaller size", log(ENTRIES, size=3), {}
    yield "the size as a text", log(ENTRIES, size="4"), {}
    yield "a truth as the size", log(ENTRIES[:1], size=True), {}
    yield "another head", log(ENTRIES, head=UNKNOWN), {}
    yield "the head in upper case", log(ENTRIES, head=true_head.digest.upper()), {}
    yield "rewritten", log(swapped), {"key": KEY, "seen": _seen(*ENTRIES[:2])}
    yield "shorter than seen", log(ENTRIES[:3]), {"key": KEY, "seen": _seen(*ENTRIES)}
    yield "another size was seen", log(ENTRIES), {"seen": {**_seen(*ENTRIES[:2]), "size": 3}}
    yield "less than nothing was seen", log(ENTRIES), {"seen": {**_seen(*ENTRIES), "size": -1}}
    yield "other surveys were seen", log(ENTRIES), {"seen": _seen(UNKNOWN)}


def _forged() -> Iterator[tuple[str, object, dict[str, object]]]:
    signature = signed(head_of(ENTRIES))
    yield "not signed", log(ENTRIES, signature=None), {"key": KEY}
    yield "signed by another", log(ENTRIES), {"key": OTHER_KEY}
    yield "another head signed", log(ENTRIES, signature=signed(head_of(ENTRIES[:3]))), {"key": KEY}
    flipped = signature[:100] + ("A" if signature[100] != "A" else "B") + signature[101:]
    yield "a flipped signature", log(ENTRIES, signature=flipped), {"key": KEY}
    yield "the modulus as the signature", log(ENTRIES, signature=KEY), {"key": KEY}
    for name, text in (
        ("short", signature[:-1]),
        ("long", signature + "A"),
        ("padded", signature + "=="),
        ("of another alphabet", "+" + signature[1:]),
        ("with bits left over", signature[:-1] + "B"),
        ("empty", ""),
        ("a number", 7),
    ):
        yield f"a signature that is {name}", log(ENTRIES, signature=text), {}
    even = base64url((_P * _Q - 1).to_bytes(KEY_BYTES, "big"))
    for name, text in (
        ("short", KEY[:-1]),
        ("even", even),
        ("small", "A" + KEY[1:]),
        ("empty", ""),
    ):
        yield f"a key that is {name}", log(ENTRIES), {"key": text}


def _damaged() -> Iterator[tuple[str, object, dict[str, object]]]:
    for name, entry in (
        ("upper case", ENTRIES[0].upper()),
        ("short", ENTRIES[0][:-1]),
        ("not hexadecimal", "g" + ENTRIES[0][1:]),
        ("a line more", ENTRIES[0] + "\n"),
        ("other digits", "\u0661" * 64),
        ("a number", 7),
        ("null", None),
    ):
        yield f"an entry: {name}", log(ENTRIES[:1], entries=[entry]), {}
    yield "no list of entries", log([], entries={}), {}
    yield "another format", log(ENTRIES, log="deniable-log/2"), {}
    yield "a member more", log(ENTRIES, time=1), {}
    yield "a member less", {k: v for k, v in log(ENTRIES).items() if k != "signature"}, {}
    for text in ("", "[]", "null", "{", "<html>", '{"size":0.5}', '"\ud800"'):
        yield f"no log: {text}", text, {}


def logs() -> list[Case]:
    """Logs with what is required of them, and the head or the error."""
    cases: list[Case] = []
    for found, error in (
        (_whole(), None),
        (_without_survey(), "NotInLog"),
        (_changed(), "InvalidLog"),
        (_forged(), "InvalidLog"),
        (_damaged(), "InvalidLog"),
    ):
        for name, document, required in found:
            text = document if isinstance(document, str) else json.dumps(document)
            case: Case = {"name": name, "text": text, "required": required, "error": error}
            assert error_of(lambda case=case: check(case)) == error, name  # type: ignore[misc]
            if error is None:
                head = check(case)
                case["head"] = {"size": head.size, "digest": head.digest}
            cases.append(case)
    return cases


def check(case: Case) -> Head:
    """The head of a case's log, once all that is required was checked."""
    required = dict(case["required"])  # type: ignore[call-overload]
    if "seen" in required:
        required["seen"] = Head(**required["seen"])
    return check_log(str(case["text"]).encode(errors="surrogatepass"), **required).head
