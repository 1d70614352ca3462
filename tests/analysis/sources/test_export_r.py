"""The R script, run by R, and the SPSS file as R's own reader shows it."""

import csv
import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

from analysis.study_files import add_reports, write_store
from analysis.work_survey import (
    expected_rows,
    shares_by_name,
    total_variance,
    write_work,
)
from deniable_analysis import export_study, open_study
from deniable_analysis.codebook.variables import codebook_of
from sample_definitions import choice, survey
from there import there

pytestmark = pytest.mark.deep
RSCRIPT = shutil.which("Rscript")
# Runs a script with one of the two packages that read its file, and writes what it found.
RUN = """
wanted <- "{package}"
if (!base::requireNamespace(wanted, quietly = TRUE)) quit(status = 77)
requireNamespace <- function(package, ...) package == wanted
source("{script}", encoding = "UTF-8")
options(digits = 17)
write.csv(format(shares, digits = 17, trim = TRUE), "shares.csv", row.names = FALSE)
if (exists("means")) write.csv(format(means, digits = 17, trim = TRUE), "means.csv")
"""
READ = """
if (!requireNamespace("foreign", quietly = TRUE)) quit(status = 77)
data <- suppressWarnings(foreign::read.spss("work.sav", to.data.frame = TRUE,
                                            use.value.labels = FALSE))
write.csv(data, "data.csv", row.names = FALSE, na = "")
labels <- attr(data, "variable.labels")
write.csv(data.frame(name = names(labels), label = unname(labels)), "labels.csv")
values <- lapply(names(data), function(name) {
  found <- attr(data[[name]], "value.labels")
  data.frame(name = name, code = as.numeric(found), label = names(found))
})
write.csv(do.call(rbind, values), "values.csv")
"""


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """A folder with a store of 3,000 reports of every kind of block."""
    if RSCRIPT is None:
        pytest.skip("there is no Rscript: install r-base-core and r-cran-foreign")
    write_work(tmp_path / "store.sqlite")
    return tmp_path / "store.sqlite"


def run_r(program: str, folder: Path) -> None:
    """Run lines of R in a folder; 77 means that a package is missing."""
    (folder / "run.R").write_text(program, encoding="utf-8")
    result = subprocess.run(
        [there(RSCRIPT), "--vanilla", "run.R"],
        cwd=folder,
        capture_output=True,
        encoding="utf-8",
        timeout=300,
        env={**os.environ, "LC_ALL": "C.UTF-8"},
        check=False,
    )
    if result.returncode == 77:
        pytest.skip("R does not have the package: install r-cran-foreign, r-cran-haven")
    assert result.returncode == 0, result.stderr


def rows_of(path: Path) -> list[dict[str, str]]:
    """The rows that R wrote."""
    with path.open(encoding="utf-8", newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("package", ["foreign", "haven"])
def test_the_script_gives_our_estimates(package: str, store: Path) -> None:
    """Shares, means, numbers of reports and standard errors are those of estimate()."""
    for suffix in ("sav", "R"):
        export_study(store, store.with_name(f"work.{suffix}"))
    run_r(RUN.format(package=package, script="work.R"), store.parent)
    ours = open_study(store).estimate()
    rows = rows_of(store.with_name("shares.csv"))
    expected = shares_by_name(ours)
    for row in rows:
        share = expected.pop((row["question"], row["option"]))
        compare(row, "share", share.share, total_variance(share), there(share.reports))
    assert expected == {}
    means = {row[""]: row for row in rows_of(store.with_name("means.csv"))}
    assert set(means) == {question.question for question in ours.questions if question.mean}
    for question in ours.questions:
        if question.mean:
            variance, count = there(question.mean.variance), question.reports
            if question.question == "stress":
                # The variance of a mean of shares is divided by n², here by n (n - 1).
                variance *= count / (count - 1)
            compare(means[question.question], "mean", question.mean.value, variance, count)


def compare(
    row: Mapping[str, str], name: str, value: float | None, variance: float, reports: int
) -> None:
    """Compare a row of R with an estimate."""
    assert float(row[name]) == pytest.approx(there(value), abs=1e-12)
    assert float(row["se"]) ** 2 == pytest.approx(variance, rel=1e-9)
    assert int(float(row["reports"])) == reports


def test_r_reads_the_values_and_labels_of_an_spss_file(store: Path) -> None:
    """The package foreign, whose reader is that of PSPP, finds what was written."""
    export_study(store, store.with_name("work.sav"), language="en")
    run_r(READ, store.parent)
    codebook = codebook_of(open_study(store).survey, "en")
    data = rows_of(store.with_name("data.csv"))
    assert [
        {name: int(float(value)) for name, value in row.items() if value} for row in data
    ] == expected_rows(store)
    labels = {row["name"]: row["label"] for row in rows_of(store.with_name("labels.csv"))}
    assert labels == {variable.name: variable.label for variable in codebook.variables}
    values: dict[str, dict[int, str]] = {}
    for row in rows_of(store.with_name("values.csv")):
        values.setdefault(row["name"], {})[int(float(row["code"]))] = row["label"]
    assert values == {
        variable.name: {value.code: value.text for value in variable.values}
        for variable in codebook.variables
    }


def test_r_reads_a_script_whatever_an_option_is_called(tmp_path: Path) -> None:
    """Quotes, commas, NA and the end of a raw string in an id do not end the script."""
    if RSCRIPT is None:
        pytest.skip("there is no Rscript: install r-base-core and r-cran-foreign")
    ids = [')-"', ')--"); stop("x")', 'a"b', "c,d", "NA", "`x`", "中", "\\", "'"]
    published = survey({**choice(required=True), "options": ids}, epsilon=10)
    store = tmp_path / "store.sqlite"
    write_store(store, published)
    add_reports(store, published, [{"region": index} for index in range(len(ids))])
    for suffix in ("sav", "R"):
        export_study(store, tmp_path / f"odd.{suffix}")
    run_r(RUN.format(package="foreign", script="odd.R"), tmp_path)
    assert [row["option"] for row in rows_of(tmp_path / "shares.csv")] == ids
