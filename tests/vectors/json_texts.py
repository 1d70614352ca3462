"""JSON texts, and whether they are canonical."""

from deniable_sdk import canonical
from vectors.spelling import Case, error_of, spell

CANONICAL = [
    b"null",
    b"true",
    b"0",
    b"-1",
    b"9007199254740991",
    b"-9007199254740991",
    b'""',
    b"[]",
    b"{}",
    b'{"":0,"1":1,"10":2,"2":3,"A":4,"_":5,"__proto__":6,"a":7,"constructor":8}',
    '"\\b\\t\\n\\f\\r\\u0000\\u001f\\"\\\\/\x7f\x80\u2028\u2029\ufeff\U0001f600"'.encode(),
    b'"1.5 and 1e5 are not decimals in a text, nor is \\"1.5\\""',
    b"[" * 31 + b"0" + b"]" * 31,
    b"[" * 32 + b"]" * 32,
]
REFUSED = [
    b"",
    b" null",
    b"null\n",
    b"nul",
    b"undefined",
    b"NaN",
    b"-Infinity",
    b"1.0",
    b"1e2",
    b"1E2",
    b"-0",
    b"+1",
    b"01",
    b"0x1",
    b"9007199254740992",
    b"-9007199254740992",
    b"9" * 400,
    b"9" * 5000,
    b"1e999",
    b"[1,]",
    b"[1, 2]",
    b'{"a": 1}',
    b'{"b":1,"a":2}',
    b'{"10":1,"1":2}',
    b'{"a":1,"a":1}',
    b'{"__proto__":1,"__proto__":1}',
    b"{'a':1}",
    '{"é":1}'.encode(),
    b'"\\u00e9"',
    b'"\\/"',
    b'"\\u001F"',
    b'"\\u000a"',
    b'"\\u007f"',
    b'"\\ud83d\\ude00"',
    b'"\\ud83d"',
    b'"\\ude00\\ud83d"',
    b'"a\nb"',
    b'"open',
    b'"\xff"',
    b'"\xc0\x80"',
    b'"\xed\xa0\x80"',
    b'"\xf4\x90\x80\x80"',
    b"\xef\xbb\xbfnull",
    "[1,2]".encode("utf-16"),
    b"[" * 32 + b"0" + b"]" * 32,
    b"[" * 33 + b"]" * 33,
    b'{"a":' * 32 + b"0" + b"}" * 32,
    b"[" * 2000,
]
# In any layout: whether a text is JSON whose numbers are whole and written in one way.
READABLE = [b"[1, -1 ]", b'{"b": 10, "a": -10}', b'["-0", "a-0"]', b'{"-0": 0}', b"[0]\n"]
UNREADABLE = [b" -0", b"[-0]", b"[1, -0 ]", b'{"a": -0}', b'{"a": [[0, -0]]}', b"[-0.0]", b"[-01]"]


def json_texts() -> list[Case]:
    """Every text with whether it is canonical, as it is said here."""
    for texts, expected in ((CANONICAL, None), (REFUSED, "NotCanonical")):
        for text in texts:
            found = error_of(lambda text=text: canonical.decode(text))  # type: ignore[misc]
            assert found == expected, (text[:60], found)
    for texts, expected in ((READABLE, None), (UNREADABLE, "NotCanonical")):
        for text in texts:
            found = error_of(lambda text=text: canonical.parse(text))  # type: ignore[misc]
            assert found == expected, (text, found)
    return [
        *({**spell(text), "is_canonical": True} for text in CANONICAL),
        *({**spell(text), "is_canonical": False} for text in REFUSED),
        *({**spell(text), "is_canonical": False, "is_readable": True} for text in READABLE),
        *({**spell(text), "is_canonical": False, "is_readable": False} for text in UNREADABLE),
    ]
