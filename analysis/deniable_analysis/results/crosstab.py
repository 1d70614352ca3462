"""The estimates of one crosstab: every combination of its questions' options."""

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from deniable_analysis.results.frames import pandas
from deniable_analysis.results.shares import SHARE_HEADERS, SHARE_NUMBERS, CellEstimate
from deniable_analysis.text_table import text_table

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, kw_only=True)
class CrosstabEstimate:
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

    def __str__(self) -> str:
        title = (
            f"{' x '.join(self.questions)} (crosstab): {self.reports} reports, "
            f"epsilon {self.epsilon:.4g}"
        )
        if not self.reports:
            return f"{title}\nno report carries this crosstab yet, so there is no estimate"
        rows = [(", ".join(cell.options), *cell.cells()) for cell in self.cells]
        notes = (f"warning: {warning}" for warning in self.warnings)
        return "\n".join((title, text_table(("cell", *SHARE_HEADERS), rows), *notes))
