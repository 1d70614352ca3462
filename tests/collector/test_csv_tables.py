"""Tables as programs and spreadsheets write them are read, or what is wrong is named."""

import os
from pathlib import Path

import pytest

from deniable_storage.csv_tables import CsvTable, open_table
from deniable_storage.errors import UnreadableTable

ROWS = [["yes", "40"], ["nö; but, why", ""]]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the table is."""
    return tmp_path / "table.csv"


@pytest.mark.parametrize("encoding", ["utf-8", "utf-8-sig", "cp1252", "utf-16"])
@pytest.mark.parametrize("sign", [",", ";", "\t"])
@pytest.mark.parametrize("end", ["\n", "\r\n"])
def test_separators_and_encodings_are_recognised(
    path: Path, encoding: str, sign: str, end: str
) -> None:
    """Whatever a spreadsheet chooses; a doubt is said where letters were guessed."""
    lines = [sign.join(("Smokes", " AGE ")), sign.join(("yes", "40")), "", f'"nö; but, why"{sign}']
    path.write_bytes(end.join(lines).encode(encoding))
    with open_table(path, ("age",)) as table:
        assert table.names == ("smokes", "age")
        assert list(table.rows()) == ROWS
        assert table.line == 4
        assert bool(table.doubt) == (encoding == "cp1252")


@pytest.mark.parametrize(
    ("header", "sign"),
    [
        ("smokes;Weight, kg;Height, cm;age", ";"),
        ("Weight, kg;age", ";"),
        ("age,a;b;c", ","),
        ("sep=;\nsmokes;age", ";"),
        ("age", ","),
    ],
)
def test_names_that_are_needed_decide_what_separates(path: Path, header: str, sign: str) -> None:
    """Other columns may have commas in their names, and Excel a line of its own."""
    path.write_text(header)
    with open_table(path, ("age",)) as table:
        assert table.names == tuple(
            name.strip().lower() for name in header.rpartition("\n")[2].split(sign)
        )


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", ": no column for age; the first line must name each once, with commas, semicolons"),
        (b"a|age\n", ": no column for age;"),
        (b"age,AGE\n", ": two columns for age;"),
        (b"age,a\n1\n", ":2: got 1 cells; the first line has 2"),
        (b"age,a\n1,2,CANARY\n", ":2: got 3 cells; the first line has 2"),
        (b'age,a\n1,"CANARY\n', ":2: not a CSV table: unexpected end of data"),
        (b'age,a\n1,"CANARY"x\n', ":2: not a CSV table: "),
        (b"age,\x81\n", ": not a text in UTF-8 or Windows-1252; save it as CSV in UTF-8"),
        (b"\xff\xfea", ": not a text in UTF-8 or Windows-1252"),
        (b"PK\x03\x04", ": it is a workbook; save its sheet as CSV in your spreadsheet program"),
    ],
)
def test_what_is_no_table_is_refused_without_its_cells(
    path: Path, content: bytes, problem: str
) -> None:
    """The message has the file, the line and what to do."""
    path.write_bytes(content)
    with pytest.raises(UnreadableTable) as refused, open_table(path, ("age",)) as table:
        list(table.rows())
    assert f"{path}{problem}" in str(refused.value)
    assert "CANARY" not in str(refused.value)


def test_a_table_is_read_from_a_pipe() -> None:
    """Other programs may hand it over, once."""
    reading, writing = os.pipe()
    os.write(writing, b"age;a\n1;2\n")
    os.close(writing)
    with open_table(Path(f"/dev/fd/{reading}"), ("age",)) as table:
        assert list(table.records()) == [{"age": "1", "a": "2"}]
    os.close(reading)


def test_a_table_has_no_cells_in_its_repr(path: Path) -> None:
    """What a crash reporter would take of it."""
    path.write_text("age\n41\n")
    with open_table(path) as table:
        assert isinstance(table, CsvTable)
        assert list(table.rows()) == [["41"]]
        assert "41" not in repr(table)
