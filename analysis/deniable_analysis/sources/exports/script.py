"""What the scripts for R and Stata have in common: their formulas, and safe texts."""

import re
from fractions import Fraction
from pathlib import Path

from deniable_analysis.codebook.formulas import (
    MeanFormula,
    ShareFormula,
    mean_formulas,
    share_formulas,
)
from deniable_analysis.codebook.records import Codebook, CodebookBlock, Layout
from deniable_analysis.errors import StudyNotFound
from deniable_sdk.survey.published import PublishedSurvey

_PLAIN_NAME = re.compile(r"\w[\w .-]*")


def check_name(path: Path, stem: str) -> None:
    """Raise StudyNotFound unless a name can be in a script as it is."""
    if not _PLAIN_NAME.fullmatch(stem):
        raise StudyNotFound(
            f"got the name {stem!r} for a script, which contains it; allowed are letters, digits, "
            f"spaces, and the signs . _ - after the first character; choose another name than "
            f"{path.name.removesuffix('.part')}"
        )


def shares_of(survey: PublishedSurvey, codebook: Codebook) -> list[ShareFormula]:
    """The formula of every share that the reports of a survey identify."""
    pairs = zip(survey.blocks, codebook.blocks, strict=True)
    return [formula for pair in pairs for formula in share_formulas(*pair)]


def means_of(survey: PublishedSurvey, codebook: Codebook) -> list[MeanFormula]:
    """The formula of every mean that the reports of a survey identify."""
    pairs = zip(survey.blocks, codebook.blocks, strict=True)
    return [formula for pair in pairs for formula in mean_formulas(*pair)]


def single_answers(codebook: Codebook) -> list[CodebookBlock]:
    """The blocks whose reports are one answer each, any other one with the same probability."""
    return [
        block
        for block in codebook.blocks
        if block.layout is Layout.NUMBER
        and block.keep is not None
        and block.flip is not None
        and block.keep + (len(block.variables[0].values) - 1) * block.flip == 1
    ]


def digits(number: Fraction | None) -> str:
    """The shortest decimal number that is read as the same double-precision number."""
    return repr(float(number or 0))
