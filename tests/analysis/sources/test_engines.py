"""One study in every kind of place: its numbers are the same to the last bit."""

import random
import sys
from collections.abc import Callable, Iterator
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import ibis
import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from analysis.engines import ENGINES, PARAMS, Read
from deniable_analysis import Study, export_parts, export_study, open_sites, open_study, open_table
from deniable_analysis.errors import (
    NoGroups,
    PackageMissing,
    StudyNotFound,
    StudyUnavailable,
    SurveyNotFound,
    UnreadableStudy,
)
from deniable_analysis.sources import engine_counts, parts
from deniable_analysis.sources.engine_counts import run
from deniable_analysis.sources.engines import open_parts
from deniable_collector import add_reports, open_store
from deniable_sdk import Report, randomize
from invitations import GROUPS, invited_survey, many_reports
from postgres_server import PostgresServer
from sample_definitions import choice, multiple, number, scale, survey, yes_no

EVERY_KIND = survey(
    yes_no("order"),
    choice("region", 4),
    choice("many", 40),
    multiple(options=4),
    multiple("few", options=8, at_most=2, mechanism="privset"),
    multiple("often", options=30, mechanism="sampled_bits"),
    number(),
    scale("mood", levels=5, target="mean"),
    yes_no("helped", show_if={"question": "order", "is": "yes"}),
    epsilon=6,
    ask=6,
    crosstabs=[["order", "region"]],
    slug="every-kind",
)
PEOPLE = 400


@dataclass(frozen=True)
class Places:
    """A closed survey in a SQLite file, and its export in parts.

    Args:
        store: the file.
        parts: the folder.
    """

    store: Path
    parts: Path

    @property
    def survey_file(self) -> Path:
        """The survey beside the parts."""
        return self.parts / "_survey.json"


def everybody() -> list[Report]:
    """Reports of people whose answers vary."""
    source = random.Random(4)
    return [
        randomize(
            EVERY_KIND,
            {
                "order": "yes" if source.random() < 0.4 else "no",
                "region": f"o{source.randrange(4)}",
                "many": f"o{source.randrange(9)}",
                "drugs": ["o1"],
                "visits": source.randint(0, 5),
                "mood": source.randint(1, 5),
            },
            read_bytes=source.randbytes,
        )
        for _ in range(PEOPLE)
    ]


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> Places:
    """The study of every kind of question, in parts of at most 100 reports."""
    folder = tmp_path_factory.mktemp("places")
    with closing(open_store(str(folder / "store.sqlite"))) as store:
        store.publish(EVERY_KIND)
        add_reports(store, everybody())
        store.close_survey(EVERY_KIND.slug)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(parts, "REPORTS_OF_A_PART", 100)
        assert export_parts(folder / "store.sqlite", folder / "parts").part_count == 4
    return Places(folder / "store.sqlite", folder / "parts")


@pytest.fixture(scope="module")
def ward_places(tmp_path_factory: pytest.TempPathFactory) -> Places:
    """A survey by invitation in a SQLite file, and in parts."""
    folder = tmp_path_factory.mktemp("ward")
    invited = invited_survey(yes_no("order"), choice("region", 3), slug="ward", ask=1, epsilon=4)
    with closing(open_store(str(folder / "store.sqlite"))) as store:
        store.publish(invited.published)
        add_reports(store, many_reports(invited, 90, random.Random(3), (*GROUPS, GROUPS[0])))
        store.close_survey("ward")
    export_parts(folder / "store.sqlite", folder / "parts")
    return Places(folder / "store.sqlite", folder / "parts")


@pytest.fixture(scope="module", params=PARAMS)
def read(request: pytest.FixtureRequest) -> Iterator[Read]:
    """What reads Parquet files in an engine."""
    with ENGINES[request.param]() as found:
        yield found


def check_same(study: Study, other: Study) -> None:
    """All estimates, and all tuples of values, are the same to the last bit."""
    assert study.survey == other.survey
    assert study.report_count == other.report_count > 0
    assert study.estimate(interval="wilson") == other.estimate(interval="wilson")
    one, two = (each.crosstab("region", "many", interval="wilson") for each in (study, other))
    assert one == two
    blocks = study.survey.blocks
    for first in range(len(blocks) - 1):
        found = study.joint_counts(blocks[first : first + 2])
        expected = other.joint_counts(blocks[first : first + 2])
        np.testing.assert_array_equal(found.counts, expected.counts)
        np.testing.assert_array_equal(found.indexes, expected.indexes)
        for index in range(2):
            np.testing.assert_array_equal(found.values[index], expected.values[index])


def test_an_engine_gives_the_numbers_of_the_store(places: Places, read: Read) -> None:
    """A table of an engine, with the survey's file, is the same study as the SQLite file."""
    study = open_table(read(places.parts / "*.parquet"), survey=places.survey_file)
    check_same(study, open_study(places.store))


def test_an_engine_counts_by_group(ward_places: Places, read: Read) -> None:
    """Groups are a column of the table, and give the estimates of the store."""
    study = open_table(read(ward_places.parts / "*.parquet"), survey=str(ward_places.survey_file))
    store = open_study(ward_places.store)
    assert study.estimate(by_group=True) == store.estimate(by_group=True)
    one, two = study.group("doctors"), store.group("doctors")
    assert one.count(study.survey.blocks) == two.count(study.survey.blocks)


@pytest.mark.sweep
@pytest.mark.parametrize("where", ["{}", "{}/*.parquet", "{}/part-0*"])
def test_a_folder_of_parts_is_a_study(where: str, places: Places) -> None:
    """DuckDB counts a folder, or a pattern that all of its parts match."""
    check_same(open_study(where.format(places.parts)), open_study(places.store))
    check_same(open_study(Path(where.format(places.parts))), open_study(places.store))


def test_duckdb_shows_no_bar_and_fetches_nothing(places: Places) -> None:
    """Standard output has results only, and no extension comes from the network."""
    connection = open_parts(places.parts).table.get_backend()
    for name in ("enable_progress_bar", "autoinstall_known_extensions"):
        setting = f"SELECT current_setting('{name}')"
        assert connection.raw_sql(setting).fetchone() == (False,)


@pytest.mark.deep
def test_parts_of_invited_people_have_groups(ward_places: Places) -> None:
    """Estimates by group of a folder are those of its store."""
    study, store = open_study(ward_places.parts), open_study(ward_places.store)
    assert study.estimate(by_group=True) == store.estimate(by_group=True)


@pytest.mark.deep
def test_postgresql_and_one_file_give_the_same_numbers(
    places: Places, postgres_server: PostgresServer, tmp_path: Path
) -> None:
    """The same reports in PostgreSQL, in its parts, and in a Parquet file are the same study."""
    location = postgres_server.schema()
    with closing(open_store(location)) as store:
        store.publish(EVERY_KIND)
        add_reports(store, everybody())
        store.close_survey(EVERY_KIND.slug)
    export_parts(location, tmp_path / "parts")
    export_study(location, tmp_path / "one.parquet")
    for each in (location, tmp_path / "parts", tmp_path / "one.parquet"):
        check_same(open_study(each), open_study(places.store))


def test_folders_are_sites(places: Places) -> None:
    """A folder and a store are two sites of one study."""
    study = open_sites({"north": places.parts, "south": str(places.store)})
    assert study.report_count == 2 * PEOPLE


def test_a_published_survey_will_do_for_a_table(places: Places) -> None:
    """Without the file of an export, the study is of edition 1, and of an open survey."""
    table = ibis.duckdb.connect().read_parquet(str(places.parts / "*.parquet"))
    study = open_table(table, EVERY_KIND)
    assert (study.edition, study.report_count) == (1, PEOPLE)
    blocks = EVERY_KIND.blocks
    assert study.count(blocks) == open_study(places.store).count(blocks)


def test_groups_need_a_closed_survey(ward_places: Places) -> None:
    """With a published survey alone, nobody says that it is closed."""
    table = ibis.duckdb.connect().read_parquet(str(ward_places.parts / "*.parquet"))
    study = open_table(table, open_study(ward_places.store).survey)
    with pytest.raises(NoGroups, match="is not closed"):
        study.estimate(by_group=True)


def test_a_table_without_groups_has_none(ward_places: Places) -> None:
    """If the column was left out, results by group are refused."""
    table = ibis.duckdb.connect().read_parquet(str(ward_places.parts / "*.parquet"))
    study = open_table(table.drop("_group"), ward_places.survey_file)
    assert study.report_count == 90
    with pytest.raises(NoGroups):
        study.estimate(by_group=True)


def test_only_counts_come_back(places: Places, monkeypatch: pytest.MonkeyPatch) -> None:
    """An estimate of 400 reports needs no more rows than a block has members or few values."""
    sizes: list[int] = []

    def counted(expression: Any, place: str) -> Any:
        found = run(expression, place)
        sizes.append(len(found))
        return found

    monkeypatch.setattr(engine_counts, "run", counted)
    open_study(places.parts).estimate(interval="wilson")
    assert len(sizes) > len(EVERY_KIND.blocks)
    assert max(sizes) <= max(2 * block.mechanism.form.members for block in EVERY_KIND.blocks) + 1


@pytest.mark.parametrize("block", ["order_x_region", "many"])
def test_a_table_that_changes_meanwhile_is_noticed(
    block: str, places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Rows that arrive between two questions are not counted in some blocks only."""
    connection = ibis.duckdb.connect()
    connection.read_parquet(str(places.parts / "*.parquet"), table_name="parts")
    connection.raw_sql("CREATE TABLE reports AS SELECT * FROM parts")

    def growing(expression: Any, place: str) -> Any:
        found = run(expression, place)
        connection.raw_sql("INSERT INTO reports SELECT * FROM parts LIMIT 50")
        return found

    monkeypatch.setattr(engine_counts, "run", growing)
    study = open_table(connection.table("reports"), EVERY_KIND)
    blocks = [each for each in EVERY_KIND.blocks if each.id in (block, "visits")]
    with pytest.raises(StudyUnavailable, match="the table reports changed while it was counted"):
        study.count(blocks)


def changed(places: Places, change: Callable[[pa.Table], pa.Table], folder: Path) -> Path:
    """The parts after one of them was changed."""
    for path in places.parts.iterdir():
        (folder / path.name).write_bytes(path.read_bytes())
    part = folder / "part-00001.parquet"
    parquet.write_table(change(parquet.read_table(part)), part)
    return folder


def test_a_changed_part_is_refused(places: Places, tmp_path: Path) -> None:
    """Lost rows, and values that no device sends, are noticed in one of many parts."""

    def with_a_strange_value(table: pa.Table) -> pa.Table:
        column = table["helped"].to_pylist()
        place = table.schema.get_field_index("helped")
        return table.set_column(place, "helped", pa.array([7, *column[1:]], pa.int16()))

    folder = changed(places, lambda table: table.slice(1), tmp_path)
    with pytest.raises(UnreadableStudy, match=r"got 399 reports, and the survey's file says 400"):
        open_study(folder).estimate()
    folder = changed(places, with_a_strange_value, tmp_path)
    with pytest.raises(UnreadableStudy, match="block 'helped': got a stored value that its mech"):
        open_study(folder).estimate()


def test_tables_of_another_shape_are_refused(places: Places) -> None:
    """A missing column and a column of another type are named."""
    table = ibis.duckdb.connect().read_parquet(str(places.parts / "*.parquet"))
    with pytest.raises(UnreadableStudy, match="has no column 'mood'; allowed is a table with a"):
        open_table(table.drop("mood"), EVERY_KIND).estimate()
    with pytest.raises(UnreadableStudy, match="type float64 in the column 'mood'; allowed are wh"):
        open_table(table.cast({"mood": "float64"}), EVERY_KIND).estimate()
    with pytest.raises(UnreadableStudy, match="in the column 'many'; allowed are lists of whole"):
        open_table(table.cast({"many": "array<string>"}), EVERY_KIND).estimate()


def test_a_table_needs_its_survey(places: Places) -> None:
    """Nobody can tell how its values were randomized without it."""
    table = ibis.duckdb.connect().read_parquet(str(places.parts / "*.parquet"))
    with pytest.raises(SurveyNotFound, match=r"a table does not say which survey.*pass the path"):
        open_table(table, None)  # type: ignore[arg-type]
    with pytest.raises(
        StudyNotFound, match=r"^table: got .*; allowed is a table of Ibis; open_st"
    ):
        open_table(places.parts, EVERY_KIND)  # type: ignore[arg-type]
    with pytest.raises(StudyNotFound, match=r"there is no file nothing\.json; pass the path"):
        open_table(table, "nothing.json")
    with pytest.raises(SurveyNotFound, match=r"^got the survey something of the type Publis"):
        open_study(places.parts, EVERY_KIND)  # type: ignore[arg-type]


def test_an_engine_that_fails_is_named_without_its_words(places: Places) -> None:
    """An engine's message might quote a value."""
    connection = ibis.duckdb.connect()
    table = connection.read_parquet(str(places.parts / "*.parquet"), table_name="mine")
    study = open_table(table, EVERY_KIND)
    connection.con.execute("DROP VIEW mine")
    with pytest.raises(StudyUnavailable, match="the table mine cannot be counted now, because"):
        study.estimate()


def test_folders_that_are_no_export_are_refused(places: Places, tmp_path: Path) -> None:
    """Each error says what is missing."""
    with pytest.raises(StudyNotFound, match=r"there is no export in parts in .*_survey\.json"):
        open_study(tmp_path)
    with pytest.raises(UnreadableStudy, match=r"^\*00000\.parquet in .* matches 1 of 4 parts"):
        open_study(f"{places.parts}/*00000.parquet")
    for path in places.parts.iterdir():
        (tmp_path / path.name).write_bytes(path.read_bytes())
    (tmp_path / "part-00003.parquet").unlink()
    with pytest.raises(UnreadableStudy, match=r"lacks the part part-00003\.parquet; restore it"):
        open_study(tmp_path)
    (tmp_path / "_manifest.json").write_text("{}")
    with pytest.raises(UnreadableStudy, match=r"_manifest\.json is not what `deniable export`"):
        open_study(tmp_path)
    (tmp_path / "_manifest.json").unlink()
    with pytest.raises(UnreadableStudy, match="is not finished; run the same command again"):
        open_study(tmp_path)


@pytest.mark.parametrize("name", ["ibis", "duckdb"])
def test_without_the_packages_the_error_says_what_to_install(
    name: str, places: Places, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It names the extra."""
    monkeypatch.setitem(sys.modules, name, None)
    with pytest.raises(PackageMissing, match=r'pip install "deniable\[analysis,engines\]"'):
        open_study(places.parts)
