"""JSON of others: a value that all readers understand alike, or a refusal without its text."""

import ast
import json
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from deniable_sdk.foreign import MAX_DEPTH, NotJson, RepeatedKey, read_json, read_object

PARTS = ("client_sdk/python", "collector", "analysis", "web", "face")
ROOT = Path(__file__).parents[3]
READER = ROOT / "client_sdk/python/deniable_sdk/foreign.py"
FLAWED = {
    "the bytes are not UTF-8": [b'"\xff"', b'"\xed\xa0\x80"', '{"a":1}'.encode("utf-16")],
    "not JSON: broken at character": [
        b"",
        b"{",
        b"nul",
        b"[1,]",
        b"\xef\xbb\xbf{}",
        b"01",
        b"{}x",
    ],
    f"nested deeper than {MAX_DEPTH} levels": [
        b"[" * 100_000,
        b"[" * 100_000 + b"]" * 100_000,
        b'{"a":' * 500 + b"1" + b"}" * 500,
        b"[" * 32 + b"1" + b"]" * 32,
        b"[[],[" + b"[" * 31 + b"]" * 31 + b"]]",
    ],
    "a number is too large": [b"9" * 5_000, b"9223372036854775808", b"[-9223372036854775808]"],
    "got a number that is not finite": [b"NaN", b"[Infinity]", b'{"a":-Infinity}', b"1e999"],
    "an object has the same key twice": [b'{"a":1,"a":1}', b'[{"a":{"b":1,"\\u0062":2}}]'],
    "got a text with half a surrogate pair": [b'"\\ud800"', b'{"\\uDFFF":1}', b'"\\ude00\\ud83d"'],
}
READ: list[tuple[bytes, object]] = [
    (b"[" * 31 + b"1" + b"]" * 31, None),
    (b"[" * 32 + b"]" * 32, None),
    (b"[" + b"[]," * 100 + b"{}]", [*[[]] * 100, {}]),
    (b"9223372036854775807", 2**63 - 1),
    (b' {"a" : [-0, 0.5, 1e3, "\\ud83d\\ude00", null]}\n', {"a": [0, 0.5, 1e3, "😀", None]}),
    (b'"\\\\ud800"', "\\ud800"),
]


@pytest.mark.parametrize(
    ("problem", "data"),
    [(problem, data) for problem, texts in FLAWED.items() for data in texts],
)
def test_what_readers_understand_differently_is_refused(problem: str, data: bytes) -> None:
    """Each flaw has one refusal, which does not carry the text along."""
    with pytest.raises(NotJson, match=f"^{problem}") as caught:
        read_json(data)
    assert caught.value.__context__ is None
    assert isinstance(caught.value, RepeatedKey) == ("twice" in problem)


@pytest.mark.parametrize(("data", "value"), READ)
def test_everything_else_is_read(data: bytes, value: object) -> None:
    """Values in any layout, up to each limit."""
    assert read_json(data) == (json.loads(data) if value is None else value)


@given(
    st.recursive(
        st.none()
        | st.booleans()
        | st.integers(1 - 2**63, 2**63 - 1)
        | st.floats(allow_nan=False, allow_infinity=False)
        | st.text(st.characters(exclude_categories=["Cs"])),
        lambda inner: (
            st.lists(inner)
            | st.dictionaries(st.text(st.characters(exclude_categories=["Cs"])), inner)
        ),
        max_leaves=30,
    )
)
def test_values_round_trip(value: object) -> None:
    """Whatever can be written without a flaw is read as it was."""
    assert read_json(json.dumps(value).encode()) == value


@pytest.mark.parametrize("data", [b"[]", b"null", b"1", b'"{}"'])
def test_another_value_is_no_object(data: bytes) -> None:
    """Those who need an object get one, or the refusal."""
    with pytest.raises(NotJson, match=r"^got JSON that is no object$"):
        read_object(data)


def test_the_line_of_a_break_is_told() -> None:
    """Authors look for a broken line; bytes that are not broken have none."""
    with pytest.raises(NotJson) as caught:
        read_json(b'{"a": 1,\n"b": ]}')
    assert caught.value.line == 2
    with pytest.raises(NotJson) as caught:
        read_json(b'{"a": 1,\n"b": NaN}')
    assert caught.value.line == 0


def _reads_json(node: ast.AST) -> bool:
    """Whether this is what the standard library, Flask or requests read JSON with."""
    match node:
        case ast.ImportFrom(module="json"):
            return True
        case ast.Attribute(value=ast.Name(id="json"), attr=name):
            return name in ("load", "loads", "JSONDecoder", "decoder")
        case ast.Attribute(attr="get_json" | "raw_decode" | "parse_json"):
            return True
        case ast.Call(func=ast.Attribute(attr="json"), args=[], keywords=[]):
            return True
    return False


def test_nothing_else_reads_json() -> None:
    """No other module of the product parses JSON, whoever wrote it."""
    found = [
        f"{path.relative_to(ROOT)}:{node.lineno}"  # type: ignore[attr-defined]  # all have one
        for part in PARTS
        for path in (ROOT / part).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text()))
        if _reads_json(node)
    ]
    assert found
    assert {place.rpartition(":")[0] for place in found} == {READER.relative_to(ROOT).as_posix()}
