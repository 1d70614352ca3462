"""The route that serves the document."""

import json
from functools import cache

from flask import Blueprint, Response

from deniable_collector.openapi.document import openapi_document

OPENAPI = Blueprint("openapi", __name__)


@OPENAPI.get("/api/openapi.json")
def read_interface() -> Response:
    """The HTTP interface, for programs."""
    return Response(_text(), content_type="application/json")


@cache
def _text() -> str:
    return json.dumps(openapi_document(), separators=(",", ":"))
