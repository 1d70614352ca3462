"""Reads a definition from a YAML or JSON file, with line numbers for errors."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from pathlib import Path, PurePath
from typing import Final

import yaml

from deniable_sdk import (
    DefinitionProblem,
    DeniableError,
    InvalidDefinition,
    PublishedSurvey,
    compile_survey,
)
from deniable_sdk.foreign import NotJson, RepeatedKey, read_json
from deniable_sdk.survey.definition import Definition
from deniable_web.definition.completeness import untranslated, unwritten
from deniable_web.definition.epsilon_caps import cap_problems
from deniable_web.definition.form_size import size_problems
from deniable_web.definition.image_files import UnreadableImage, with_images
from deniable_web.definition.yaml_text import DefinitionLoader, is_reasonable

_UNREASONABLE: Final = "not a definition: nested too deeply or too large"


class UnreadableDefinition(DeniableError):
    """A definition's file is missing, not text, or not YAML or JSON."""


@dataclass(frozen=True, slots=True)
class DefinitionFile:
    """A definition in a file: its values and its text."""

    path: PurePath
    document: object
    text: str

    def compile(self, yearly_cap: Fraction | None = None) -> PublishedSurvey:
        """The published survey of this file.

        Args:
            yearly_cap: the most epsilon that a device spends in 365 days; None if no device
                will answer, as in a simulation.
        Raises:
            UnreadableDefinition: the message has every problem, with its line and its place.
        """
        try:
            survey = compile_survey(self.document)
        except InvalidDefinition as error:
            raise self.refusal(error.problems) from None
        if yearly_cap is not None:
            definition = Definition.from_document(self.document)
            beyond = [*cap_problems(survey, yearly_cap), *size_problems(definition)]
            problems = [*beyond, *untranslated(definition), *unwritten(definition)]
            if problems:
                raise self.refusal(problems)
        return survey

    def refusal(self, problems: Iterable[DefinitionProblem]) -> UnreadableDefinition:
        """The error with all problems, each with its line and its place."""
        node = compose(self.text)
        return UnreadableDefinition(
            "\n".join(
                f"{_place(self.path, _line(node, problem.path))}: {problem}"
                for problem in problems
            )
        )


def read_definition(path: Path) -> DefinitionFile:
    """The definition in a file: JSON if its name ends in .json, otherwise YAML.

    Raises:
        UnreadableDefinition: the message says what is wrong with the file, and where.
    """
    try:
        text = path.read_text(encoding="utf-8")
    except UnicodeDecodeError:
        raise UnreadableDefinition(
            f"{path}: not a text in UTF-8; save it in that encoding"
        ) from None
    except FileNotFoundError as error:
        raise UnreadableDefinition(
            f"{path}: {error.strerror}; name a file that exists, or write one: "
            f"deniable init {path}"
        ) from None
    except OSError as error:
        raise UnreadableDefinition(f"{path}: {error.strerror or 'cannot be read'}") from None
    found = parse_definition(path, text)
    try:
        return replace(found, document=with_images(found.document, path.parent))
    except UnreadableImage as error:
        raise found.refusal([error.problem]) from None


def parse_definition(path: PurePath, text: str) -> DefinitionFile:
    """The definition in a text: JSON if its file's name ends in .json, otherwise YAML.

    Raises:
        UnreadableDefinition: the message says what is wrong with it, and where.
    """
    return _read_json(path, text) if path.suffix == ".json" else _read_yaml(path, text)


def _read_json(path: PurePath, text: str) -> DefinitionFile:
    try:
        document = read_json(text.encode())
    except RepeatedKey as error:
        _refuse_repeated_keys(path, compose(text))
        # Not all JSON is YAML.
        raise UnreadableDefinition(f"{path}: {error}; only one could be used") from None
    except NotJson as error:
        raise UnreadableDefinition(f"{_place(path, error.line)}: {error}") from None
    return DefinitionFile(path, document, text)


def compose(text: str) -> yaml.Node | None:
    """The places of a definition's values; None for JSON that is not YAML."""
    try:
        return yaml.compose(text, Loader=DefinitionLoader) if is_reasonable(text) else None
    except yaml.YAMLError:
        return None


def _read_yaml(path: PurePath, text: str) -> DefinitionFile:
    try:
        if not is_reasonable(text):
            raise UnreadableDefinition(f"{path}: {_UNREASONABLE}")
        loader = DefinitionLoader(text)
        node = loader.get_single_node()
        _refuse_repeated_keys(path, node)
        document = None if node is None else loader.construct_document(node)
    except yaml.MarkedYAMLError as error:
        mark = error.problem_mark or error.context_mark
        # If a text breaks off, the mark may be after its last line.
        line = min(mark.line + 1, len(text.splitlines())) if mark else None
        reason = error.problem or error.context or "cannot be read"
        raise UnreadableDefinition(f"{_place(path, line)}: not YAML: {reason}") from None
    except yaml.YAMLError as error:
        raise UnreadableDefinition(f"{path}: not YAML: {str(error).splitlines()[0]}") from None
    except (RecursionError, ValueError, ArithmeticError, LookupError, AttributeError, TypeError):
        # The errors of PyYAML's constructors for tags whose values do not fit.
        raise UnreadableDefinition(f"{path}: not YAML: a value does not fit its tag") from None
    return DefinitionFile(path, document, text)


def _refuse_repeated_keys(path: PurePath, node: yaml.Node | None) -> None:
    for mapping in _mappings(node, set()):
        seen: set[str] = set()
        for key, _ in mapping.value:
            if not isinstance(key, yaml.ScalarNode):
                continue
            if key.value in seen:
                raise UnreadableDefinition(
                    f"{path}:{key.start_mark.line + 1}: the key {key.value!r} is repeated; "
                    "only one could be used, so keep one"
                )
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
    """The line number, from 1, of the deepest part of the path that exists in the file."""
    if node is None:
        return None
    named = node
    for step in path:
        inner = child(node, step)
        if inner is None:
            break
        named, node = inner
    line: int = named.start_mark.line + 1
    return line


def child(node: yaml.Node | None, step: str | int) -> tuple[yaml.Node, yaml.Node] | None:
    """The key and the value at one step of a path; of a list, the value twice."""
    if isinstance(node, yaml.MappingNode):
        for key, value in node.value:
            if isinstance(key, yaml.ScalarNode) and key.value == str(step):
                return key, value
    elif isinstance(node, yaml.SequenceNode) and isinstance(step, int) and step < len(node.value):
        return node.value[step], node.value[step]
    return None


def _place(path: PurePath, line: int | None) -> str:
    return f"{path}:{line}" if line else str(path)
