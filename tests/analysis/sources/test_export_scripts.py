"""Scripts for R and Stata: their numbers are those of the published survey."""

import csv
import json
import math
import re
from pathlib import Path

import numpy as np
import pandas as pd
import pyreadstat
import pytest

from analysis.study_files import write_store
from analysis.work_survey import (
    HARASSED,
    shares_by_name,
    total_variance,
    work_survey,
    write_work,
)
from deniable_analysis import export_study, open_study
from deniable_analysis.errors import StudyNotFound
from deniable_analysis.results import MeanEstimate
from deniable_sdk import PublishedSurvey
from sample_definitions import choice, survey

Table = list[dict[str, str]]
SURVEY = work_survey()
# The questions of blocks whose reports are one answer each, and their numbers of answers.
SINGLE = {"harassed": 2, "stress": 6, "insured_x_area": 4}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A store of 3,000 reports of every kind of block, its files and its scripts."""
    path = tmp_path_factory.mktemp("work")
    write_work(path / "store.sqlite")
    for suffix in ("sav", "R", "do"):
        export_study(path / "store.sqlite", path / f"work.{suffix}", language="en")
    return path


def tables_of(script: str) -> list[Table]:
    """The tables in an R script."""
    texts = re.findall(r'r"(-+)\(\n(.*?)\)\1"', script, re.DOTALL)
    return [list(csv.DictReader(text.splitlines())) for _, text in texts]


def channel_of(row: dict[str, str]) -> tuple[float, float]:
    """The probabilities that a row must have, from the survey itself."""
    name = row["variables"].split()[0]
    ids = [block.id for block in SURVEY.blocks if re.fullmatch(rf"{block.id}(_\d+)?", name)]
    mechanism = SURVEY.block(ids[0]).mechanism
    names = ("no_answer_keep", "no_answer_flip") if ids[0] == "sick_days" else ("keep", "flip")
    keep, flip = (float(getattr(mechanism, each)) for each in names)
    return keep, flip


def test_the_numbers_of_an_r_script_are_exactly_the_survey_s(folder: Path) -> None:
    """Each share has the probabilities of its block, as numbers that are read unchanged."""
    shares, _ = tables_of((folder / "work.R").read_text(encoding="utf-8"))
    assert len(shares) == 2 + 6 + 4 + 7 + 1 + 0 + 13 + (4 + 2 + 2)
    for row in shares:
        assert (float(row["keep"]), float(row["flip"])) == channel_of(row)
    by_option = {(row["question"], row["option"]): row for row in shares}
    assert by_option["told", "o1"]["variables"] == "told_2"
    assert by_option["sick_days", "no_answer"]["values"] == "80"
    merged = by_option["area", "o1"]
    assert (merged["variables"], merged["values"]) == ("insured_x_area", "2 4")
    assert merged["merged"] == "2"


def test_the_tables_of_an_r_script_give_our_estimates(folder: Path) -> None:
    """Computed as the script says, shares, means and errors are those of estimate()."""
    shares, terms = tables_of((folder / "work.R").read_text(encoding="utf-8"))
    data, _ = pyreadstat.read_sav(folder / "work.sav")
    ours = open_study(folder / "store.sqlite").estimate()
    found = shares_by_name(ours)
    for row in shares:
        known = data[row["variables"].split()].dropna()
        values = [float(value) for value in row["values"].split()]
        merged, keep, flip = (float(row[each]) for each in ("merged", "keep", "flip"))
        marks = known.isin(values).sum(axis=1).to_numpy()
        corrected = (marks - merged * flip) / (keep - flip)
        share = found.pop((row["question"], row["option"]))
        assert share.share == pytest.approx(corrected.mean(), abs=1e-12)
        variance = corrected.var() / len(corrected)
        assert total_variance(share) == pytest.approx(variance, rel=1e-9)
    assert found == {}
    means = {each.question: each.mean for each in ours.questions if each.mean}
    assert {row["question"] for row in terms} == set(means) == {"stress", "sick_days", "if"}
    for question, mean in means.items():
        check_mean([row for row in terms if row["question"] == question], data, mean)


def check_mean(terms: Table, data: pd.DataFrame, mean: MeanEstimate) -> None:
    """Compare a mean with the ratio that the terms of its question make."""
    first, *others = terms
    asked = data[data[first["variable"]].notna()]
    numbers = np.full((2, len(asked)), [[float(first["number"])], [float(first["answered"])]])
    for row in others:
        is_there = (asked[row["variable"]] == float(row["value"])).to_numpy()
        numbers += is_there * [[float(row["number"])], [float(row["answered"])]]
    number, answered = numbers.mean(axis=1)
    ratio, count = number / answered, len(asked)
    squares = ((numbers[0] - ratio * numbers[1]) / answered) ** 2
    assert mean.value == pytest.approx(ratio, rel=1e-12)
    # That of a mean of shares is divided by n², as those of the shares are.
    divisor = count**2 if first["question"] == "stress" else count * (count - 1)
    assert mean.variance == pytest.approx(squares.sum() / divisor, rel=1e-9)


def test_calls_of_r_packages_have_the_same_channel(folder: Path) -> None:
    """Warner with p, and forced response with q for each answer, are the block's design."""
    script = (folder / "work.R").read_text(encoding="utf-8")
    calls = re.findall(
        r'# (\w+): .*\n.*\n.*RRuni\(\n    response = .*model = "(\w+)", p = (.*)\n', script
    )
    assert {block: model for block, model, _ in calls} == {
        "harassed": "Warner",
        "stress": "FR",
        "insured_x_area": "FR",
    }
    for block, model, given in calls:
        mechanism = SURVEY.block(block).mechanism
        keep, flip = (getattr(mechanism, each) for each in ("keep", "flip"))
        if model == "Warner":
            # RRreg: p is the probability of the sensitive question, 1 - p of its opposite.
            assert (float(given), float(1 - keep)) == (float(keep), float(flip))
            continue
        # RRreg: p has the probabilities of being forced to each of the answers.
        ((forced, count),) = re.findall(r"^rep\((.*), (\d+)\)$", given)
        assert (float(forced), int(count)) == (float(flip), SINGLE[block])
        assert 1 - int(count) * flip + flip == keep
    keep = SURVEY.block("harassed").mechanism.keep  # type: ignore[attr-defined]
    assert f'model = "Warner", p1 = {float(keep)!r}, p2 = 1' in script


def test_a_stata_script_has_the_lines_of_the_r_script(folder: Path) -> None:
    """Variables, codes and probabilities of shares and means are the same in both."""
    shares, terms = tables_of((folder / "work.R").read_text(encoding="utf-8"))
    lines = (folder / "work.do").read_text(encoding="utf-8").splitlines()
    assert [line for line in lines if line.startswith("rr_share ")] == [
        f'rr_share {row["question"]} "{row["variables"]}" "{row["values"]}" {row["merged"]} '
        f"{row['keep']} {row['flip']}"
        for row in shares
    ]
    expected: list[str] = []
    for index, row in enumerate(terms):
        numbers = f"{row['number']} {row['answered']}"
        if row["value"] == "NA":
            expected.append(f"rr_begin {row['variable']} {numbers}")
        else:
            expected.append(f"rr_term {row['variable']} {row['value']} {numbers}")
        if index + 1 == len(terms) or terms[index + 1]["value"] == "NA":
            expected.append(f"rr_mean {row['question']}")
    starts = ("rr_begin ", "rr_term ", "rr_mean ")
    assert [line for line in lines if line.startswith(starts)] == expected
    assert 'use "work.dta", clear' in lines


def test_calls_of_stata_packages_have_the_same_channel(folder: Path) -> None:
    """Of two answers, pwarner is p; of more, pyes and pno are what an answer is replaced by."""
    script = (folder / "work.do").read_text(encoding="utf-8")
    calls = re.findall(
        r"quietly generate byte rr_y = (\w+) == (\d+) .*\n.*\nif _rc == 0 rrreg rr_y, (.*)\n",
        script,
    )
    assert len(calls) == 1 + SINGLE["stress"] + SINGLE["insured_x_area"]
    assert script.count("if _rc == 0 rrlogit rr_y, ") == len(calls)
    for block, _, options in calls:
        mechanism = SURVEY.block(block).mechanism
        keep, flip = (getattr(mechanism, each) for each in ("keep", "flip"))
        given = {name: float(value) for name, value in re.findall(r"(\w+)\(([^)]*)\)", options)}
        expected = {"pyes": float(flip), "pno": float(1 - keep)}
        assert given == ({"pwarner": float(keep)} if block == "harassed" else expected)


def test_a_stata_script_is_whole(folder: Path) -> None:
    """Programs end, braces and quotes close, macros are closed, and no text is an author's."""
    script = (folder / "work.do").read_text(encoding="utf-8")
    lines = [line for line in script.splitlines() if not line.startswith("*")]
    assert sum(line.startswith("program define ") for line in lines) == lines.count("end") == 4
    for line in lines:
        assert line.count("`") == line.count("'")
        assert line.count('"') % 2 == 0
        assert len(line) < 200
    assert script.count("{") == script.count("}")
    assert "/*" not in script
    assert script.isascii()
    assert HARASSED["en"] not in script
    for row in lines:
        if row.startswith("rr_"):
            numbers = re.sub(r'"[^"]*"', "", row).split()[2:]
            assert all(
                math.isfinite(float(number)) for number in numbers if number[0] in "-0123456789"
            )


@pytest.mark.parametrize("suffix", ["R", "do"])
@pytest.mark.parametrize("stem", ['a"b', "a`b", "$a", "a\\b", "a;b", "-a"])
def test_a_name_that_a_script_cannot_contain_is_refused(
    suffix: str, stem: str, folder: Path, tmp_path: Path
) -> None:
    """Names that a program would read as something else are refused, and no file is left."""
    with pytest.raises(StudyNotFound, match=r"for a script, which contains it; allowed are lett"):
        export_study(folder / "store.sqlite", tmp_path / f"{stem}.{suffix}")
    assert list(tmp_path.iterdir()) == []


def test_ids_of_options_cannot_end_the_table_of_an_r_script(tmp_path: Path) -> None:
    """A table is read as it was written, whatever an author calls an option."""
    ids = [')-"', ')--"); stop("x")', 'a"b', "c,d", "NA", "`x`", "$y"]
    published = survey({**choice(required=True), "options": ids}, epsilon=10)
    write_store(tmp_path / "store.sqlite", published)
    export_study(tmp_path / "store.sqlite", tmp_path / "odd.R")
    script = (tmp_path / "odd.R").read_text(encoding="utf-8")
    assert 'r"---(' in script
    (shares,) = tables_of(script)
    assert [row["option"] for row in shares] == ids
    export_study(tmp_path / "store.sqlite", tmp_path / "odd.do")
    assert "stop" not in (tmp_path / "odd.do").read_text(encoding="utf-8")


def test_a_line_break_in_an_id_stays_in_its_line(tmp_path: Path) -> None:
    """No text of a published survey adds a line to a script."""
    plain = survey({**choice(required=True), "options": ["LINE", "b"]})
    text = plain.document.decode().replace('"LINE"', json.dumps("a\nstop()\u2028b"))
    published = PublishedSurvey.from_document(json.loads(text))
    write_store(tmp_path / "store.sqlite", published)
    export_study(tmp_path / "store.sqlite", tmp_path / "odd.R")
    (shares,) = tables_of((tmp_path / "odd.R").read_text(encoding="utf-8"))
    assert [row["option"] for row in shares] == ["a stop() b", "b"]
