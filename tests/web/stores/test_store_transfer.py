"""Moves between two stores that are refused, or that are told to be tried again."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from deniable_collector.store import Store, add_reports, open_store
from deniable_sdk import Report
from deniable_web.stores.store_transfer import MoveRefused, MoveUnfinished, move_surveys
from invitations import invited_survey
from moved_surveys import FIRST, INVITED, LIMITED, NOW, OTHER, SECOND, ReadBytes, reports_of
from sample_definitions import survey, yes_no


@pytest.fixture
def stores(tmp_path: Path) -> Iterator[tuple[Store, Store]]:
    """Two stores of one kind, for what does not depend on it."""
    with ExitStack() as stack:
        source, target = (
            stack.enter_context(closing(open_store(tmp_path / f"{name}.sqlite")))
            for name in ("source", "target")
        )
        yield source, target


def test_a_target_with_other_surveys_under_the_slug_is_refused(
    stores: tuple[Store, Store],
) -> None:
    """Nothing is published where an edition would be another one."""
    source, target = stores
    source.publish(FIRST)
    target.publish(SECOND)
    with pytest.raises(MoveRefused, match="the target has another survey as health@1"):
        move_surveys(source, target, source.list_surveys())
    assert len(target.list_surveys()) == 1


def test_a_target_with_more_editions_is_refused(stores: tuple[Store, Store]) -> None:
    """A target that went on is not moved to."""
    source, target = stores
    for store in stores:
        store.publish(FIRST)
        store.close_survey("health")
    target.publish(SECOND)
    with pytest.raises(
        MoveRefused, match="the target has health@2, which the source does not have"
    ):
        move_surveys(source, target, source.list_surveys())


def test_a_target_where_a_key_serves_already_is_refused(stores: tuple[Store, Store]) -> None:
    """A survey by invitation is not moved to where its tokens would be good for another one."""
    source, target = stores
    source.publish(INVITED.published)
    target.publish(invited_survey(slug="elsewhere").published)
    with pytest.raises(
        MoveRefused, match=r"ward@1 cannot be published in the target: another survey there has"
    ):
        move_surveys(source, target, source.list_surveys())
    assert len(target.list_surveys()) == 1


def test_a_target_that_is_closed_already_is_refused(
    stores: tuple[Store, Store], read_bytes: ReadBytes
) -> None:
    """What is open, or has more reports, does not fit into what is closed."""
    source, target = stores
    for store in stores:
        store.publish(FIRST)
    add_reports(source, reports_of(FIRST, 3, read_bytes))
    target.close_survey("health")
    with pytest.raises(MoveRefused, match="health@1 is closed in the target and open in the sou"):
        move_surveys(source, target, source.list_surveys())
    source.close_survey("health")
    with pytest.raises(MoveRefused, match="is closed in the target, which lacks 3 of its reports"):
        move_surveys(source, target, source.list_surveys())


@pytest.mark.parametrize(
    "change",
    [
        lambda store: store.extend("limited", NOW, at_most_reports=5),
        lambda store: store.end_by_margin(LIMITED.digest, NOW),
    ],
    ids=["extended", "precise"],
)
def test_a_target_that_ended_in_another_way_is_refused(
    stores: tuple[Store, Store], change: Callable[[Store], object]
) -> None:
    """An end that was recorded in the target is not taken back."""
    source, target = stores
    for store in stores:
        store.publish(LIMITED)
    change(target)
    before = target.list_surveys()
    with pytest.raises(MoveRefused, match="limited@1 was extended further in the target, or end"):
        move_surveys(source, target, source.list_surveys())
    assert target.list_surveys() == before


def test_a_purged_survey_is_purged_in_the_target_and_costs_it_no_report(
    stores: tuple[Store, Store], read_bytes: ReadBytes
) -> None:
    """That reports are gone is moved; reports that the target has are not removed for it."""
    source, target = stores
    reports = reports_of(FIRST, 3, read_bytes)
    for store in stores:
        store.publish(FIRST)
        add_reports(store, reports)
        store.close_survey("health")
    source.purge_reports(FIRST.digest)
    with pytest.raises(MoveRefused, match="purged in the source, and the target has reports of"):
        move_surveys(source, target, source.list_surveys())
    assert target.count_reports(FIRST.digest) == 3
    target.purge_reports(FIRST.digest)
    assert move_surveys(source, target, source.list_surveys()) == 0
    source.publish(OTHER)
    source.close_survey(OTHER.slug)
    source.purge_reports(OTHER.digest)
    move_surveys(source, target, source.list_surveys())
    assert [found.is_purged for found in target.list_surveys()] == [True, True]


def test_reports_with_other_values_are_refused(
    stores: tuple[Store, Store], read_bytes: ReadBytes
) -> None:
    """The same id with other values means that a store was changed; both stay as they are."""
    source, target = stores
    for store in stores:
        store.publish(FIRST)
    first, second = reports_of(FIRST, 2, read_bytes)
    add_reports(source, [first])
    add_reports(target, [Report(first.survey, first.id, second.values)])
    with pytest.raises(
        MoveRefused, match="1 reports of health@1 are in the target with other val"
    ):
        move_surveys(source, target, source.list_surveys())


def test_a_source_that_takes_reports_meanwhile_is_told(
    stores: tuple[Store, Store], read_bytes: ReadBytes
) -> None:
    """A report that came in behind what was read already is missed, and moved by the next try."""
    source, target = stores
    source.publish(FIRST)
    first, late = reports_of(FIRST, 2, read_bytes)
    add_reports(source, [first])
    behind = Report(late.survey, "0" * 32, late.values)

    def send(_moved: int, _all: int) -> None:
        add_reports(source, [behind])

    with pytest.raises(
        MoveUnfinished, match="reports arrived in the meantime; stop the collectors"
    ):
        move_surveys(source, target, source.list_surveys(), send)
    assert move_surveys(source, target, source.list_surveys()) == 1


def test_a_target_that_changes_meanwhile_is_told(
    stores: tuple[Store, Store], read_bytes: ReadBytes
) -> None:
    """An edition that somebody else published in between is not taken for ours."""
    source, target = stores
    source.publish(FIRST)
    add_reports(source, reports_of(FIRST, 1, read_bytes))
    source.close_survey("health")
    source.publish(SECOND)

    def meddle(_moved: int, _all: int) -> None:
        target.close_survey("health")
        target.publish(survey(yes_no(), title="Another next wave"))

    with pytest.raises(MoveRefused, match="health@2 cannot be published in the target"):
        move_surveys(source, target, source.list_surveys(), meddle)
