"""Limiting how often one sender may ask, without keeping who asked.

What is kept is a table of times in memory. A sender's place in it is 16 bits
of a hash of the network it sends from, under a key that is drawn anew, with
an empty table, every ten minutes. One IPv4 address is a network of its own;
in IPv6 it is the 64 bits that a household shares. Thousands of addresses have
the same place, so that not even the key would tell who asked.
"""

import ipaddress
import os
import threading
import time
from array import array
from collections.abc import Callable, Mapping
from hashlib import blake2b
from typing import Any

from flask import Flask, Response, request

from deniable_collector.access import sent_token
from deniable_collector.problems import problem
from deniable_collector.responses import problem_response
from deniable_collector.settings import Settings
from deniable_collector.tokens import Role

KEY_BYTES = 32
KEY_AGE_S = 600
PLACE_BYTES = 2
# What a request with a token that is not one costs, in requests.
WRONG_TOKEN_COST = 10

_LIMITED = "/api/"
_MINUTE_NS = 60 * 10**9
_FORWARDED = "HTTP_X_FORWARDED_FOR"
_UNREADABLE = b""

_Address = ipaddress.IPv4Address | ipaddress.IPv6Address


class RateLimiter:
    """Lets each sender ask so often a minute, and as often at once.

    A place of the table holds the time at which its senders' requests would
    all have been answered, one after another at the allowed rate; more than a
    minute's requests ahead is refused (the generic cell rate algorithm).

    Args:
        per_minute: how many requests are allowed.
        clock_ns: a clock that never goes back.
        read_bytes: gives as many random bytes as it is asked for.
    """

    def __init__(
        self,
        per_minute: int,
        *,
        clock_ns: Callable[[], int] = time.monotonic_ns,
        read_bytes: Callable[[int], bytes] = os.urandom,
    ) -> None:
        self._per_minute = per_minute
        self._step_ns = _MINUTE_NS // per_minute
        self._clock_ns = clock_ns
        self._read_bytes = read_bytes
        self._lock = threading.Lock()
        self._forget(clock_ns())

    def wait_s(self, network: bytes, cost: int = 1) -> int:
        """How long this sender is to wait: 0 if the request was let through.

        Args:
            network: where it was sent from; see `sender_network`.
            cost: for how many requests it counts, at most a minute's.
        """
        taken_ns = min(cost, self._per_minute) * self._step_ns
        with self._lock:
            now = self._clock_ns()
            if now >= self._renew_at:
                self._forget(now)
            hashed = blake2b(network, key=self._key, digest_size=PLACE_BYTES).digest()
            place = int.from_bytes(hashed, "big")
            busy_until = max(self._busy_until[place], now) + taken_ns
            ahead_ns = busy_until - now - self._per_minute * self._step_ns
            if ahead_ns <= 0:
                self._busy_until[place] = busy_until
                return 0
        return -(-ahead_ns // 10**9)

    def _forget(self, now: int) -> None:
        self._key = self._read_bytes(KEY_BYTES)
        self._busy_until = array("Q", bytes(8 << (8 * PLACE_BYTES)))
        self._renew_at = now + KEY_AGE_S * 10**9


def limit_requests(app: Flask, settings: Settings) -> None:
    """Let an application refuse whoever asks the interface too often.

    Owners may ask as often as they like, and so may this machine itself.
    """
    if not settings.rate_limit:
        return
    limiter = RateLimiter(settings.rate_limit)
    app.before_request(lambda: _refuse_if_too_many(limiter, settings))


def sender_network(environment: Mapping[str, Any], proxies: int) -> bytes | None:
    """Where a request was sent from, as the limiter wants it.

    Each proxy adds the address it sees at the end of X-Forwarded-For, and
    whoever sends the request may have written anything before that. So what
    the first of our own proxies saw stands that many places from the end.

    Args:
        environment: of the request, as WSGI has it.
        proxies: how many proxies of ours it passed.
    Returns:
        None where this machine itself asks.
    """
    forwarded = environment.get(_FORWARDED) if proxies else None
    if forwarded:
        address = _read_address(forwarded.rsplit(",", proxies)[-proxies:][0])
        return _network(address)
    peer = environment.get("REMOTE_ADDR")
    if not peer:
        # A socket without addresses is one that only this machine can reach.
        return None
    address = _read_address(peer)
    return None if address is not None and address.is_loopback else _network(address)


def _read_address(text: str) -> _Address | None:
    host = text.strip()
    if host.startswith("["):
        host = host[1:].partition("]")[0]
    elif host.count(":") == 1:
        host = host.partition(":")[0]
    try:
        address = ipaddress.ip_address(host)
    except ValueError:
        return None
    return getattr(address, "ipv4_mapped", None) or address


def _network(address: _Address | None) -> bytes:
    if address is None:
        return _UNREADABLE
    return address.packed if address.version == 4 else address.packed[:8]


def _refuse_if_too_many(limiter: RateLimiter, settings: Settings) -> Response | None:
    if request.method == "OPTIONS" or not request.path.startswith(_LIMITED):
        return None
    network = sender_network(request.environ, settings.proxies)
    if network is None:
        return None
    has_token = "Authorization" in request.headers
    token = sent_token() if has_token else None
    if token is not None and token.role is Role.OWNER:
        return None
    wait_s = limiter.wait_s(network, WRONG_TOKEN_COST if has_token and token is None else 1)
    if not wait_s:
        return None
    response = problem_response(
        problem(
            "too-many-requests",
            f"Got more than {settings.rate_limit} requests a minute from your network; "
            "send the same bytes again after the time in Retry-After.",
        )
    )
    response.headers["Retry-After"] = str(wait_s)
    return response
