"""Studies of a running collector, over real HTTP."""

from collections.abc import Iterator
from contextlib import closing

import numpy as np
import pytest

from analysis.kinds import KINDS
from deniable_analysis import open_study
from deniable_analysis.errors import StudyNotFound, StudyRefused, SurveyNotFound
from deniable_collector import add_reports, open_store
from deniable_sdk import randomize
from error_texts import error_texts
from live_server import ANALYST_TOKEN, OWNER_TOKEN, LiveCollector, live_collector
from sample_definitions import survey, yes_no


@pytest.fixture(scope="module")
def collector(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveCollector]:
    """A running collector with two editions of a survey."""
    path = tmp_path_factory.mktemp("collector") / "store.sqlite"
    with closing(open_store(path)) as store:
        store.publish(survey(yes_no("order"), slug="kinds"))
        store.close_survey("kinds")
        store.publish(KINDS)
        add_reports(
            store, [randomize(KINDS, {"order": "yes", "region": "o1"}) for _ in range(300)]
        )
    with live_collector(path) as running:
        yield running


def page(collector: LiveCollector, slug: str = "kinds") -> str:
    """The address of a survey's page."""
    return f"{collector.url}/s/{slug}"


def test_a_collectors_study_is_that_of_its_store(
    collector: LiveCollector, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Estimates and tuples over HTTP are those of the file, with either way to give the token."""
    store = open_study(collector.store)
    study = open_study(page(collector), token=ANALYST_TOKEN)
    assert study.survey == KINDS
    assert study.edition == 2
    assert study.report_count == 300
    assert study.estimate() == store.estimate()
    assert study.estimate("order") == store.estimate("order")
    for blocks in (KINDS.blocks[:2], KINDS.blocks[1:]):
        one, other = store.joint_counts(blocks), study.joint_counts(blocks)
        np.testing.assert_array_equal(one.counts, other.counts)
        for index in range(len(blocks)):
            np.testing.assert_array_equal(one.of(index), other.of(index))
    monkeypatch.setenv("DENIABLE_ANALYST_TOKEN", ANALYST_TOKEN)
    assert open_study(page(collector)).estimate() == store.estimate()


def test_an_earlier_edition_can_be_opened(collector: LiveCollector) -> None:
    """slug@1 is the first edition, and has no reports and no tuples."""
    first = open_study(page(collector), "kinds@1", token=ANALYST_TOKEN)
    assert (first.edition, first.report_count) == (1, 0)
    assert first.estimate().questions[0].options[0].share is None
    assert first.joint_counts(first.survey.blocks).report_count == 0
    with pytest.raises(SurveyNotFound, match=r"got the survey 'other'; the store contains: kinds"):
        open_study(page(collector), "other", token=ANALYST_TOKEN)


def test_a_token_is_needed_and_never_told(
    collector: LiveCollector, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a token, and with a wrong one, it is said what to do, and no token is repeated."""
    monkeypatch.delenv("DENIABLE_ANALYST_TOKEN", raising=False)
    with pytest.raises(StudyRefused, match=r"pass token=\.\.\., or set DENIABLE_ANALYST_TOKEN in"):
        open_study(page(collector))
    with pytest.raises(StudyRefused, match=r"answered 401: Send the analyst's token in the hea"):
        open_study(page(collector), token=OWNER_TOKEN[:-1])
    with pytest.raises(StudyRefused) as refused:
        open_study(page(collector), token="secret-of-someone-else")  # noqa: S106 - a wrong one
    assert "secret-of-someone-else" not in error_texts(refused.value)
    assert ANALYST_TOKEN not in repr(open_study(page(collector), token=ANALYST_TOKEN))


def test_an_unknown_survey_is_not_found(collector: LiveCollector) -> None:
    """A slug that the collector does not have is refused in its words."""
    with pytest.raises(StudyNotFound, match=r"answered 404: No survey is published here under"):
        open_study(page(collector, "other"), token=ANALYST_TOKEN)
