"""The store of drafts: nothing that an author saved is lost without a word."""

import sqlite3
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing, contextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from deniable_web.drafts import store as drafts
from deniable_web.drafts.store import DraftChanged, DraftStore, TooManyDrafts, UnknownDraft
from deniable_web.workplace import open_workplace, to_text

NOW = datetime(2026, 5, 1, 9, 30, tzinfo=UTC)
MINUTE = timedelta(minutes=1)


def document(title: object = "Stress", **keys: Any) -> dict[str, Any]:
    """A draft's document."""
    return {"definition": {"title": title, "questions": [], **keys}, "facts": []}


@contextmanager
def drafts_in(path: Path) -> Iterator[DraftStore]:
    """The drafts in a file."""
    with closing(open_workplace(path)) as workplace:
        yield DraftStore(workplace)


@pytest.fixture
def store(tmp_path: Path) -> Iterator[DraftStore]:
    """An empty store."""
    with drafts_in(tmp_path / "drafts.sqlite") as opened:
        yield opened


def test_a_draft_is_kept_with_its_author_and_times(store: DraftStore) -> None:
    """Also in texts of any script, and with a name that no survey may have."""
    title = {"ar": "إجهاد", "en": "Stress"}
    first = store.create(document(title, slug="stress"), "anna", NOW)
    changed = store.save(first.id, 1, document("Stress", slug="No!"), "ben", NOW + MINUTE)
    assert (first.version, first.slug, first.title) == (
        1,
        "stress",
        {"ar": "إجهاد", "en": "Stress"},
    )
    assert (changed.version, changed.slug, changed.title) == (2, "", "Stress")
    assert (changed.created, changed.created_by) == (to_text(NOW), "anna")
    assert (changed.changed, changed.changed_by) == (to_text(NOW + MINUTE), "ben")
    assert store.list_drafts() == [changed]
    assert store.find(first.id) == changed


def test_authors_meet_while_they_look(store: DraftStore) -> None:
    """Nobody meets themselves; whoever is away for 20 seconds has left, and clocks may jump."""
    one, other = (store.create(document(), "anna", NOW).id for _ in range(2))
    second = timedelta(seconds=1)
    assert store.meet(one, "anna", NOW) == []
    assert store.meet(one, "ben", NOW + second) == ["anna"]
    assert store.meet(one, "anna", NOW + 4 * second) == ["ben"]
    assert store.meet(other, "carla", NOW + 4 * second) == []
    assert store.meet(one, "ben", NOW + 19 * second) == ["anna"]
    assert store.meet(one, "ben", NOW + 20 * second) == []
    assert store.meet(one, "anna", NOW - MINUTE) == ["ben"]
    assert store.meet(one, "ben", NOW - MINUTE + second) == ["anna"]
    store.remove(one)
    assert store.meet(one, "anna", NOW - MINUTE + 2 * second) == []


def test_drafts_are_listed_by_their_last_change(store: DraftStore) -> None:
    """The newest is first."""
    old, new = store.create(document("a"), "anna", NOW), store.create(document("b"), "anna", NOW)
    store.save(old.id, 1, document("c"), "anna", NOW + MINUTE)
    assert [each.id for each in store.list_drafts()] == [old.id, new.id]


def test_a_change_of_an_older_version_is_refused(store: DraftStore) -> None:
    """The version that is there stays."""
    draft = store.create(document(), "anna", NOW)
    store.save(draft.id, 1, document("by Ben"), "ben", NOW)
    for base in (1, 3):
        with pytest.raises(DraftChanged):
            store.save(draft.id, base, document("by Anna"), "anna", NOW)
    assert store.find(draft.id).title == "by Ben"


def test_of_changes_at_once_exactly_one_is_kept(tmp_path: Path) -> None:
    """Eight authors in eight connections save changes of the same version, again and again."""
    path = tmp_path / "drafts.sqlite"
    files = [open_workplace(path) for _ in range(8)]
    stores = [DraftStore(each) for each in files]
    draft = stores[0].create(document(), "anna", NOW)

    def save(place: int, base: int) -> bool:
        try:
            stores[place].save(draft.id, base, document(f"{place} {base}"), f"author{place}", NOW)
        except DraftChanged:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        for base in range(1, 11):
            assert sum(pool.map(lambda place, at=base: save(place, at), range(8))) == 1
    for each in files:
        each.close()


def test_one_authors_changes_within_minutes_are_one_version(store: DraftStore) -> None:
    """Those of somebody else, and later ones, are versions of their own."""
    draft = store.create(document("0"), "anna", NOW)
    steps = [(3, "anna"), (9, "anna"), (12, "anna"), (13, "ben"), (14, "anna"), (-60, "anna")]
    for base, (minutes, author) in enumerate(steps, 1):
        store.save(draft.id, base, document(str(base)), author, NOW + minutes * MINUTE)
    kept = store.versions(draft.id)
    assert [(each.version, each.changed_by) for each in kept] == [
        (7, "anna"),
        (6, "anna"),
        (5, "ben"),
        (4, "anna"),
        (3, "anna"),
    ]
    assert b'"title":"2"' in store.document(draft.id, 3)
    with pytest.raises(UnknownDraft):
        store.document(draft.id, 2)


def test_the_same_document_again_changes_nothing(store: DraftStore) -> None:
    """Its author and its time stay."""
    draft = store.create(document(), "anna", NOW)
    assert store.save(draft.id, 1, document(), "ben", NOW + MINUTE) == draft


def test_only_the_newest_versions_are_kept(
    store: DraftStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A draft does not grow without end."""
    monkeypatch.setattr(drafts, "MOST_VERSIONS", 3)
    draft = store.create(document("1"), "anna", NOW)
    for base in range(1, 6):
        store.save(draft.id, base, document(str(base + 1)), f"author{base % 2}", NOW)
    assert [each.version for each in store.versions(draft.id)] == [6, 5, 4]


def test_earlier_versions_take_up_only_so_much(
    store: DraftStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The oldest ones are removed; the newest stays, however large it is."""
    monkeypatch.setattr(drafts, "MOST_EARLIER_BYTES", 1_000)
    draft = store.create(document("x" * 300), "anna", NOW)
    for version, length in enumerate((300, 300, 300, 2_000, 10), start=1):
        draft = store.save(
            draft.id, version, document("x" * length, at=version), f"{version}", NOW
        )
        kept = store.versions(draft.id)
        sizes = [len(store.document(draft.id, each.version)) for each in kept]
        assert kept[0].version == version + 1
        assert sum(sizes[1:]) <= 1_000
    assert [each.version for each in kept] == [6]
    assert [len(sizes)] == [1]


def test_there_are_at_most_so_many_drafts(
    store: DraftStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A removed one makes place."""
    monkeypatch.setattr(drafts, "MOST_DRAFTS", 2)
    first, _ = (store.create(document(), "anna", NOW) for _ in range(2))
    with pytest.raises(TooManyDrafts, match="There are 2 drafts already"):
        store.create(document(), "anna", NOW)
    store.remove(first.id)
    store.create(document(), "anna", NOW)


def test_a_removed_draft_is_gone_with_all_of_its_texts(tmp_path: Path) -> None:
    """No byte of it stays in the file."""
    path = tmp_path / "drafts.sqlite"
    with drafts_in(path) as store:
        draft = store.create(document("CANARY"), "anna", NOW)
        store.save(draft.id, 1, document("CANARY 2"), "ben", NOW)
        store.remove(draft.id)
        for ask in (store.find, store.remove, store.versions):
            with pytest.raises(UnknownDraft):
                ask(draft.id)
    assert b"CANARY" not in b"".join(each.read_bytes() for each in tmp_path.iterdir())


def test_a_killed_save_leaves_the_former_version(tmp_path: Path) -> None:
    """A version without its draft's number cannot be there: both are one transaction."""
    path = tmp_path / "drafts.sqlite"
    with drafts_in(path) as store:
        draft = store.create(document("first"), "anna", NOW)
    with closing(sqlite3.connect(path, isolation_level=None)) as cut_off:
        cut_off.execute("BEGIN IMMEDIATE")
        cut_off.execute("DELETE FROM versions")
    with drafts_in(path) as store:
        assert store.find(draft.id).title == "first"


def test_the_file_is_made_with_the_first_draft(tmp_path: Path) -> None:
    """Whoever writes no drafts has no such file; it is its owner's alone."""
    path = tmp_path / "drafts.sqlite"
    with drafts_in(path) as store:
        assert store.list_drafts() == []
        assert not path.exists()
        store.create(document(), "anna", NOW)
    assert path.stat().st_mode & 0o777 == 0o600
