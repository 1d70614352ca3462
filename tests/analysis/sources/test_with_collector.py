"""The analysis reads what the collector writes."""

from collections import Counter
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from deniable_analysis import open_study
from deniable_collector import ReportOutcome, add_reports, open_store
from deniable_sdk import draw_blocks, randomize
from deniable_sdk.canonical import JSON
from deniable_sdk.mechanisms import Subset
from sample_definitions import choice, survey, yes_no

SURVEY = survey(choice("region", 9), yes_no("order"), epsilon=1, ask=1, slug="my-health")


def members(value: JSON) -> list[JSON]:
    """The options that a value supports."""
    return value if isinstance(value, list) else [value]


def test_what_the_collector_stored_is_what_is_counted(
    tmp_path: Path, read_bytes: Callable[[int], bytes]
) -> None:
    """Reports taken by a collector that is still open are estimated from exactly their counts."""
    path = tmp_path / "store.sqlite"
    reports = [
        randomize(SURVEY, {}, draw_blocks(SURVEY, read_bytes), read_bytes) for _ in range(300)
    ]
    with closing(open_store(path)) as store:
        store.publish(SURVEY)
        assert set(add_reports(store, reports)) == {ReportOutcome.STORED}
        estimates = open_study(path, "my-health").estimate()
    assert estimates.reports == 300
    for question, block in zip(estimates.questions, SURVEY.blocks, strict=True):
        values = [report.values[block.id] for report in reports if block.id in report.values]
        support = Counter(member for value in values for member in members(value))
        mechanism = block.mechanism
        assert isinstance(mechanism, Subset)
        assert question.reports == len(values)
        for index, option in enumerate(question.options):
            rate = support[index] / len(values)
            expected = (rate - float(mechanism.flip)) / float(mechanism.keep - mechanism.flip)
            assert option.share == pytest.approx(expected, abs=1e-12)


def test_a_closed_edition_and_its_successor_are_told_apart(tmp_path: Path) -> None:
    """After closing and publishing anew, the slug is the new edition and @1 the old one."""
    path = tmp_path / "store.sqlite"
    successor = survey(yes_no("order"), slug="my-health")
    with closing(open_store(path)) as store:
        store.publish(SURVEY)
        store.close_survey("my-health")
        store.publish(successor)
    assert open_study(path, "my-health").survey == successor
    assert open_study(path, "my-health@1").survey == SURVEY
