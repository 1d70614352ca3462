"""A comparison of an edition with an earlier one."""

from dataclasses import dataclass

from deniable_analysis import Comparison
from deniable_analysis.results.comparison import Difference
from deniable_web.results.axis import Axis, Span, axis_of
from deniable_web.results.crosstabs import p_value
from deniable_web.results.labels import PageLocale
from deniable_web.results.numbers import Numbers, decimals_for
from deniable_web.results.shares import MISSING, Tick, span_of


@dataclass(frozen=True, slots=True)
class DifferenceRow:
    """One option, or the mean, in both editions.

    Args:
        name: the name of the option; "" for the mean.
        now: the value in the newer edition.
        before: the value in the earlier edition.
        difference: the difference with its sign.
        low: the lower end of its interval.
        high: the upper end.
        p_value: the p-value for no difference, adjusted for all options.
        is_clear: whether the p-value is small enough for the confidence.
        point: the position of the difference.
        interval: the position of its interval.
    """

    name: str
    now: str
    before: str
    difference: str
    low: str
    high: str
    p_value: str
    is_clear: bool
    point: float | None
    interval: Span | None


@dataclass(frozen=True, slots=True)
class ComparisonView:
    """A question in two editions.

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


@dataclass(frozen=True, slots=True)
class _Scale:
    """The axis and the format of differences, and when a difference is clear."""

    axis: Axis
    numbers: Numbers
    confidence: float


def comparison_view(found: Comparison, locale: PageLocale) -> ComparisonView:
    """The page's content for a comparison of two editions."""
    labels, numbers = locale.labels, locale.numbers
    ends = [value for each in found.options for value in (each.low, each.high)]
    axis = axis_of(ends, least=(-0.05, 0.05), is_mirrored=locale.is_mirrored)
    scale = _Scale(axis, numbers, found.confidence)
    return ComparisonView(
        id=found.question,
        text=labels.question(found.question),
        rows=tuple(
            _share_row(each, labels.option(found.question, each.name), scale)
            for each in found.options
        ),
        ticks=tuple(
            Tick(axis.position(mark), numbers.signed(100 * mark, 0)) for mark in axis.marks
        ),
        zero=axis.position(0.0),
        mean=None if found.mean is None else _mean_row(found.mean, locale, found.confidence),
        unit=labels.unit(found.question),
        warnings=found.warnings,
    )


def _share_row(found: Difference, name: str, scale: _Scale) -> DifferenceRow:
    numbers = scale.numbers
    both = [
        MISSING if each is None else numbers.percent(each) for each in (found.first, found.second)
    ]
    moved = [
        MISSING if each is None else numbers.signed(100 * each, 1)
        for each in (found.difference, found.low, found.high)
    ]
    return _row(found, (name, *both, *moved), scale)


def _mean_row(found: Difference, locale: PageLocale, confidence: float) -> DifferenceRow:
    numbers, decimals = locale.numbers, decimals_for([found.standard_error])
    both = [
        MISSING if each is None else numbers.decimal(each, decimals)
        for each in (found.first, found.second)
    ]
    ends = (found.difference, found.low, found.high)
    moved = [MISSING if each is None else numbers.signed(each, decimals) for each in ends]
    reach = max((abs(each) for each in ends if each is not None), default=0.0) or 1.0
    axis = axis_of((), least=(-reach, reach), is_mirrored=locale.is_mirrored)
    return _row(found, ("", *both, *moved), _Scale(axis, numbers, confidence))


def _row(found: Difference, said: tuple[str, ...], scale: _Scale) -> DifferenceRow:
    name, now, before, moved, low, high = said
    chance = found.p_value if found.adjusted_p_value is None else found.adjusted_p_value
    return DifferenceRow(
        name=name,
        now=now,
        before=before,
        difference=moved,
        low=low,
        high=high,
        p_value=MISSING if chance is None else p_value(chance, scale.numbers),
        is_clear=chance is not None and chance < 1 - scale.confidence,
        point=None if found.difference is None else scale.axis.position(found.difference),
        interval=span_of(scale.axis, found.low, found.high),
    )
