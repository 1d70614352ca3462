"""Surveys in which nobody, including the people who run them, sees a true answer.

Everything here runs on the standard library alone: compile a definition into
a published survey, check what a survey spends, randomize answers into a
report, check a report; and `open_client`, which fetches surveys and sends
reports. The client and the compiler are loaded when they are asked for.
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
    InvalidGroup,
    InvalidReport,
    InvalidSurvey,
    RandomnessUnavailable,
)
from deniable_sdk.report import Report, check_report
from deniable_sdk.survey.block import Block
from deniable_sdk.survey.published import PublishedSurvey
from deniable_sdk.survey.routing import compute_scores, questions_to_show, reached_questions
from deniable_sdk.tokens import InvalidToken

if typing.TYPE_CHECKING:
    from deniable_sdk.client import (
        AlreadyAnswered,
        Client,
        ClientShutDown,
        CollectorRefused,
        CollectorUnreachable,
        ConsentRequired,
        FewCollected,
        InvalidAddress,
        InvalidCode,
        InvalidLog,
        NotInLog,
        OtherSite,
        StorageUnavailable,
        YearlyCapExceeded,
        open_client,
    )
    from deniable_sdk.compiler import compile_survey

__all__ = [
    "AlreadyAnswered",
    "Block",
    "BudgetExceeded",
    "Client",
    "ClientShutDown",
    "CollectorRefused",
    "CollectorUnreachable",
    "ConsentRequired",
    "DefinitionProblem",
    "DeniableError",
    "DigestMismatch",
    "FewCollected",
    "InvalidAddress",
    "InvalidAnswer",
    "InvalidCode",
    "InvalidDefinition",
    "InvalidGroup",
    "InvalidLog",
    "InvalidReport",
    "InvalidSurvey",
    "InvalidToken",
    "NotInLog",
    "OtherSite",
    "PublishedSurvey",
    "RandomnessUnavailable",
    "Report",
    "StorageUnavailable",
    "YearlyCapExceeded",
    "check_report",
    "compile_survey",
    "compute_scores",
    "draw_blocks",
    "open_client",
    "questions_to_show",
    "randomize",
    "reached_questions",
]


_CLIENT = {*__all__} - {*globals(), "compile_survey"}


def __getattr__(name: str) -> object:
    """What only some programs need is loaded when it is asked for."""
    if name == "compile_survey":
        from deniable_sdk.compiler import compile_survey  # noqa: PLC0415 - see above

        return compile_survey
    if name in _CLIENT:
        from deniable_sdk import client  # noqa: PLC0415 - see above

        return getattr(client, name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
