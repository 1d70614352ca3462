"""Counting the values of one block, each checked against its mechanism."""

import json
from collections import Counter
from collections.abc import Iterable, Sequence

import numpy as np

from deniable_analysis.counts import BlockCounts, Integers, Said
from deniable_analysis.errors import UnreadableStudy
from deniable_sdk.canonical import JSON
from deniable_sdk.mechanisms import InvalidValue
from deniable_sdk.survey.block import Block


def tally(block: Block, groups: Iterable[tuple[object, int]]) -> BlockCounts:
    """The counts of one block, from its different values.

    What is kept does not grow with the reports: only with what the mechanism
    can say.

    Args:
        block: whose values they are.
        groups: each different stored value, with how many reports have it: a
            whole number, or a list as JSON text.
    Raises:
        UnreadableStudy: a value is none that the block's mechanism can give;
            the message names the block and no value.
    """
    said: Counter[Said] = Counter()
    report_count = 0
    for stored, reports in groups:
        value = _read(block, stored)
        report_count += reports
        for member in value if isinstance(value, list) else [value]:
            said[_thing(member)] += reports
    return BlockCounts(report_count, said)


def read_column(block: Block, column: Sequence[object]) -> Integers:
    """The stored values of one block as an array; each different one checked.

    Raises:
        UnreadableStudy: as tally does.
    """
    different = {stored: place for place, stored in enumerate(dict.fromkeys(column))}
    values = np.array([_read(block, stored) for stored in different], dtype=np.int64)
    places = np.fromiter((different[stored] for stored in column), np.intp, len(column))
    found: Integers = values[places]
    return found


def _read(block: Block, stored: object) -> JSON:
    # Raised outside the handler: what it handles could hold the value.
    try:
        value: JSON = json.loads(stored) if isinstance(stored, str) else _number(stored)
        if isinstance(value, list) == isinstance(stored, str):
            block.mechanism.check_value(value)
            return value
    except (ValueError, RecursionError):
        pass
    raise UnreadableStudy(
        f"block {block.id!r}: got a stored value that its mechanism "
        f"{block.mechanism.name!r} cannot give; the store was changed by something else than "
        "the collector, restore it"
    )


def _number(stored: object) -> int:
    if isinstance(stored, int):
        return stored
    raise InvalidValue("got neither a whole number nor a text")


def _thing(member: JSON) -> Said:
    # check_value accepted it: a whole number, or a pair of them.
    return tuple(member) if isinstance(member, list) else member  # type: ignore[arg-type, return-value]
