"""The route for monitoring: counts, for operators only."""

from typing import Final

from flask import Blueprint, Flask, Response, request

from deniable_collector.access import collaborators, sent_token
from deniable_collector.addresses import is_loopback
from deniable_collector.errors import Refused
from deniable_collector.metrics import MEDIA_TYPE, Metrics

METRICS = Blueprint("metrics", __name__)

# Headers that proxies add; a request with any of them came through a proxy.
_FORWARDING: Final = ("Forwarded", "Via", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-IP")


@METRICS.get("/metrics")
def read_metrics() -> Response:
    """The counts since the collector started."""
    token = sent_token()
    if not _is_from_this_machine() and (token is None or not token.is_for_all):
        raise Refused.because(
            "token-refused",
            "Counts over time reveal when people answer, so they are only for direct "
            "requests from this machine, or for whoever sends a token of the store for all "
            "surveys in the header Authorization: Bearer.",
        )
    return Response(collaborators().metrics.to_text(), content_type=MEDIA_TYPE)


def count_answers(app: Flask, metrics: Metrics) -> None:
    """Let an application count its responses by route and status."""

    @app.after_request
    def count(response: Response) -> Response:
        rule = request.url_rule
        metrics.answered(rule.rule if rule else None, response.status_code)
        return response


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
