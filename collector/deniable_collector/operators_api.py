"""The routes of operators: the store's health, and counts; docs/HTTP.md is their contract."""

from flask import Blueprint, Response, request

from deniable_collector.access import collaborators
from deniable_collector.addresses import is_loopback
from deniable_collector.metrics import MEDIA_TYPE
from deniable_collector.permissions import Scope, open_to, open_to_everybody
from deniable_collector.responses import json_response
from deniable_collector.tokens import Role

OPERATORS = Blueprint("operators", __name__)

# Headers that proxies add; a request with any of them came through a proxy.
_FORWARDING = ("Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP")


def _is_from_this_machine() -> bool:
    """Whether a program on this machine sent the request, and not a proxy on it.

    The Host header is checked too. A proxy that adds no other header still passes on or
    replaces it. And a web page in a browser on this machine could make its own domain name
    lead here.
    """
    peer = request.environ.get("REMOTE_ADDR")
    return (
        (not peer or is_loopback(peer))
        and is_loopback(_host(request.environ.get("HTTP_HOST", "")))
        and not any(name in request.headers for name in _FORWARDING)
    )


def _host(header: str) -> str:
    if header.startswith("["):
        return header[1:].partition("]")[0]
    return header.partition(":")[0]


@OPERATORS.get("/healthz")
@open_to_everybody
def health() -> Response:
    """Whether the store answers."""
    collaborators().intake.check()
    return json_response({"status": "ok"})


@OPERATORS.get("/metrics")
@open_to(Role.ANALYST, scope=Scope.ALL, unless=_is_from_this_machine)
def read_metrics() -> Response:
    """The counts since the collector started, which reveal when people answer."""
    return Response(collaborators().metrics.to_text(), content_type=MEDIA_TYPE)
