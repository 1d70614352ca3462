"""A faulty source of random bytes stops a report; a healthy one does so hardly ever."""

import math
import os
import random
from collections.abc import Callable
from fractions import Fraction

import pytest

from deniable_sdk import RandomnessUnavailable, draw_blocks, health, randomize
from deniable_sdk.client import MemoryStorage
from deniable_sdk.health import SAMPLE_BYTES, looks_healthy
from deniable_sdk.randomness import MOST_TRIES, system_bytes
from deniable_sdk.testing import RecordingTransport, open_test_client
from sample_definitions import survey, yes_no

SURVEY = survey(yes_no("a"), yes_no("b"), ask=1, epsilon="0.1")
MESSAGE = (
    "the random bytes repeat themselves or hardly vary; nothing was "
    "randomized; restart the device, and do not answer on it if this happens again"
)
LONGEST = 2**20


def _tail(trials: int, least: int, rate: Fraction) -> Fraction:
    """P(at least so many of these trials), exactly."""
    below = sum(
        (
            math.comb(trials, count) * rate**count * (1 - rate) ** (trials - count)
            for count in range(least)
        ),
        start=Fraction(0),
    )
    return 1 - below


def _bits(probability: Fraction) -> float:
    return math.log2(probability.numerator) - math.log2(probability.denominator)


def test_false_alarms_are_rarer_than_stated() -> None:
    """All tests together refuse a read of up to a megabyte with less than 2^-100, exactly."""
    # The first 16 are at most 16 different ones of the 256.
    like_first = _tail(SAMPLE_BYTES - 16, 160 - 16, Fraction(16, 256))
    assert _bits(like_first) == pytest.approx(-107.05588769739143, abs=1e-6)
    stuck = 1 - (1 - 2 * Fraction(1, 2**128)) ** 48
    assert _bits(stuck) == pytest.approx(-121.41503749927884, abs=1e-6)
    equal_bytes = Fraction(LONGEST, 256**16)
    equal_words = Fraction(LONGEST, 256**18)
    same_end = Fraction(LONGEST, 256**32)
    others = stuck + equal_bytes + equal_words + same_end
    assert _bits(others) < -107
    assert like_first + others < Fraction(1, 2**100)
    # Each try is rejected with less than 1/2, and no report takes 2^20 draws.
    assert Fraction(LONGEST, 2**MOST_TRIES) < Fraction(1, 2**100)


def test_fourteen_equal_bytes_would_be_too_few() -> None:
    """2^-104 at each place is 2^-94 for a sample: why 17 are asked for, not 14."""
    places = SAMPLE_BYTES - 13
    assert -95 < _bits(places * Fraction(1, 256**13)) < -94
    assert _bits(LONGEST * Fraction(1, 256**16)) == -108


def test_the_tests_are_those_of_the_false_alarms() -> None:
    """The cutoffs in the code are the ones that are computed with here."""
    assert (SAMPLE_BYTES // 6, health._FIRST_BYTES, health._LIKE_FIRST) == (128, 16, 160)
    assert (health._EQUAL_BYTES, health._EQUAL_WORDS, health._END_BYTES) == (17, 4, 32)


def test_healthy_bytes_pass() -> None:
    """20,000 reads of a generator and 2,000 of the system's are all taken."""
    rng = random.Random(29)
    for _ in range(20_000):
        assert looks_healthy(rng.randbytes(SAMPLE_BYTES + rng.randint(0, 200)))
    assert len({system_bytes(16) for _ in range(2_000)}) == 2_000


@pytest.mark.parametrize("own", [6, 22, 28, 1000])
def test_every_constant_and_repeated_block_is_found(own: int) -> None:
    """All constants, blocks of any length up to 736 that repeat, and every stuck bit."""
    count = own + SAMPLE_BYTES
    rng = random.Random(own)
    assert not any(looks_healthy(bytes([byte]) * count) for byte in range(256))
    for period in range(2, 737):
        block = rng.randbytes(period)
        assert not looks_healthy((block * (count // period + 1))[:count]), period
    for index in range(48):
        for value in (0, 1):
            bit = 1 << index
            words = [rng.getrandbits(48) for _ in range(128)]
            stuck = [word | bit if value else word & ~bit for word in words]
            sample = b"".join(word.to_bytes(6, "big") for word in stuck)
            assert not looks_healthy(rng.randbytes(own) + sample), (index, value)


@pytest.mark.parametrize("stops_after", [0, 6, 16, 22])
def test_a_source_that_stops_is_found(stops_after: int) -> None:
    """Bytes that are constant from somewhere on, in the report or in the sample."""
    drawn = random.Random(1).randbytes(28 + SAMPLE_BYTES)
    assert looks_healthy(drawn)
    constant = bytes(len(drawn) - stops_after)
    assert not looks_healthy(drawn[:stops_after] + constant)
    assert not looks_healthy(bytes(28) + drawn[28:])
    assert not looks_healthy(drawn[:400] + bytes(400))


def _zero_half_of_the_time(rng: random.Random) -> bytes:
    return bytes(rng.choice((0, byte)) for byte in rng.randbytes(100 + SAMPLE_BYTES))


def _biased(rng: random.Random) -> bytes:
    """Each bit is 1 nine times out of ten."""
    bits = ("1" if rng.random() < 0.9 else "0" for _ in range(8 * (100 + SAMPLE_BYTES)))
    return int("".join(bits), 2).to_bytes(100 + SAMPLE_BYTES, "big")


def _of_few_values(rng: random.Random) -> bytes:
    """Both halves of each byte are the same."""
    return bytes(0x11 * rng.randrange(16) for _ in range(100 + SAMPLE_BYTES))


@pytest.mark.parametrize("faulty", [_zero_half_of_the_time, _biased, _of_few_values])
def test_a_source_that_fails_in_part_is_found(faulty: Callable[[random.Random], bytes]) -> None:
    """Sources that are dead half of the time, or far from even, are refused each time.

    Compared with its first byte alone, half of these samples looked healthy, and at
    epsilon 0.1 their reports named the answer of .52 and .41 of respondents instead of .36.
    """
    rng = random.Random(30)
    assert not any(looks_healthy(faulty(rng)) for _ in range(500))


FAULTY: list[Callable[[int], bytes]] = [
    bytes,
    lambda count: b"\xff" * count,
    lambda count: (b"sixish" * count)[:count],
    lambda count: (bytes(range(256)) * count)[:count],
    lambda count: random.Random(1).randbytes(count).translate(bytes(b & 0xFE for b in range(256))),
]


@pytest.mark.parametrize("faulty", FAULTY, ids=range(len(FAULTY)))
def test_nothing_is_drawn_from_a_faulty_source(
    faulty: Callable[[int], bytes], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Blocks, reports and a client's submission end with a typed error, and nothing is kept."""
    monkeypatch.setattr(os, "urandom", faulty)
    for action in (
        lambda: randomize(SURVEY, {"a": "yes"}),
        lambda: randomize(SURVEY, {"a": "yes"}, ["a"]),
        lambda: draw_blocks(SURVEY),
    ):
        with pytest.raises(RandomnessUnavailable) as caught:
            action()
        assert str(caught.value) == MESSAGE
    storage, transport = MemoryStorage(), RecordingTransport()
    with open_test_client(transport, storage=storage) as client:
        with pytest.raises(RandomnessUnavailable, match=MESSAGE):
            client.submit(SURVEY, {"a": "yes"})
        assert client.spent().surveys == ()
    with storage.transaction() as stored:
        assert list(stored.entries()) == []
    assert transport.sent == []


def test_the_sample_is_read_beside_a_report_and_thrown_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A report has its own bytes, which come first; a reader that is given has no sample."""
    own = random.Random(2).randbytes(16 + 12)
    reads: list[int] = []

    def urandom(count: int) -> bytes:
        reads.append(count)
        return (own + random.Random(3).randbytes(2 * SAMPLE_BYTES))[:count]

    monkeypatch.setattr(os, "urandom", urandom)
    drawn = randomize(SURVEY, {"a": "yes"}, ["a"])
    assert reads == [28 + SAMPLE_BYTES]
    asked: list[int] = []

    def given(count: int) -> bytes:
        asked.append(count)
        return own

    assert randomize(SURVEY, {"a": "yes"}, ["a"], given) == drawn
    assert asked == [28]
    constant = randomize(SURVEY, {"a": "yes"}, ["a"], bytes)
    assert constant.id == "00" * 16


def test_a_system_that_gives_too_few_bytes_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Fewer bytes than were asked for are an error, not a sample that is too short."""
    monkeypatch.setattr(os, "urandom", lambda count: random.Random(4).randbytes(count - 1))
    with pytest.raises(RandomnessUnavailable, match="asked for 28 random bytes and got 27"):
        randomize(SURVEY, {"a": "yes"}, ["a"])
