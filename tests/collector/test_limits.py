"""Rate limits: how many requests each sender may send, and that no sender is stored."""

import math
import os
import random
import sys
from collections.abc import Mapping
from dataclasses import dataclass, field
from hashlib import blake2b

import pytest

from deniable_collector.limits import KEY_AGE_S, KEY_BYTES, RateLimiter, sender_network

SECOND = 10**9
HOME = bytes([203, 0, 113, 77])
OTHER = bytes([203, 0, 113, 78])


@dataclass
class Clock:
    """A clock that stands still until it is moved."""

    now_ns: int = 5 * SECOND
    keys: list[int] = field(default_factory=list)

    def __call__(self) -> int:
        return self.now_ns

    def move(self, seconds: float) -> None:
        """Let time pass."""
        self.now_ns += round(seconds * SECOND)

    def read_bytes(self, count: int) -> bytes:
        """Keys that can be told apart, and a note that one was drawn."""
        self.keys.append(count)
        return len(self.keys).to_bytes(count, "big")


@pytest.fixture
def clock() -> Clock:
    """A clock of the test's own."""
    return Clock()


def limiter_of(per_minute: int, clock: Clock) -> RateLimiter:
    """A limiter whose time and keys the test decides."""
    return RateLimiter(per_minute, clock_ns=clock, read_bytes=clock.read_bytes)


@pytest.mark.parametrize("per_minute", [1, 7, 60, 600, 999_999])
def test_exactly_a_minutes_requests_go_through_at_once(per_minute: int, clock: Clock) -> None:
    """The last allowed request is allowed, and the next one waits for one step."""
    limiter = limiter_of(per_minute, clock)
    sent = min(per_minute, 2_000)
    assert limiter.wait_s(HOME, per_minute - sent + 1) == 0
    assert all(limiter.wait_s(HOME) == 0 for _ in range(sent - 1))
    assert limiter.wait_s(HOME) == math.ceil(60 / per_minute)


def test_the_time_to_wait_is_just_enough(clock: Clock) -> None:
    """After the seconds it was told a sender is let through, and a second earlier it is not."""
    limiter = limiter_of(12, clock)
    for _ in range(12):
        assert limiter.wait_s(HOME) == 0
    assert limiter.wait_s(HOME) == 5
    clock.move(4)
    assert limiter.wait_s(HOME) == 1
    clock.move(1)
    assert limiter.wait_s(HOME) == 0
    assert limiter.wait_s(HOME) == 5


def test_over_hours_the_rate_is_held(clock: Clock) -> None:
    """A sender that never stops gets the rate, a minute's burst, and one more per key."""
    limiter = limiter_of(30, clock)
    passed = 0
    for _ in range(3_600):
        passed += limiter.wait_s(HOME) == 0
        clock.move(1)
    bursts = 1 + 3_600 // KEY_AGE_S
    assert 60 * 30 <= passed <= 60 * 30 + 30 * bursts


def test_one_sender_does_not_use_up_anothers_share(clock: Clock) -> None:
    """Only who asks too often waits."""
    limiter = limiter_of(3, clock)
    while not limiter.wait_s(HOME):
        pass
    assert [limiter.wait_s(OTHER) for _ in range(3)] == [0, 0, 0]


def test_a_request_may_cost_more_and_never_more_than_a_minute(clock: Clock) -> None:
    """Ten wrong tokens use up a hundred requests, and one is always allowed after a minute."""
    limiter = limiter_of(100, clock)
    assert [limiter.wait_s(HOME, 10) for _ in range(10)] == [0] * 10
    assert limiter.wait_s(HOME, 10) == 6
    small = limiter_of(2, clock)
    assert small.wait_s(HOME, 10) == 0
    assert small.wait_s(HOME, 10) == 60


def test_key_and_table_are_forgotten_together(clock: Clock) -> None:
    """Every ten minutes a new key is drawn and all places are empty."""
    limiter = limiter_of(2, clock)
    assert clock.keys == [KEY_BYTES]
    limiter.wait_s(HOME)
    assert any(limiter._busy_until)
    clock.move(KEY_AGE_S - 1)
    limiter.wait_s(OTHER)
    assert clock.keys == [KEY_BYTES]
    before = limiter._key
    clock.move(1)
    limiter.wait_s(OTHER)
    assert clock.keys == [KEY_BYTES, KEY_BYTES]
    assert limiter._key != before
    assert sum(time > 0 for time in limiter._busy_until) == 1


def test_the_key_comes_from_the_operating_system() -> None:
    """Unless a test says otherwise, every limiter has a key of its own."""
    first, second = RateLimiter(1), RateLimiter(1)
    assert first._read_bytes is os.urandom
    assert len(first._key) == KEY_BYTES
    assert first._key != second._key


def test_all_that_is_kept_is_times_at_places_that_thousands_share(clock: Clock) -> None:
    """The table never grows, and its places are 16 bits of a hash under the key."""
    limiter = limiter_of(600, clock)
    before = sys.getsizeof(limiter._busy_until)
    source = random.Random(3)
    networks = {source.randbytes(4) for _ in range(2_000)}
    for network in networks:
        limiter.wait_s(network)
    table = limiter._busy_until
    assert (len(table), sys.getsizeof(table)) == (1 << 16, before)
    places = {
        int.from_bytes(blake2b(network, key=limiter._key, digest_size=2).digest(), "big")
        for network in networks
    }
    assert {index for index, time in enumerate(table) if time} == places
    kept = [getattr(limiter, name) for name in vars(limiter)]
    assert not any(isinstance(value, dict | list | set | str) for value in kept)


PEERS: Mapping[str, bytes | None] = {
    "203.0.113.77": HOME,
    "203.0.113.77:4711": HOME,
    "::ffff:203.0.113.77": HOME,
    "[::ffff:203.0.113.77]:4711": HOME,
    "2001:db8:1:2:3:4:5:6": bytes.fromhex("20010db800010002"),
    "[2001:db8:1:2:ffff::]:80": bytes.fromhex("20010db800010002"),
    "127.0.0.1": None,
    "127.8.9.10": None,
    "127.0.0.1:4711": None,
    "::1": None,
    "[::1]:4711": None,
    "::ffff:127.0.0.1": None,
    "": None,
    "fe80::1%eth0": bytes.fromhex("fe80000000000000"),
    "nobody": b"",
    "203.0.113.77\0": b"",
    "[": b"",
    "1.2.3": b"",
}


@pytest.mark.parametrize(("peer", "network"), PEERS.items())
def test_who_is_connected_counts_where_no_proxy_is_declared(
    peer: str, network: bytes | None
) -> None:
    """One IPv4 address, 64 bits of IPv6, all unreadable ones together, and not this machine."""
    spoofed = {"REMOTE_ADDR": peer, "HTTP_X_FORWARDED_FOR": "198.51.100.1, 127.0.0.1"}
    for environment in ({"REMOTE_ADDR": peer}, spoofed):
        assert sender_network(environment, 0) == network


FORWARDED: list[tuple[str, int, bytes]] = [
    ("203.0.113.77", 1, HOME),
    ("198.51.100.1, 203.0.113.77", 1, HOME),
    ("198.51.100.1,127.0.0.1,  203.0.113.77 ", 1, HOME),
    ("127.0.0.1, 203.0.113.77, 10.0.0.1", 2, HOME),
    ("198.51.100.1, 203.0.113.77, 10.0.0.1, 10.0.0.2", 3, HOME),
    ("203.0.113.77", 2, HOME),
    ("[2001:db8:1:2::9]:99", 1, bytes.fromhex("20010db800010002")),
    ("unknown", 1, b""),
    ("x" * 100_000 + ",203.0.113.77", 1, HOME),
    (",203.0.113.77", 1, HOME),
    ("127.0.0.1", 1, bytes([127, 0, 0, 1])),
]


@pytest.mark.parametrize(("forwarded", "proxies", "network"), FORWARDED, ids=range(len(FORWARDED)))
def test_what_the_first_proxy_saw_counts_whatever_was_written_before(
    forwarded: str, proxies: int, network: bytes
) -> None:
    """Who asks can put anything in front, this machine's address included, and gains nothing."""
    environment = {"REMOTE_ADDR": "127.0.0.1", "HTTP_X_FORWARDED_FOR": forwarded}
    assert sender_network(environment, proxies) == network


@pytest.mark.parametrize("forwarded", [None, ""])
def test_behind_a_proxy_this_machine_may_ask_by_itself(forwarded: str | None) -> None:
    """A request that passed no proxy counts for who is connected."""
    environment = {} if forwarded is None else {"HTTP_X_FORWARDED_FOR": forwarded}
    assert sender_network({**environment, "REMOTE_ADDR": "127.0.0.1"}, 1) is None
    assert sender_network({**environment, "REMOTE_ADDR": "203.0.113.77"}, 1) == HOME


def test_a_socket_without_addresses_is_this_machine() -> None:
    """Behind a Unix socket there is nobody else."""
    assert sender_network({}, 0) is None
