"""The JSON documents of a body, one after the other, while it arrives.

Only one document of an array is in memory at a time. So a body needs no more memory than
its longest report, however many reports it has.
"""

import re
from collections.abc import Iterator
from typing import Protocol

from deniable_collector.errors import Refused
from deniable_collector.problems import problem
from deniable_sdk.canonical import NotCanonical

# The longest possible report: 200 blocks of some 4 KiB.
LONGEST_REPORT = 1 << 20
_BYTES_AT_A_TIME = 1 << 16
# A report has a list for each block, and each of these contains at most 10 others.
_MOST_BRACKETS = 10_000

_BLANKS = re.compile(rb"[ \t\n\r]*+")
_TEXT = rb'"(?:[^"\\]++|\\.)*+"'
# Possessive quantifiers: without them, backtracking could take minutes when nothing matches.
_SCALAR = re.compile(rb'%s|[^"\[\]{}:,\s]++' % _TEXT, re.DOTALL)
_BRACKET = re.compile(rb'(?:[^"\[\]{}]++|%s)*+([\[\]{}])' % _TEXT, re.DOTALL)
# An object that contains at most two other objects, as a report does: its values and its
# token. It is matched at once, not bracket by bracket.
_PLAIN = rb'(?:[^"{}]++|"[^"\\{}]*+")*+'
_REPORT = re.compile(rb"\{%s(?:\{%s\}%s){0,2}+\}" % (_PLAIN, _PLAIN, _PLAIN))


class Stream(Protocol):
    """Bytes as they arrive."""

    def read(self, size: int, /) -> bytes:
        """At most this number of bytes; empty at the end."""
        ...


class Documents:
    """The documents of a body."""

    def __init__(self, stream: Stream) -> None:
        self._stream = stream
        self._data = b""
        self._place = 0

    def is_array(self) -> bool:
        """Whether the body begins as an array does."""
        return self._next_character() == b"["

    def whole(self) -> bytes:
        """The whole body; call it only if the body is not an array.

        Raises:
            Refused: it is longer than any report.
        """
        while self._read_on():
            pass
        return self._data

    def members(self) -> Iterator[bytes]:
        """The members of a body that is an array, each as the bytes that were sent.

        Raises:
            NotCanonical: the body is not an array, whatever its members are.
            Refused: a member is longer than any report.
        """
        self._place += 1
        is_first = True
        while (character := self._next_character()) != b"]":
            if not is_first:
                self._take(character, b",")
            yield self._member()
            is_first = False
        self._place += 1
        self._take(self._next_character(), b"")

    def _take(self, character: bytes, wanted: bytes) -> None:
        if character != wanted:
            raise NotCanonical("not JSON: the array is cut off, or continues after its end")
        self._place += len(wanted)

    def _member(self) -> bytes:
        self._next_character()
        end = _end(self._data, self._place)
        # A number at the end of the data so far may have more digits.
        while (end is None or end == len(self._data)) and self._read_on():
            end = _end(self._data, self._place)
        if end is None:
            raise NotCanonical("not JSON: a value of the array is missing or cut off")
        member = self._data[self._place : end]
        self._place = end
        return member

    def _next_character(self) -> bytes:
        """The next byte that is not blank; empty at the end."""
        while True:
            found = _BLANKS.match(self._data, self._place)
            self._place = found.end() if found else self._place
            if self._place < len(self._data) or not self._read_on():
                return self._data[self._place : self._place + 1]

    def _read_on(self) -> bool:
        """Read more data, discard what was processed, and return whether there was more."""
        here = self._data[self._place :]
        if len(here) > LONGEST_REPORT:
            raise Refused(_TOO_LONG)
        parts = [here]
        # Each read doubles the data, so that a long value is scanned only a few times.
        wanted = left = max(_BYTES_AT_A_TIME, len(here))
        while left and (part := self._stream.read(left)):
            parts.append(part)
            left -= len(part)
        self._data = b"".join(parts)
        self._place = 0
        return left < wanted


def _end(data: bytes, index: int) -> int | None:
    """The end of the value that begins at an index; None if it does not end in this data."""
    report = _REPORT.match(data, index)
    if report:
        return report.end()
    if data[index : index + 1] not in (b"[", b"{"):
        scalar = _SCALAR.match(data, index)
        return scalar.end() if scalar else None
    depth = 0
    for _ in range(_MOST_BRACKETS):
        bracket = _BRACKET.match(data, index)
        if bracket is None:
            return None
        index = bracket.end()
        depth += 1 if bracket[1] in b"[{" else -1
        if not depth:
            return index
    raise NotCanonical("a value of the array has thousands of lists or objects")


_TOO_LONG = problem(
    "body-too-large",
    f"Got a report of more than {LONGEST_REPORT} bytes and stored nothing; no survey's reports "
    "are that long; send reports as the SDK makes them for this survey.",
)
