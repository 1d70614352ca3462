"""The behaviour of every store with tokens, when reports are purged, and when it is closed."""

import random
from collections.abc import Callable
from contextlib import closing

import pytest

from deniable_collector.clock import utc_now
from deniable_collector.errors import StillOpen, StoreUnavailable
from deniable_collector.store import Store, add_reports
from deniable_collector.store.base import PublishOutcome, ReportOutcome
from deniable_collector.tokens import AccessToken, Release, Role
from store_samples import HEALTH, SETS, Open, reports_of


def test_a_token_is_found_by_its_digest_until_it_is_removed(store: Store) -> None:
    """A token's name and role come back for its digest, and for no other."""
    anna, ben = AccessToken("anna", Role.OWNER), AccessToken("ben", Role.ANALYST)
    assert store.list_tokens() == ()
    assert store.add_token(ben, "b" * 64)
    assert store.add_token(anna, "a" * 64)
    assert store.find_token("a" * 64) == anna
    assert store.find_token("b" * 64) == ben
    assert store.find_token("c" * 64) is None
    assert store.list_tokens() == (anna, ben)
    assert store.remove_token("anna")
    assert not store.remove_token("anna")
    assert store.find_token("a" * 64) is None
    assert store.list_tokens() == (ben,)


def test_a_token_is_never_added_twice(store: Store) -> None:
    """A name that is taken is refused, whatever the role, and the first token stays."""
    first = AccessToken("anna", Role.OWNER)
    assert store.add_token(first, "a" * 64)
    assert not store.add_token(AccessToken("anna", Role.ANALYST), "b" * 64)
    assert not store.add_token(AccessToken("ben", Role.ANALYST), "a" * 64)
    assert store.find_token("a" * 64) == first
    assert store.find_token("b" * 64) is None
    assert store.list_tokens() == (first,)


def test_a_token_gets_other_rights_or_another_secret(store: Store, reopen: Open) -> None:
    """The other one stays; a reader's rights, which have a condition, stay in any case."""
    one = frozenset({"health"})
    editor, owner = AccessToken("anna", Role.EDITOR, one), AccessToken("anna", Role.OWNER)
    ben = AccessToken("ben", Role.READER, one, Release(100))
    assert not store.change_rights(editor)
    assert not store.change_secret("anna", "c" * 64)
    assert store.add_token(owner, "a" * 64)
    assert store.add_token(ben, "b" * 64)
    with closing(reopen()) as beside:
        assert store.change_rights(editor)
        assert beside.find_token("a" * 64) == editor
        assert beside.change_secret("anna", "c" * 64)
        assert beside.change_rights(owner)
        assert store.change_secret("ben", "d" * 64)
        assert not beside.change_rights(AccessToken("ben", Role.OWNER))
    found = [store.find_token(digit * 64) for digit in "abcd"]
    assert found == [None, None, owner, ben]
    assert store.list_tokens() == (owner, ben)


def test_one_of_two_changes_of_a_present_secret_succeeds(store: Store, reopen: Open) -> None:
    """Whoever names a secret that the token has no longer changes nothing."""
    anna = AccessToken("anna", Role.OWNER)
    assert store.add_token(anna, "a" * 64)
    with closing(reopen()) as beside:
        assert not beside.change_secret("anna", "b" * 64, "c" * 64)
        assert beside.change_secret("anna", "b" * 64, "a" * 64)
        assert not store.change_secret("anna", "c" * 64, "a" * 64)
    assert [store.find_token(digit * 64) for digit in "abc"] == [None, anna, None]


def test_a_token_is_for_all_surveys_or_for_those_it_was_made_for(
    store: Store, reopen: Open
) -> None:
    """A store keeps which, and a later token of the same name has none of them."""
    some = AccessToken("anna", Role.OWNER, frozenset({"health", "two-words"}))
    every = AccessToken("ben", Role.ANALYST)
    assert store.add_token(some, "a" * 64)
    assert store.add_token(every, "b" * 64)
    assert not store.add_token(AccessToken("ben", Role.ANALYST, frozenset({"health"})), "c" * 64)
    with closing(reopen()) as beside:
        assert beside.list_tokens() == (some, every)
        assert [beside.find_token(digit * 64) for digit in "ab"] == [some, every]
    assert store.remove_token("anna")
    other = AccessToken("anna", Role.OWNER, frozenset({"work"}))
    assert store.add_token(other, "a" * 64)
    assert store.find_token("a" * 64) == other
    assert store.find_token("b" * 64) == every


def test_a_readers_token_has_its_condition(store: Store, reopen: Open) -> None:
    """A number of reports, or the end; a later token of the same name has nothing of it."""
    one = frozenset({"health"})
    later = AccessToken("anna", Role.READER, one, Release(100))
    closed = AccessToken("ben", Role.READER, one, Release())
    for token, digit in ((later, "a"), (closed, "b")):
        assert store.add_token(token, digit * 64)
    with closing(reopen()) as beside:
        assert beside.list_tokens() == (later, closed)
        assert [beside.find_token(digit * 64) for digit in "ab"] == [later, closed]
    assert store.remove_token("anna")
    other = AccessToken("anna", Role.ANALYST, one)
    assert store.add_token(other, "a" * 64)
    assert store.find_token("a" * 64) == other


def test_a_token_made_or_revoked_beside_counts_at_once(store: Store, reopen: Open) -> None:
    """What the command line does to tokens holds on a running collector's next look."""
    with closing(reopen()) as beside:
        assert store.find_token("a" * 64) is None
        beside.add_token(AccessToken("anna", Role.OWNER), "a" * 64)
        assert store.find_token("a" * 64) == AccessToken("anna", Role.OWNER)
        beside.remove_token("anna")
        assert store.find_token("a" * 64) is None


def test_a_closed_store_says_so(store: Store) -> None:
    """A `with` block closes it; closing twice is harmless; using it then is a clear error."""
    with store:
        stored = store.publish(HEALTH).stored
    store.close()
    uses: list[Callable[[], object]] = [
        store.check,
        store.list_surveys,
        lambda: store.publish(HEALTH),
        lambda: store.look(stored, []),
        lambda: store.count_tuples(stored, HEALTH.blocks[:1], 1, now=utc_now()),
        lambda: store.find_token("a" * 64),
        lambda: store.add_token(AccessToken("anna", Role.OWNER), "a" * 64),
    ]
    for use in uses:
        with pytest.raises(StoreUnavailable, match=r"cannot be used now \(it was closed\)"):
            use()


def test_purging_removes_the_reports_of_a_closed_survey_for_ever(
    store: Store, reopen: Open, random_source: random.Random
) -> None:
    """The document and the fact stay; nothing opens the survey or brings a report back."""
    store.publish(HEALTH)
    store.publish(SETS)
    reports, others = (reports_of(each, 50, random_source) for each in (HEALTH, SETS))
    add_reports(store, [*reports, *others])
    store.close_survey("health")
    assert store.purge_reports(HEALTH.digest) == 50
    assert store.count_reports(HEALTH.digest) == 0
    assert store.count_reports(SETS.digest) == 50
    assert add_reports(store, reports) == (ReportOutcome.CLOSED,) * 50
    again = store.publish(HEALTH)
    assert again.outcome is PublishOutcome.ALREADY_PUBLISHED
    assert again.stored.is_closed
    assert store.purge_reports(HEALTH.digest) == 0
    with closing(reopen()) as other:
        found = {each.survey.slug: each for each in other.list_surveys()}
        assert found["health"].is_purged
        assert not found["two-words"].is_purged
        assert other.find_survey("health") == other.find_edition(HEALTH.digest) == found["health"]
        assert found["health"].survey.document == HEALTH.document
        assert other.look(found["health"], HEALTH.blocks).report_count == 0


def test_an_open_survey_is_not_purged(store: Store, random_source: random.Random) -> None:
    """What still takes reports has to be closed first, and loses none."""
    store.publish(HEALTH)
    add_reports(store, reports_of(HEALTH, 3, random_source))
    with pytest.raises(StillOpen, match=r"edition 1 of health is open.*deniable close health"):
        store.purge_reports(HEALTH.digest)
    assert store.count_reports(HEALTH.digest) == 3
    found = store.find_survey("health")
    assert found is not None
    assert not found.is_purged


def test_an_unknown_survey_has_nothing_to_purge(store: Store) -> None:
    """There is nothing to remove where nothing was published."""
    assert store.purge_reports("0" * 64) == 0
    assert store.purge_reports("unknown") == 0
