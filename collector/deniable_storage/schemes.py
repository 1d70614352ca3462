"""What opens the locations of a scheme: packages name it in entry points.

The name of an entry point is the scheme of the locations, and its object is a function.
"""

from functools import cache
from importlib.metadata import entry_points
from typing import Any

_OURS = "deniable"


@cache
def find_opener(group: str, scheme: str) -> Any:
    """The object of the entry point that is called like a scheme; None if there is none."""
    found = next(iter(entry_points(group=group, name=scheme)), None)
    return found and found.load()


def other_schemes(group: str) -> list[str]:
    """The schemes that other packages than this one open, in the order of the alphabet."""
    points = entry_points(group=group)
    return sorted({each.name for each in points if each.dist and each.dist.name != _OURS})
