"""Frozen records, without the price of importing dataclasses.

`import dataclasses` loads inspect, ast and tokenize, which takes longer than
all of this package. A record says its fields in the same way:

    class Weights(Record):
        high: int
        low: int

Fields named in `hidden` are left out of the repr. A method `__post_init__`
may check the fields, and may fill those that are `derived()` from others, so
that they are worked out once: with `self.derive("name", value)`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Literal, Self, dataclass_transform


def derived(*, init: Literal[False] = False) -> Any:
    """Marks a field that `__post_init__` fills and no caller gives."""
    del init  # there for type checkers, which read its default
    return derived


@dataclass_transform(frozen_default=True, field_specifiers=(derived,))
class RecordType(type):
    """Makes a class with slots for its annotated fields."""

    __match_args__: tuple[str, ...]
    __defaults__: dict[str, Any]
    __hidden__: frozenset[str]
    __setters__: tuple[Callable[[object, object], None], ...]

    def __new__(
        cls, name: str, bases: tuple[type, ...], namespace: dict[str, Any], hidden: str = ""
    ) -> RecordType:
        """The class, its fields taken from its annotations."""
        slots = [
            field
            for field, annotation in namespace.get("__annotations__", {}).items()
            if not str(annotation).startswith(("ClassVar", "typing.ClassVar"))
        ]
        own = [field for field in slots if namespace.get(field) is not derived]
        for field in set(slots) - set(own):
            del namespace[field]
        defaults = {field: namespace.pop(field) for field in own if field in namespace}
        parents = [base for base in bases if isinstance(base, RecordType)]
        inherited = [field for base in parents for field in base.__match_args__]
        namespace["__defaults__"] = {
            **{k: v for base in parents for k, v in base.__defaults__.items()},
            **defaults,
        }
        namespace["__hidden__"] = frozenset(hidden.split()).union(
            *(base.__hidden__ for base in parents)
        )
        namespace["__match_args__"] = (*inherited, *own)
        namespace["__slots__"] = tuple(slots)
        made = super().__new__(cls, name, bases, namespace)
        made.__setters__ = tuple(getattr(made, field).__set__ for field in made.__match_args__)
        return made


class Record(metaclass=RecordType):
    """Base of all records: equal by value, hashable, and never changed."""

    def __init__(self, *values: Any, **named: Any) -> None:
        setters = type(self).__setters__
        if not named and len(values) == len(setters):
            for index, value in enumerate(values):
                setters[index](self, value)
        else:
            self._fill(values, named)
        self.__post_init__()

    def _fill(self, values: tuple[Any, ...], named: dict[str, Any]) -> None:
        """Set the fields from places, names and defaults."""
        cls = type(self)
        fields = cls.__match_args__
        placed = dict(zip(fields, values, strict=False))
        given = {**cls.__defaults__, **placed, **named}
        is_twice = not placed.keys().isdisjoint(named)
        if is_twice or len(values) > len(fields) or given.keys() != set(fields):
            raise TypeError(f"{cls.__name__} takes the fields {', '.join(fields)}")
        for field in fields:
            object.__setattr__(self, field, given[field])

    def __post_init__(self) -> None:
        """Check the fields, where a record has something to check."""

    def derive(self, field: str, value: object) -> None:
        """Fill a derived field; for `__post_init__` only."""
        object.__setattr__(self, field, value)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"{type(self).__name__}.{name} cannot be changed: records are frozen")

    def __delattr__(self, name: str) -> None:
        raise AttributeError(f"{type(self).__name__}.{name} cannot be removed: records are frozen")

    def replace(self, **changes: Any) -> Self:
        """The same record with some fields changed."""
        return type(self)(**{**self._named(), **changes})

    def _values(self) -> tuple[Any, ...]:
        return tuple(getattr(self, field) for field in type(self).__match_args__)

    def _named(self) -> dict[str, Any]:
        """The values by the names of their fields."""
        return dict(zip(type(self).__match_args__, self._values(), strict=True))

    def __eq__(self, other: object) -> bool:
        if type(other) is not type(self):
            return NotImplemented
        return self._values() == other._values()

    def __hash__(self) -> int:
        return hash((type(self), self._values()))

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), self._values()

    def __repr__(self) -> str:
        cls = type(self)
        shown = (
            f"{field}={value!r}"
            for field, value in self._named().items()
            if field not in cls.__hidden__
        )
        return f"{cls.__name__}({', '.join(shown)})"
