"""The behaviour of every store with surveys and reports; conftest.py lists the stores."""

import itertools
import random
import threading
from collections import Counter
from contextlib import closing

import pytest

from deniable_collector.clock import utc_now
from deniable_collector.store import Store, add_reports
from deniable_collector.store.base import PublishOutcome, ReportOutcome, Row, row_of
from deniable_sdk import PublishedSurvey, Report, randomize
from deniable_storage.errors import StrangeValue, TooManyTuples
from sample_definitions import choice, survey, yes_no
from store_samples import HEALTH, SETS, Open, reports_of


def test_a_published_survey_is_found_by_slug_and_digest_with_its_exact_bytes(
    store: Store,
) -> None:
    """What was published is what devices get, byte for byte."""
    publication = store.publish(HEALTH)
    assert publication.outcome is PublishOutcome.PUBLISHED
    for found in (store.find_survey("health"), store.find_edition(HEALTH.digest)):
        assert found == publication.stored
        assert found.survey.document == HEALTH.document
        assert (found.edition, found.is_closed) == (1, False)


def test_nothing_is_found_in_an_empty_store(store: Store) -> None:
    """What was never published is None, nothing, or 0."""
    store.check()
    assert store.find_survey("health") is None
    assert store.find_edition(HEALTH.digest) is None
    assert store.close_survey("health") is None
    assert store.count_reports(HEALTH.digest) == 0
    assert store.list_surveys() == ()


def test_publishing_the_same_document_again_changes_nothing(store: Store) -> None:
    """Publishing is safe to repeat, also after closing."""
    store.publish(HEALTH)
    assert store.publish(HEALTH).outcome is PublishOutcome.ALREADY_PUBLISHED
    store.close_survey("health")
    again = store.publish(HEALTH)
    assert again.outcome is PublishOutcome.ALREADY_PUBLISHED
    assert again.stored.is_closed
    assert len(store.list_surveys()) == 1


def test_another_document_conflicts_while_open_and_is_the_next_edition_once_closed(
    store: Store,
) -> None:
    """A slug means its newest edition, and an open one is never replaced."""
    other = survey(yes_no(), epsilon=3)
    store.publish(HEALTH)
    conflict = store.publish(other)
    assert conflict.outcome is PublishOutcome.CONFLICT
    assert conflict.stored.survey.digest == HEALTH.digest
    assert store.find_edition(other.digest) is None
    store.close_survey("health")
    published = store.publish(other)
    assert (published.outcome, published.stored.edition) == (PublishOutcome.PUBLISHED, 2)
    assert store.find_survey("health") == published.stored
    first = store.find_edition(HEALTH.digest)
    assert first is not None
    assert (first.edition, first.is_closed) == (1, True)
    assert [found.edition for found in store.list_surveys()] == [1, 2]


@pytest.mark.parametrize("published", [HEALTH, SETS], ids=["asked 1 of 2", "sets"])
def test_every_report_has_exactly_one_outcome_and_one_row(
    store: Store, published: PublishedSurvey, random_source: random.Random
) -> None:
    """New reports are stored, known ones recognised, and both are counted once."""
    store.publish(published)
    reports = reports_of(published, 200, random_source)
    assert add_reports(store, reports) == (ReportOutcome.STORED,) * 200
    assert add_reports(store, reports) == (ReportOutcome.ALREADY_STORED,) * 200
    assert store.count_reports(published.digest) == 200


def test_the_same_id_with_other_values_conflicts_and_the_first_stays(
    store: Store, random_source: random.Random
) -> None:
    """A report is never overwritten, neither between nor within batches."""
    store.publish(HEALTH)
    (first,) = reports_of(HEALTH, 1, random_source)
    others = (randomize(HEALTH, {}, read_bytes=random_source.randbytes) for _ in range(100))
    other = next(report for report in others if report.values != first.values)
    forged = Report(first.survey, first.id, other.values)
    batch = [first, forged, first]
    assert add_reports(store, batch) == (
        ReportOutcome.STORED,
        ReportOutcome.CONFLICT,
        ReportOutcome.ALREADY_STORED,
    )
    assert add_reports(store, [forged]) == (ReportOutcome.CONFLICT,)
    assert add_reports(store, [first]) == (ReportOutcome.ALREADY_STORED,)
    assert store.count_reports(HEALTH.digest) == 1


def test_a_closed_survey_refuses_new_reports_and_knows_those_it_has(
    store: Store, random_source: random.Random
) -> None:
    """A late retry of a stored report succeeds; a new report does not."""
    store.publish(HEALTH)
    known, late = reports_of(HEALTH, 2, random_source)
    add_reports(store, [known])
    for _ in range(2):
        closed = store.close_survey("health")
        assert closed is not None
        assert closed.is_closed
    assert add_reports(store, [known, late]) == (
        ReportOutcome.ALREADY_STORED,
        ReportOutcome.CLOSED,
    )
    assert store.count_reports(HEALTH.digest) == 1


def test_a_batch_may_mix_surveys_and_unknown_ones_are_said(
    store: Store, random_source: random.Random
) -> None:
    """Outcomes come in the order of the reports, whichever surveys they are of."""
    store.publish(SETS)
    mixed = [
        report
        for pair in zip(
            reports_of(SETS, 3, random_source), reports_of(HEALTH, 3, random_source), strict=True
        )
        for report in pair
    ]
    assert add_reports(store, mixed) == (ReportOutcome.STORED, ReportOutcome.UNKNOWN_SURVEY) * 3


def test_no_reports_are_no_outcomes(store: Store) -> None:
    """An empty batch is legal."""
    assert add_reports(store, []) == ()


def test_everything_is_there_when_the_store_is_opened_again(
    store: Store, reopen: Open, random_source: random.Random
) -> None:
    """A store forgets nothing when it is closed."""
    stored = store.publish(HEALTH).stored
    reports = reports_of(HEALTH, 20, random_source)
    add_reports(store, reports)
    store.close()
    with closing(reopen()) as again:
        assert again.list_surveys() == (stored,)
        assert add_reports(again, reports) == (ReportOutcome.ALREADY_STORED,) * 20


def test_two_openings_of_one_store_see_each_other(
    store: Store, reopen: Open, random_source: random.Random
) -> None:
    """The command line may publish and close beside a running collector."""
    with closing(reopen()) as beside:
        beside.publish(HEALTH)
        (report,) = reports_of(HEALTH, 1, random_source)
        assert add_reports(store, [report]) == (ReportOutcome.STORED,)
        assert beside.count_reports(HEALTH.digest) == 1
        beside.close_survey("health")
        found = store.find_survey("health")
        assert found is not None
        assert found.is_closed


def test_many_threads_store_each_report_once(
    store: Store, reopen: Open, random_source: random.Random
) -> None:
    """When eight threads on two openings race, one of them stores a report."""
    store.publish(HEALTH)
    reports = reports_of(HEALTH, 60, random_source)
    outcomes: list[tuple[ReportOutcome, ...]] = []
    with closing(reopen()) as beside:

        def work(opened: Store) -> None:
            outcomes.extend(add_reports(opened, [report]) for report in reports)

        openings = itertools.islice(itertools.cycle((store, beside)), 8)
        threads = [threading.Thread(target=work, args=(opened,)) for opened in openings]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
    assert outcomes.count((ReportOutcome.STORED,)) == 60
    assert outcomes.count((ReportOutcome.ALREADY_STORED,)) == 7 * 60
    assert store.count_reports(HEALTH.digest) == 60


def test_what_reports_say_is_counted(store: Store) -> None:
    """Each index, and each member of a set, is counted for the reports that carry its block."""
    for published in (HEALTH, SETS):
        stored = store.publish(published).stored
        blocks = published.blocks
        assert store.look(stored, blocks).report_count == 0
        reports = reports_of(published, 100, random.Random(5))
        add_reports(store, reports)
        counts = store.look(stored, blocks)
        assert counts.report_count == 100
        for name in (block.id for block in blocks):
            values = [report.values[name] for report in reports if name in report.values]
            members = Counter(
                member
                for value in values
                for member in (value if isinstance(value, list) else [value])
            )
            assert counts.blocks[name].report_count == len(values)
            assert list(counts.blocks[name].support.items()) == sorted(members.items())


def test_what_reports_say_together_is_counted(store: Store) -> None:
    """Tuples are of the reports that carry all blocks, unless there are too many."""
    published = survey(yes_no(), choice(options=4), yes_no("order"), ask=2, epsilon=2)
    stored = store.publish(published).stored
    reports = reports_of(published, 100, random.Random(5))
    add_reports(store, reports)
    blocks = (published.blocks[2], published.blocks[0])
    names = [block.id for block in blocks]
    assert names == ["order", "asthma"]
    expected = Counter(
        tuple(report.values[name] for name in names)
        for report in reports
        if report.values.keys() >= set(names)
    )
    found = store.count_tuples(stored, blocks, len(expected), now=utc_now())
    values = zip(found.of(0).tolist(), found.of(1).tolist(), strict=True)
    assert dict(zip(values, found.counts.tolist(), strict=True)) == expected
    with pytest.raises(TooManyTuples, match="ask for fewer blocks"):
        store.count_tuples(stored, blocks, len(expected) - 1, now=utc_now())


def test_a_value_that_no_device_sends_is_refused(store: Store) -> None:
    """Nothing is stored, and the message names the block and leaves the value out."""
    stored = store.publish(HEALTH).stored
    strange: list[Row] = [(bytes(16), *[4_321] * len(HEALTH.blocks))]
    with pytest.raises(StrangeValue, match="block 'asthma': got a value that its") as refused:
        store.add_rows({HEALTH.digest: strange})
    assert "4321" not in str(refused.value)
    assert store.read_rows(stored, None, 1) == []
    assert store.count_reports(HEALTH.digest) == 0


def test_rows_are_read_in_the_order_of_their_ids(
    store: Store, random_source: random.Random
) -> None:
    """Whole rows come a few at a time, each of them once, and the last are fewer."""
    for published in (HEALTH, SETS):
        stored = store.publish(published).stored
        assert store.read_rows(stored, None, 10) == []
        reports = reports_of(published, 25, random_source)
        add_reports(store, reports)
        found: list[Row] = []
        sizes: list[int] = []
        while not sizes or sizes[-1] == 10:
            rows = store.read_rows(stored, found[-1][0] if found else None, 10)
            sizes.append(len(rows))
            found += rows
        assert sizes == [10, 10, 5]
        assert found == sorted(row_of(report, published) for report in reports)


def test_no_rows_of_a_survey_are_no_outcomes(store: Store) -> None:
    """A survey may be named without rows, and an unknown one may as well."""
    store.publish(HEALTH)
    assert store.add_rows({}) == {}
    assert store.add_rows({HEALTH.digest: [], SETS.digest: [], "no digest": []}) == {
        HEALTH.digest: [],
        SETS.digest: [],
        "no digest": [],
    }
