"""Rate limits for each sender, without storing any sender.

Only a table of times is kept, in memory. A sender's index in the table is 16 bits of a
keyed hash of its network. Every ten minutes the key is replaced and the table emptied. In
IPv4 a network is one address; in IPv6 it is the 64 bits that a household shares. Thousands
of addresses have the same index, so that not even the key would reveal who sent.
"""

import os
import threading
import time
from array import array
from collections.abc import Callable, Mapping
from functools import partial
from hashlib import blake2b
from socket import AF_INET, AF_INET6, inet_pton
from typing import Any

from flask import Flask, g, request

from deniable_collector.access import sent_token
from deniable_collector.errors import Refused
from deniable_collector.settings import Settings
from deniable_collector.tokens import Role

KEY_BYTES = 32
KEY_AGE_S = 600
PLACE_BYTES = 2
# How many requests a request with an invalid token counts for.
WRONG_TOKEN_COST = 10

_EXTENSION = "deniable_collector.limits"
_LIMITED = "/api/"
# The routes where only invalid tokens count: a page with a valid token may send any number
# of requests.
_TRIED = ("/manage/", "/metrics")
_MINUTE_NS = 60 * 10**9
_FORWARDED = "HTTP_X_FORWARDED_FOR"
_UNREADABLE = b""
_LOOPBACK = bytes(15) + b"\1"
# The prefix of an IPv4 address that is written as an IPv6 address.
_MAPPED = bytes(10) + b"\xff\xff"
# A whole IPv4 address, or the part of an IPv6 address that a household shares.
_NETWORK_BYTES = 8


class RateLimiter:
    """Allows each sender a number of requests per minute; all of them may be sent at once.

    An entry of the table is the time at which all requests of its senders would have been
    answered, one after another at the allowed rate. A request that would move it more than
    a minute ahead of now is refused (the generic cell rate algorithm).

    Args:
        per_minute: how many requests are allowed.
        clock_ns: a clock that never goes back.
        read_bytes: returns the requested number of random bytes.
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
        """How many seconds this sender must wait; 0 if the request was admitted.

        Args:
            network: the sender's network; see `sender_network`.
            cost: how many requests it counts for, at most those of a minute.
        """
        most_ns = self._per_minute * self._step_ns
        with self._lock:
            now = self._clock_ns()
            place = self._place(network, now)
            taken_ns = min(cost * self._step_ns, most_ns)
            busy_until = max(self._busy_until[place], now) + taken_ns
            ahead_ns = busy_until - now - most_ns
            if ahead_ns <= 0:
                self._busy_until[place] = busy_until
                return 0
        return -(-ahead_ns // 10**9)

    def charge(self, network: bytes, cost: int) -> None:
        """Count requests that were answered already, at most those of a minute."""
        most_ns = self._per_minute * self._step_ns
        with self._lock:
            now = self._clock_ns()
            place = self._place(network, now)
            busy_until = max(self._busy_until[place], now) + cost * self._step_ns
            self._busy_until[place] = min(busy_until, now + most_ns)

    def _place(self, network: bytes, now: int) -> int:
        if now >= self._renew_at:
            self._forget(now)
        hashed = blake2b(network, key=self._key, digest_size=PLACE_BYTES).digest()
        return int.from_bytes(hashed, "big")

    def _forget(self, now: int) -> None:
        self._key = self._read_bytes(KEY_BYTES)
        self._busy_until = array("Q", bytes(8 << (8 * PLACE_BYTES)))
        self._renew_at = now + KEY_AGE_S * 10**9


def limit_requests(app: Flask, settings: Settings) -> None:
    """Make an application refuse senders that send too many requests.

    Owners of all surveys may send any number of requests, and so may this machine itself.
    """
    if not settings.rate_limit:
        return
    limiter = RateLimiter(settings.rate_limit)
    app.extensions[_EXTENSION] = limiter, settings.proxies
    app.before_request(lambda: _refuse_if_too_many(limiter, settings))


def limit_of_senders(settings: Settings) -> Callable[[], int]:
    """A function that returns how many seconds the present request's sender must wait."""
    limiter = RateLimiter(settings.rate_limit) if settings.rate_limit else None

    def wait_s() -> int:
        network = sender_network(request.environ, settings.proxies) if limiter else None
        return limiter.wait_s(network) if limiter and network is not None else 0

    return wait_s


def charge_sender(cost: int) -> None:
    """Count more requests of the present request's sender, if they are limited at all."""
    charge = g.get("charged_sender")
    if charge and cost:
        charge(cost)


def lets_through(app: Flask, environment: Mapping[str, Any], cost: int = 1) -> bool:
    """Count a request without a token; whether the application may handle it."""
    limiter, proxies = app.extensions.get(_EXTENSION, (None, 0))
    network = sender_network(environment, proxies) if limiter else None
    return network is None or not limiter.wait_s(network, cost)


def sender_network(environment: Mapping[str, Any], proxies: int) -> bytes | None:
    """The network that a request was sent from, in the form that the limiter needs.

    Returns:
        None if this machine itself sent the request.
    """
    address = sender_address(environment, proxies)
    forwarded = environment.get(_FORWARDED) if proxies else None
    is_local = address == _LOOPBACK or (len(address) == 4 and address[0] == 127)
    return None if is_local and not forwarded else address[:_NETWORK_BYTES]


def sender_address(environment: Mapping[str, Any], proxies: int) -> bytes:
    """The address that a request was sent from, as 4 or 16 bytes; empty if it is illegible.

    Each proxy appends the address it sees to X-Forwarded-For, and the sender may have
    written anything before that. So with N proxies of our own, the address that the first
    of them saw is the Nth from the end.
    """
    forwarded = environment.get(_FORWARDED) if proxies else None
    if forwarded:
        return read_address(forwarded.rsplit(",", proxies)[-proxies:][0])
    peer = environment.get("REMOTE_ADDR")
    # A socket without addresses can be reached from this machine only.
    return read_address(peer) if peer else _LOOPBACK


def read_address(text: str) -> bytes:
    """The bytes of an IPv4 or IPv6 address, with or without a port after it."""
    host = text.strip()
    if host.startswith("["):
        host = host[1:].partition("]")[0]
    elif host.count(":") == 1:
        host = host.partition(":")[0]
    is_v6 = ":" in host
    try:
        # Unlike others, this one does not repeat an address that it refuses.
        address = inet_pton(AF_INET6 if is_v6 else AF_INET, host.partition("%")[0])
    except (OSError, ValueError):
        return _UNREADABLE
    return address.removeprefix(_MAPPED) if is_v6 else address


def _refuse_if_too_many(limiter: RateLimiter, settings: Settings) -> None:
    has_token = "Authorization" in request.headers
    is_limited = request.path.startswith(_LIMITED)
    if request.method == "OPTIONS" or not (
        is_limited or (has_token and request.path.startswith(_TRIED))
    ):
        return
    network = sender_network(request.environ, settings.proxies)
    if network is None:
        return
    token = sent_token() if has_token else None
    if token is not None:
        # An owner of only some surveys could harm the others.
        if (token.role is Role.OWNER and token.is_for_all) or not is_limited:
            return
        # So that invalid tokens never lock out a valid token from the same network.
        network = token.name.encode()
    g.charged_sender = partial(limiter.charge, network)
    wait_s = limiter.wait_s(network, WRONG_TOKEN_COST if has_token and token is None else 1)
    if wait_s:
        detail = (
            f"Got more than {settings.rate_limit} requests per minute from your network, or with "
            "your token; send the same bytes again after the time in Retry-After."
        )
        raise Refused.because("too-many-requests", detail, wait_s)
