"""Exports in parts in a bucket, over HTTP to a real S3 server."""

import random
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from pyarrow import fs

from analysis.bucket_server import bucket
from deniable_analysis import export_parts, open_study
from deniable_analysis.errors import (
    ExportExists,
    StudyNotFound,
    StudyUnavailable,
    UnreadableStudy,
    UnsafeAddress,
)
from deniable_analysis.sources import parts
from deniable_analysis.sources.parts_folder import find_folder
from deniable_collector import add_reports, open_store
from deniable_sdk import randomize
from sample_definitions import choice, multiple, number, survey, yes_no

MIXED = survey(choice("region", 12), yes_no("order"), multiple(options=4), number(), ask=3)


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """The address of a bucket."""
    with bucket() as address:
        yield address


@pytest.fixture
def folder(server: str, request: pytest.FixtureRequest) -> str:
    """A folder of the bucket for one test."""
    return f"{server}/a/{request.node.name}"


@pytest.fixture
def store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A closed survey of 300 reports, of which a part has at most 100."""
    monkeypatch.setattr(parts, "REPORTS_OF_A_PART", 100)
    source = random.Random(5)
    with closing(open_store(str(tmp_path / "store.sqlite"))) as opened:
        opened.publish(MIXED)
        reports = [randomize(MIXED, {}, read_bytes=source.randbytes) for _ in range(300)]
        add_reports(opened, reports)
        opened.close_survey(MIXED.slug)
    return tmp_path / "store.sqlite"


def in_bucket(folder: str) -> tuple[fs.FileSystem, str]:
    """The files of a folder, for another program."""
    found = find_folder(folder)
    return found.files, found.path


def test_a_bucket_has_the_same_files_and_numbers(folder: str, store: Path, tmp_path: Path) -> None:
    """What is in the bucket is what a local folder has, and so are the estimates."""
    exported = export_parts(store, folder)
    assert (exported.part_count, exported.kept_count, exported.folder) == (4, 0, folder)
    export_parts(store, tmp_path / "local")
    files, path = in_bucket(folder)
    found = files.get_file_info(fs.FileSelector(path))
    assert {each.base_name for each in found} == {
        each.name for each in (tmp_path / "local").iterdir()
    }
    for each in found:
        with files.open_input_file(each.path) as file:
            assert file.read() == (tmp_path / "local" / each.base_name).read_bytes()
    expected = open_study(store)
    for where in (folder, f"{folder}/", f"{folder}/*.parquet"):
        study = open_study(where)
        assert study.estimate(interval="wilson") == expected.estimate(interval="wilson")
        assert study.joint_counts(study.survey.blocks[:2]).counts.tolist() == (
            expected.joint_counts(study.survey.blocks[:2]).counts.tolist()
        )


@pytest.mark.deep
def test_an_interrupted_export_goes_on_in_a_bucket(folder: str, store: Path) -> None:
    """Missing parts are written, finished ones kept, and what was left is removed."""
    export_parts(store, folder)
    files, path = in_bucket(folder)
    files.delete_file(f"{path}/_manifest.json")
    files.delete_file(f"{path}/part-00002.parquet")
    with files.open_output_stream(f"{path}/_unfinished-12-part-00002.parquet") as stream:
        stream.write(b"PAR1")
    with pytest.raises(UnreadableStudy, match="is not finished; run the same command again"):
        open_study(folder)
    assert export_parts(store, folder).kept_count == 3
    assert len(files.get_file_info(fs.FileSelector(path))) == 6
    assert open_study(folder).report_count == 300
    with pytest.raises(ExportExists, match=r"^s3://reports/a/.* already has a whole export"):
        export_parts(store, folder)


def test_buckets_that_are_not_there_are_named(server: str, store: Path) -> None:
    """The error says what to check; keys do not belong into an address."""
    with pytest.raises(StudyUnavailable, match=r"^s3://nobodys/x does not answer.*AWS_ACCESS_KEY"):
        export_parts(store, "s3://nobodys/x")
    with pytest.raises(StudyNotFound, match="there is no export in parts in s3://reports/empty"):
        open_study(f"{server}/empty")
    for address in ("s3://reports", "s3://reports/*.parquet", "s3://"):
        with pytest.raises(StudyNotFound, match=r"allowed is s3://BUCKET/FOLDER, or"):
            open_study(address)
    with pytest.raises(UnsafeAddress, match="got a key in the address of a bucket") as caught:
        open_study("s3://key:secret@reports/x")
    assert "secret" not in str(caught.value)
