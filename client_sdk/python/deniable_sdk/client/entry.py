"""One survey on this device: its blocks, what it spent, and its report's way out.

Queue and ledger are one record, so that no store can keep the one and lose
the other. It holds randomized bytes only, and no time but the day on which
they were drawn, which never leaves the device.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal

from deniable_sdk.records import Record

State = Literal["asked", "held", "waiting", "sent", "refused", "dropped", "declined"]

_UNSENT = ("held", "waiting")
MOST_BODIES = 100
MOST_BYTES = 1_000_000


class Entry(Record, hidden="body fixed invitation"):
    """A report and what it spent, or the blocks that were drawn for one.

    Args:
        key: its survey's digest, whatever the collector's address.
        number: 1 for the first, and so on.
        collector: the address it goes to.
        slug: of the survey.
        survey: the survey's digest.
        report: the report's id.
        weights: what it spent: high/low of each part, blanks between.
        body: the report as it is sent; None before there is one, and once it
            was declined or there was no more room.
        state: asked means that blocks were drawn and nothing was randomized;
            held, that it is not sent until the person decides; declined, that
            they decided not to; dropped, that there was no more room for it.
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
        blocks: those that are asked, blanks between.
        day: on which it was drawn, in days since 1970.
        invitation: the token of an invited person, or the request for it, as
            JSON, until there is a report; "" if everybody may answer.
    """

    key: str
    number: int
    collector: str
    slug: str
    survey: str
    report: str
    weights: str
    body: bytes | None
    state: State = "waiting"
    status: int = 0
    reason: str = ""
    tries: int = 0
    next_try: float = 0.0
    is_asked: bool = False
    panel: str = ""
    fixed: str = "{}"
    blocks: str = ""
    day: int = 0
    invitation: str = ""


def reported(entries: Iterable[Entry]) -> list[Entry]:
    """The entries that have, or had, a report."""
    return [entry for entry in entries if entry.state != "asked"]


def entry_of(entries: Iterable[Entry], digest: str) -> Entry | None:
    """The entry of this survey, whichever address it was answered at."""
    return next((entry for entry in entries if entry.survey == digest), None)


def editions_of(entries: Iterable[Entry], collector: str, slug: str) -> list[Entry]:
    """The entries of one survey's editions, in their order."""
    return [entry for entry in entries if entry.collector == collector and entry.slug == slug]


def waiting_for(entries: Iterable[Entry], collector: str) -> list[Entry]:
    """The entries whose reports wait for this collector."""
    return [
        entry for entry in entries if entry.state == "waiting" and entry.collector == collector
    ]


def shed(entries: Sequence[Entry]) -> list[Entry]:
    """The entries that must change for the rest to fit, as they will be.

    Reports that wait are kept before those that are settled, and new ones
    before old ones.
    """
    with_body = [entry for entry in entries if entry.body is not None]
    with_body.sort(key=lambda entry: (entry.state not in _UNSENT, -entry.number))
    changed, size = [], 0
    for index, entry in enumerate(with_body):
        size += len(entry.body or b"")
        if index >= MOST_BODIES or size > MOST_BYTES:
            state: State = "dropped" if entry.state in _UNSENT else entry.state
            changed.append(entry.replace(body=None, state=state))
    return changed
