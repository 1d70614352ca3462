"""The file beside an export that says which survey its reports answer."""

from dataclasses import dataclass
from pathlib import Path

from deniable_analysis.errors import ExportExists, StudyNotFound, UnreadableStudy
from deniable_sdk.canonical import JSON, NotCanonical, digest, encode, parse
from deniable_sdk.survey.published import FORMAT as SURVEY_FORMAT

FORMAT = "deniable-export/1"
SUFFIX = ".survey.json"


@dataclass(frozen=True, slots=True)
class ExportedSurvey:
    """The content of the survey file.

    Args:
        document: the published survey, byte for byte.
        edition: of the survey, 1 if nothing says so.
        is_closed: whether it took no more reports when it was exported.
        report_count: how many reports were exported; None if nothing says so.
    """

    document: bytes
    edition: int
    is_closed: bool
    report_count: int | None

    @property
    def digest(self) -> str:
        """The digest of the published survey."""
        return digest(self.document)


def survey_path(export: Path) -> Path:
    """The path of an export's survey."""
    return export.with_suffix(SUFFIX)


def write_survey(export: Path, survey: ExportedSurvey) -> None:
    """Put a survey beside its export, unless the same is there already.

    Raises:
        ExportExists: something else does.
    """
    document: JSON = {
        "format": FORMAT,
        "digest": survey.digest,
        "edition": survey.edition,
        "is_closed": survey.is_closed,
        "reports": survey.report_count,
        "survey": parse(survey.document),
    }
    content = encode(document) + b"\n"
    path = survey_path(export)
    try:
        with path.open("xb") as file:
            file.write(content)
    except FileExistsError:
        if path.read_bytes() == content:
            return
        raise ExportExists(
            f"{path} already exists, and is of another survey, or of another moment of this one; "
            "move it, or name another file"
        ) from None


def read_survey(export: Path) -> ExportedSurvey:
    """The survey beside an export; a published survey alone will do.

    Raises:
        StudyNotFound: there is no such file.
        UnreadableStudy: it is not what an export has beside it.
    """
    path = survey_path(export)
    if not path.is_file():
        raise StudyNotFound(
            f"there is no file {path}; put the published survey there, beside {export.name}: "
            "without it nobody can tell how the values were randomized"
        )
    try:
        value = parse(path.read_bytes())
    except NotCanonical as error:
        problem = f"is not readable ({error})"
    else:
        found = _read(value)
        if found:
            return found
        problem = "is neither what `deniable export` writes nor a published survey"
    raise UnreadableStudy(f"{path} {problem}; export the survey again, or restore the file")


def _read(value: JSON) -> ExportedSurvey | None:
    if not isinstance(value, dict):
        return None
    if value.get("format") == SURVEY_FORMAT:
        return ExportedSurvey(encode(value), 1, is_closed=False, report_count=None)
    match value:
        case {
            "format": str(name),
            "digest": str(named),
            "edition": int(edition),
            "is_closed": bool(is_closed),
            "reports": int(reports),
            "survey": survey,
        } if name == FORMAT and digest(encode(survey)) == named:
            return ExportedSurvey(encode(survey), edition, is_closed, reports)
    return None
