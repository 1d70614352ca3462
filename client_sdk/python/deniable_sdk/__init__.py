"""Surveys in which nobody, those who run them included, holds a true answer.

Everything here runs on the standard library alone: compile a definition into
a published survey, check what a survey spends, randomize answers into a
report, check a report.
"""

from deniable_sdk.compiler import compile_survey
from deniable_sdk.device import draw_blocks, randomize
from deniable_sdk.errors import (
    BudgetExceeded,
    DefinitionProblem,
    DeniableError,
    DigestMismatch,
    InvalidAnswer,
    InvalidDefinition,
    InvalidReport,
    InvalidSurvey,
    RandomnessUnavailable,
)
from deniable_sdk.report import Report, check_report
from deniable_sdk.survey.published import Block, PublishedSurvey

__all__ = [
    "Block",
    "BudgetExceeded",
    "DefinitionProblem",
    "DeniableError",
    "DigestMismatch",
    "InvalidAnswer",
    "InvalidDefinition",
    "InvalidReport",
    "InvalidSurvey",
    "PublishedSurvey",
    "RandomnessUnavailable",
    "Report",
    "check_report",
    "compile_survey",
    "draw_blocks",
    "randomize",
]
