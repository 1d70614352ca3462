"""Writes the moduli of groups into a definition's text, and changes nothing else in it."""

import json
import re
from collections.abc import Iterator, Mapping
from pathlib import PurePath
from typing import Final

import yaml

from deniable_sdk import DeniableError
from deniable_sdk.tokens import base64url
from deniable_web.definition.file import UnreadableDefinition, child, compose, parse_definition

# What JSON allows and YAML, whose reader knows the places of values, does not.
_ESCAPE: Final = re.compile(r"\\(?:u[0-9A-Fa-f]{4}|.)|\t")
_INVITED: Final = "invited"
_GROUPS: Final = "groups"
_MODULUS: Final = "modulus"


class ModuliNotWritten(DeniableError):
    """The moduli have no place in a definition as it is written."""


def insert_moduli(path: PurePath, text: str, moduli: Mapping[str, bytes]) -> str:
    """The definition's text with a modulus after the number of invited people of each group.

    Comments, order and layout stay as they are.

    Args:
        path: the definition's path: JSON if it ends in .json, otherwise YAML.
        text: a definition that compiles.
        moduli: (256,) bytes for each of some groups that have none.
    Raises:
        ModuliNotWritten: the text must be written in another way first.
    """
    changed = text
    is_json = path.suffix == ".json"
    readable = _ESCAPE.sub(lambda found: " " * len(found[0]), text) if is_json else text
    # From the end, so that earlier places stay where they are.
    for at, added in sorted(_insertions(readable, moduli), reverse=True):
        changed = changed[:at] + added + changed[at:]
    try:
        written = parse_definition(path, changed).document
    except UnreadableDefinition:
        written = None
    if written != _expected(path, text, moduli):
        raise ModuliNotWritten(
            f"{path}: nothing was changed, because the moduli cannot be written into its groups "
            f"as they are; write each of these groups by itself, without & * or ?, and with "
            f"{_INVITED} on a line of its own: {', '.join(moduli)}"
        )
    return changed


def _insertions(text: str, moduli: Mapping[str, bytes]) -> Iterator[tuple[int, str]]:
    """Places in the text, and what is written there."""
    groups = _value(_value(compose(text), _INVITED), _GROUPS)
    for group_id, modulus in moduli.items():
        group = _value(groups, group_id)
        count = child(group, _INVITED)
        if isinstance(group, yaml.MappingNode) and count:
            yield _insertion(text, group, *count, base64url(modulus))


def _insertion(
    text: str, group: yaml.MappingNode, key: yaml.Node, value: yaml.Node, modulus: str
) -> tuple[int, str]:
    """Where a modulus is written into a group, and how: as the number of people is written."""
    begin, end = key.start_mark.index, value.end_mark.index
    line_begin = text.rfind("\n", 0, begin) + 1
    before = text[line_begin:begin]
    line_end = text.find("\n", end)
    if line_end < 0:
        line_end = len(text)
    newline = "\r\n" if text[:line_end].endswith("\r") else "\n"
    quoted = f'"{modulus}"'
    name = json.dumps(_MODULUS) if text[begin : begin + 1] == '"' else _MODULUS
    if not group.flow_style:
        # Behind the comment on the same line, if there is one.
        at = line_end - (len(newline) - 1)
        return at, f"{newline}{before}{name}: {quoted}"
    gap = f"{newline}{before}" if before.isspace() else " "
    return end, f",{gap}{name}: {quoted}"


def _value(node: yaml.Node | None, name: str) -> yaml.Node | None:
    found = child(node, name)
    return found[1] if found else None


def _expected(path: PurePath, text: str, moduli: Mapping[str, bytes]) -> object:
    """The definition with the moduli."""
    document = parse_definition(path, text).document
    groups = document[_INVITED][_GROUPS] if isinstance(document, dict) else {}
    # Groups that share one map in YAML would otherwise all be changed here, too.
    document[_INVITED][_GROUPS] = {  # type: ignore[index]  # it compiles, so it is a map of maps
        name: {**group, _MODULUS: base64url(moduli[name])} if name in moduli else group
        for name, group in groups.items()
    }
    return document
