"""The survey of an export: the file beside it, what writers are told, and the base of sources."""

from abc import ABC, abstractmethod
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from deniable_analysis.codebook.records import Codebook
from deniable_analysis.codebook.variables import codebook_of
from deniable_analysis.errors import ExportExists, StudyNotFound, UnreadableStudy
from deniable_analysis.privacy.shuffling import FilePrivacy
from deniable_analysis.sources.base import ListedSurvey
from deniable_sdk.canonical import JSON, NotCanonical, digest, encode, parse
from deniable_sdk.survey.block import Block
from deniable_sdk.survey.published import FORMAT as SURVEY_FORMAT
from deniable_sdk.survey.published import PublishedSurvey
from deniable_storage.counts import JointCounts, SurveyCounts
from deniable_storage.ends import UNDERWAY, Fieldwork

FORMAT = "deniable-export/1"
SUFFIX = ".survey.json"


@dataclass(frozen=True, slots=True)
class ExportedSurvey:
    """The survey of an export.

    Args:
        survey: the published survey.
        edition: of the survey, 1 if nothing says so.
        is_closed: whether it took no more reports when it was exported.
        report_count: how many reports were exported; None if nothing says so.
        fieldwork: how it had ended when it was exported; not ended if nothing says so.
    """

    survey: PublishedSurvey
    edition: int
    is_closed: bool
    report_count: int | None = None
    fieldwork: Fieldwork = UNDERWAY

    def listed(self, location: str) -> ListedSurvey:
        """The survey as a source at a location lists it."""
        survey = self.survey
        return ListedSurvey(survey.digest, survey.slug, self.edition, self.is_closed, location)


@dataclass(frozen=True, slots=True)
class Heading:
    """The survey of the reports, and how to write it.

    Args:
        exported: the survey.
        stem: the name of the file without its suffix.
        language: of the labels; None for the survey's own.
        closed_file: what the reports of the closed survey together say about one person;
            None if that is unknown.
    """

    exported: ExportedSurvey
    stem: str
    language: str | None = None
    closed_file: FilePrivacy | None = None

    def codebook(self) -> Codebook:
        """The codebook of the survey in this language; its errors are those of codebook_of."""
        return codebook_of(self.exported.survey, self.language)

    @property
    def edition(self) -> str:
        """The slug and the edition of the survey."""
        return f"{self.exported.survey.slug}@{self.exported.edition}"


def content_of(exported: ExportedSurvey) -> bytes:
    """The content of the file."""
    document: JSON = {
        "format": FORMAT,
        "digest": exported.survey.digest,
        "edition": exported.edition,
        "is_closed": exported.is_closed,
        **exported.fieldwork.to_document(),
        "reports": exported.report_count,
        "survey": parse(exported.survey.document),
    }
    return encode(document) + b"\n"


def write_survey(path: Path, exported: ExportedSurvey) -> None:
    """Write the survey of an export, unless the same is there already.

    Raises:
        ExportExists: something else does.
    """
    content = content_of(exported)
    try:
        with path.open("xb") as file:
            file.write(content)
    except FileExistsError:
        if path.read_bytes() != content:
            raise ExportExists(
                f"{path} already exists, and is of another survey, or of another moment of this "
                "one; move it, or name another file"
            ) from None


def read_survey(export: Path) -> ExportedSurvey:
    """The survey beside an export; a published survey alone will do.

    Raises:
        StudyNotFound: there is no such file.
        UnreadableStudy: it is not what an export has beside it.
    """
    path = export.with_suffix(SUFFIX)
    if not path.is_file():
        raise StudyNotFound(
            f"there is no file {path}; put the published survey there, beside {export.name}: "
            "without it nobody can tell how the values were randomized"
        )
    return read_survey_file(path)


def read_survey_file(path: Path) -> ExportedSurvey:
    """The survey in a file, as for read_content."""
    return read_content(path.read_bytes(), str(path))


def read_content(content: bytes, shown: str) -> ExportedSurvey:
    """The survey in the content of a file that an export has beside it, or a published survey.

    Raises:
        UnreadableStudy: it is neither; `shown` is how the message calls the file.
    """
    try:
        value = parse(content)
    except NotCanonical as error:
        problem = f"is not readable ({error})"
    else:
        found = _read(value)
        if found:
            return found
        problem = "is neither what `deniable export` writes nor a published survey"
    raise UnreadableStudy(f"{shown} {problem}; export the survey again, or restore the file")


def _read(value: JSON) -> ExportedSurvey | None:
    if not isinstance(value, dict):
        return None
    if value.get("format") == SURVEY_FORMAT:
        return ExportedSurvey(PublishedSurvey.from_bytes(encode(value)), 1, is_closed=False)
    match value:
        case {
            "format": str(name),
            "digest": str(named),
            "edition": int(edition),
            "is_closed": bool(is_closed),
            "reports": int(reports),
            "survey": survey,
        } if name == FORMAT and digest(encode(survey)) == named:
            published = PublishedSurvey.from_bytes(encode(survey))
            with suppress(ValueError):
                fieldwork = Fieldwork.of_document(value)
                return ExportedSurvey(published, edition, is_closed, reports, fieldwork)
    return None


class OneSurveySource(ABC):
    """A source of one survey; without groups and without noise, unless a subclass has them."""

    __slots__ = ()

    @property
    def has_groups(self) -> bool:
        return False

    @property
    def has_noise(self) -> bool:
        return False

    def surveys(self) -> tuple[ListedSurvey, ...]:
        exported, place = self._located()
        return (exported.listed(place),)

    def fieldwork(self, survey: ListedSurvey) -> Fieldwork:  # noqa: ARG002 - there is only one
        return self._located()[0].fieldwork

    def published(self, survey: ListedSurvey) -> PublishedSurvey:  # noqa: ARG002 - there is only one
        return self._located()[0].survey

    def count(
        self,
        survey: ListedSurvey,  # noqa: ARG002 - there is only one
        blocks: Sequence[Block],
        group: str | None = None,
    ) -> SurveyCounts:
        return self._count(blocks, group)

    def joint_counts(
        self,
        survey: ListedSurvey,  # noqa: ARG002 - there is only one
        blocks: Sequence[Block],
        group: str | None = None,
    ) -> JointCounts:
        return self._joint_counts(blocks, group)

    @abstractmethod
    def _count(self, blocks: Sequence[Block], group: str | None) -> SurveyCounts:
        """The counts of the survey, as in Source."""

    @abstractmethod
    def _joint_counts(self, blocks: Sequence[Block], group: str | None) -> JointCounts:
        """As in Source."""

    @abstractmethod
    def _located(self) -> tuple[ExportedSurvey, str]:
        """The survey, and how errors call its place."""
