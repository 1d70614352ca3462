"""CSV and JSON have the estimates with labels beside the ids, and nothing that is executed."""

import csv
import io
import json

import pandas as pd
import pytest

from deniable_web.pages.languages import catalog
from deniable_web.results.files import DATA, csv_cells, data_file, flat_rows
from deniable_web.results.files.rows import COLUMNS, FlatRow, RowKind, csv_text
from deniable_web.results.findings import EditionFindings
from deniable_web.results.labels import Labels
from hostile_texts import FORMULA, FORMULAS, REPORTS
from there import there


def labels(found: EditionFindings, language: str = "en") -> Labels:
    """The labels of a survey."""
    return Labels.of(found.survey, language)


def written(found: EditionFindings, suffix: str, language: str = "en") -> bytes:
    """The content of a file."""
    return there(data_file(found, labels(found, language), suffix)).content


@pytest.mark.parametrize(
    ("language", "question", "answer", "unit"),
    [
        ("en", "Were you ill?", "Yes", "days"),
        ("de", "Waren Sie krank?", "Ja", "Tage"),
        ("ar", "هل مرضت؟", "نعم", "أيام"),
        ("zh", "Were you ill?", "是", "days"),
    ],
)
def test_rows_have_labels_beside_ids(
    hostile: EditionFindings, language: str, question: str, answer: str, unit: str
) -> None:
    """Texts are those of the language, or the nearest that the survey has; ids never change."""
    rows = flat_rows(hostile, labels(hostile, language))
    (ill,) = (
        row for row in rows if (row.kind, row.question, row.option) == ("option", "was_ill", "yes")
    )
    assert (ill.question_text, ill.option_text, ill.unit) == (question, answer, "share")
    (mean,) = (row for row in rows if row.kind is RowKind.MEAN)
    assert (mean.question, mean.unit) == ("days", unit)
    texts = {"question_text", "option_text", "group_text", "unit"}
    plain = flat_rows(hostile, labels(hostile))
    for row, other in zip(rows, plain, strict=True):
        cells, others = row.cells(), other.cells()
        assert all(cells[name] == others[name] for name in COLUMNS if name not in texts)


def test_rows_are_the_estimates(hostile: EditionFindings) -> None:
    """Every share, cell, mean and quantile has its row, with its interval."""
    rows = flat_rows(hostile, labels(hostile))
    estimates = hostile.estimates
    told, ill, days = estimates.questions

    def numbers(kind: RowKind) -> list[tuple[float | None, ...]]:
        return [(row.estimate, row.low, row.high) for row in rows if row.kind is kind]

    assert numbers(RowKind.OPTION) == [
        (each.share, each.low, each.high) for found in (told, ill, days) for each in found.of_all
    ]
    among = there(ill.among)
    assert numbers(RowKind.ASKED) == [(among.asked.share, among.asked.low, among.asked.high)]
    assert numbers(RowKind.AMONG_ASKED) == [(o.share, o.low, o.high) for o in among.options]
    assert numbers(RowKind.CELL) == [
        (cell.share, cell.low, cell.high) for cell in estimates.crosstabs[0].cells
    ]
    mean = there(days.mean)
    assert numbers(RowKind.MEAN) == [(mean.value, mean.low, mean.high)]
    quartiles = hostile.quantiles["days"].quantiles
    assert numbers(RowKind.QUANTILE) == [
        tuple(map(float, (each.value, each.low, each.high))) for each in quartiles
    ]


def test_a_spreadsheet_reads_csv_as_utf_8_without_formulas(hostile: EditionFindings) -> None:
    """The file has the mark of UTF-8, and an apostrophe before texts that look like formulas."""
    content = written(hostile, "csv", "ar")
    assert content.startswith(b"\xef\xbb\xbf")
    table = pd.read_csv(io.BytesIO(content), keep_default_na=False)
    assert list(table.columns) == list(COLUMNS)
    assert "هل مرضت؟" in set(table["question_text"])
    rows = flat_rows(hostile, labels(hostile))
    raw = {value for row in rows for value in row.cells().values() if isinstance(value, str)}
    dangerous = {text for text in raw if text.startswith(("=", "+", "-", "@"))}
    assert {FORMULA + " who? Say it.", *FORMULAS} <= dangerous
    safe = {value for row in rows for value in csv_cells(row).values() if isinstance(value, str)}
    assert {text for text in safe if text.startswith(("=", "+", "-", "@"))} == {"-1"}
    assert {f"'{text}" for text in dangerous - {"-1"}} <= safe
    assert all(len(line.splitlines()) == 1 for line in raw if line)


def test_csv_is_read_back_as_it_was() -> None:
    """Commas, quotes and empty cells survive; a number keeps all of its digits."""
    row = FlatRow(kind=RowKind.OPTION, question='a "b", c', estimate=0.1 + 0.2)
    (found,) = csv.DictReader(io.StringIO(csv_text([row])))
    assert found["question"] == 'a "b", c'
    assert float(found["estimate"]) == 0.1 + 0.2
    assert found["low"] == ""


@pytest.mark.parametrize("language", ["en", "de"])
def test_json_is_the_document_with_labels(hostile: EditionFindings, language: str) -> None:
    """Texts by id, the facts of the survey and the meaning of numbers are beside the estimates."""
    found = json.loads(written(hostile, "json", language))
    document = json.loads(json.dumps(hostile.estimates.to_document()))
    assert {name: found[name] for name in document} == document
    named = found["labels"]
    assert named["language"] == language
    assert named["questions"]["was_ill"]["text"] == labels(hostile, language).question("was_ill")
    for question in document["questions"]:
        known = named["questions"][question["question"]]["options"]
        assert {option["option"] for option in question["options"]} <= known.keys()
    refused, own = named["questions"]["was_ill"], catalog("results", language)["options"]
    assert refused["options"]["not asked or no_answer"] == own["not_asked_or_none"]
    assert refused["options_among_asked"]["no_answer"] == own["no_answer"]
    texts = catalog("files", language)
    assert found["about"]["reports"] == REPORTS
    assert found["about"]["ended_by"] == texts["ends"]["none"]
    assert found["about"]["why"] == texts["why"]["watched"]
    assert found["numbers"]["low"] == texts["explained"]["low"]


@pytest.mark.parametrize("suffix", DATA)
def test_the_same_estimates_make_the_same_file(hostile: EditionFindings, suffix: str) -> None:
    """No file contains when it was made."""
    assert written(hostile, suffix) == written(hostile, suffix)
    assert data_file(hostile, labels(hostile), "ods") is None


@pytest.mark.parametrize("language", ["en", "de", "es", "ar", "zh"])
def test_every_column_and_kind_is_explained(language: str) -> None:
    """A catalog has a name and a sentence for each column, and a sentence for each kind."""
    texts = catalog("files", language)
    assert list(texts["columns"]) == list(texts["explained"]) == list(COLUMNS)
    assert list(texts["kinds"]) == [kind.value for kind in RowKind]
