"""The documents of a body are found one by one, with only one in memory."""

import io
import json
import random

import pytest

from deniable_collector.errors import Refused
from deniable_collector.intake.documents import LONGEST_REPORT, Documents
from deniable_sdk.canonical import NotCanonical, parse

MEMBERS = [
    *(b"{}", b"[]", b"0", b"-12", b"null", b'"a"', b'"\\"]},{["', '"ü"'.encode()),
    *(b'{"a":{"b":"}"}}', b'{"a":"{"}', b'{"a":{"b":1},"c":{"d":2}}', b'[[[]],{"x":"\\\\"}]'),
    b'{"a":[1,{"b":[]}],"c":{}}',
]


class Dripping(io.BytesIO):
    """A body that comes in parts of a byte or two."""

    def read(self, size: int | None = -1, /) -> bytes:
        """One or two bytes."""
        return super().read(2 if size is None else min(size, 2))


def members(body: bytes, kind: type[io.BytesIO] = io.BytesIO) -> list[bytes]:
    """The members of an array."""
    documents = Documents(kind(body))
    assert documents.is_array()
    return list(documents.members())


@pytest.mark.parametrize("kind", [io.BytesIO, Dripping])
def test_the_members_of_an_array_are_found(
    random_source: random.Random, kind: type[io.BytesIO]
) -> None:
    """Whatever brackets and quotes they have in them, and however the body comes."""
    for _ in range(200):
        chosen = random_source.choices(MEMBERS, k=random_source.randrange(6))
        blank = random_source.choice([b"", b" ", b"\r\n\t"])
        body = blank + b"[" + blank + (blank + b"," + blank).join(chosen) + blank + b"]" + blank
        assert members(body, kind) == chosen


def test_what_is_no_array_is_refused_and_what_is_one_is_not(random_source: random.Random) -> None:
    """Of mutated arrays those are read that JSON has, with the same members."""
    signs = b'[]{}",:\\ 0a'
    found = 0
    for _ in range(20_000):
        body = bytearray(b"[" + b",".join(random_source.choices(MEMBERS, k=3)) + b"]")
        body[random_source.randrange(1, len(body))] = random_source.choice(signs)
        try:
            values: object = parse(bytes(body))
        except NotCanonical:
            values = None
        try:
            read = [parse(member) for member in members(bytes(body))]
        except NotCanonical:
            assert values is None, body
        else:
            assert read == values, body
            found += 1
    assert found > 1_000


def test_nothing_is_read_beyond_what_is_wanted() -> None:
    """Of a body without end the first members are there at once."""
    stream = io.BytesIO(b"[" + b"{}," * 1_000_000)
    documents = Documents(stream)
    assert documents.is_array()
    found = documents.members()
    assert [next(found) for _ in range(10_001)] == [b"{}"] * 10_001
    assert stream.tell() < 200_000


@pytest.mark.parametrize("before", [b"", b"[", b'["', b'[{"a":'])
def test_a_report_longer_than_any_is_refused(before: bytes) -> None:
    """It is read no further than it has to be."""
    body = before + b"1" * 4 * LONGEST_REPORT
    stream = io.BytesIO(body)
    documents = Documents(stream)
    with pytest.raises(Refused) as refused:
        list(documents.members()) if documents.is_array() else documents.whole()
    assert "no survey's reports are that long" in refused.value.problem.detail
    assert stream.tell() < 3 * LONGEST_REPORT


def test_thousands_of_lists_in_one_value_are_refused() -> None:
    """No report has as many, and nobody looks at a million brackets."""
    with pytest.raises(NotCanonical, match="thousands of lists or objects"):
        members(json.dumps([[[]] * 20_000]).encode())
