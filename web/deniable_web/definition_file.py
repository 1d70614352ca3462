"""Reading a definition from a YAML or JSON file, with line numbers for errors."""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path, PurePath

import yaml

from deniable_sdk import (
    DefinitionProblem,
    DeniableError,
    InvalidDefinition,
    PublishedSurvey,
    compile_survey,
)
from deniable_web.caps import cap_problem
from deniable_web.yaml_loader import DefinitionLoader


class UnreadableDefinition(DeniableError):
    """A definition's file is missing, not text, or not YAML or JSON."""


@dataclass(frozen=True, slots=True)
class DefinitionFile:
    """A definition as its file holds it: the values, and where they stand."""

    path: PurePath
    document: object
    node: yaml.Node | None

    def compile(self, yearly_cap: Fraction | None = None) -> PublishedSurvey:
        """The published survey of this file.

        Args:
            yearly_cap: the most that a device gives away in 365 days; None
                where no device is to answer, as in a simulation.
        Raises:
            UnreadableDefinition: with every problem, its line and its place.
        """
        try:
            survey = compile_survey(self.document)
        except InvalidDefinition as error:
            lines = [self.locate(problem) for problem in error.problems]
            raise UnreadableDefinition("\n".join(lines)) from None
        beyond = None if yearly_cap is None else cap_problem(survey, yearly_cap)
        if beyond:
            raise UnreadableDefinition(self.locate(beyond))
        return survey

    def locate(self, problem: DefinitionProblem) -> str:
        """A problem as file:line: place: message."""
        line = _line(self.node, problem.path)
        place = f"{self.path}:{line}" if line else str(self.path)
        return f"{place}: {problem}"


def read_definition(path: Path) -> DefinitionFile:
    """The definition in a file, JSON if its name ends so, else YAML.

    Raises:
        UnreadableDefinition: says what is wrong with the file, and where.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise UnreadableDefinition(
            f"{path}: not a text in UTF-8; save it in that encoding"
        ) from None
    except OSError as error:
        raise UnreadableDefinition(f"{path}: {error.strerror or 'cannot be read'}") from None
    return parse_definition(path, text)


def parse_definition(path: PurePath, text: str) -> DefinitionFile:
    """The definition in a text, JSON if its file's name ends so, else YAML.

    Raises:
        UnreadableDefinition: says what is wrong with it, and where.
    """
    return _read_json(path, text) if path.suffix == ".json" else _read_yaml(path, text)


def _read_json(path: PurePath, text: str) -> DefinitionFile:
    try:
        document = json.loads(text, object_pairs_hook=_refuse_repeats)
    except _RepeatedKey as error:
        raise UnreadableDefinition(f"{path}: {error}") from None
    except json.JSONDecodeError as error:
        raise UnreadableDefinition(f"{path}:{error.lineno}: not JSON: {error.msg}") from None
    except (RecursionError, ValueError):
        raise UnreadableDefinition(
            f"{path}: not a definition: nested or sized beyond reason"
        ) from None
    try:
        node = yaml.compose(text, Loader=DefinitionLoader)
    except (yaml.YAMLError, RecursionError):
        node = None  # legal JSON that is not YAML (tabs): errors go without a line
    return DefinitionFile(path, document, node)


class _RepeatedKey(Exception):
    """A JSON object has the same key twice."""


def _refuse_repeats(pairs: list[tuple[str, object]]) -> dict[str, object]:
    values: dict[str, object] = {}
    for key, value in pairs:
        if key in values:
            raise _RepeatedKey(f"the key {key!r} stands twice; only one could be used")
        values[key] = value
    return values


def _read_yaml(path: PurePath, text: str) -> DefinitionFile:
    try:
        node = yaml.compose(text, Loader=DefinitionLoader)
        _refuse_repeated_keys(path, node)
        document = yaml.load(text, Loader=DefinitionLoader)  # noqa: S506 - a safe loader
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        place = f"{path}:{mark.line + 1}" if mark else str(path)
        reason = error.problem or error.context or "cannot be read"
        raise UnreadableDefinition(f"{place}: not YAML: {reason}") from None
    except yaml.YAMLError as error:
        raise UnreadableDefinition(f"{path}: not YAML: {str(error).splitlines()[0]}") from None
    except (RecursionError, ValueError, LookupError, AttributeError, TypeError):
        # What PyYAML's constructors raise on tags whose values do not fit.
        raise UnreadableDefinition(f"{path}: not YAML: a value does not fit its tag") from None
    return DefinitionFile(path, document, node)


def _refuse_repeated_keys(path: PurePath, node: yaml.Node | None) -> None:
    for mapping in _mappings(node, set()):
        seen: set[str] = set()
        for key, _ in mapping.value:
            if isinstance(key, yaml.ScalarNode) and key.value in seen:
                raise UnreadableDefinition(
                    f"{path}:{key.start_mark.line + 1}: the key {key.value!r} stands twice; "
                    "only one could be used, so keep one"
                )
            if isinstance(key, yaml.ScalarNode):
                seen.add(key.value)


def _mappings(node: yaml.Node | None, visited: set[int]) -> Iterator[yaml.MappingNode]:
    if node is None or id(node) in visited:
        return
    visited.add(id(node))
    if isinstance(node, yaml.MappingNode):
        yield node
        for _, value in node.value:
            yield from _mappings(value, visited)
    elif isinstance(node, yaml.SequenceNode):
        for value in node.value:
            yield from _mappings(value, visited)


def _line(node: yaml.Node | None, path: Sequence[str | int]) -> int | None:
    """The line, from 1, of the deepest part of the path that the file has."""
    if node is None:
        return None
    line = node.start_mark.line + 1
    for step in path:
        inner = _child(node, step)
        if inner is None:
            break
        node, line = inner
    return line


def _child(node: yaml.Node, step: str | int) -> tuple[yaml.Node, int] | None:
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if isinstance(key, yaml.ScalarNode) and key.value == str(step):
                return value, key.start_mark.line + 1
    elif isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
        return node.value[step], node.value[step].start_mark.line + 1
    return None
