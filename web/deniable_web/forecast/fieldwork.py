"""Warnings about invitations: who could match people and reports, and among how few."""

from collections.abc import Iterator

from deniable_sdk.survey.definition import Definition
from deniable_sdk.survey.invited import SMALL_GROUP
from deniable_web.forecast.advice import Advice, Caution


def advise_on_fieldwork(definition: Definition) -> Iterator[Advice]:
    """Warnings about tokens that are collected while reports are sent, and about small groups."""
    invited, window = definition.invited, definition.window
    if invited is None:
        return
    opens = window.opens if window else None
    if not (opens and invited.collect_until and invited.collect_until <= opens):
        yield Advice(
            Caution.OVERLAPPING,
            (),
            "tokens are collected while reports are sent, so whoever sees the times at both the "
            "issuer and the collector could match people and reports; set collect_until before "
            "opens, or let different organisations run both",
        )
    least = min(group.invited for group in invited.groups)
    if least < SMALL_GROUP:
        yield Advice(
            Caution.SMALL_GROUPS,
            (),
            f"the smallest group has {least} people, and each report carries its group: it is "
            f"hidden only among them; merge groups until each has {SMALL_GROUP}",
            {"least": least, "enough": SMALL_GROUP},
        )
