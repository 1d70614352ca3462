"""One answered survey on this device: what it spent, and its report's way out.

Queue and ledger are one record, so that no store can keep the one and lose
the other. It holds randomized bytes only, and no time at which anything was
answered.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from deniable_sdk.records import Record

State = Literal["queued", "sent", "refused", "dropped"]

MOST_BODIES = 100
MOST_BYTES = 1_000_000


class Entry(Record, hidden="body fixed"):
    """A report and what it spent.

    Args:
        key: its collector and its survey, see key_of.
        number: 1 for the first, and so on.
        collector: the address it goes to.
        slug: of the survey.
        survey: the survey's digest.
        report: the report's id.
        weights: what it spent: favoured/base of each part, blanks between.
        body: the report as it is sent; None once there was no more room.
        state: dropped means that there was no more room before it was sent.
        status: the HTTP status of the last try; 0 for none.
        reason: why it was refused.
        tries: how often it was tried in vain.
        next_try: not before this time, in seconds since 1970.
        is_asked: whether the collector asked to wait so long.
        panel: which wave of how many it answered, and the epsilon that the
            survey claimed, like 2/4 0.5; "" if it was no wave of a panel.
        fixed: what it says of fixed blocks, as JSON, by what each is known by:
            it stays without the body, and is reported again where the same is
            asked again.
    """

    key: str
    number: int
    collector: str
    slug: str
    survey: str
    report: str
    weights: str
    body: bytes | None
    state: State = "queued"
    status: int = 0
    reason: str = ""
    tries: int = 0
    next_try: float = 0.0
    is_asked: bool = False
    panel: str = ""
    fixed: str = "{}"


def key_of(collector: str, survey: str) -> str:
    """The key of a survey's entry: a second report to it finds the key taken."""
    return f"{collector} {survey}"


def editions_of(entries: Iterable[Entry], collector: str, slug: str) -> list[Entry]:
    """The entries of one survey's editions, in their order."""
    return [entry for entry in entries if entry.collector == collector and entry.slug == slug]


def waiting_for(entries: Iterable[Entry], collector: str) -> list[Entry]:
    """The entries whose reports wait for this collector."""
    return [entry for entry in entries if entry.state == "queued" and entry.collector == collector]


def shed(entries: Sequence[Entry]) -> list[Entry]:
    """The entries that must change for the rest to fit, as they will be.

    Reports that wait are kept before those that are settled, and new ones
    before old ones.
    """
    held = [entry for entry in entries if entry.body is not None]
    held.sort(key=lambda entry: (entry.state != "queued", -entry.number))
    changed, size = [], 0
    for place, entry in enumerate(held):
        size += len(entry.body or b"")
        if place >= MOST_BODIES or size > MOST_BYTES:
            state: State = "dropped" if entry.state == "queued" else entry.state
            changed.append(entry.replace(body=None, state=state))
    return changed
