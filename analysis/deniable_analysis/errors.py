"""Every error the analysis raises; all are DeniableError.

DeniableError
├── InvalidConfidence    a confidence or probability that is none
├── InvalidCounts        counts that no set of reports can produce
├── InvalidAnswers       answers to simulate that a mechanism does not take
├── InvalidChannel       not a pair of report probabilities
├── InvalidInterval      no such kind of interval
├── InvalidPlan          a question to the planner makes no sense
├── InvalidWeights       weights that no design produces
├── DifferentQuestions   studies that did not ask the same question
├── NotAStudy            something else where a study belongs
├── InvalidSites         locations or tokens that are not those of several sites
├── NotAskedTogether     questions that nobody was asked both of
├── NoGroups             counts by group that a study does not have, or not yet
├── InvalidDesign        probabilities that no way of randomizing has
├── InvalidMethod        no such way to estimate
├── InvalidTable         a table that does not contain what it should
├── NotIdentified        the answers do not identify what was asked for
│   └── ReleasedCounts       a release added noise to their counts
├── InvalidFormula       a formula that cannot be read or used
├── InvalidRegression    a choice that a regression does not offer
├── Infeasible           no survey can do what was asked for
├── StudyNotFound        there is nothing at a location
├── UnreadableStudy      what is there is not a store of surveys, or damaged
├── StudyRefused         a collector does not let this analyst read results
├── StudyUnavailable     a collector or a database does not answer now
├── UnsafeAddress        an address that a token must not be sent to
├── ExportExists         a file is already where an export would be written
├── SurveyNotClosed      an export in parts, or a release, of a survey that accepts reports
├── ExportTooLarge       more reports or variables than a kind of file can contain
├── NameNotFound         a result does not have what was asked for by name
│   ├── ColumnNotFound       a table does not have the column
│   ├── SurveyNotFound       the store does not contain the survey
│   ├── GroupNotFound        nobody is invited as this group
│   ├── LanguageNotFound     the survey has no texts in the language
│   └── QuestionNotFound     the survey does not have the question or option
├── UnsupportedMechanism this version cannot debias a block
├── AnalysisMissing      a package that every analysis needs is not installed
├── PsycopgMissing       a PostgreSQL URL was given without psycopg
├── IbisMissing          parts or a table were to be counted without ibis
├── OpendpMissing        a release was to be written without opendp
├── PyarrowMissing       a Parquet file was asked for without pyarrow
├── XlsxwriterMissing    an XLSX file was asked for without xlsxwriter
├── PyreadstatMissing    an SPSS or Stata file was asked for without pyreadstat
├── MatplotlibMissing    a plot was asked for without matplotlib
└── NothingToPlot        a result without estimates, or too many for one place
"""

from deniable_sdk.errors import DeniableError
from deniable_storage.errors import PsycopgMissing as PsycopgMissing  # noqa: PLC0414  one of the tree


class InvalidConfidence(DeniableError, ValueError):
    """A confidence is not between 0 and 1."""


class InvalidCounts(DeniableError, ValueError):
    """Counts, shares or variances that no set of reports can produce."""


class InvalidAnswers(DeniableError, ValueError):
    """Answers to simulate are not possible for a mechanism or survey."""


class InvalidChannel(DeniableError, ValueError):
    """Not a pair of probabilities with keep above flip."""


class InvalidInterval(DeniableError, ValueError):
    """There is no interval of this name."""


class InvalidPlan(DeniableError, ValueError):
    """A number given to the planner is outside what it can mean."""


class InvalidWeights(DeniableError, ValueError):
    """Weights of reports that are negative, missing or not numbers."""


class DifferentQuestions(DeniableError, ValueError):
    """The questions to compare or pool are not the same."""


class NotAStudy(DeniableError, TypeError):
    """Something else was given where a study belongs."""


class InvalidSites(DeniableError, ValueError):
    """Locations of sites that are missing or named twice, or a token for none of them."""


class NotAskedTogether(DeniableError, ValueError):
    """No respondent was asked both questions, so nothing relates them."""


class NoGroups(DeniableError, ValueError):
    """Reports are not counted by group: nobody is invited, or the survey is not closed."""


class InvalidDesign(DeniableError, ValueError):
    """A design's probabilities or names contradict each other."""


class InvalidMethod(DeniableError, ValueError):
    """There is no way to estimate of this name."""


class InvalidTable(DeniableError, ValueError):
    """A table's columns do not contain what a design or a weight should be."""


class NotIdentified(DeniableError, ValueError):
    """No amount of such answers identifies what was asked for."""


class ReleasedCounts(NotIdentified):
    """Counts have the noise of a release, and the analysis has no numbers for such counts."""


class InvalidFormula(DeniableError, ValueError):
    """A formula that cannot be read, or that a regression cannot use."""


class InvalidRegression(DeniableError, ValueError):
    """A choice of link, standard errors or the like that does not exist."""


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


class IbisMissing(DeniableError, ImportError):
    """Parts and tables are counted with packages that are not installed."""


class OpendpMissing(DeniableError, ImportError):
    """The noise of a release comes from a package that is not installed."""


class PyarrowMissing(DeniableError, ImportError):
    """Parquet files need a package that is not installed."""


class ExportTooLarge(DeniableError, ValueError):
    """A kind of file cannot contain so many reports or variables."""


class XlsxwriterMissing(DeniableError, ImportError):
    """XLSX files need a package that is not installed."""


class PyreadstatMissing(DeniableError, ImportError):
    """SPSS and Stata files need a package that is not installed."""


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


class AnalysisMissing(DeniableError, ModuleNotFoundError):
    """A package that every analysis needs is not installed."""


class MatplotlibMissing(DeniableError, ImportError):
    """A plot was asked for and matplotlib is not installed."""


class NothingToPlot(DeniableError, ValueError):
    """A result has nothing to draw, or more than fits where it should go."""
