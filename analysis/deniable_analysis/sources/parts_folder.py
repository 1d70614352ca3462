"""The folder of an export in parts, on this machine or in an S3 bucket, and what is in it.

Files appear whole or not at all. Programs that read all Parquet files of a folder skip names that
begin with an underscore.
"""

import os
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager, nullcontext, suppress
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit
from uuid import uuid4

from deniable_analysis.errors import (
    StudyNotFound,
    StudyUnavailable,
    UnreadableStudy,
    UnsafeAddress,
)
from deniable_analysis.sources.exports.parquet import import_arrow
from deniable_analysis.sources.exports.survey_file import ExportedSurvey, read_content
from deniable_sdk.canonical import JSON, NotCanonical, encode, parse
from deniable_sdk.wording import counted

FORMAT = "deniable-parts/1"
SURVEY_NAME, MANIFEST_NAME = "_survey.json", "_manifest.json"
_REMEDY = "export the survey again, into another folder"
_UNFINISHED = "_unfinished-"
_WILD = "*?["


@dataclass(frozen=True, slots=True)
class Folder:
    """A folder of files, or some of its files.

    Args:
        files: pyarrow's file system.
        path: of the folder there.
        shown: how the folder is called in errors, without anything secret.
        pattern: what the names of the files that are meant match; "*" for all.
    """

    files: Any = field(repr=False)
    path: str
    shown: str
    pattern: str = "*"

    @property
    def is_local(self) -> bool:
        """Whether it is on this machine."""
        return bool(self.files.type_name == "local")

    def matches(self, name: str) -> bool:
        """Whether the pattern matches the name of a file."""
        return fnmatchcase(name, self.pattern)

    def place(self, name: str) -> str:
        """The path of a file in the file system."""
        return f"{self.path}/{name}"

    def names(self) -> set[str]:
        """The names of all files that are finished."""
        return {name for name in self._all_names() if not name.startswith(_UNFINISHED)}

    def read(self, name: str) -> bytes:
        """The content of a file."""
        with self.reading(name) as file:
            return bytes(file.read())

    @contextmanager
    def reading(self, name: str) -> Iterator[Any]:
        """A file, open for reading any of its bytes."""
        with self._answering(), self.files.open_input_file(self.place(name)) as file:
            yield file

    @contextmanager
    def writing(self, name: str) -> Iterator[Any]:
        """A stream whose content is the file of this name once the block ends without an error."""
        # Another export into the same folder writes the same files, under another name first.
        unfinished = self.place(f"{_UNFINISHED}{uuid4().hex}-{name}")
        with self._answering():
            self.files.create_dir(self.path, recursive=True)
            try:
                with self.files.open_output_stream(unfinished) as stream:
                    yield stream
                if self.is_local:
                    _flush(Path(unfinished))
                self.files.move(unfinished, self.place(name))
            except BaseException:
                with suppress(OSError):
                    self.files.delete_file(unfinished)
                raise

    def remove_unfinished(self) -> None:
        """Remove what an export that was stopped has left."""
        with self._answering():
            for name in self._all_names():
                if name.startswith(_UNFINISHED):
                    self.files.delete_file(self.place(name))

    def _all_names(self) -> list[str]:
        from pyarrow.fs import FileSelector  # noqa: PLC0415 - not always installed

        with self._answering():
            found = self.files.get_file_info(FileSelector(self.path, allow_not_found=True))
        return [each.base_name for each in found if each.is_file]

    def _answering(self) -> AbstractContextManager[None]:
        return nullcontext() if self.is_local else answering(self.shown)


def is_folder(path: Path) -> bool:
    """Whether a path is a folder or a pattern of files, and not one file."""
    return path.is_dir() or _is_pattern(path)


def _is_pattern(path: Path) -> bool:
    return any(sign in path.name for sign in _WILD) and not path.exists()


def find_folder(location: str | Path) -> Folder:
    """The folder at a location, and which of its files are meant.

    Args:
        location: a path, or s3://BUCKET/FOLDER; the last part may be a pattern like *.parquet.
    Raises:
        PackageMissing: pyarrow is not installed.
        StudyNotFound: the location is none of these.
        UnsafeAddress: it contains a key.
    """
    import_arrow()
    from pyarrow import fs  # noqa: PLC0415 - not always installed

    if isinstance(location, str) and "://" in location:
        return _in_bucket(location, fs)
    path = Path(location).absolute()
    is_pattern = _is_pattern(path)
    inside, pattern = (path.parent, path.name) if is_pattern else (path, "*")
    shown = str(Path(location).parent if is_pattern else location)
    return Folder(fs.LocalFileSystem(), str(inside), shown, pattern)


def _in_bucket(location: str, fs: Any) -> Folder:
    bucket, _, path = location.partition("://")[2].rstrip("/").partition("/")
    if "@" in bucket:
        raise UnsafeAddress(
            "got a key in the address of a bucket, where logs and others could read it; put it "
            "into AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY, or into a profile"
        )
    parent, _, last = path.rpartition("/")
    is_pattern = any(sign in last for sign in _WILD)
    inside, pattern = (parent, last) if is_pattern else (path, "*")
    if not (bucket and inside):
        raise StudyNotFound(
            f"got the location {location}; allowed is s3://BUCKET/FOLDER, or "
            "s3://BUCKET/FOLDER/*.parquet"
        )
    shown = f"s3://{bucket}/{inside}"
    with answering(shown):
        return Folder(_bucket_files(fs, bucket), f"{bucket}/{inside}", shown, pattern)


def _bucket_files(fs: Any, bucket: str) -> Any:
    """The file system of a bucket: of the server that the environment names, or of AWS."""
    url = os.environ.get("AWS_ENDPOINT_URL_S3") or os.environ.get("AWS_ENDPOINT_URL")
    if url:
        server = urlsplit(url)
        return fs.S3FileSystem(endpoint_override=server.netloc, scheme=server.scheme)
    return fs.FileSystem.from_uri(f"s3://{bucket}")[0]


@contextmanager
def answering(shown: str) -> Iterator[None]:
    """A block in which failures of a bucket become errors of this package."""
    try:
        yield
    except OSError as error:
        raise StudyUnavailable(
            f"{shown} does not answer as it should ({_reason(error)}); check the bucket, the "
            "region, that your keys (AWS_ACCESS_KEY_ID, or a profile) allow this, and the network"
        ) from None


def _flush(path: Path) -> None:
    """Write a file to the disk, so that its new name never stands for less than all of it."""
    with path.open("rb") as file:
        os.fsync(file.fileno())


def _reason(error: OSError) -> str:
    return str(error).splitlines()[0][:200] if str(error) else type(error).__name__


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
