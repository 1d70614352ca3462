"""The policy of what browsers refuse on our pages."""

from typing import Final

from werkzeug.wrappers import Response

PERMISSIONS_POLICY: Final = "camera=(), geolocation=(), microphone=(), browsing-topics=()"
NOBODY: Final = "'none'"


def content_security_policy(frame_ancestors: str = NOBODY) -> str:
    """The policy: no other origin, nothing inline, no form that a browser itself sends.

    Args:
        frame_ancestors: the sites whose pages may show this one in a frame,
            as the directive has them.
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
    """The response of a page, with all that it forbids; kept by nobody."""
    headers = response.headers
    headers["Content-Security-Policy"] = content_security_policy(frame_ancestors)
    headers["Permissions-Policy"] = PERMISSIONS_POLICY
    headers.setdefault("Cache-Control", "no-store")
    return response
