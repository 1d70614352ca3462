"""The forms of numbers: in sentences, in JSON and in data frames."""

import math
from collections.abc import Sequence
from dataclasses import fields
from enum import Enum
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any, TypeAlias

from deniable_sdk.wording import counted
from deniable_storage.errors import PackageMissing

if TYPE_CHECKING:
    import pandas as pd

# Their names alone: pandas is not loaded.
DataFrame: TypeAlias = "pd.DataFrame"
Series: TypeAlias = "pd.Series[float]"


# More names than this make a sentence nobody reads.
_MOST_NAMES = 8


def named(names: Sequence[str]) -> str:
    """Names in a sentence, with how many more there are."""
    more = len(names) - _MOST_NAMES
    listed = ", ".join(names[:_MOST_NAMES])
    return f"{listed} and {counted(more, 'other')}" if more > 0 else listed


def finite_or_none(value: float) -> float | None:
    """The number; None if it is infinite or NaN."""
    return float(value) if math.isfinite(value) else None


def asked_of(reports: int, epsilon: float) -> str:
    """The number of reports and what each of them spends, in words."""
    return f"{counted(reports, 'report')}, epsilon {epsilon:.4g}"


def decimals(*numbers: float | None) -> tuple[str, ...]:
    """Numbers with four decimals as texts for a table; empty where there is none."""
    return tuple("" if number is None else f"{number:z.4f}" for number in numbers)


class Documented:
    """A record whose document is its fields."""

    __slots__ = ()

    def to_document(self) -> dict[str, Any]:
        """The fields as plain JSON values."""
        return document_of(self)


def document_of(record: Any, *left_out: str) -> dict[str, Any]:
    """The fields of a dataclass as plain JSON values, except some of them."""
    names = (column.name for column in fields(record))
    return {name: _plain(getattr(record, name)) for name in names if name not in left_out}


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(each) for each in value]
    if isinstance(value, Enum):
        return value.value
    return value.to_document() if hasattr(value, "to_document") else value


def installed(name: str, why: str) -> Any:
    """An optional module, loaded where it is first needed.

    Args:
        name: of the module.
        why: what needs it, and how to install it.
    Raises:
        PackageMissing: it is not installed.
    """
    try:
        return import_module(name)
    except ImportError:
        raise PackageMissing(why, name=name) from None


def pandas() -> ModuleType:
    """The module pandas: loading it takes longer than a whole command without it."""
    import pandas as pd  # noqa: PLC0415 - see above

    module: ModuleType = pd
    return module
