"""Everything that can be seen on what left a device, without knowing what to look for."""

import contextlib
import json
import re
from collections.abc import Hashable
from functools import lru_cache
from typing import Any

# All that left at one time: a report's bytes, sent once or again, from one process or more.
Sample = tuple[bytes, ...]
Features = dict[str, Hashable]

_HEX = re.compile(rb"[0-9a-f]{32,}")
_DIGITS = re.compile(rb"[0-9]+")
_MOST_RANKED = 8
_MOST_SIGNS = 32
_SIGN = " sign "  # of a text, by its place
_text = json.JSONEncoder(separators=(",", ":")).encode


def features(sample: Sample) -> Features:
    """Named things that can be told of a sample; a name that is missing tells as well.

    Of each member of the sample: its length and form, and of every value in
    its JSON the type, size, order, members, ends, digits and lowest bit. Of
    several members the values together, and whether they share them.
    """
    seen = [_of_bytes(data) for data in sample]
    if len(seen) == 1:
        return seen[0]
    found: Features = {"members": len(sample)}
    for name in {name for member in seen for name in member}:
        values = tuple([member.get(name) for member in seen])
        if _SIGN in name:
            found |= {f"{index}: {name}": value for index, value in enumerate(values)}
        else:
            found[f"together {name}"] = values
            found[f"shared {name}"] = len(set(values)) == 1
    return found


@lru_cache(maxsize=1 << 4)
def _of_bytes(data: bytes) -> Features:
    found: Features = {
        "bytes": data,
        "length": len(data),
        "form": _DIGITS.sub(b"0", _HEX.sub(b"#", data)),
        "end": data[-1:],
    }
    with contextlib.suppress(ValueError):
        found |= _of_value("", json.loads(data))
    return found


def _of_value(path: str, value: Any) -> Features:
    """What can be told of a JSON value and of all that is in it."""
    found: Features = {path: _text(value)}
    if isinstance(value, dict):
        found[f"{path} keys"] = tuple(value)
        for key, member in value.items():
            found |= _of_text(f"{path}.{key}", _text(member))
    elif isinstance(value, list):
        found |= _of_list(path, value)
    elif isinstance(value, int):
        found[f"{path} lowest bit"] = value & 1
    elif isinstance(value, str):
        found[f"{path} length"] = len(value)
        if len(value) <= _MOST_SIGNS:
            found |= {f"{path}{_SIGN}{index}": sign for index, sign in enumerate(value)}
    return found


@lru_cache(maxsize=1 << 12)
def _of_text(path: str, text: str) -> Features:
    """What can be told of a JSON text; most values of a report come again and again."""
    return _of_value(path, json.loads(text))


def _of_list(path: str, members: list[Any]) -> Features:
    texts = [_text(member) for member in members]
    found: Features = {f"{path} length": len(members)}
    found |= {f"{path} holds {text}": True for text in texts}
    for index, member in enumerate(members):
        found |= _of_value(f"{path}[{index}]", member)
    if len(members) > 1:
        found |= _of_value(f"{path}[-1]", members[-1])
    if len(members) <= _MOST_RANKED:
        is_plain = all(isinstance(member, int) for member in members)
        ranked: list[Any] = members if is_plain else texts
        order = sorted(range(len(ranked)), key=lambda index: ranked[index])
        found[f"{path} order"] = tuple(order)
    return found
