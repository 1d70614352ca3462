"""The policy of what browsers refuse on our pages."""

from typing import Final

from werkzeug.wrappers import Response

PERMISSIONS_POLICY: Final = "camera=(), geolocation=(), microphone=(), browsing-topics=()"
NOBODY: Final = "'none'"


def content_security_policy(frame_ancestors: str = NOBODY, issuer: str = "") -> str:
    """The policy: no other origin, nothing inline, and no form that the browser itself sends.

    Args:
        frame_ancestors: the sites whose pages may show this page in a frame, in the
            directive's syntax.
        issuer: the address of the issuer that the page asks for a token; empty if none.
    """
    asked = f" {issuer}/api/" if issuer else ""
    return "; ".join(
        (
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "img-src 'self'",
            f"connect-src 'self'{asked}",
            "worker-src 'self'",
            "frame-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
            f"frame-ancestors {frame_ancestors}",
        )
    )


def protect(response: Response, frame_ancestors: str = NOBODY, issuer: str = "") -> Response:
    """The response of a page, with the policy's headers; it is not stored by anyone."""
    headers = response.headers
    headers["Content-Security-Policy"] = content_security_policy(frame_ancestors, issuer)
    headers["Permissions-Policy"] = PERMISSIONS_POLICY
    headers.setdefault("Cache-Control", "no-store")
    return response
