"""The public log of a collector: the digests of all surveys that it has published.

Each digest is hashed together with all before it, so that no entry can be
changed, removed or inserted without changing the head, which is signed. People
who compare heads know whether they are shown the same surveys.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterable
from contextlib import suppress

from deniable_sdk import canonical
from deniable_sdk.errors import DeniableError
from deniable_sdk.records import Record
from deniable_sdk.tokens import KEY_SIZED, InvalidToken, TokenKey, from_base64url, verify

FORMAT = "deniable-log/1"
PATH = "/log"

_HEAD_LABEL = b"deniable-log-head/1"
_KEYS = {"log", "size", "head", "entries", "signature"}
DIGEST = re.compile(r"[0-9a-f]{64}", re.ASCII)


class InvalidLog(DeniableError, ValueError):
    """A log is damaged, forged or changed, or its key cannot be used."""


class NotInLog(DeniableError, ValueError):
    """A survey is not in the log of its collector; do not answer it."""


class Head(Record):
    """The end of a log, which stands for all of it.

    Args:
        size: how many entries the log has.
        digest: the last link of the chain, 64 hex digits.
    """

    size: int
    digest: str

    def to_bytes(self) -> bytes:
        """What is signed."""
        return _HEAD_LABEL + canonical.encode({"head": self.digest, "size": self.size})


class PublicLog(Record):
    """A log whose chain was recomputed.

    Args:
        entries: the digests of surveys, in the order of publishing.
        head: the end of it.
        signature: of the head, in base64url; None if nobody signed it.
    """

    entries: tuple[str, ...]
    head: Head
    signature: str | None


def head_of(entries: Iterable[str]) -> Head:
    """The head of a log with these entries."""
    return _heads(entries)[-1]


def read_log_key(text: str) -> TokenKey:
    """The public key of a log.

    Raises:
        InvalidLog: it is no such modulus.
    """
    if KEY_SIZED.fullmatch(text):
        with suppress(InvalidToken):
            return TokenKey.from_bytes(from_base64url(text))
    raise InvalidLog(
        "got a text that is not the key of a log; allowed are the 342 characters that `deniable "
        "log key` printed"
    )


def check_log(
    document: bytes,
    *,
    survey: str | None = None,
    key: str | None = None,
    seen: Head | None = None,
) -> PublicLog:
    """The log in a collector's response, once all that is asked for was checked.

    The chain is always recomputed.

    Args:
        document: what the collector answered to GET /log.
        survey: the digest of a survey that must be in it.
        key: whose signature the head must have: a modulus in base64url.
        seen: the head of the log at an earlier time, which it must continue.
    Raises:
        InvalidLog: the log is damaged, its signature does not fit, or it does not
            continue the one that was seen.
        NotInLog: the survey is not in it.
    """
    log, heads = _read(document)
    if key is not None:
        public = read_log_key(key)
        if log.signature is None:
            raise InvalidLog("the head of the log is not signed, and a signature is required")
        if not verify(public, log.head.to_bytes(), from_base64url(log.signature)):
            raise InvalidLog("the head of the log was not signed with the key that is required")
    if seen is not None and seen not in heads:
        raise InvalidLog(
            f"the log does not continue the one that was seen before, with {seen.size} entries "
            f"and the head {seen.digest}: entries were removed or changed"
        )
    if survey is not None and survey not in log.entries:
        raise NotInLog(
            f"the survey with the digest {survey} is not in the public log of its collector, so "
            "nobody can notice it there; do not answer it"
        )
    return log


def _heads(entries: Iterable[str]) -> list[Head]:
    """The head before the first entry, and after each."""
    links = [hashlib.sha256(FORMAT.encode()).digest()]
    for entry in entries:
        links.append(hashlib.sha256(links[-1] + bytes.fromhex(entry)).digest())
    return [Head(size, link.hex()) for size, link in enumerate(links)]


def _read(document: bytes) -> tuple[PublicLog, list[Head]]:
    """The log, and its head before the first entry and after each."""
    try:
        value = canonical.parse(document)
    except canonical.NotCanonical as error:
        raise InvalidLog(f"not a log: {error}") from None
    if not isinstance(value, dict) or value.keys() != _KEYS or value["log"] != FORMAT:
        raise InvalidLog(f"a log is an object of the form {FORMAT}, and this is not one")
    listed = value["entries"] if isinstance(value["entries"], list) else [None]
    entries = tuple(each for each in listed if isinstance(each, str) and DIGEST.fullmatch(each))
    if len(entries) != len(listed):
        raise InvalidLog("an entry of the log is not a digest of 64 lower-case hex digits")
    signature = value["signature"]
    if not (signature is None or (isinstance(signature, str) and KEY_SIZED.fullmatch(signature))):
        raise InvalidLog("the signature of the log is not one; allowed are 256 bytes in base64url")
    heads = _heads(entries)
    head = heads[-1]
    if (type(value["size"]), value["size"], value["head"]) != (int, head.size, head.digest):
        raise InvalidLog(
            f"the head of the log is not that of its {head.size} entries: the log was changed"
        )
    return PublicLog(entries, head, signature), heads
