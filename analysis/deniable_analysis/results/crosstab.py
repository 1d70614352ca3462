"""The estimates of one crosstab: every combination of its questions' options."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from deniable_analysis.presentation import Chart, Line, Part, Presented, Table
from deniable_analysis.results.frames import pandas
from deniable_analysis.results.shares import (
    SHARE_HEADERS,
    SHARE_NUMBERS,
    CellEstimate,
    forgery_note,
    share_marks,
)
from deniable_analysis.words import counted

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class CrosstabEstimate(Presented):
    """The estimated shares of the cells of one crosstab.

    Args:
        block: its id.
        questions: their ids.
        reports: how many reports carry it.
        epsilon: what each of these spent on it.
        interval: which intervals the cells have, "wilson" or
            "clopper-pearson".
        cells: the last question's options varying fastest.
        warnings: what looks wrong with the reports.
    """

    block: str
    questions: tuple[str, ...]
    reports: int
    epsilon: float
    interval: str
    cells: tuple[CellEstimate, ...]
    warnings: tuple[str, ...] = ()

    def to_document(self) -> dict[str, Any]:
        """The estimates as plain JSON values."""
        return {
            "block": self.block,
            "questions": list(self.questions),
            "reports": self.reports,
            "epsilon": self.epsilon,
            "interval": self.interval,
            "cells": [cell.to_document() for cell in self.cells],
        }

    def to_frame(self) -> "pd.DataFrame":
        """One row for each cell, with a column for each question, by pandas."""
        rows = [
            {
                **dict(zip(self.questions, cell.options, strict=True)),
                **cell.numbers(),
                "standard_error": cell.standard_error,
            }
            for cell in self.cells
        ]
        numbers = dict.fromkeys((*SHARE_NUMBERS, "standard_error"), "float64")
        return pandas().DataFrame(rows).astype(numbers)

    @property
    def title(self) -> str:
        """The questions with the reports and epsilon."""
        return (
            f"{' x '.join(self.questions)} (crosstab): {counted(self.reports, 'report')}, "
            f"epsilon {self.epsilon:.4g}"
        )

    def parts(self) -> Iterable[Part]:
        """The shares of the cells, and what looks wrong."""
        yield Line(self.title)
        if not self.reports:
            yield Line("no report carries this crosstab yet, so there is no estimate")
            return
        rows = tuple((cell.name, *cell.cells()) for cell in self.cells)
        yield Table(("cell", *SHARE_HEADERS), rows)
        yield Line(forgery_note(self.cells))
        yield from (Line(warning, is_warning=True) for warning in self.warnings)

    def charts(self) -> Iterable[Chart]:
        """The shares of the cells."""
        if self.reports:
            yield Chart(self.title, "share of those asked", share_marks(self.cells))
