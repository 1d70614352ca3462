"""The whole document."""

from typing import Final

from deniable_collector.openapi.operations import OPERATIONS
from deniable_collector.openapi.schemas import SCHEMAS, Schema

_ABOUT: Final = (
    "Accepts randomized reports and nothing else about anyone. Every refusal is a problem "
    "document (RFC 9457). See also docs/HTTP.md."
)


def openapi_document() -> Schema:
    """The HTTP interface: every route with all its possible responses."""
    paths: dict[str, dict[str, object]] = {}
    for operation in OPERATIONS:
        paths.setdefault(operation.path, {})[operation.method] = operation.to_document()
    return {
        "openapi": "3.1.0",
        "info": {"title": "deniable collector", "version": "1", "description": _ABOUT},
        "servers": [{"url": "/"}],
        "paths": paths,
        "components": {
            "schemas": SCHEMAS,
            "securitySchemes": {role: _bearer(role) for role in ("owner", "analyst")},
        },
    }


def _bearer(role: str) -> Schema:
    return {
        "type": "http",
        "scheme": "bearer",
        "description": f"A token that `deniable token make {role} NAME` printed.",
    }
