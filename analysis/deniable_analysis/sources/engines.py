"""Tables that an engine counts where they are: any of Ibis, and DuckDB for folders of parts."""

from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, runtime_checkable

from deniable_analysis.arguments import check_kind, kind_of
from deniable_analysis.errors import StudyNotFound, SurveyNotFound, UnreadableStudy
from deniable_analysis.forms import installed
from deniable_analysis.sources.engine_counts import (
    COUNT,
    BlockCounter,
    count_by_value,
    is_present,
    key_count,
    run,
    table_changed,
    values_of,
)
from deniable_analysis.sources.exports.survey_file import (
    ExportedSurvey,
    OneSurveySource,
    read_survey_file,
)
from deniable_analysis.sources.parts_folder import Folder, Manifest, find_folder, read_parts
from deniable_sdk.survey.block import Block
from deniable_sdk.survey.published import PublishedSurvey
from deniable_sdk.wording import counted
from deniable_storage.counts import JointCounts, SurveyCounts
from deniable_storage.tables import GROUP_COLUMN
from deniable_storage.values import TupleTally


@runtime_checkable
class EngineTable(Protocol):
    """A table of Ibis, in any engine; Ibis need not be installed to ask for it."""

    def op(self) -> Any: ...
    def schema(self) -> Any: ...
    def group_by(self, *by: Any, **key_exprs: Any) -> Any: ...
    def to_pyarrow(self) -> Any: ...


@dataclass(frozen=True, slots=True)
class EngineSource(OneSurveySource):
    """The reports of one survey in a table of an engine, with the columns of a Parquet file.

    Args:
        exported: the survey; if it says how many reports there are, the table has so many.
        table: of Ibis: a column for each block, and _group if the survey has groups.
        place: how errors call the table.
    """

    exported: ExportedSurvey
    table: Any = field(repr=False)
    place: str

    @property
    def has_groups(self) -> bool:
        return bool(self.exported.survey.groups) and GROUP_COLUMN in self.table.columns

    def _count(self, blocks: Sequence[Block], group: str | None) -> SurveyCounts:
        counter = BlockCounter(self._of_group(blocks, group), self.place)
        found = {block.id: counter.count(block) for block in blocks}
        totals = {total for total, _ in found.values()} or {counter.total()}
        if len(totals) > 1:
            raise table_changed(self.place)
        (total,) = totals
        if group is None and self.exported.report_count not in (None, total):
            raise UnreadableStudy(
                f"{self.place}: got {counted(total, 'report')}, and the survey's file says "
                f"{self.exported.report_count}; rows were lost or added; export it again"
            )
        return SurveyCounts(total, {name: counts for name, (_, counts) in found.items()})

    def _joint_counts(self, blocks: Sequence[Block], group: str | None) -> JointCounts:
        table = self._of_group(blocks, group)
        complete = table.filter(*(is_present(table, block) for block in blocks))
        found = run(count_by_value(complete, blocks), self.place)
        columns, first = [], 0
        for block in blocks:
            columns.append(values_of(found, first, block, self.place))
            first += key_count(block.mechanism.form)
        tally = TupleTally(tuple(block.mechanism.form for block in blocks))
        tally.add(columns, found.column(COUNT).to_numpy())
        return tally.joint_counts()

    def _located(self) -> tuple[ExportedSurvey, str]:
        return self.exported, self.place

    def _of_group(self, blocks: Sequence[Block], group: str | None) -> Any:
        """The rows of a group, or all; after the columns were checked."""
        schema = self.table.schema()
        for block in blocks:
            if block.id not in schema:
                raise UnreadableStudy(
                    f"{self.place} has no column {block.id!r}; allowed is a table with a column "
                    "for each block of the survey, like those of the Parquet files of "
                    "`deniable export`"
                )
            _check_type(schema[block.id], block, self.place)
        return (
            self.table if group is None else self.table.filter(self.table[GROUP_COLUMN] == group)
        )


def _check_type(kind: Any, block: Block, place: str) -> None:
    allowed, is_right = "whole numbers", kind.is_integer()
    if block.mechanism.form.shape:
        allowed = "lists of whole numbers"
        is_right = kind.is_array() and kind.value_type.is_integer()
    if not is_right:
        raise UnreadableStudy(
            f"{place} has values of the type {kind} in the column {block.id!r}; allowed are "
            f"{allowed}; convert the column, for example with table.cast"
        )


def engine_source(table: EngineTable, survey: PublishedSurvey | str | Path) -> EngineSource:
    """The source of the reports in a table.

    Args:
        table: of Ibis, with the columns of a Parquet file.
        survey: the published survey; or the path of a file that contains it, or of the
            _survey.json of an export.
    Raises:
        SurveyNotFound: it is neither a file nor a survey.
        StudyNotFound: it is no table of Ibis, or there is no such file.
        UnreadableStudy: the file contains something else.
    """
    allowed = "a table of Ibis; open_study takes the location of a store, an export or a collector"
    check_kind("table", table, EngineTable, allowed, StudyNotFound)
    name = getattr(table.op(), "name", None)
    place = f"the table {name}" if name else "the table"
    if isinstance(survey, PublishedSurvey):
        return EngineSource(ExportedSurvey(survey, 1, is_closed=False), table, place)
    if not isinstance(survey, (str, Path)):
        raise SurveyNotFound(
            f"survey: got {kind_of(survey)}, and a table does not say which survey its reports "
            "answer; pass the path of the _survey.json of its export, or a PublishedSurvey"
        )
    path = Path(survey)
    if not path.is_file():
        raise StudyNotFound(
            f"there is no file {path}; pass the path of the _survey.json of the table's export"
        )
    return EngineSource(read_survey_file(path), table, place)


def open_parts(location: str | Path) -> EngineSource:
    """The source of the reports of an export in parts.

    Args:
        location: of the folder, or of all of its files, as for find_folder.
    Raises:
        PackageMissing: Ibis or DuckDB is not installed.
        PackageMissing, StudyNotFound, UnreadableStudy, UnsafeAddress, StudyUnavailable: as for
            find_folder and read_parts.
    """
    folder = find_folder(location)
    exported, manifest = read_parts(folder)
    return EngineSource(exported, _table(_import(), folder, manifest), folder.shown)


def _table(duckdb: Any, folder: Folder, manifest: Manifest) -> Any:
    # DuckDB would otherwise fetch extensions from the network.
    connection = duckdb.connect(
        autoinstall_known_extensions=False, autoload_known_extensions=False
    )
    # It would be on standard output, between the results.
    connection.raw_sql("SET enable_progress_bar = false")
    paths = [folder.place(part.name) for part in manifest.parts]
    if folder.is_local:
        return connection.read_parquet(paths, table_name="reports")
    from pyarrow import dataset  # noqa: PLC0415 - not always installed

    files = dataset.dataset(paths, filesystem=folder.files, format="parquet")
    connection.con.register("reports", files)
    return connection.table("reports")


def _import() -> Any:
    why = (
        "parts are counted by DuckDB, through Ibis; install them with: "
        'pip install "deniable[analysis,engines]"'
    )
    installed("duckdb", why)
    return installed("ibis", why).duckdb
