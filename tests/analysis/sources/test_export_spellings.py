"""Exports that other programs wrote, and values that only look like values."""

import json
from pathlib import Path

import pyarrow as pa
import pytest
from pyarrow import parquet

from deniable_analysis import open_study
from deniable_analysis.errors import UnreadableStudy
from deniable_sdk import theory
from sample_definitions import choice, multiple, survey, yes_no

INDICES = survey(
    choice("region", 12, required=True), yes_no("order", required=True), epsilon=10, ask="all"
)
MIXED = survey(yes_no("order", required=True), multiple(options=4), epsilon=4, ask="all")


@pytest.mark.parametrize(
    "line",
    [
        '{"order": 1, "region":11}',
        '{"region":11,"order":1}\r',
        '\t{"\\u006frder":1,"region":11}',
        '{"order":1,"region":11,"colour":"x,\\"y"}',
        '{"order":1,"region":11,"colour":{"order":[5,null]}}',
    ],
)
def test_other_spellings_of_the_same_json_are_read(line: str, tmp_path: Path) -> None:
    """Lines are read as JSON, however other programs write them, beside lines of our own."""
    path = tmp_path / "mine.ndjson"
    path.write_text(f'{{"order":0}}\n{line}\n{{"region":3}}', newline="")
    path.with_suffix(".survey.json").write_bytes(INDICES.document)
    together = open_study(path).joint_counts(INDICES.blocks[:2])
    region, order = (together.of(index).tolist() for index in range(2))
    assert (region, order, together.counts.tolist()) == ([11], [1], [1])
    assert open_study(path).report_count == 3


@pytest.mark.parametrize(
    ("suffix", "lines", "problem"),
    [
        ("ndjson", ['{"order":1,', '"region":7}'], "line 1: got no JSON"),
        ("ndjson", ['{"order":1"region":7}'], "line 1: got no JSON"),
        ("ndjson", ['{"order":1,"region":7,}'], "line 1: got no JSON"),
        ("ndjson", ['{"order":01}'], "line 1: got no JSON"),
        ("ndjson", ['{"order":1,"colour":}'], "line 1: got no JSON"),
        ("ndjson", ['{"order":1}{"order":1}'], "line 1: got no JSON"),
        ("ndjson", ['{"order":"1"}'], "line 1, block 'order': got a stored"),
        ("ndjson", ['{"order":0,"order":1,"region":11}'], "line 1: got no JSON"),
        ("ndjson", ['{"order":1.0}'], "line 1, block 'order': got a stored"),
        ("ndjson", ['{"region":1}', '{"region":12}'], "line 2, block 'region': got a stored"),
        (
            "csv",
            ["region,order,drugs,visits", '"1\n2",,,'],
            "line 2, block 'region': got a stored",
        ),
        ("csv", ["region,order", "1 ,"], "line 2, block 'region': got a stored"),
    ],
)
def test_what_only_looks_like_values_is_refused(
    suffix: str, lines: list[str], problem: str, tmp_path: Path
) -> None:
    """No line makes up for what another one lacks, and no spelling passes for a value."""
    path = tmp_path / f"mine.{suffix}"
    path.write_text("\n".join([*lines, ""]))
    path.with_suffix(".survey.json").write_bytes(INDICES.document)
    with pytest.raises(UnreadableStudy, match=problem):
        open_study(path).estimate()


def test_the_first_of_many_damaged_lines_is_named(tmp_path: Path) -> None:
    """Wherever the first damaged value stands among thousands, its line is told."""
    path = tmp_path / "mine.csv"
    path.with_suffix(".survey.json").write_bytes(INDICES.document)
    for line in (2, 3, 1025, 1026, 3000):
        lines = ["order,region", *(["1,", ",11"] * 1500)]
        for damaged in (line, min(line + 4, 3000)):
            lines[damaged - 1] = "77,"
        path.write_text("\n".join([*lines, ""]))
        with pytest.raises(UnreadableStudy, match=f"line {line}, block 'order': got a stored"):
            open_study(path).estimate()


@pytest.mark.parametrize("kind", [pa.int64(), pa.uint8(), pa.int16(), pa.string(), pa.float64()])
def test_parquet_columns_of_whole_numbers_are_read(kind: pa.DataType, tmp_path: Path) -> None:
    """Any type of whole numbers will do, and no text or decimal passes for one."""
    path = tmp_path / "mine.parquet"
    path.with_suffix(".survey.json").write_bytes(MIXED.document)
    said = [None, 1, 0, None, 1]
    rows = pa.array([None if value is None else str(value) for value in said]).cast(kind)
    nothing = pa.array([None] * len(said), pa.int16())
    columns = {block.id: rows if block.id == "order" else nothing for block in MIXED.blocks}
    parquet.write_table(pa.table(columns), path)
    (order,) = [block for block in MIXED.blocks if block.id == "order"]
    if pa.types.is_integer(kind):
        assert open_study(path).count([order]).blocks["order"].of(range(2)) == [1, 2]
        return
    with pytest.raises(UnreadableStudy, match="row 2, block 'order': got a stored value"):
        open_study(path).count([order])


def test_parquet_lists_of_other_lengths_are_refused(tmp_path: Path) -> None:
    """Lists that are too short, make up for each other or hold nothing are no values."""
    path = tmp_path / "mine.parquet"
    path.with_suffix(".survey.json").write_bytes(MIXED.document)
    (drugs,) = [block for block in MIXED.blocks if block.id == "drugs"]
    legal = json.loads(next(iter(theory.channel(drugs.mechanism))))
    for damaged in ([], legal[:-1], [*legal, [0]], [[0, 1, 0], *legal[1:]], [[0, None]], [None]):
        kind = pa.list_(pa.list_(pa.int16()))
        parquet.write_table(pa.table({"drugs": pa.array([legal, None, damaged], kind)}), path)
        with pytest.raises(UnreadableStudy, match="row 3, block 'drugs': got a stored value"):
            open_study(path).count([drugs])
