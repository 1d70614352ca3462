"""The parts of an export in a folder: how many, their names, and how many reports each has."""

from dataclasses import dataclass

from deniable_analysis.errors import StudyNotFound, UnreadableStudy
from deniable_analysis.forms import counted
from deniable_analysis.sources.exports.survey_file import ExportedSurvey, read_content
from deniable_analysis.sources.parts.folder import Folder
from deniable_sdk.canonical import JSON, NotCanonical, encode, parse

FORMAT = "deniable-parts/1"
# Programs that read all Parquet files of a folder skip names that begin with an underscore.
SURVEY_NAME, MANIFEST_NAME = "_survey.json", "_manifest.json"
_REMEDY = "export the survey again, into another folder"


@dataclass(frozen=True, slots=True)
class ExportPart:
    """A file of an export in parts, and how many reports it has."""

    name: str
    reports: int


@dataclass(frozen=True, slots=True)
class Manifest:
    """The parts of an export of the survey with this digest."""

    digest: str
    parts: tuple[ExportPart, ...]

    @property
    def report_count(self) -> int:
        """How many reports all parts have."""
        return sum(part.reports for part in self.parts)

    def encode(self) -> bytes:
        """The content of the file."""
        parts: JSON = [{"name": each.name, "reports": each.reports} for each in self.parts]
        return encode({"format": FORMAT, "digest": self.digest, "parts": parts}) + b"\n"


def part_name(place: int) -> str:
    """The name of a part."""
    return f"part-{place:05}.parquet"


def read_parts(folder: Folder) -> tuple[ExportedSurvey, Manifest]:
    """The survey of an export in a folder, and its parts.

    Raises:
        StudyNotFound: there is no export in the folder, or it has no such file.
        UnreadableStudy: the export is not finished or was changed, or only some of its parts
            are meant.
    """
    names = folder.names()
    if SURVEY_NAME not in names:
        raise StudyNotFound(
            f"there is no export in parts in {folder.shown}, because there is no file "
            f"{SURVEY_NAME}; write one with: deniable export SLUG --partitioned --output FOLDER"
        )
    if MANIFEST_NAME not in names:
        raise UnreadableStudy(
            f"the export in {folder.shown} is not finished; run the same command again, which "
            "writes the parts that are missing"
        )
    exported = read_content(folder.read(SURVEY_NAME), f"{folder.shown}/{SURVEY_NAME}")
    manifest = _read_manifest(folder.read(MANIFEST_NAME))
    if manifest is None or manifest.digest != exported.survey.digest:
        raise UnreadableStudy(
            f"{folder.shown}/{MANIFEST_NAME} is not what `deniable export` writes for this "
            f"survey; {_REMEDY}"
        )
    missing = {part.name for part in manifest.parts} - names
    if missing or manifest.report_count != exported.report_count:
        what = f"the part {min(missing)}" if missing else "some reports"
        raise UnreadableStudy(f"{folder.shown} lacks {what}; restore it, or {_REMEDY}")
    _check_pattern(folder, manifest)
    return exported, manifest


def _check_pattern(folder: Folder, manifest: Manifest) -> None:
    meant = sum(folder.matches(part.name) for part in manifest.parts)
    if meant < len(manifest.parts):
        raise UnreadableStudy(
            f"{folder.pattern} in {folder.shown} matches {meant} of "
            f"{counted(len(manifest.parts), 'part')}, and estimates from these would not be "
            "those of the survey; name the folder, or *.parquet"
        )


def _read_manifest(content: bytes) -> Manifest | None:
    try:
        value = parse(content)
    except NotCanonical:
        return None
    match value:
        case {"format": str(name), "digest": str(digest), "parts": list(parts)} if name == FORMAT:
            found = [part for part in map(_read_part, parts) if part]
            return Manifest(digest, tuple(found)) if len(found) == len(parts) else None
    return None


def _read_part(value: JSON) -> ExportPart | None:
    match value:
        case {"name": str(name), "reports": int(reports)}:
            return ExportPart(name, reports)
    return None
