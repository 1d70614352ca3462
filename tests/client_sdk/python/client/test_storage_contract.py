"""What every storage of the client promises, on each of ours."""

import threading
from pathlib import Path

import pytest

from deniable_sdk.client import Entry, Lease, MemoryStorage, Storage
from deniable_sdk.client.storage.sqlite import SqliteStorage


@pytest.fixture(params=["memory", "sqlite"])
def storage(request: pytest.FixtureRequest, tmp_path: Path) -> Storage:
    """An empty storage."""
    return MemoryStorage() if request.param == "memory" else SqliteStorage(tmp_path / "r.sqlite")


def entry(key: str = "a", number: int = 1) -> Entry:
    """An entry with something in every field."""
    return Entry(
        key=key,
        number=number,
        collector="https://collector.example/ü",
        slug="health",
        survey="5" * 64,
        report="0" * 32,
        weights="11/4 340282366920938463463374607431768211456/3",
        body=b'{"a": 1}',
        state="refused",
        status=410,
        reason="closed 'today' ü",
        tries=3,
        next_try=1e9 + 0.5,
        is_asked=True,
    )


def kept(storage: Storage) -> list[Entry]:
    """All that is stored."""
    with storage.transaction() as stored:
        return stored.entries()


def test_what_is_put_is_kept_as_it_is(storage: Storage) -> None:
    """Every field comes back, also in another transaction and in order of the numbers."""
    with storage.transaction() as stored:
        assert stored.entries() == []
        stored.put(entry("b", 2))
        stored.put(entry("a", 3))
        stored.put(entry("c", 1).replace(body=None, is_asked=False))
        assert len(stored.entries()) == 3
    first, *others = kept(storage)
    assert first == entry("c", 1).replace(body=None, is_asked=False)
    assert others == [entry("b", 2), entry("a", 3)]
    assert others[0].is_asked is True


def test_an_entry_is_put_instead_of_the_one_with_its_key(storage: Storage) -> None:
    """There is one entry for each key."""
    with storage.transaction() as stored:
        stored.put(entry())
    with storage.transaction() as stored:
        stored.put(entry().replace(state="sent"))
    assert [one.state for one in kept(storage)] == ["sent"]


def test_what_raises_puts_nothing(storage: Storage) -> None:
    """A transaction is kept as a whole or not at all, and the error comes through."""
    with storage.transaction() as stored:
        stored.put(entry("a"))
    with pytest.raises(ZeroDivisionError), storage.transaction() as stored:  # noqa: PT012
        stored.put(entry("b"))
        stored.put(entry("a").replace(state="sent"))
        stored.put_lease(Lease("x", 1.0))
        raise ZeroDivisionError
    assert kept(storage) == [entry("a")]
    with storage.transaction() as stored:
        assert stored.lease() is None


def test_there_is_one_lease_at_most(storage: Storage) -> None:
    """The last lease counts, until there is none."""
    with storage.transaction() as stored:
        assert stored.lease() is None
        stored.put_lease(Lease("a", 1.5))
        stored.put_lease(Lease("b", 1e9 + 0.25))
    with storage.transaction() as stored:
        assert stored.lease() == Lease("b", 1e9 + 0.25)
        stored.put_lease(None)
    with storage.transaction() as stored:
        assert stored.lease() is None


def test_clearing_forgets_everything(storage: Storage) -> None:
    """The storage goes on afterwards, empty."""
    with storage.transaction() as stored:
        stored.put(entry())
        stored.put_lease(Lease("a", 1.0))
    storage.clear()
    with storage.transaction() as stored:
        assert stored.entries() == []
        assert stored.lease() is None
        stored.put(entry("b"))
    assert kept(storage) == [entry("b")]


def test_threads_take_turns(storage: Storage) -> None:
    """What many threads add one by one is all there."""

    def add() -> None:
        for _ in range(10):
            with storage.transaction() as stored:
                before = stored.entries()
                number = before[-1].number + 1 if before else 1
                stored.put(entry(f"key {number}", number))

    threads = [threading.Thread(target=add) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [one.number for one in kept(storage)] == list(range(1, 41))
