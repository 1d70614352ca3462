"""Surveys in which nobody, those who run them included, holds a true answer.

Everything here runs on the standard library alone: compile a definition into
a published survey, check what a survey spends, randomize answers into a
report, check a report.
"""

import typing

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
from deniable_sdk.survey.block import Block
from deniable_sdk.survey.published import PublishedSurvey
from deniable_sdk.survey.routing import questions_to_show, reached_questions

if typing.TYPE_CHECKING:
    from deniable_sdk.compiler import compile_survey

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
    "questions_to_show",
    "randomize",
    "reached_questions",
]


def __getattr__(name: str) -> object:
    """The compiler, which no device needs, is loaded when it is asked for."""
    if name == "compile_survey":
        from deniable_sdk.compiler import compile_survey  # noqa: PLC0415 - see above

        return compile_survey
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
