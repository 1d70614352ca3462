"""Releases in files: what is written, with which noise, and what is refused."""

import json
import sqlite3
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from analysis.closed_stores import ASKED
from analysis.study_files import add_reports, close_survey, counted, write_store
from deniable_analysis import export_release, open_study
from deniable_analysis.errors import ExportExists, InvalidArgument, PackageMissing, SurveyNotClosed
from deniable_analysis.estimate.noise import Noise
from deniable_analysis.sources.release_file import released_members, sensitivity
from deniable_analysis.sources.releases import import_opendp
from deniable_sdk.canonical import digest, encode
from sample_definitions import choice, survey, yes_no
from there import there

# Of the noises with epsilon 1: the sensitivity of a block times the number of blocks.
SCALES = {block.id: 4 * sensitivity(block.mechanism.form) for block in ASKED.blocks}


def test_the_file_says_what_was_released(release: Path) -> None:
    """The survey, its digest, exact numbers of reports, the noise, and what it reveals."""
    document: dict[str, Any] = json.loads(release.read_text())
    assert document["survey"] == json.loads(ASKED.document)
    assert digest(encode(document["survey"])) == document["digest"] == ASKED.digest
    assert (document["site"], document["edition"], document["reports"]) == ("north", 1, 100)
    assert (document["epsilon"], document["mechanism"]) == ("1", "discrete laplace")
    assert document["neighbours"].startswith("the values of one report are different")
    assert (document["ended_by"], document["is_extended"]) == ("closes", False)
    blocks = {each["block"]: each for each in document["blocks"]}
    assert {name: each["scale"] for name, each in blocks.items()} == {
        name: [width, 1] for name, width in SCALES.items()
    }
    assert [blocks[name]["sensitivity"] for name in SCALES] == [
        width // 4 for width in SCALES.values()
    ]
    assert [len(blocks[name]["counts"]) for name in SCALES] == [3, 1, 4, 6]
    assert sum(blocks["drugs"]["drawn"]) == 100 * ASKED.blocks[2].mechanism.form.shape[0]
    assert all(each["reports"] == 100 for each in blocks.values())
    assert not any(set(each) & {"group", "id"} for each in blocks.values())


def test_counts_have_the_noise_that_the_file_says(store: Path) -> None:
    """Over many releases, the squared differences from the exact counts are the variance."""
    exact = open_study(store).count(ASKED.blocks).blocks
    squares: dict[str, list[int]] = {name: [] for name in SCALES}
    for each in range(60):
        path = store.with_name(f"{each}.json")
        export_release(store, path, epsilon=1)
        found = there(open_study(path).with_noise)(ASKED.blocks).blocks
        for name, width in SCALES.items():
            assert found[name].noise == (float(width),)
            members = set(exact[name].support) | set(found[name].support)
            squares[name] += [
                (found[name].support.get(member, 0) - exact[name].support.get(member, 0)) ** 2
                for member in members
            ]
    for name, width in SCALES.items():
        ratio = sum(squares[name]) / len(squares[name]) / Noise((width,)).variance
        # 60 squares at least, whose standard deviation is 2.3 times their mean.
        assert 0.15 < ratio < 5, name


def test_all_noise_is_that_of_opendp(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each count is asked for once, with the scale of the file, and what comes back is written."""
    exact = open_study(store).count(ASKED.blocks).blocks
    asked: list[float] = []

    def make_laplace(*_space: object, scale: float) -> Callable[[list[int]], list[int]]:
        asked.append(scale)
        return lambda counts: [count - 1000 for count in counts]

    monkeypatch.setattr(import_opendp().m, "make_laplace", make_laplace)
    export_release(store, store.with_name("north.json"), epsilon=1)
    assert asked == list(SCALES.values())
    blocks = json.loads(store.with_name("north.json").read_text())["blocks"]
    for block, found in zip(ASKED.blocks, blocks, strict=True):
        members = released_members(block.mechanism.form)
        expected = [exact[block.id].support.get(member, 0) - 1000 for member in members]
        assert found["counts"] == expected


def test_a_second_release_is_not_written_over_the_first(store: Path, release: Path) -> None:
    """The file stays as it is, and the message says what a second one would cost."""
    before = release.read_bytes()
    with pytest.raises(ExportExists, match="already exists; if it is a release of this survey"):
        export_release(store, release, epsilon=1)
    assert release.read_bytes() == before


def test_an_open_survey_is_refused(tmp_path: Path) -> None:
    """Nothing is written before the survey is closed."""
    write_store(tmp_path / "store.sqlite", ASKED)
    with pytest.raises(SurveyNotClosed, match="still accepts reports, and a second release, with"):
        export_release(tmp_path / "store.sqlite", tmp_path / "north.json", epsilon=1)
    assert not (tmp_path / "north.json").exists()


@pytest.mark.parametrize("epsilon", [0, -1, 11, "much", float("nan"), True, "1/3", "1e-3"])
def test_an_epsilon_that_is_none_is_refused(epsilon: Any, store: Path) -> None:
    """The message says what is allowed."""
    with pytest.raises(
        InvalidArgument, match=r"epsilon: got .*; allowed is a number from 0.01 to 10"
    ):
        export_release(store, store.with_name("north.json"), epsilon=epsilon)


def test_without_opendp_there_is_no_release(store: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """No other noise takes its place, and the message says what to install."""
    monkeypatch.setitem(sys.modules, "opendp", None)
    monkeypatch.setitem(sys.modules, "opendp.prelude", None)
    with pytest.raises(PackageMissing, match=r'pip install "deniable\[analysis,release\]"'):
        export_release(store, store.with_name("north.json"), epsilon=1)
    assert not store.with_name("north.json").exists()


def test_a_release_never_changes_the_store(store: Path) -> None:
    """It only reads: the same rows are there afterwards."""

    def content() -> list[str]:
        with closing(sqlite3.connect(store)) as database:
            return list(database.iterdump())

    before = content()
    export_release(store, store.with_name("north.json"), epsilon=1)
    assert content() == before


def test_reports_of_one_block_alone_are_released(tmp_path: Path) -> None:
    """With one of two blocks asked, each count has the noise of all of epsilon."""
    asked = survey(choice("region", 3, required=True), yes_no("order", required=True), ask=1)
    path = tmp_path / "store.sqlite"
    write_store(path, asked)
    add_reports(path, asked, [*counted("region", [5, 3, 2]), *counted("order", [4, 2])])
    close_survey(path, asked)
    export_release(path, tmp_path / "one.json", epsilon=1)
    study = open_study(tmp_path / "one.json")
    assert [
        each["scale"] for each in json.loads((tmp_path / "one.json").read_text())["blocks"]
    ] == [
        [2, 1],
        [1, 1],
    ]
    assert [each.reports for each in study.estimate().questions] == [10, 6]
