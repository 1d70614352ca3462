"""Reading a document key by key, collecting every problem with its place."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterator, Mapping
from typing import Any, TypeVar, cast

from deniable_sdk.errors import Code, DefinitionProblem, Fact, quote

MAX_ID_LENGTH = 40
ID_PATTERN = re.compile(rf"[a-z][a-z0-9_]{{0,{MAX_ID_LENGTH - 1}}}", re.ASCII)
ID_RULE = "a lower-case letter, then up to 39 letters, digits or underscores"
MAX_BLOCK_ID_LENGTH = 63
BLOCK_ID_PATTERN = re.compile(rf"[a-z][a-z0-9_]{{0,{MAX_BLOCK_ID_LENGTH - 1}}}", re.ASCII)
BLOCK_ID_RULE = "a lower-case letter, then up to 62 letters, digits or underscores"
SLUG_PATTERN = re.compile(r"[a-z0-9]([a-z0-9-]{0,62}[a-z0-9])?", re.ASCII)
SLUG_RULE = "1 to 64 lower-case letters, digits and inner hyphens"

# So that what a refusal says, and how long it takes, does not grow with a document.
_NAMED_KEYS = 50
_LONGEST_NEAR_KEY = 100

T = TypeVar("T")
Path = tuple[str | int, ...]

# Nearly always a dict, which is told much faster than any other mapping.
MAPPINGS = (dict, Mapping)


class Problems:
    """The problems found so far in one document: a published survey, or what somebody wrote."""

    def __init__(self, *, is_published: bool = False) -> None:
        self.is_published = is_published
        self.found: list[DefinitionProblem] = []

    def add(self, path: Path, message: str, code: Code = Code.NOT_ALLOWED, **facts: Fact) -> None:
        """Note one more problem at a place."""
        self.found.append(DefinitionProblem(path, message, code, facts))


class Section:
    """One object of a document: its keys, its place and where problems go."""

    def __init__(self, value: object, path: Path, problems: Problems) -> None:
        self.path = path
        self.problems = problems
        self.is_published = problems.is_published
        self.is_object = isinstance(value, MAPPINGS)
        self.values: Mapping[object, object] = value if isinstance(value, MAPPINGS) else {}
        if not self.is_object:
            self.refuse_value(value, "an object with keys and values")

    def __contains__(self, key: str) -> bool:
        return key in self.values

    def at(self, *steps: str | int) -> Path:
        """The path of something inside this section."""
        return (*self.path, *steps)

    def inner(self, value: object, *steps: str | int) -> Section:
        """The section of an object inside this one."""
        return Section(value, self.at(*steps), self.problems)

    def within(self, key: str) -> Section:
        """The section of the object under a key that is there."""
        return self.inner(self.values[key], key)

    def optional(self, key: str, read: Callable[[Section], T]) -> T | None:
        """Read the object under a key; None if the key is absent."""
        return read(self.within(key)) if key in self else None

    def refuse(
        self, message: str, *steps: str | int, code: Code = Code.NOT_ALLOWED, **facts: Fact
    ) -> None:
        """Note a problem with this section or with something inside it."""
        self.problems.add(self.at(*steps), message, code, **facts)

    def refuse_value(self, value: object, rule: str, *steps: str | int) -> None:
        """Note that a value here is not what the rule allows."""
        is_empty = isinstance(value, str) and not value.strip()
        code = Code.EMPTY if is_empty else Code.NOT_ALLOWED
        self.refuse(f"got {quote(value)}; allowed is {rule}", *steps, code=code)

    def refuse_unknown(self, allowed: Collection[str], refused: Collection[str] = ()) -> None:
        """Note every key that is not allowed here, and was not refused already."""
        unknown = [key for key in self.values if key not in allowed and key not in refused]
        for key in unknown[:_NAMED_KEYS]:
            message = f"unknown key{_suggestion(key, allowed)}"
            self.refuse(message, str(key), code=Code.UNKNOWN_KEY)
        if len(unknown) > _NAMED_KEYS:
            message = f"{len(unknown) - _NAMED_KEYS} more unknown keys; take them out"
            self.refuse(message, code=Code.UNKNOWN_KEY)

    def require(self, key: str, allowed: str) -> object:
        """The value under a key; a missing one is a problem, and None."""
        if self.is_object and key not in self.values:
            message = f"the key {key!r} is missing; it takes {allowed}"
            self.refuse(message, code=Code.MISSING, key=key)
        return self.values.get(key)

    def read(self, key: str, rule: str, fits: Callable[[Any], object], fallback: T) -> T:
        """The value under a key if it fits, else a problem, and the fallback."""
        value: Any = self.values.get(key)
        if fits(value):
            found: T = value
            return found
        if key in self.values:
            self.refuse_value(value, rule, key)
        else:
            self.require(key, rule)
        return fallback

    def identifier(self, key: str, pattern: re.Pattern[str], rule: str) -> str:
        """The text under a key if it matches, else "" and a problem."""
        return self.read(
            key, rule, lambda value: isinstance(value, str) and pattern.fullmatch(value), ""
        )

    def flag(self, key: str, *, default: bool = False) -> bool:
        """True or false under a key."""
        if key not in self.values:
            return default
        return self.read(key, "true or false", lambda value: isinstance(value, bool), False)

    def integer(self, key: str, lowest: int, highest: int, default: int | None = None) -> int:
        """A whole number in a range; a bad one is a problem, and `lowest`."""
        rule = f"a whole number from {lowest} to {highest}"
        if key not in self.values and default is not None:
            return default
        return self.read(
            key, rule, lambda value: type(value) is int and lowest <= value <= highest, lowest
        )

    def choice(self, key: str, allowed: Collection[str], default: T) -> str | T:
        """One of some names; the default where it is missing or a problem."""
        value = self.values.get(key)
        if isinstance(value, str) and value in allowed:
            return value
        if key in self.values:
            self.refuse(f"got {quote(value)}; allowed: {', '.join(allowed)}", key)
        return default

    def members(self, key: str, shortest: int, longest: int, what: str) -> Iterator[object]:
        """The members of a list under a key, its length checked."""
        rule = f"a list of {shortest} to {longest} {what}"
        nothing = cast("list[object] | None", None)
        value = self.read(key, rule, lambda value: isinstance(value, list), nothing)
        if value is None:
            return
        if not shortest <= len(value) <= longest:
            got = what.removesuffix("s") if len(value) == 1 else what
            message = f"got {len(value)} {got}; allowed is {rule}"
            self.refuse(message, key, code=Code.WRONG_COUNT, lowest=shortest, highest=longest)
        yield from value[: longest + 1]

    def sections(self, key: str, shortest: int, longest: int, what: str) -> Iterator[Section]:
        """The members of a list under a key, as sections."""
        for index, member in enumerate(self.members(key, shortest, longest, what)):
            yield self.inner(member, key, index)


def _suggestion(key: object, allowed: Collection[str]) -> str:
    # Imported only where a message is written: it would slow every start.
    from difflib import get_close_matches  # noqa: PLC0415 - see above

    close = get_close_matches(str(key)[:_LONGEST_NEAR_KEY], allowed, n=1)
    return f"; did you mean {close[0]!r}?" if close else f"; allowed are {', '.join(allowed)}"
