"""Exports in parts: Parquet files that each have the reports of one range of the random ids."""

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np

from deniable_analysis.errors import ExportExists, SurveyNotClosed, UnreadableStudy
from deniable_analysis.sources.base import ListedSurvey, PartSource
from deniable_analysis.sources.exports.parquet import codes_of, column_type, import_arrow
from deniable_analysis.sources.exports.survey_file import ExportedSurvey, content_of
from deniable_analysis.sources.exports.writing import Progress
from deniable_analysis.sources.parts_folder import (
    MANIFEST_NAME,
    SURVEY_NAME,
    ExportPart,
    Folder,
    Manifest,
    part_name,
)
from deniable_sdk.canonical import encode
from deniable_sdk.mechanisms import ValueForm
from deniable_sdk.survey.published import PublishedSurvey
from deniable_sdk.wording import counted
from deniable_storage.chunks import REMEDY, rows_of_chunk
from deniable_storage.tables import GROUP_COLUMN
from deniable_storage.values import width_of
from deniable_storage.whole_rows import (
    EVERY_ID,
    NO_VALUE,
    IdRange,
    Smalls,
    WholeRows,
    bits_of_ranges,
)

# A part has half as many reports at least, and about this many at most.
REPORTS_OF_A_PART = 1 << 19
# How many numbers are sorted, and written to a row group, at a time: 16 MiB of them.
BATCH_MEMBERS = 1 << 23
# In the metadata of each part: whose part it is, so that an interrupted export knows it again.
_KEY = b"deniable"


@dataclass(frozen=True, slots=True)
class ExportedParts:
    """The result of an export in parts.

    Args:
        survey: the survey that was exported.
        edition: of the survey.
        report_count: how many reports are in all parts.
        part_count: how many parts there are.
        kept_count: how many of them an earlier, interrupted export had written.
        folder: where they are.
        repeated_count: how many reports more there were, because several stores had them.
    """

    survey: PublishedSurvey
    edition: int
    report_count: int
    part_count: int
    kept_count: int
    folder: str
    repeated_count: int = 0


def write_parts(
    source: PartSource, stored: ListedSurvey, folder: Folder, on_progress: Progress
) -> ExportedParts:
    """Write the reports of a closed survey to a folder, or what is missing there.

    Errors are those of export_parts.
    """
    _check_closed(stored)
    survey = source.published(stored)
    count = source.report_count(stored)
    fieldwork = source.fieldwork(stored)
    _claim(folder, ExportedSurvey(survey, stored.edition, stored.is_closed, count, fieldwork))
    ranges = EVERY_ID.split(bits_of_ranges(count, REPORTS_OF_A_PART))
    export = _Export(source, stored, survey, folder, on_progress, count, len(ranges))
    finished = export.finished()
    parts = tuple(export.part(ids, finished) for ids in ranges)
    manifest = Manifest(survey.digest, parts)
    if manifest.report_count != count:
        raise UnreadableStudy(
            f"got {counted(manifest.report_count, 'report')} in all parts, and the tally of the "
            f"store says {count}; {REMEDY}, and export into another folder"
        )
    folder.remove_unfinished()
    with folder.writing(MANIFEST_NAME) as stream:
        stream.write(manifest.encode())
    return ExportedParts(survey, stored.edition, count, len(parts), len(finished), folder.shown)


def _check_closed(stored: ListedSurvey) -> None:
    if not stored.is_closed:
        raise SurveyNotClosed(
            f"survey {stored.slug!r} still accepts reports, and a part that is written later "
            "would have more of them; close it first (deniable close), or export to one file, "
            "whose reports are all from the same moment"
        )


def _claim(folder: Folder, exported: ExportedSurvey) -> None:
    """Write the survey to a new folder; in that of an unfinished export it is there."""
    names, content = folder.names(), content_of(exported)
    if MANIFEST_NAME in names:
        raise ExportExists(f"{folder.shown} already has a whole export; name another folder")
    if SURVEY_NAME in names:
        if folder.read(SURVEY_NAME) != content:
            raise ExportExists(
                f"{folder.shown} has an unfinished export of another survey, or of the time "
                "before this one changed; remove it, or name another folder"
            )
    elif names:
        raise ExportExists(
            f"{folder.shown} is not empty, for example {min(names)}; name another folder"
        )
    else:
        with folder.writing(SURVEY_NAME) as stream:
            stream.write(content)


@dataclass(slots=True)
class _Export:
    """An export in parts that is being written."""

    source: PartSource
    stored: ListedSurvey
    survey: PublishedSurvey
    folder: Folder
    on_progress: Progress
    report_count: int
    part_count: int
    done: int = 0

    def finished(self) -> dict[str, ExportPart]:
        """The parts that an earlier run of the same export has written, by their names."""
        names = self.folder.names()
        places = [place for place in range(self.part_count) if part_name(place) in names]
        return {part.name: part for part in map(self._finished, places) if part}

    def part(self, ids: IdRange, finished: Mapping[str, ExportPart]) -> ExportPart:
        """The part with the reports of these ids; written, unless it is among the finished."""
        name = part_name(ids.place)
        part = finished.get(name)
        if part is None:
            return ExportPart(name, self._write(ids))
        self.done += part.reports
        self.on_progress(self.done, self.report_count)
        return part

    def _write(self, ids: IdRange) -> int:
        arrow, parquet = import_arrow()
        wanted, before = WholeRows.of_survey(self.survey), self.done
        schema = schema_of(arrow, wanted).with_metadata({_KEY: self._mark(ids.place)})
        with (
            self.folder.writing(part_name(ids.place)) as stream,
            parquet.ParquetWriter(stream, schema) as writer,
        ):
            for rows in sorted_batches(self._chunks(wanted, ids), sum(wanted.widths)):
                writer.write_batch(record_batch(arrow, wanted, rows), len(rows))
        return self.done - before

    def _chunks(self, wanted: WholeRows, ids: IdRange) -> Iterator[Smalls]:
        most = rows_of_chunk(wanted.blocks)
        # Ids are random: so few are expected that a range rarely has more and is halved.
        more = max(0, bits_of_ranges(self.report_count * 4 // 3, most) - ids.bits)
        for rows in self.source.whole_rows(self.stored, wanted, ids.split(more), most):
            self.done += len(rows)
            yield rows
            self.on_progress(self.done, self.report_count)

    def _finished(self, place: int) -> ExportPart | None:
        """A part that is there, if it is this export's and whole."""
        arrow, parquet = import_arrow()
        name = part_name(place)
        try:
            with self.folder.reading(name) as file, parquet.ParquetFile(file) as part:
                is_ours = (part.metadata.metadata or {}).get(_KEY) == self._mark(place)
                return ExportPart(name, part.metadata.num_rows) if is_ours else None
        except arrow.ArrowException:
            return None

    def _mark(self, place: int) -> bytes:
        return encode({"digest": self.survey.digest, "part": place, "of": self.part_count})


def schema_of(arrow: Any, wanted: WholeRows) -> Any:
    """The columns of a part: the group if the survey has groups, and each block."""
    group = [(GROUP_COLUMN, arrow.string())] if wanted.groups else []
    blocks = [(block.id, column_type(arrow, block.mechanism.form)) for block in wanted.blocks]
    return arrow.schema([*group, *blocks])


def sorted_batches(chunks: Iterable[Smalls], width: int) -> Iterator[Smalls]:
    """The same rows, so many at a time that memory is bounded; each batch sorted by its values.

    Whoever knows the id of a report, because they have the device, cannot tell its row by the
    order of the rows; and the same reports always make the same batch.
    """
    waiting: list[Smalls] = []
    for chunk in chunks:
        if waiting and (sum(map(len, waiting)) + len(chunk)) * width > BATCH_MEMBERS:
            yield _sorted(waiting)
            waiting = []
        waiting.append(chunk)
    if waiting:
        yield _sorted(waiting)


def _sorted(chunks: list[Smalls]) -> Smalls:
    rows = np.concatenate(chunks)
    # The first column is the last key of lexsort.
    found: Smalls = rows[np.lexsort(rows.T[::-1])]
    return found


def record_batch(arrow: Any, wanted: WholeRows, rows: Smalls) -> Any:
    """Rows as Arrow arrays with the columns of schema_of."""
    arrays, start = [], 0
    if wanted.groups:
        groups = arrow.DictionaryArray.from_arrays(rows[:, 0], list(wanted.groups))
        arrays.append(groups.cast(arrow.string()))
        start = 1
    for block in wanted.blocks:
        stop = start + width_of(block.mechanism.form)
        arrays.append(_array(arrow, block.mechanism.form, rows[:, start:stop]))
        start = stop
    return arrow.record_batch(arrays, schema=schema_of(arrow, wanted))


def _array(arrow: Any, form: ValueForm, rows: Smalls) -> Any:
    is_missing = rows[:, 0] == NO_VALUE
    if not form.shape:
        return arrow.array(rows[:, 0], mask=is_missing)
    members = codes_of(form, rows[~is_missing].reshape(-1, *form.shape))
    ends = np.cumsum(~is_missing, dtype=np.int32) * np.int32(form.shape[0])
    starts_and_end = np.concatenate([np.zeros(1, np.int32), ends])
    return arrow.ListArray.from_arrays(
        starts_and_end, members.reshape(-1).astype(np.int16), mask=arrow.array(is_missing)
    )
