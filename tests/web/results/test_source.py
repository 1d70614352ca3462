"""Studies of the site's own store have the same results as other studies of this store."""

import random
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from deniable_analysis import open_study
from deniable_analysis.errors import StudyNotFound, StudyUnavailable, UnreadableStudy
from deniable_collector.store import add_reports, open_store
from deniable_web.results import studies
from deniable_web.results.studies import StoreSource, Studies, listed
from results_site import HEALTH, STRESS, stress
from store_samples import reports_of
from tally_checks import ask, change_first_count, name_of
from web.results.conftest import Site


@pytest.mark.parametrize("slug", [HEALTH, STRESS])
def test_a_study_says_what_open_study_says(site: Site, slug: str) -> None:
    """Every estimate is the same to the last digit, and so is every tuple of values."""
    stored = site.store.find_survey(slug)
    assert stored is not None
    own, opened = Studies(site.store).study(stored), open_study(site.location, slug)
    assert own.estimate().to_document() == opened.estimate().to_document()
    blocks = own.survey.blocks[:2]
    mine, theirs = own.joint_counts(blocks), opened.joint_counts(blocks)
    assert mine.report_count == theirs.report_count
    assert mine.counts.tolist() == theirs.counts.tolist()
    for index in range(len(blocks)):
        assert mine.of(index).tolist() == theirs.of(index).tolist()


def test_a_source_lists_every_edition_and_gives_its_document(site: Site) -> None:
    """Editions stand by slug and number, each with the bytes that were published."""
    found = StoreSource(site.store)
    names = [f"{each.slug}@{each.edition}" for each in found.surveys()]
    assert names == ["empty@1", "few@1", "health@1", "stress@1", "stress@2"]
    for each in found.surveys():
        stored = site.store.find_edition(each.digest)
        assert stored is not None
        assert found.published(each) == stored.survey


def test_a_survey_that_is_gone_is_not_found(sqlite_site: Site) -> None:
    """The message names the survey and what to do."""
    found = StoreSource(sqlite_site.store)
    gone = replace(found.surveys()[0], digest="0" * 64)
    with pytest.raises(StudyNotFound, match="no longer holds the survey 'empty'; look whether"):
        found.published(gone)


def test_too_many_tuples_are_refused(sqlite_site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """An export serves better then."""
    monkeypatch.setattr(studies, "MOST_TUPLES", 3)
    stored = sqlite_site.store.find_survey(STRESS)
    assert stored is not None
    with pytest.raises(StudyUnavailable, match="more than 3 different tuples"):
        StoreSource(sqlite_site.store).joint_counts(listed(stored), stored.survey.blocks[:2])


def test_a_value_that_no_device_sends_is_named_by_its_block(tmp_path: Path) -> None:
    """The message leaves the value out."""
    path = str(tmp_path / "store.sqlite")
    with closing(open_store(path)) as store:
        published = stress("First")
        stored = store.publish(published).stored
        add_reports(store, reports_of(published, 5, random.Random(1)))
        ask(path, f"UPDATE {name_of('reports', published)} SET harassed = 4321")  # noqa: S608  our name
        ask(path, change_first_count(path, published, "harassed", 4_321))
        found = StoreSource(store)
        for count, message in (
            (found.count, "the tally of block 'harassed' contradicts itself"),
            (found.joint_counts, "block 'harassed': got a stored"),
        ):
            with pytest.raises(UnreadableStudy, match=message) as caught:
                count(listed(stored), stored.survey.blocks[:1])
            assert "4321" not in str(caught.value)
