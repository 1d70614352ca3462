"""The HTTP interface as an OpenAPI 3.1 document, served at /api/openapi.json.

One test compares the document with the application's routes and table of problems. Another
sends the requests that it describes to a running collector.
"""

import json
from functools import cache
from typing import Final

from flask import Blueprint, Response

from deniable_collector.openapi.operations import OPERATIONS
from deniable_collector.openapi.schemas import SCHEMAS
from deniable_collector.permissions import open_to_everybody

OPENAPI = Blueprint("openapi", __name__)

_ABOUT: Final = (
    "Accepts randomized reports and nothing else about anyone. Every refusal is a problem "
    "document (RFC 9457). See also docs/HTTP.md."
)


@OPENAPI.get("/api/openapi.json")
@open_to_everybody
def read_interface() -> Response:
    """The HTTP interface, for programs."""
    return Response(_text(), content_type="application/json")


@cache
def _text() -> str:
    """The document: every route with all its possible responses."""
    paths: dict[str, dict[str, object]] = {}
    for operation in OPERATIONS:
        paths.setdefault(operation.path, {})[operation.method] = operation.to_document()
    document = {
        "openapi": "3.1.0",
        "info": {"title": "deniable collector", "version": "1", "description": _ABOUT},
        "servers": [{"url": ".."}],
        "paths": paths,
        "components": {
            "schemas": SCHEMAS,
            "securitySchemes": {
                role: {
                    "type": "http",
                    "scheme": "bearer",
                    "description": f"A token that `deniable token make {role} NAME` printed.",
                }
                for role in ("owner", "analyst")
            },
        },
    }
    return json.dumps(document, separators=(",", ":"))
