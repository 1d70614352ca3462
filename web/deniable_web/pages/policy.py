"""The policy of what browsers refuse on our pages."""

from typing import Final

from werkzeug.wrappers import Response

PERMISSIONS_POLICY: Final = "camera=(), geolocation=(), microphone=(), browsing-topics=()"
NOBODY: Final = "'none'"


def content_security_policy(frame_ancestors: str = NOBODY) -> str:
    """The policy: no other origin, nothing inline, and no form that the browser itself sends.

    Args:
        frame_ancestors: the sites whose pages may show this page in a frame, in the
            directive's syntax.
    """
    return "; ".join(
        (
            "default-src 'none'",
            "script-src 'self'",
            "style-src 'self'",
            "img-src 'self'",
            "connect-src 'self'",
            "worker-src 'self'",
            "frame-src 'self'",
            "base-uri 'none'",
            "form-action 'none'",
            f"frame-ancestors {frame_ancestors}",
        )
    )


def protect(response: Response, frame_ancestors: str = NOBODY) -> Response:
    """The response of a page, with the policy's headers; it is not stored by anyone."""
    headers = response.headers
    headers["Content-Security-Policy"] = content_security_policy(frame_ancestors)
    headers["Permissions-Policy"] = PERMISSIONS_POLICY
    headers.setdefault("Cache-Control", "no-store")
    return response
