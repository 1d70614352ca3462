"""Exports for SPSS and Stata, read back by other programs' readers."""

import re
import sys
from dataclasses import replace
from pathlib import Path

import numpy as np
import pandas as pd
import pyreadstat
import pytest
from pandas.io.stata import StataReader

from analysis.study_files import add_reports, write_store
from analysis.work_survey import HARASSED, REPORTS, expected_rows, write_work
from deniable_analysis import export_study, open_study
from deniable_analysis.codebook.variables import codebook_of
from deniable_analysis.errors import ExportTooLarge, PackageMissing, UnreadableStudy
from deniable_analysis.sources.exports.formats import FORMATS
from deniable_analysis.sources.exports.tables import MOST_VALUES
from sample_definitions import choice, survey, yes_no
from there import there

SUFFIXES = ("sav", "dta")


@pytest.fixture(scope="module")
def store(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of 3,000 reports of every kind of block."""
    path = tmp_path_factory.mktemp("store") / "store.sqlite"
    write_work(path)
    return path


def read_values(path: Path) -> pd.DataFrame:
    """The numbers of a file; those of Stata by another project's reader than the writer's."""
    if path.suffix == ".dta":
        return pd.read_stata(path, convert_categoricals=False)
    return pyreadstat.read_sav(path)[0]


def read_labels(path: Path) -> tuple[dict[str, str], dict[str, dict[int, str]], str]:
    """The labels of variables, of their values, and of the file."""
    if path.suffix == ".dta":
        with StataReader(path) as reader:
            variables, values, label = (
                reader.variable_labels(),
                reader.value_labels(),
                reader.data_label,
            )
        # Each set of labels is named after its variable, with a number behind.
        named = {name: values[f"{name}{index}"] for index, name in enumerate(variables)}
        return variables, named, label
    _, meta = pyreadstat.read_sav(path)
    whole = {
        name: {int(code): text for code, text in labels.items()}
        for name, labels in meta.variable_value_labels.items()
    }
    labels_of = {name: there(label) for name, label in meta.column_names_to_labels.items()}
    return labels_of, whole, there(meta.file_label)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_each_row_has_the_variables_of_a_report(suffix: str, store: Path, tmp_path: Path) -> None:
    """Every number is that of the stored value, and missing where the report has none."""
    assert export_study(store, tmp_path / f"work.{suffix}").report_count == REPORTS
    table = read_values(tmp_path / f"work.{suffix}")
    found = [
        {str(name): int(value) for name, value in row.items() if not np.isnan(value)}
        for row in table.to_dict("records")
    ]
    assert found == expected_rows(store)
    survey_file = tmp_path / "work.survey.json"
    assert survey_file.exists()
    assert not any("report" in str(name) or "_id" in str(name) for name in table.columns)


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_labels_are_in_the_chosen_language(suffix: str, store: Path, tmp_path: Path) -> None:
    """Variables, values and the file are labelled, and say that they are randomized."""
    path = tmp_path / f"work.{suffix}"
    assert export_study(store, path, language="en").language == "en"
    variables, values, label = read_labels(path)
    assert label == "Randomized: Work"
    assert variables["harassed"] == f"Randomized: {HARASSED['en']}"
    assert variables["told_1"] == "Randomized: A colleague (Which?)"
    assert values["harassed"] == {1: "yes", 2: "no"}
    assert values["stress"] == {**{level: f"{level}" for level in range(1, 6)}, 6: "no answer"}
    assert values["region_2"] == {0: "not in the randomized set", 1: "in the randomized set"}
    assert values["told_1"] == {0: "randomized bit 0", 1: "randomized bit 1"}
    assert list(values["insured_x_area"].values()) == ["yes, o0", "yes, o1", "no, o0", "no, o1"]
    assert len(values["sick_days"]) == 80
    path.unlink()
    assert export_study(store, path).language == "de"
    variables, _, label = read_labels(path)
    assert (label, variables["told_1"]) == (
        "Randomized: Arbeit & Druck",
        "Randomized: Eine Kollegin (Which?)",
    )


def test_an_spss_file_documents_its_design(store: Path, tmp_path: Path) -> None:
    """DISPLAY DOCUMENTS shows how to correct the values, and no variable is a scale."""
    export_study(store, tmp_path / "work.sav")
    _, meta = pyreadstat.read_sav(tmp_path / "work.sav")
    note = " ".join(meta.notes)
    assert "a share of these values is not a share of answers" in note
    for block in codebook_of(open_study(store).survey).blocks:
        assert f"Block {block.published.id} (questions:" in note
        if block.keep is not None and block.flip is not None:
            assert f"p = {float(block.keep)!r}, q = {float(block.flip)!r}." in note
    assert meta.variable_measure["harassed"] == "nominal"
    assert meta.variable_measure["stress"] == "ordinal"
    assert set(meta.variable_measure.values()) == {"nominal", "ordinal"}


def test_a_share_by_hand_is_that_of_the_results(store: Path, tmp_path: Path) -> None:
    """From the SPSS file: count, divide, subtract q, divide by p - q."""
    export_study(store, tmp_path / "work.sav")
    table, _ = pyreadstat.read_sav(tmp_path / "work.sav")
    weights = open_study(store).survey.block("harassed").mechanism.weights
    p = weights.high / (weights.high + weights.low)
    asked = table["harassed"].dropna()
    s = (asked == 1).mean()
    share, variance = (s - (1 - p)) / (2 * p - 1), s * (1 - s) / (len(asked) * (2 * p - 1) ** 2)
    question, *_ = open_study(store).estimate().questions
    yes = question.options[0]
    assert (question.reports, yes.option) == (len(asked), "yes")
    assert yes.share == pytest.approx(share, rel=1e-12)
    assert yes.mechanism_variance is not None
    assert yes.sampling_variance is not None
    assert yes.mechanism_variance + yes.sampling_variance == pytest.approx(variance, rel=1e-12)


@pytest.mark.parametrize(
    ("suffix", "place", "date"),
    [
        ("sav", slice(92, 109), b"01 Jan 0000:00:00"),
        ("dta", None, b"<timestamp>\x1101 Jan 2000 00:00</timestamp>"),
    ],
)
def test_nothing_says_when_a_file_was_written(
    suffix: str, place: slice | None, date: bytes, store: Path, tmp_path: Path
) -> None:
    """The date in the file is always the same, and the same reports give the same bytes."""
    contents = []
    for name in ("one", "two"):
        path = tmp_path / f"{name}.{suffix}"
        export_study(store, path)
        contents.append(path.read_bytes())
    assert contents[0] == contents[1]
    assert contents[0][place] == date if place else date in contents[0]
    assert not re.search(rb" 20[1-9][0-9] ", contents[0][:1024])


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_labels_are_cut_to_what_the_programs_allow(suffix: str, tmp_path: Path) -> None:
    """Long labels end in an ellipsis, and equal ones get their code."""
    texts = ["中" * 200, "中" * 200 + "!", "a" * 113, "same", "same"]
    options = [{"id": f"o{index}", "text": text} for index, text in enumerate(texts)]
    asked = {**choice("q" * 40, required=True), "options": options, "text": "ü" * 200}
    published = survey(asked, epsilon=10, title="中" * 200)
    write_store(tmp_path / "store.sqlite", published)
    add_reports(tmp_path / "store.sqlite", published, [{"q" * 40: 3}, {"q" * 40: 4}])
    path = tmp_path / f"x.{suffix}"
    export_study(tmp_path / "store.sqlite", path)
    variables, values, label = read_labels(path)
    assert label == "Randomized: " + "中" * 16 + "…"
    assert variables == {"q" * 27: "Randomized: " + "ü" * 67 + "…"}
    assert values["q" * 27] == {
        1: "中" * 36 + "… [1]",
        2: "中" * 36 + "… [2]",
        3: "a" * 109 + "…",
        4: "same [4]",
        5: "same [5]",
    }
    assert read_values(path)["q" * 27].tolist() == [4, 5]


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_a_survey_without_reports_has_its_variables(suffix: str, tmp_path: Path) -> None:
    """The file has no row, and all labels."""
    write_store(tmp_path / "store.sqlite", survey(yes_no()))
    path = tmp_path / f"none.{suffix}"
    assert export_study(tmp_path / "store.sqlite", path).report_count == 0
    table = read_values(path)
    assert (len(table), list(table.columns)) == (0, ["asthma"])
    assert read_labels(path)[0] == {"asthma": "Randomized: Do you have asthma?"}


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_more_values_than_memory_should_hold_are_refused(
    suffix: str, store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Before any value is read the numbers are told, with what to do, and no file is left."""
    assert FORMATS[suffix].most_values == MOST_VALUES
    values = REPORTS * 29
    monkeypatch.setitem(FORMATS, suffix, replace(FORMATS[suffix], most_values=values - 1))
    with pytest.raises(ExportTooLarge) as refused:
        export_study(store, tmp_path / f"work.{suffix}")
    assert str(refused.value) == (
        "got 87,000 values (3,000 reports of 29 variables), and this program writes 86,999 at "
        f"most to a .{suffix} file, because it needs memory for all of them; export them to "
        "another kind of file: .ndjson, .csv, .parquet, .json"
    )
    assert list(tmp_path.iterdir()) == []
    monkeypatch.setitem(FORMATS, suffix, replace(FORMATS[suffix], most_values=values))
    assert export_study(store, tmp_path / f"work.{suffix}").report_count == REPORTS


@pytest.mark.parametrize(("suffix", "most"), [("dta", 32_767), ("xlsx", 16_384)])
def test_more_variables_than_a_file_has_columns_are_refused(
    suffix: str, most: int, store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The number of variables is told, and no file is left."""
    assert FORMATS[suffix].most_variables == most
    monkeypatch.setitem(FORMATS, suffix, replace(FORMATS[suffix], most_variables=28))
    with pytest.raises(
        ExportTooLarge,
        match=rf"reports have 29 variables, and a \.{suffix} file can contain 28 at most; export",
    ):
        export_study(store, tmp_path / f"work.{suffix}")
    assert list(tmp_path.iterdir()) == []


@pytest.mark.parametrize("name", ["a.xlsx", "a.sav", "a.DTA", "a.ddi.xml", "a.R", "a.do"])
def test_files_for_other_programs_are_not_analysed(name: str, tmp_path: Path) -> None:
    """Whether the file is there or not, it is refused with what to export instead."""
    for _ in range(2):
        with pytest.raises(
            UnreadableStudy, match=r"is for other programs.* to ndjson, csv, parquet or json"
        ):
            open_study(tmp_path / name).estimate()
        (tmp_path / name).write_text("")


@pytest.mark.parametrize("suffix", SUFFIXES)
def test_without_its_package_says_what_to_install(
    suffix: str, store: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where pyreadstat is missing, the line that installs it is told, and no file is left."""
    monkeypatch.setitem(sys.modules, "pyreadstat", None)
    with pytest.raises(PackageMissing, match=r'pip install "deniable\[analysis,statistics\]"'):
        export_study(store, tmp_path / f"a.{suffix}")
    assert list(tmp_path.iterdir()) == []
