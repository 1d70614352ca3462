"""Bodies that are nearly what a device sends, broken in every way that comes to mind."""

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from deniable_sdk import PublishedSurvey, randomize

JSON_TYPE = "application/json"
NDJSON_TYPE = "application/x-ndjson"

_STRANGE: tuple[Any, ...] = (
    *(
        None,
        True,
        False,
        "",
        "0",
        -1,
        0,
        1,
        2,
        7,
        999,
        2**31,
        2**53,
        2**63,
        10**30,
        0.5,
        1.0,
        -0.0,
    ),
    *([], [[]], {}, [0], [1, 0], [0, 0], [[0, 1]], [[0, 2]], [[0, 1], [0, 1]], [None], "ü", "\0"),
)
_TOKENS = (
    *(b"{", b"}", b"[", b"]", b",", b":", b'"', b"\\", b"\n", b"\r\n", b" ", b"\0", b"-", b"0"),
    *(b"1e9", b"1.0", b"NaN", b"null", b"true", b"\xff", b"\xef\xbb\xbf", b"\xed\xa0\x80"),
    *(b"\\ud800", b"[" * 40, b"9" * 40, b'"report":"0"'),
)


@dataclass(frozen=True)
class Body:
    """What is sent, and as what."""

    content: bytes
    media_type: str


def mutated_bodies(surveys: list[PublishedSurvey], source: random.Random) -> Iterator[Body]:
    """Bodies without end, one in some still legal."""
    known: list[bytes] = []
    while True:
        wanted = source.choice(surveys)
        fresh = randomize(wanted, {}, read_bytes=source.randbytes).to_bytes()
        known = [*known[-50:], fresh]
        start = source.choice([fresh, fresh, source.choice(known)])
        kind = source.choice(_KINDS)
        yield kind(start, known, source)


def _as_document(start: bytes, _: list[bytes], source: random.Random) -> Body:
    document = changed(json.loads(start), source)
    keys = source.choice([True, False])
    return Body(json.dumps(document, sort_keys=keys).encode(errors="surrogatepass"), JSON_TYPE)


def _as_canonical(start: bytes, _: list[bytes], source: random.Random) -> Body:
    document = changed(json.loads(start), source)
    return Body(_canonical(document), source.choice([JSON_TYPE, NDJSON_TYPE]))


def _as_bytes(start: bytes, _: list[bytes], source: random.Random) -> Body:
    return Body(broken(start, source), source.choice([JSON_TYPE, NDJSON_TYPE]))


def _as_array(start: bytes, known: list[bytes], source: random.Random) -> Body:
    documents = [json.loads(start), *(json.loads(each) for each in source.choices(known, k=3))]
    sent = [changed(each, source) for each in documents[: source.randint(0, 4)]]
    text = _canonical(sent)
    return Body(broken(text, source) if source.random() < 0.2 else text, JSON_TYPE)


def _as_lines(start: bytes, known: list[bytes], source: random.Random) -> Body:
    lines = [start, *source.choices(known, k=source.randint(0, 3))]
    sent = [
        broken(line, source) if source.random() < 0.5 else _canonical(changed(line, source))
        for line in lines
    ]
    return Body(source.choice([b"\n", b"\r\n", b"\n\n"]).join(sent), NDJSON_TYPE)


def _with_other_values(start: bytes, known: list[bytes], source: random.Random) -> Body:
    """The id of one report with the values of another, which may be of another survey."""
    document = {**json.loads(source.choice(known)), "values": json.loads(start)["values"]}
    return Body(_canonical(document), JSON_TYPE)


_KINDS: tuple[Callable[[bytes, list[bytes], random.Random], Body], ...] = (
    _as_document,
    _as_canonical,
    _as_canonical,
    _as_bytes,
    _as_array,
    _as_lines,
    _with_other_values,
)


def _canonical(value: Any) -> bytes:
    return json.dumps(value, sort_keys=True, separators=(",", ":")).encode()


def changed(value: Any, source: random.Random) -> Any:
    """The value with up to three things in it replaced, removed, moved or added."""
    document = json.loads(value) if isinstance(value, bytes) else value
    for _ in range(source.randint(0, 3)):
        document = _changed_once(document, source)
    return document


def _changed_once(value: Any, source: random.Random) -> Any:
    if isinstance(value, dict) and value and source.random() < 0.9:
        return _changed_object(dict(value), source)
    if isinstance(value, list) and value and source.random() < 0.8:
        index = source.randrange(len(value))
        return [*value[:index], _changed_once(value[index], source), *value[index + 1 :]]
    if isinstance(value, int) and source.random() < 0.5:
        return value + source.choice([-1, 1])
    if isinstance(value, str) and value and source.random() < 0.5:
        index = source.randrange(len(value))
        return value[:index] + source.choice("0fgF \0é") + value[index + 1 :]
    return source.choice(_STRANGE)


def _changed_object(value: dict[str, Any], source: random.Random) -> dict[str, Any]:
    key = source.choice(list(value))
    match source.randrange(5):
        case 0:
            del value[key]
        case 1:
            value[source.choice(["", "x", key.upper(), f"{key}_", "__proto__"])] = value[key]
        case 2:
            value[key] = value[source.choice(list(value))]
        case _:
            value[key] = _changed_once(value[key], source)
    return value


def broken(content: bytes, source: random.Random) -> bytes:
    """The bytes with up to three flipped, cut out, put in or said twice."""
    for _ in range(source.randint(1, 3)):
        index = source.randrange(len(content) + 1)
        end = min(len(content), index + source.randint(1, 8))
        match source.randrange(5):
            case 0:
                content = content[:index] + source.randbytes(1) + content[index + 1 :]
            case 1:
                content = content[:index] + content[end:]
            case 2:
                content = content[:end] + content[index:]
            case 3:
                content = content[:index] + source.choice(_TOKENS) + content[index:]
            case _:
                content = content[:index]
    return content
