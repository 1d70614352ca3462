"""A comparison of an edition with an earlier one."""

from dataclasses import dataclass

from deniable_analysis import Comparison
from deniable_web.results.differences import (
    DifferenceRow,
    mean_difference,
    share_difference,
    share_scale,
)
from deniable_web.results.labels import PageLocale
from deniable_web.results.shares import Tick


@dataclass(frozen=True, slots=True)
class ComparisonView:
    """A question in two editions; the first values are those of the newer one.

    Args:
        id: the id of the question.
        text: the text of the question.
        rows: one for each option.
        ticks: the marks on the axis of the options' differences.
        zero: the position of a difference of 0.
        mean: the difference of the means; None if there is none.
        unit: the unit of the mean.
        warnings: the warnings about the reports of an edition, in English.
    """

    id: str
    text: str
    rows: tuple[DifferenceRow, ...]
    ticks: tuple[Tick, ...]
    zero: float
    mean: DifferenceRow | None
    unit: str
    warnings: tuple[str, ...]


def comparison_view(found: Comparison, locale: PageLocale) -> ComparisonView:
    """The page's content for a comparison of two editions."""
    labels = locale.labels
    scale = share_scale(found.options, locale, found.confidence)
    return ComparisonView(
        id=found.question,
        text=labels.question(found.question),
        rows=tuple(
            share_difference(each, labels.option(found.question, each.name), scale)
            for each in found.options
        ),
        ticks=scale.ticks,
        zero=scale.zero,
        mean=None if found.mean is None else mean_difference(found.mean, locale, found.confidence),
        unit=labels.unit(found.question),
        warnings=found.warnings,
    )
