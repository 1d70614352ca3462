"""Codebooks: what the variables of a survey's reports mean, for files of every format."""

from deniable_analysis.codebook.formulas import (
    MeanFormula,
    ShareFormula,
    mean_formulas,
    share_formulas,
)
from deniable_analysis.codebook.records import (
    Codebook,
    CodebookBlock,
    CodebookVariable,
    Layout,
)
from deniable_analysis.codebook.texts import language_of, one_line, shortened
from deniable_analysis.codebook.variables import codebook_of, variable_count

__all__ = [
    "Codebook",
    "CodebookBlock",
    "CodebookVariable",
    "Layout",
    "MeanFormula",
    "ShareFormula",
    "codebook_of",
    "language_of",
    "mean_formulas",
    "one_line",
    "share_formulas",
    "shortened",
    "variable_count",
]
