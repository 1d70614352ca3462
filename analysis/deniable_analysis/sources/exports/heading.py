"""What the writer of a file is told besides the reports."""

from dataclasses import dataclass

from deniable_analysis.codebook.records import Codebook
from deniable_analysis.codebook.variables import codebook_of
from deniable_analysis.sources.exports.survey_file import ExportedSurvey


@dataclass(frozen=True, slots=True)
class Heading:
    """The survey of the reports, and how to write it.

    Args:
        exported: the survey.
        stem: the name of the file without its suffix.
        language: of the labels; None for the survey's own.
    """

    exported: ExportedSurvey
    stem: str
    language: str | None = None

    def codebook(self) -> Codebook:
        """The codebook of the survey in this language; its errors are those of codebook_of."""
        return codebook_of(self.exported.survey, self.language)

    @property
    def edition(self) -> str:
        """The slug and the edition of the survey."""
        return f"{self.exported.survey.slug}@{self.exported.edition}"
