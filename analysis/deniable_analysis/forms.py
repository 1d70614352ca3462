"""The forms of numbers: in sentences, in JSON and in data frames."""

import math
from types import ModuleType


def counted(count: int, noun: str, *, plural: str | None = None, commas: bool = False) -> str:
    """So many of something, in words: "1 report", "2 reports".

    Args:
        count: how many.
        noun: what one of them is called.
        plural: what several are called; the noun with an s if None.
        commas: whether thousands are set apart.
    """
    number = f"{count:,}" if commas else f"{count}"
    return f"{number} {noun if count == 1 else plural or f'{noun}s'}"


def finite_or_none(value: float) -> float | None:
    """The number; None if it is infinite or NaN."""
    return float(value) if math.isfinite(value) else None


def pandas() -> ModuleType:
    """The module pandas: loading it takes longer than a whole command without it."""
    import pandas as pd  # noqa: PLC0415 - see above

    module: ModuleType = pd
    return module
