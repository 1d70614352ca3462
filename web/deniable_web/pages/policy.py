"""The policy of what browsers refuse on our pages."""

from base64 import b64encode
from collections.abc import Iterable
from hashlib import sha256
from typing import Final

from werkzeug.wrappers import Response

HEADER: Final = "Content-Security-Policy"
_PERMISSIONS: Final = "camera=(), geolocation=(), microphone=(), browsing-topics=()"
NOBODY: Final = "'none'"


def protect(response: Response, frame_ancestors: str = NOBODY, issuer: str = "") -> Response:
    """The response of a page, with the policy's headers; it is not stored by anyone.

    The policy allows no other origin, nothing inline, and no form that the browser itself sends.

    Args:
        response: the response with the page.
        frame_ancestors: the sites whose pages may show this page in a frame, in the
            directive's syntax.
        issuer: the address of the issuer that the page asks for a token; empty if none.
    """
    asked = f" {_interface(issuer)}" if issuer else ""
    headers = response.headers
    headers[HEADER] = "; ".join(
        (
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "img-src 'self' data:",
            f"connect-src 'self'{asked}",
            "worker-src 'self'",
            "frame-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
            f"frame-ancestors {frame_ancestors}",
        )
    )
    headers["Permissions-Policy"] = _PERMISSIONS
    headers.setdefault("Cache-Control", "no-store")
    return response


def one_file_policy(script: str, style: str, servers: Iterable[str]) -> str:
    """The policy inside a page of one file, which loads nothing and may ask these servers.

    A policy inside a page cannot say who may show it in a frame.
    """
    return "; ".join(
        (
            "default-src 'none'",
            f"script-src {_hash(script)}",
            f"style-src {_hash(style)}",
            "img-src data:",
            f"connect-src {' '.join(map(_interface, servers))}",
            "base-uri 'none'",
            "form-action 'none'",
        )
    )


def report_policy(style: str) -> str:
    """The policy inside a report in one file, which loads nothing and has no script."""
    own = f"style-src {_hash(style)}"
    return "; ".join(("default-src 'none'", own, "base-uri 'none'", "form-action 'none'"))


def _interface(address: str) -> str:
    """All addresses of a server that devices use, as a source in a policy."""
    return f"{address}/api/".replace(";", "%3B").replace(",", "%2C")


def _hash(text: str) -> str:
    return f"'sha256-{b64encode(sha256(text.encode()).digest()).decode()}'"
