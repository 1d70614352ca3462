"""What studies and exports say of all reports of a closed survey together."""

from collections.abc import Callable, Mapping
from pathlib import Path

import pyreadstat
import pytest
from openpyxl import load_workbook

from analysis.invited_groups import ward
from analysis.study_files import Row, add_reports, close_survey, write_store
from ddi_checks import problems_of
from deniable_analysis import export_release, export_study, open_sites, open_study
from deniable_analysis.privacy import FilePrivacy
from deniable_sdk import PublishedSurvey
from deniable_storage.ends import End
from sample_definitions import survey, yes_no

PLAIN = survey(yes_no(), epsilon=1)
INVITED = ward(yes_no(), epsilon=1)


def store(
    path: Path,
    published: PublishedSurvey,
    groups: Mapping[str | None, int],
    end: End | None = End.CLOSES,
) -> Path:
    """A store with so many reports of each group; closed unless there is no end."""
    write_store(path, published)
    (block,) = published.blocks
    rows: list[Row] = [
        {block.id: place % 2, **({"_group": group} if group else {})}
        for group, count in groups.items()
        for place in range(count)
    ]
    add_reports(path, published, rows)
    if end:
        close_survey(path, published, end)
    return path


def expected(published: PublishedSurvey, reports: int) -> FilePrivacy:
    """The figure of so many reports."""
    (block,) = published.blocks
    return FilePrivacy.of(block.ratio, reports)


@pytest.mark.parametrize("end", End)
def test_all_reports_count(tmp_path: Path, end: End) -> None:
    """However the survey ended, everybody hides among all reports."""
    found = open_study(store(tmp_path / "store.sqlite", PLAIN, {None: 300}, end)).closed_file()
    assert found == expected(PLAIN, 300)
    assert found.epsilon is not None
    assert not found.of_smallest_group


def test_the_smallest_group_that_reported_counts(tmp_path: Path) -> None:
    """A group without a report has nobody to hide."""
    path = store(tmp_path / "store.sqlite", INVITED, {"nurses": 150, "doctors": 60})
    found = open_study(path).closed_file()
    assert found is not None
    assert found.of_smallest_group
    assert (found.reports, found.epsilon) == (60, expected(INVITED, 60).epsilon)
    assert "(60 in its smallest group)" in found.in_words


def _open(path: Path) -> Path:
    return store(path, PLAIN, {None: 300}, None)


def _of_nobody(path: Path) -> Path:
    return store(path, PLAIN, {})


def _without_groups(path: Path) -> Path:
    export = path.with_suffix(".csv")
    export_study(store(path, INVITED, {"nurses": 150}), export)
    return export


def _of_unknown_groups(path: Path) -> Path:
    return store(path, INVITED, {"nurses": 150, "surgeons": 3})


def _with_noise(path: Path) -> Path:
    release = path.with_suffix(".json")
    export_release(store(path, PLAIN, {None: 300}), release, epsilon=1)
    return release


@pytest.mark.parametrize(
    "write", [_open, _of_nobody, _without_groups, _of_unknown_groups, _with_noise]
)
def test_there_is_no_figure_of_what_is_unknown(
    tmp_path: Path, write: Callable[[Path], Path]
) -> None:
    """Nothing is said of an open survey, without reports, groups, or exact counts."""
    assert open_study(write(tmp_path / "store.sqlite")).closed_file() is None


def test_each_site_is_a_group(tmp_path: Path) -> None:
    """Whoever sees the files of all sites knows the site of each report."""
    places = {
        name: store(tmp_path / f"{name}.sqlite", PLAIN, {None: count})
        for name, count in (("north", 300), ("south", 80), ("west", 0))
    }
    found = open_sites(places).closed_file()
    assert found is not None
    assert (found.reports, found.of_smallest_group) == (80, True)
    _open(tmp_path / "east.sqlite")
    assert open_sites({**places, "east": tmp_path / "east.sqlite"}).closed_file() is None


def explanation(path: Path) -> str:
    """What a file says about its values."""
    if path.suffix == ".sav":
        return " ".join(pyreadstat.read_sav(path)[1].notes)
    if path.suffix == ".xlsx":
        rows = load_workbook(path)["about"].iter_rows(values_only=True)
        return " ".join(str(text) for _, text in rows)
    assert problems_of(path.read_bytes()) == []
    return path.read_text()


@pytest.mark.parametrize("suffix", ["sav", "xlsx", "ddi.xml"])
@pytest.mark.parametrize(
    ("published", "groups"), [(PLAIN, {None: 300}), (INVITED, {"nurses": 150, "doctors": 60})]
)
def test_files_for_people_have_the_sentence_of_a_closed_survey(
    tmp_path: Path, suffix: str, published: PublishedSurvey, groups: Mapping[str | None, int]
) -> None:
    """They say it beside epsilon, and nothing while the survey is open."""
    for end in (None, End.CLOSES):
        name = "open" if end is None else "closed"
        path = store(tmp_path / f"{name}.sqlite", published, groups, end)
        export_study(path, tmp_path / f"{name}.{suffix}")
        found = open_study(path).closed_file()
        told = explanation(tmp_path / f"{name}.{suffix}")
        assert (found is None) == (end is None)
        assert found.in_words in told if found else "closed survey" not in told
