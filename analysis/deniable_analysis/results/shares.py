"""One estimated share: of an option, or of a cell of a crosstab."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from scipy.special import ndtri

from deniable_analysis.charts import Mark
from deniable_analysis.defaults import DEFAULT_CONFIDENCE, FORGED
from deniable_analysis.forms import Documented, document_of
from deniable_analysis.parts import Column, ColumnKind, Table, text_column

# The parts of a variance; only the counts of releases have the noise of the last one.
PARTS = (
    Column("mechanism_variance", "sd mechanism", ColumnKind.VARIANCE),
    Column("sampling_variance", "sd sampling", ColumnKind.VARIANCE),
    Column("release_variance", "sd release", ColumnKind.VARIANCE, is_optional=True),
)
ENDS = (Column("low", "low"), Column("high", "high"))
STANDARD_ERROR = Column("standard_error")
REPORTS = Column("reports", "reports", ColumnKind.COUNT)
SHARES = (
    Column("share", "share"),
    *ENDS,
    Column("valid_share", "valid"),
    *PARTS,
    Column("manipulation_margin"),
    STANDARD_ERROR,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ShareEstimate(Documented):
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
        return {"option": self.option, **document_of(self, "option")}


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
        return {"options": list(self.options), **document_of(self, "options")}


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


def share_table(names: Sequence[Column], rows: Sequence[tuple[Any, ...]]) -> Table:
    """A row for each share, which comes after its names; with its reports where they differ."""
    differ = len({share.reports for *_, share in rows}) > 1
    reports = REPORTS if differ else replace(REPORTS, head=None)
    return Table.of(names, (*SHARES, reports), rows)


def option_table(options: Iterable[OptionEstimate], head: str = "option", **names: Any) -> Table:
    """A row for each option; only data have other names of each row."""
    columns = (*map(text_column, names), text_column("option", head))
    return share_table(columns, [(*names.values(), each.option, each) for each in options])


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
