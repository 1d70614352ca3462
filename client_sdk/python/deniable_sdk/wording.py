"""Words of messages: counts with their noun, and names that somebody may have meant."""

import difflib
from collections.abc import Iterable

# Names that a message lists.
_MOST_LISTED = 30


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


def near_names(wanted: object, names: Iterable[str], holder: str = "there is") -> str:
    """Which of the names somebody may have meant, and which there are.

    `holder` is how the list of names begins, like "survey 'health' has".
    """
    every = list(dict.fromkeys(names))
    near = difflib.get_close_matches(str(wanted), every, n=3, cutoff=0.6) if every else []
    shorter = ", ".join(every[:_MOST_LISTED])
    more = f" and {len(every) - _MOST_LISTED} more" if len(every) > _MOST_LISTED else ""
    has = f"{holder}: {shorter}{more}" if every else f"{holder} none"
    return f"did you mean {' or '.join(near)}? {has}" if isinstance(wanted, str) and near else has
