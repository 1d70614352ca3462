"""Canonical JSON: one document, one sequence of bytes, one digest.

Keys sorted, UTF-8, no spaces, no floats, integers within 2^53 so that
JavaScript reads them exactly. Python and JavaScript write the same bytes.
"""

import json
from typing import Any

from deniable_sdk.foreign import MAX_DEPTH, NotJson, read_json

_KINDS = {
    dict: "an object",
    list: "a list",
    str: "a text",
    bool: "true or false",
    int: "a whole number",
    float: "a number with decimals",
    type(None): "null",
}

JSON = None | bool | int | str | list["JSON"] | dict[str, "JSON"]

MAX_INTEGER = 2**53 - 1

_ENCODER = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"))


class NotCanonical(ValueError):
    """A value or byte sequence has no canonical JSON form."""


def kind(value: object) -> str:
    """The kind of a JSON value, in words, without the value itself."""
    return _KINDS.get(type(value), f"a {type(value).__name__}")


def encode(value: JSON) -> bytes:
    """The canonical bytes of a JSON value.

    Raises:
        NotCanonical: a float, a huge integer, a key that is not ASCII text, a
            lone surrogate or something that is not JSON is inside.
    """
    _check(value, MAX_DEPTH)
    try:
        return _ENCODER.encode(value).encode("utf-8")
    except UnicodeEncodeError:
        # Refused outside the handler: its error holds the whole text.
        problem = "got a text with half a surrogate pair"
    raise NotCanonical(problem)


def decode(data: bytes) -> JSON:
    """The value whose canonical form is exactly these bytes.

    Raises:
        NotCanonical: the bytes are not JSON, or not in canonical form.
    """
    value = parse(data)
    if encode(value) != data:
        raise NotCanonical("the JSON is not in canonical form (keys sorted and unique, no spaces)")
    return value


def parse(data: bytes) -> JSON:
    """The value of JSON bytes in any layout; floats, -0 and repeated keys refused.

    Raises:
        NotCanonical: as foreign.read_json refuses them.
    """
    value: JSON
    try:
        value = read_json(data, is_whole=True)
    except NotJson as error:
        problem = str(error)
    else:
        return value
    # Outside the handler, as above.
    raise NotCanonical(problem)


def digest(data: bytes) -> str:
    """SHA-256 of the bytes, as 64 lower-case hex digits."""
    # Imported with the first survey: it loads OpenSSL, a seventh of the start.
    import hashlib  # noqa: PLC0415 - see above

    return hashlib.sha256(data).hexdigest()


def _check(value: object, depth: int) -> None:
    if depth == 0:
        raise NotCanonical(f"nested deeper than {MAX_DEPTH} levels")
    if type(value) is str:
        return
    if isinstance(value, dict):
        _check_keys(value)
        for member in value.values():
            _check(member, depth - 1)
    elif isinstance(value, list):
        if depth > 1 and _are_integers(value):
            return
        for member in value:
            _check(member, depth - 1)
    else:
        _check_scalar(value)


def _are_integers(members: list[Any]) -> bool:
    """Whether these are legal integers only, as the long lists of reports are."""
    return {*map(type, members)} == {int} and max(map(abs, members)) <= MAX_INTEGER


def _check_keys(value: dict[object, object]) -> None:
    for key in value:
        if not (isinstance(key, str) and key.isascii()):
            raise NotCanonical("got a key that is not plain ASCII text")


def _check_scalar(value: object) -> None:
    if isinstance(value, int) and abs(value) > MAX_INTEGER:
        raise NotCanonical(f"got an integer beyond ±{MAX_INTEGER}")
    if not (value is None or isinstance(value, str | int)):
        raise NotCanonical(f"got {kind(value)}; only JSON without decimals is allowed")
