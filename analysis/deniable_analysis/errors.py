"""Every error the analysis raises; all are DeniableError."""

from deniable_sdk.errors import DeniableError
from deniable_storage.errors import PackageMissing as PackageMissing  # noqa: PLC0414  one of these
from deniable_storage.errors import ResultsSealed as ResultsSealed  # noqa: PLC0414  one of these


class AnalysisMissing(PackageMissing, ModuleNotFoundError):
    """A package that every analysis needs is not installed."""


class InvalidArgument(DeniableError, ValueError):
    """An argument is not what is allowed; the message begins with its name."""


class DifferentQuestions(DeniableError, ValueError):
    """The questions to compare or pool are not the same."""


class NotAStudy(DeniableError, TypeError):
    """Something else was given where a study belongs."""


class NotAskedTogether(DeniableError, ValueError):
    """No respondent was asked both questions, so nothing relates them."""


class NoGroups(DeniableError, ValueError):
    """Reports are not counted by group: nobody is invited, or the survey is not closed."""


class NotIdentified(DeniableError, ValueError):
    """No amount of such answers identifies what was asked for."""


class ReleasedCounts(NotIdentified):
    """Counts have the noise of a release, and the analysis has no numbers for such counts."""


class Infeasible(DeniableError, ValueError):
    """No epsilon reaches the goal with so few respondents."""


class StudyNotFound(DeniableError, FileNotFoundError):
    """There is no store at a location."""


class UnreadableStudy(DeniableError, ValueError):
    """A location has no legal store of surveys."""


class StudyRefused(DeniableError, PermissionError):
    """A collector refuses to return results: no token, or a wrong one."""


class StudyUnavailable(DeniableError, OSError):
    """A collector or a database gave no answer, or none that can be used now."""


class UnsafeAddress(DeniableError, ValueError):
    """An address that the analyst's token must not be sent to."""


class ExportExists(DeniableError, FileExistsError):
    """A file is already where an export would be written."""


class SurveyNotClosed(DeniableError, ValueError):
    """An export in parts, or a release, of a survey that still accepts reports."""


class ExportTooLarge(DeniableError, ValueError):
    """A kind of file cannot contain so many reports or variables."""


class NameNotFound(DeniableError, KeyError):
    """A result contains nothing of this name."""

    # That of a KeyError shows the message in quotes, like a key.
    __str__ = Exception.__str__


class ColumnNotFound(NameNotFound):
    """A table does not have the column."""


class SurveyNotFound(NameNotFound):
    """A store does not contain the survey, or contains several and none is named."""


class GroupNotFound(NameNotFound):
    """A survey does not invite a group of this name."""


class LanguageNotFound(NameNotFound):
    """A survey has no texts in the language."""


class QuestionNotFound(NameNotFound):
    """A survey does not have the question, or a question the option."""


class UnsupportedMechanism(DeniableError, NotImplementedError):
    """A block is randomized in a way this version cannot debias."""


class NothingToPlot(DeniableError, ValueError):
    """A result has nothing to draw, or more than fits where it should go."""
