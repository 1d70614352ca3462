"""One estimated share: of an option, or of a cell of a crosstab."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from scipy.special import ndtri

from deniable_analysis.charts import Mark
from deniable_analysis.defaults import DEFAULT_CONFIDENCE, FORGED
from deniable_analysis.forms import decimals, names_of
from deniable_analysis.presentation import Line, Table

# The square of the largest number that four decimals round to 0.
_SHOWN_AS_ZERO = 0.00005**2
SHARE_HEADERS = ("share", "low", "high", "valid", "sd mechanism", "sd sampling")
RELEASE_HEADER = "sd release"


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareEstimate:
    """An estimated share; all numbers are None without reports.

    share, low and high are raw and may be outside 0 to 1; valid_share is for
    display only. A part of the variance can be slightly negative near 0 and 1,
    so that the two parts add up to the total.

    Args:
        release_variance: part of the variance that the noise of releases causes; None if the
            counts have none.
        manipulation_margin: largest change of the share if 1 % of the reports
            were forged by people who know the mechanism.
        reports: number of reports that the share was computed from.
    """

    share: float | None = None
    low: float | None = None
    high: float | None = None
    valid_share: float | None = None
    mechanism_variance: float | None = None
    sampling_variance: float | None = None
    release_variance: float | None = None
    manipulation_margin: float | None = None
    reports: int = 0

    @property
    def standard_error(self) -> float | None:
        """The square root of the total variance."""
        if self.mechanism_variance is None or self.sampling_variance is None:
            return None
        # Without noise the total is lambda (1 - lambda) at a rate of reports, which only rounding
        # can make negative.
        total = max(0.0, self.mechanism_variance + self.sampling_variance)
        return math.sqrt(total + (self.release_variance or 0.0))

    def numbers(self) -> dict[str, Any]:
        """The numbers by their names, as plain JSON values."""
        return {name: getattr(self, name) for name in (*SHARE_NUMBERS, "reports")}

    def cells(self) -> tuple[str, ...]:
        """The numbers as texts for a table, under SHARE_HEADERS."""
        return (
            *decimals(self.share, self.low, self.high, self.valid_share),
            format_sd(self.mechanism_variance),
            format_sd(self.sampling_variance),
        )


SHARE_NUMBERS = names_of(ShareEstimate, "reports")
# Columns of numbers in data frames.
SHARE_COLUMNS = (*SHARE_NUMBERS, "standard_error")


@dataclass(frozen=True, slots=True, kw_only=True)
class OptionEstimate(ShareEstimate):
    """The estimated share of one option of a question."""

    option: str

    @property
    def name(self) -> str:
        """The option."""
        return self.option

    def to_document(self) -> dict[str, Any]:
        """The estimate as plain JSON values."""
        return {"option": self.option, **self.numbers()}

    def row(self) -> dict[str, Any]:
        """The document and the standard error, for a data frame."""
        return {**self.to_document(), "standard_error": self.standard_error}


@dataclass(frozen=True, slots=True, kw_only=True)
class CellEstimate(ShareEstimate):
    """The estimated share of one cell of a crosstab.

    Args:
        options: one option's name for each question of the crosstab.
    """

    options: tuple[str, ...]

    @property
    def name(self) -> str:
        """The name of the cell in tables: its options."""
        return ", ".join(self.options)

    def to_document(self) -> dict[str, Any]:
        """The estimate as plain JSON values."""
        return {"options": list(self.options), **self.numbers()}


def named_options(
    names: Sequence[str], rows: Iterable[Mapping[str, Any]]
) -> tuple[OptionEstimate, ...]:
    """The estimates of options, from their names and their numbers."""
    return tuple(OptionEstimate(option=name, **row) for name, row in zip(names, rows, strict=True))


def named_cells(
    names: Iterable[tuple[str, ...]], rows: Iterable[Mapping[str, Any]]
) -> tuple[CellEstimate, ...]:
    """The estimates of cells, from the options of each and their numbers."""
    return tuple(CellEstimate(options=pair, **row) for pair, row in zip(names, rows, strict=True))


def share_table(head: str, shares: Iterable[OptionEstimate | CellEstimate]) -> Table:
    """A row for each share, under SHARE_HEADERS; a last column if releases added noise."""
    table = [((share.name, *share.cells()), share.release_variance) for share in shares]
    if all(noise is None for _, noise in table):
        return Table((head, *SHARE_HEADERS), tuple(row for row, _ in table))
    with_noise = tuple((*row, format_sd(noise)) for row, noise in table)
    return Table((head, *SHARE_HEADERS, RELEASE_HEADER), with_noise)


def warning_lines(warnings: Iterable[str]) -> Iterable[Line]:
    """A line for each warning."""
    return (Line(warning, is_warning=True) for warning in warnings)


def share_marks(shares: Iterable[OptionEstimate | CellEstimate]) -> tuple[Mark, ...]:
    """Shares with their intervals, for a chart."""
    return tuple(Mark(share.name, share.share, share.low, share.high) for share in shares)


def normal_mark(name: str, value: float, standard_error: float) -> Mark:
    """A value with its normal interval at the default confidence, for a chart."""
    reach = float(ndtri((1 + DEFAULT_CONFIDENCE) / 2)) * standard_error
    return Mark(name, value, value - reach, value + reach)


def forgery_note(shares: Iterable[ShareEstimate]) -> str:
    """The effect of 1 % of forged reports on these shares, in words."""
    margins = {
        f"{share.manipulation_margin:z.4f}"
        for share in shares
        if share.manipulation_margin is not None
    }
    moved = " to ".join((min(margins), max(margins)) if len(margins) > 1 else margins)
    return f"if {FORGED:.0%} of the reports were forged, a share may be off by {moved}"


def format_sd(variance: float | None) -> str:
    """The square root of a part of the variance, as a text for tables."""
    if variance is None:
        return ""
    # A part of the variance can be negative at a raw share outside 0 to 1.
    return "<0" if variance <= -_SHOWN_AS_ZERO else f"{math.sqrt(max(0.0, variance)):z.4f}"
