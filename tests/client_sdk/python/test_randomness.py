"""Random integers are uniform, exactly, and fail loudly without bytes."""

import inspect
from collections import Counter
from collections.abc import Callable

import pytest

from deniable_sdk import RandomnessUnavailable, draw_blocks, randomize, randomness
from deniable_sdk.randomness import DRAW_RANGE, MOST_TRIES, RandomIntegers, system_bytes
from tape import Tape


def _draw(number: int) -> bytes:
    return number.to_bytes(6, "big")


def test_every_draw_counts_equally(monkeypatch: pytest.MonkeyPatch) -> None:
    """With draws of one byte, every bound splits the 256 bytes into equal shares, or rejects."""
    monkeypatch.setattr(randomness, "DRAW_BYTES", 1)
    monkeypatch.setattr(randomness, "DRAW_RANGE", 256)
    for bound in range(1, 257):
        outcomes: Counter[int | None] = Counter()
        for byte in range(256):
            # The second byte is read only where the first is rejected.
            tape = Tape(bytes([byte, 0]))
            drawn = RandomIntegers(tape).below(bound)
            outcomes[drawn if tape.position == 1 else None] += 1
        rejected = outcomes.pop(None, 0)
        assert rejected == 256 % bound
        assert outcomes == dict.fromkeys(range(bound), 256 // bound)


@pytest.mark.parametrize("bound", [1, 2, 3, 10, 2**32 + 1, 2**47 + 1, DRAW_RANGE - 1, DRAW_RANGE])
def test_rejection_starts_at_the_incomplete_run(bound: int) -> None:
    """The last draw of the last complete run counts, the next is drawn again."""
    limit = DRAW_RANGE - DRAW_RANGE % bound
    tape = Tape(_draw(limit - 1))
    assert RandomIntegers(tape).below(bound) == bound - 1
    tape.assert_all_read()
    if limit < DRAW_RANGE:
        tape = Tape(_draw(limit) + _draw(DRAW_RANGE - 1) + _draw(0))
        assert RandomIntegers(tape).below(bound) == 0
        tape.assert_all_read()


@pytest.mark.parametrize("ahead", range(7))
def test_reading_ahead_changes_no_draw(ahead: int) -> None:
    """However many draws are read ahead, rejected ones are drawn again in the same order."""
    bounds = (10, 2**47 + 1, 10, 2**47 + 1)
    rejected = _draw(DRAW_RANGE - 1)
    tape = Tape(b"id" + _draw(7) + rejected + _draw(2**47) + _draw(28) + rejected + _draw(5))
    integers = RandomIntegers(tape, ahead, lead=2)
    assert integers.lead == b"id"
    assert integers.below_each(bounds) == [7, 2**47, 8, 5]
    tape.assert_all_read()


@pytest.mark.parametrize("ahead", [0, 1, MOST_TRIES, MOST_TRIES + 1])
@pytest.mark.parametrize("is_together", [False, True])
def test_a_draw_is_tried_so_often_and_no_more(ahead: int, is_together: bool) -> None:
    """The last try is still taken; after it the source is called faulty, read ahead or not."""
    tape = Tape(_draw(DRAW_RANGE - 1) * (MOST_TRIES - 1) + _draw(7) + bytes(12))
    integers = RandomIntegers(tape, ahead)
    assert (integers.below_each([10])[0] if is_together else integers.below(10)) == 7
    constant = RandomIntegers(lambda count: b"\xff" * count, ahead)
    message = (
        "the random bytes were rejected 128 times in a row; nothing "
        "was randomized; restart the device, and do not answer on it if this happens again"
    )
    with pytest.raises(RandomnessUnavailable, match=f"^{message}$"):
        _ = constant.below_each([10]) if is_together else constant.below(10)


def test_no_bound_of_many_is_beyond_one_draw() -> None:
    """Where many are drawn at once, each bound is checked as it is alone."""
    for bound in (-1, DRAW_RANGE + 1):
        with pytest.raises(ValueError, match=f"got the bound {bound}; allowed are 1 to"):
            RandomIntegers(draws=2).below_each((5, bound))


@pytest.mark.parametrize("bound", [0, -1, DRAW_RANGE + 1])
def test_bounds_beyond_one_draw_are_refused(bound: int) -> None:
    """A bound that one draw cannot serve is named, with what is allowed."""
    with pytest.raises(ValueError, match=f"got the bound {bound}; allowed are 1 to {DRAW_RANGE}"):
        RandomIntegers().below(bound)


@pytest.mark.parametrize("given", [0, 5, 7])
def test_another_number_of_bytes_is_an_error(given: int) -> None:
    """A reader that gives too few or too many bytes stops everything."""
    message = f"asked for 6 random bytes and got {given}; nothing was randomized, try again"
    with pytest.raises(RandomnessUnavailable, match=message):
        RandomIntegers(lambda _: bytes(given)).below(2)


@pytest.mark.parametrize("function", [RandomIntegers.__init__, randomize, draw_blocks])
def test_default_source_is_the_operating_system(function: Callable[..., object]) -> None:
    """Whoever gives no reader of bytes gets those of os.urandom, checked for health."""
    assert inspect.signature(function).parameters["read_bytes"].default is system_bytes
