"""Everything that is not a legal request, over real HTTP."""

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from deniable_collector.settings import Settings
from deniable_sdk.mechanisms import Subset
from live_server import LiveCollector, live_collector
from problem_checks import assert_members, assert_problem
from refusing_collector import refusing_collector, stored
from sample_definitions import choice, survey, yes_no

PUBLISHED = survey(yes_no(), choice(options=30), ask="all", epsilon="0.5")
REGION = PUBLISHED.block("region").mechanism
assert isinstance(REGION, Subset)
SIZE = REGION.size
REPORT: dict[str, Any] = {
    "format": "deniable-report/1",
    "survey": PUBLISHED.digest,
    "report": "0123456789abcdef" * 2,
    "values": {"asthma": 0, "region": list(range(SIZE))},
}
JSON = {"Content-Type": "application/json"}
LONGEST = Settings.from_environment({}).max_body_bytes
# Stands where a broken client may put a true answer.
CANARY = 987654321
CANARY_TEXT = "canary-answer"


def with_answer(block: str, value: object) -> dict[str, Any]:
    """The legal report with one value replaced."""
    return {**REPORT, "values": {**REPORT["values"], block: value}}


def raw(document: object = REPORT) -> bytes:
    """The bytes of a report."""
    return json.dumps(document).encode()


UNREADABLE = {
    "empty": b"",
    "truncated": raw()[:-5],
    "two documents": raw() + raw(),
    "decimals": raw(with_answer("asthma", 0.5)),
    "a whole number written with decimals": raw().replace(b'"asthma": 0', b'"asthma": 0.0'),
    "an exponent": raw().replace(b'"asthma": 0', b'"asthma": 0e0'),
    "minus zero": raw().replace(b'"asthma": 0', b'"asthma": -0'),
    "minus zero in a list": raw().replace(b": [0,", b": [-0,"),
    "NaN": raw(with_answer("asthma", float("nan"))),
    "infinity": raw(with_answer("asthma", float("-inf"))),
    "a key twice": raw().replace(b'"asthma": 0', b'"asthma": 1, "asthma": 0'),
    "a report id twice": raw().replace(b'"report"', b'"report": "00", "report"', 1),
    "ten thousand digits": raw().replace(b'"asthma": 0', b'"asthma": ' + b"9" * 10_000),
    "NUL bytes": b"\0" + raw(),
    "a NUL within a text": raw().replace(b"0123", b"\0123"),
    "invalid UTF-8": raw().replace(b"asthma", b"asthm\xff"),
    "UTF-16": raw().decode().encode("utf-16"),
    "a byte order mark": b"\xef\xbb\xbf" + raw(),
    "nested 100,000 deep": b"[" * 100_000 + b"]" * 100_000,
    "objects nested 100,000 deep": b'{"a":' * 100_000 + b"1" + b"}" * 100_000,
    "JavaScript": b"{format: 'deniable-report/1'}",
}
ILLEGAL = {
    "null": None,
    "a number": CANARY,
    "a text": CANARY_TEXT,
    "no keys": {},
    "a missing key": {key: REPORT[key] for key in REPORT if key != "report"},
    "an unknown key": {**REPORT, "user": CANARY_TEXT},
    "another format": {**REPORT, "format": CANARY_TEXT},
    "a digest of another type": {**REPORT, "survey": CANARY},
    "a digest in capitals": {**REPORT, "survey": PUBLISHED.digest.upper()},
    "an id that is too short": {**REPORT, "report": "00"},
    "an id that is no hex": {**REPORT, "report": "x" * 32},
    "an id of another type": {**REPORT, "report": CANARY},
    "answers in a list": {**REPORT, "values": [CANARY]},
    "answers as text": {**REPORT, "values": CANARY_TEXT},
    "no answers": {**REPORT, "values": {}},
    "a block left out": {**REPORT, "values": {"asthma": 0}},
    "a block too many": {**REPORT, "values": {**REPORT["values"], CANARY_TEXT: 0}},
    "an unknown block": {**REPORT, "values": {CANARY_TEXT: 0, "asthma": 0}},
    "an index too high": with_answer("asthma", CANARY),
    "a negative index": with_answer("asthma", -CANARY),
    "a huge integer": with_answer("asthma", 10**400 + CANARY),
    "true for an index": with_answer("asthma", True),
    "null for an index": with_answer("asthma", None),
    "the true answer as text": with_answer("asthma", CANARY_TEXT),
    "a list for an index": with_answer("asthma", [CANARY]),
    "an object for an index": with_answer("asthma", {CANARY_TEXT: CANARY}),
    "an index for a list": with_answer("region", CANARY),
    "a list too short": with_answer("region", list(range(SIZE - 1))),
    "a list too long": with_answer("region", list(range(SIZE + 1))),
    "an index twice": with_answer("region", [0, *range(SIZE - 1)]),
    "a list out of order": with_answer("region", list(range(SIZE))[::-1]),
    "an index too high in a list": with_answer("region", [*range(SIZE - 1), CANARY]),
    "a text in a list": with_answer("region", [*range(SIZE - 1), CANARY_TEXT]),
    "true in a list": with_answer("region", [False, *range(1, SIZE)]),
    "a list in a list": with_answer("region", [[0], *range(1, SIZE)]),
    "a NUL in a text": with_answer("asthma", CANARY_TEXT + "\0"),
    "half a surrogate pair": with_answer("asthma", CANARY_TEXT + "\ud800"),
    "nested 500 deep": with_answer("asthma", json.loads("[" * 500 + "]" * 500)),
}  # fmt: skip


@pytest.fixture(scope="module")
def collector(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveCollector]:
    """A collector with one open survey, in which nothing may be stored."""
    with refusing_collector(tmp_path_factory.mktemp("refusals"), PUBLISHED) as running:
        yield running


def test_the_pattern_of_all_these_reports_is_legal(tmp_path: Path) -> None:
    """What is refused below is refused for what was changed."""
    with live_collector(tmp_path / "store.sqlite") as collector:
        collector.owner("POST", "/api/surveys", PUBLISHED.document)
        assert collector.send("POST", "/api/reports", raw()).status == 201


@pytest.mark.parametrize("body", UNREADABLE.values(), ids=UNREADABLE)
def test_what_is_not_json_is_refused_as_a_whole(collector: LiveCollector, body: bytes) -> None:
    """A body that cannot be read, alone or in an array, stores nothing."""
    for sent in (body, b"[" + raw() + b"," + body + b"]"):
        detail = assert_problem(collector.send("POST", "/api/reports", sent), "not-json")
        assert detail.startswith("Nothing of it was stored: ")
    assert stored(collector, PUBLISHED) == 0


@pytest.mark.parametrize("number", [b"-0", b"-00", b"[-0]", b'"-0"', b'"0"', b"0x0"])
@pytest.mark.parametrize("media_type", ["application/json", "application/x-ndjson"])
def test_zero_is_written_in_one_way(
    collector: LiveCollector, media_type: str, number: bytes
) -> None:
    """Alone, in an array, in a line and as a text, no other way is stored."""
    line = raw().replace(b'"asthma": 0', b'"asthma": ' + number)
    for sent in (line, b"[" + line + b"]", line.replace(b" ", b"")):
        answer = collector.send("POST", "/api/reports", sent, {"Content-Type": media_type})
        assert answer.status in (400, 422) or answer.document["refused"] == 1
    assert stored(collector, PUBLISHED) == 0


@pytest.mark.parametrize("document", ILLEGAL.values(), ids=ILLEGAL)
def test_what_is_not_a_legal_report_is_refused_without_repeating_it(
    collector: LiveCollector, document: Any
) -> None:
    """A broken client gets its fault named, and its answer kept out of the words."""
    single = collector.send("POST", "/api/reports", raw(document))
    batch = collector.send("POST", "/api/reports", raw([document]))
    assert assert_problem(single, "invalid-report").startswith("Not stored: ")
    (result,) = batch.document["results"]
    del result["index"], result["report"]
    assert_members(result, "invalid-report")
    for answer in (single, batch):
        assert str(CANARY).encode() not in answer.body
        assert CANARY_TEXT.encode() not in answer.body
    assert stored(collector, PUBLISHED) == 0


@pytest.mark.parametrize(
    "headers",
    [
        {"Content-Type": "text/plain"},
        {"Content-Type": "application/x-www-form-urlencoded"},
        {"Content-Type": "multipart/form-data; boundary=x"},
        {"Content-Type": "application/xml"},
        {"Content-Type": ""},
        {"Content-Type": "application/json", "Content-Encoding": "gzip"},
    ],
    ids=str,
)
def test_another_media_type_is_refused(collector: LiveCollector, headers: dict[str, str]) -> None:
    """Only JSON and NDJSON are read, and only uncompressed."""
    answer = collector.send("POST", "/api/reports", raw(), headers)
    assert_problem(answer, "unsupported-media-type")
    assert stored(collector, PUBLISHED) == 0


@pytest.mark.parametrize(
    ("method", "path", "name"),
    [
        ("GET", "/", "not-found"),
        ("GET", "/api", "not-found"),
        ("GET", "/api/surveys/", "not-found"),
        ("GET", "/api//surveys", "not-found"),
        ("GET", "/healthz/", "not-found"),
        ("GET", "/api/surveys/a/b/c", "not-found"),
        ("GET", "/%00%ff", "not-found"),
        ("GET", "/api/surveys/%ED%A0%80%00", "unknown-survey"),
        ("GET", "/api/reports", "method-not-allowed"),
        ("PUT", "/api/reports", "method-not-allowed"),
        ("DELETE", "/api/surveys/health", "method-not-allowed"),
        ("GET", "/api/surveys", "method-not-allowed"),
        ("POST", "/healthz", "method-not-allowed"),
        ("TRACE", "/healthz", "method-not-allowed"),
        ("NONSENSE", "/healthz", "method-not-allowed"),
    ],
)
def test_a_wrong_path_or_method_is_a_problem(
    collector: LiveCollector, method: str, path: str, name: str
) -> None:
    """404 and 405 have the same shape, and 405 says what is allowed."""
    answer = collector.send(method, path)
    detail = assert_problem(answer, name)
    if name == "method-not-allowed":
        assert answer.headers["allow"]
    assert path == "/" or path not in detail
