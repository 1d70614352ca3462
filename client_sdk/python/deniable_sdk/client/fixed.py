"""Reported values of facts that do not change, to be reported again.

A later edition of a survey reuses the randomized value of a fixed block: a
fresh draw of the same answer would spend epsilon a second time. The value is
taken only where all that it was drawn for is the same, byte by byte.

Repeated values could reveal which reports are of one person. So all values
stored for one series have few outputs together, as a survey's fixed blocks
have, however many editions add facts to it: others are drawn again each time,
and accounted for.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from deniable_sdk import canonical
from deniable_sdk.canonical import JSON
from deniable_sdk.client.entry import Entry, editions_of
from deniable_sdk.records import Record
from deniable_sdk.report import Report
from deniable_sdk.survey.block import MOST_FIXED_OUTPUTS
from deniable_sdk.survey.published import PublishedSurvey
from deniable_sdk.survey.routing import fixed_signatures


class FixedBlocks(Record, hidden="kept"):
    """The fixed blocks of a survey on this device.

    Args:
        signatures: for each block whose value may be kept what it is known
            by: how many outputs it has, and the digest of all that its value
            depends on.
        kept: the values that were reported before, by blocks.
    """

    signatures: Mapping[str, str]
    kept: Mapping[str, JSON]


def fixed_blocks(entries: Iterable[Entry], collector: str, survey: PublishedSurvey) -> FixedBlocks:
    """The survey's fixed blocks, with the first value that this device reported."""
    signatures = fixed_signatures(survey)
    found: dict[str, JSON] = {}
    outputs, keeps = 1, {}
    for entry in editions_of(entries, collector, survey.slug) if signatures else ():
        reported: Any = canonical.parse(entry.fixed.encode())
        for signed, value in reported.items():
            # Only the first value counts, and entries come in their order.
            if signed not in found:
                found[signed] = value
                outputs *= _outputs_of(signed)
    kept = {block: found[signed] for block, signed in signatures.items() if signed in found}
    for block, signed in signatures.items():
        more = 1 if block in kept else _outputs_of(signed)
        if outputs * more <= MOST_FIXED_OUTPUTS:
            outputs *= more
            keeps[block] = signed
    return FixedBlocks(keeps, kept)


def fixed_text(fixed: FixedBlocks, report: Report) -> str:
    """A report's values of fixed blocks, as an entry stores them."""
    reported: dict[str, JSON] = {
        signed: report.values[block]
        for block, signed in fixed.signatures.items()
        if block in report.values
    }
    return canonical.encode(reported).decode()


def _outputs_of(signature: str) -> int:
    """How many outputs a signature says."""
    return int(signature.split(" ", maxsplit=1)[0])
