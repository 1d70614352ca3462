"""Addresses of collectors, and how each is compared and kept; null for what is none."""

import random

from deniable_sdk.addresses import InvalidAddress, read_address
from vectors.spelling import Case

# Each row is one collector.
SAME = [
    [
        "http://host",
        "http://host:80",
        "HTTP://HOST/",
        "http://host.",
        "http://host.:80//",
        "http://host/./",
        "http://host/a/..",
        "http://h%6fst",
        "http:\\\\host",
        "http:host",
        " http://ho\tst\n",
    ],
    ["https://example.org/a", "https://example.org:443/%61/", "https://EXAMPLE.org/b/../%2E/a//"],
    ["https://example.org/%C3%A9", "https://example.org/é", "https://example.org/%c3%a9/"],
    ["https://xn--bcher-kva.example", "https://bücher.example", "https://XN--BCHER-KVA.example."],
    ["https://xn--bcher-kva.example", "https://b%C3%BCcher.example", "https://bücher.EXAMPLE"],
    [
        "http://127.0.0.1:8000",
        "http://127.1:8000/",
        "http://0x7f.1:08000",
        "http://0177.0.1.:8000",
    ],
    ["http://[::1]", "http://[0:0:0:0:0:0:0:1]:80", "http://[::0001]/", "http://[::0.0.0.1]"],
    ["http://[2001:db8::1:0:0:1]", "http://[2001:0DB8:0:0:1:0:0:1]"],
    ["http://xn--e1afmkfd.xn--p1ai", "http://пример.рф"],
    ["http://xn--wgv71a119e.jp", "http://日本語.jp"],
    ["http://xn--3e0b707e", "http://한국"],
]
# What others read in another way, or not at all.
NONE = [
    "",
    "host",
    "localhost:80",
    "ftp://host",
    "http://",
    "http://?a",
    "http://host?",
    "http://host#a",
    "http://name@host",
    "http://host:99999",
    "http://host:x",
    "http://host:８０",
    "http://a..",
    "http://a b",
    "http://a!b",
    "http://fußball.de",
    "http://fu%C3%9Fball.de",
    "http://σίγμας.gr",
    "http://a\u200db.example",
    "http://a\u0301.example",
    "http://مثال.example",
    "http://☃.example",
    "http://\ud800.example",
    "http://256.1",
    "http://1.2.3.4.5",
    "http://a.08",
    "http://[::1%25eth0]",
    "http://[1::2::3]",
    "http://xn--a",
    "http://xn--99zzzz9",
    "http://host/%zz",
    "http://host/%ff",
    "http://host/a^b",
    "http://host/a%3Fb",
    "http://host/%23",
    "http://host/a%40b",
]
FREE = 1_500

_STARTS = ["http://", "http://", "https://", "https://", "HTTP://"]
_STARTS += ["http:/", "http:", "ws://", " http://"]
_NAMES = ["host", "Example.org", "h%41", "a_b", "-a-", "a..b", ".a", "a."]
_NAMES += ["%2e", "a%2Fb", "h!", "e\u0301"]
_PORTS = ["", "", "", ":", ":0", ":80", ":443", ":8080", ":00080", ":65536", ":x", ":80:80"]
_PATHS = ["", "", "/", "//", "/.", "/..", "/a/./b", "/a/../b", "/%2e/x", "/a%2fb", "/a%"]
_PATHS += ["/a b", "/a;b", "/a'b", "/[x]", "/%7Ex", "/a\\b", "/a|b", '/a"b', "/a{b}", "/.../x"]
_PATHS += ["/%252e", "/日本", "/%00"]
_SIGNS = "abcxyzABCXYZ0189.-_%:[]/~!$&'()*+,;=?#@\\^|`{}\"<> \t\néüÿςÖЖж日한ёǅŁ"
_LETTERS = [(0xE0, 0x2AF), (0x3AC, 0x481), (0x3041, 0x30FE), (0x4E00, 0x9FA5), (0xAC00, 0xD7A3)]


def addresses() -> list[Case]:
    """Every address by hand, and as many by chance."""
    for row in SAME:
        assert {read_address(given) for given in row} == {row[0]}
    chance = random.Random("addresses")
    given = [*(one for row in SAME for one in row), *NONE, *(_free(chance) for _ in range(FREE))]
    cases: list[Case] = [{"given": one, "address": _read(one)} for one in given]
    assert not any(case["address"] for case in cases if case["given"] in NONE)
    return cases


def _read(given: str) -> str | None:
    try:
        return read_address(given)
    except InvalidAddress:
        return None


def _free(chance: random.Random) -> str:
    start, port, path = chance.choice(_STARTS), chance.choice(_PORTS), chance.choice(_PATHS)
    kind = chance.randrange(5)
    if kind == 0:
        return "http://" + "".join(chance.choices(_SIGNS, k=chance.randint(1, 10)))
    if kind == 1:
        pieces = chance.choices(["0", "0", "0", "1", "ab", "00a0", ""], k=chance.randint(2, 9))
        return f"{start}[{':'.join(pieces)}]{port}{path}"
    if kind == 2:
        steps = chance.choices(["a", "..", ".", "%2e", "%2E.", "", "x%41"], k=chance.randint(1, 6))
        return f"{start}h/{'/'.join(steps)}"
    labels = [_label(chance) for _ in range(chance.randint(1, 4))]
    return f"{start}{'.'.join(labels)}{port}{path}"


def _label(chance: random.Random) -> str:
    kind = chance.randrange(4)
    if kind == 0:
        return chance.choice([*_NAMES, "0", "255", "256", "65536", "4294967295", "4294967296"])
    if kind == 1:
        number = chance.randint(0, 300)
        return chance.choice([f"{number}", f"{number:#x}", f"0{number:o}"])
    if kind == 2:
        letters = [chance.randint(*chance.choice(_LETTERS)) for _ in range(chance.randint(1, 5))]
        return "".join(map(chr, letters))
    return "".join(chance.choices("abcdx0123456789-", k=chance.randint(1, 6)))
