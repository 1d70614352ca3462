"""Files made to keep a server busy: each gets a response, and nobody else waits."""

import http.client
import json
import threading
from collections.abc import Callable, Iterator
from contextlib import closing
from io import BytesIO
from urllib.parse import urlsplit
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from deniable_collector.store import open_store
from deniable_web.builder.workshop import MOST_BYTES
from live_server import OWNER_TOKEN, exchange, give_tokens
from live_site import LiveSite, live_site

TEXT, WORKBOOK = "/manage/definitions/import/text", "/manage/definitions/import/xlsform"
CHECK = "/manage/definitions/check"


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveSite]:
    """A site whose owner uploads files."""
    store = tmp_path_factory.mktemp("site") / "store.sqlite"
    with closing(open_store(store)) as opened:
        give_tokens(opened)
    with live_site(store) as running:
        yield running


def connect(site: LiveSite) -> http.client.HTTPConnection:
    """A connection of one's own."""
    parts = urlsplit(site.url)
    return http.client.HTTPConnection(parts.hostname or "", parts.port, timeout=60)


def upload(site: LiveSite, path: str, body: bytes) -> tuple[int, str]:
    """The status of an upload, and why it was refused."""
    assert len(body) <= MOST_BYTES
    headers = {"Authorization": f"Bearer {OWNER_TOKEN}", "Content-Type": "application/json"}
    with closing(connect(site)) as connection:
        answer = exchange(connection, "POST", path, body, headers)
    return answer.status, answer.document.get("detail", "")


def with_condition(condition: str) -> bytes:
    """A SurveyJS survey whose second question has a condition."""
    choices = {"type": "radiogroup", "choices": ["x", "y"]}
    elements = [{**choices, "name": "a"}, {**choices, "name": "b", "visibleIf": condition}]
    return json.dumps({"elements": elements}).encode()


def with_calculations(*expressions: str) -> bytes:
    """A SurveyJS survey of two questions with calculations of their answers."""
    choices = {"type": "radiogroup", "choices": [*range(200)]}
    values = [{"name": f"v{place}", "expression": each} for place, each in enumerate(expressions)]
    elements = [{**choices, "name": "a"}, {**choices, "name": "b"}]
    return json.dumps({"elements": elements, "calculatedValues": values}).encode()


def aliases(first: str, each: str) -> bytes:
    """YAML of a few lines that names each line ten times in the next."""
    lines = [f"a0: &a0 {first}"]
    for level in range(1, 12):
        named = ",".join([f"*a{level - 1}"] * 10)
        lines.append(f"a{level}: &a{level} " + each.replace("ALL", f"[{named}]"))
    return "\n".join(lines).encode()


MOST = MOST_BYTES - 300
# Made when they are sent: together they take seconds and half a gigabyte.
FILES: dict[str, Callable[[], bytes]] = {
    "blanks in a condition": lambda: with_condition("{a} = 'x'" + " " * MOST + "x"),
    "blanks before an or": lambda: with_condition("{a} = 'x'" + " " * MOST + "o"),
    "many terms": lambda: with_condition(" or ".join(["{a} = 'x'"] * 70_000)[:MOST]),
    "many quotes": lambda: with_condition("'" * MOST),
    "100,000 terms in a calculation": lambda: with_calculations("+".join(["{a}"] * 100_000)),
    "brackets in a calculation": lambda: with_calculations("(" * (MOST // 2)),
    "minus in a calculation": lambda: with_calculations("-" * (MOST // 2)),
    "one name, many times": lambda: json.dumps(
        {"elements": [{"type": "boolean", "name": "a"}] * 25_000}
    ).encode(),
    "many notes": lambda: json.dumps({"elements": [{}] * 99_000}).encode(),
    "marks on a letter": lambda: json.dumps(
        {"title": "a" + "\u0315\u0300" * 200_000, "elements": []}, ensure_ascii=False
    ).encode(),
    "many languages": lambda: json.dumps(
        {
            "title": {f"aa-{number:06}": "x" for number in range(40_000)},
            "elements": [{"type": "boolean", "name": "a", "title": {"en": "x"}}] * 900,
        }
    ).encode(),
    "other kinds of values": lambda: json.dumps(
        {"elements": [{"type": "rating", "rateCount": {}}, {"type": "radiogroup", "choices": 5}]}
    ).encode(),
    "90,000 keys": lambda: "\n".join(f"k{number}: v" for number in range(90_000)).encode(),
    "many aliases": lambda: aliases("[x,x,x,x,x,x,x,x,x,x]", "ALL"),
    "many merges": lambda: aliases("{k: 1}", "{!!merge '<<': ALL}"),
    "deep JSON": lambda: b'{"questions":' + b"[" * MOST,
    "deep YAML in brackets": lambda: b"a: " + b"[" * MOST,
    "deep YAML in lines": lambda: b"- " * (MOST // 2),
    "a huge number": lambda: b'{"questions":[],"epsilon":' + b"9" * MOST + b"}",
    "a number to the base of 60": lambda: b"a: !!float 1" + b":1" * (MOST // 2) + b".5",
    "no number": lambda: b"{title: .nan, questions: []}",
    "zeros": lambda: bytes(MOST_BYTES),
}


@pytest.mark.parametrize("made", FILES.values(), ids=FILES.keys())
def test_a_file_is_answered_or_refused_in_words(site: LiveSite, made: Callable[[], bytes]) -> None:
    """Whatever is in it, what comes back is a survey or a sentence."""
    status, detail = upload(site, TEXT, made())
    assert status in (200, 422)
    assert (status == 422) == detail.startswith("Not done: ")


@pytest.mark.deep
@pytest.mark.parametrize(
    "expressions",
    [
        ["+".join(["{a}", "{b}"] * 2_400)] * 40,
        ["+".join(["{a}", "{b}"] * 20)] * 5_000,
        ["(" * 30 + "{a}+{b}" + ")*{a}" * 30] * 4_000,
        ["999999999999*" * 1_500 + "{a}+{b}"] * 40,
        ["if(" * 6_000] * 40,
        ["unknown(" + "{a}," * 4_000] * 40,
        ["max(" + "{a}," * 4_000 + "{b})"] * 40,
        ["{v1}+{v2}"] * 20_000,
    ],
    ids=["long", "many", "deep", "large", "open", "unknown", "largest", "names"],
)
def test_calculations_that_cost_too_much_are_listed(
    site: LiveSite, expressions: list[str]
) -> None:
    """The questions of the file are imported, within the time that a file may take."""
    status, detail = upload(site, TEXT, with_calculations(*expressions))
    assert (status, detail) == (200, "")


NAMES = [f"o{place}" for place in range(900)]
CHOICES: dict[str, object] = {"type": "radiogroup", "name": "a", "choices": NAMES}
SWITCHES = [{"type": "boolean", "name": f"s{place}"} for place in range(60)]
ANY_OPTION = " or ".join(f"{{a}} = 'o{place}'" for place in range(900))
PAIRS = " or ".join(f"({{s{place}}} = true and {{s{place + 30}}} = true)" for place in range(30))


@pytest.mark.deep
@pytest.mark.parametrize(
    ("first", "condition"),
    [
        ([CHOICES], ANY_OPTION),
        ([CHOICES], f"{{a}} anyof [{','.join(NAMES)}]"),
        ([{**CHOICES, "type": "checkbox"}], "!({a} empty)"),
        (SWITCHES, PAIRS),
        ([], "{b0} = true and " * 900 + "{b1} = true"),
        ([], "!" * 19_000 + "{b0}"),
    ],
    ids=["options", "list", "several", "pairs", "later", "deep"],
)
def test_conditions_that_cost_too_much_are_listed(
    site: LiveSite, first: list[dict[str, object]], condition: str
) -> None:
    """The questions of the file are imported, within the time that a file may take."""
    asked = [
        {"type": "boolean", "name": f"b{place}", "visibleIf": f"{condition} or {{b0}} = '{place}'"}
        for place in range(min(800, 800_000 // len(condition)))
    ]
    status, detail = upload(site, TEXT, json.dumps({"elements": [*first, *asked]}).encode())
    assert (status, detail) == (200, "")


def packed(**files: bytes) -> bytes:
    """A workbook's archive."""
    body = BytesIO()
    with ZipFile(body, "w", ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(f"xl/{name}.xml", content)
    return body.getvalue()


@pytest.mark.sweep
@pytest.mark.parametrize(
    "made",
    [
        lambda: packed(workbook=bytes(500 << 20)),
        lambda: packed(workbook=bytes(30 << 20)),
        lambda: packed(**{f"sheet{number}": b"" for number in range(7_000)}),
        lambda: b"PK\3\4" + bytes(MOST),
    ],
    ids=["half a gigabyte", "30 megabytes", "many members", "no members"],
)
def test_a_workbook_is_answered_or_refused_in_words(
    site: LiveSite, made: Callable[[], bytes]
) -> None:
    """A small archive may unfold into more than there is memory."""
    status, detail = upload(site, WORKBOOK, made())
    assert status == 422
    assert detail.startswith("Not done: ")


def test_a_draft_with_60_000_unknown_keys_is_answered(site: LiveSite) -> None:
    """Some are named, with what they may have meant; the others are counted."""
    draft = {"definition": {f"k{number}": 1 for number in range(60_000)}}
    status, _ = upload(site, CHECK, json.dumps(draft).encode())
    assert status == 200


def test_nobody_waits_for_a_file_that_is_being_read(site: LiveSite) -> None:
    """The collector answers others while it reads a file for seconds."""
    upload(site, TEXT, b"{}")
    ended = threading.Event()
    found: list[tuple[int, str]] = []

    def send() -> None:
        found.append(upload(site, TEXT, FILES["many notes"]()))
        ended.set()

    sender = threading.Thread(target=send)
    sender.start()
    answered = 0
    while not ended.is_set():
        with closing(connect(site)) as connection:
            answered += exchange(connection, "GET", "/healthz").status == 200
    sender.join()
    # A slow machine ends the reading of a file at its limit of time.
    assert [status for status, _ in found if status not in (200, 422)] == []
    assert len(found) == 1
    # The file takes a second, and each of these some milliseconds.
    assert answered > 10


def test_nothing_of_a_file_is_logged(site: LiveSite) -> None:
    """Neither what was refused nor what failed leaves a trace of what was sent."""
    canary = "canary-of-an-author"
    for body in (canary.encode(), b'{"elements": [{"type": "rating", "rateCount": {"%s": 1}}]}'):
        upload(site, TEXT, body.replace(b"%s", canary.encode()))
    assert canary not in site.log.read_text()
