"""The HTTP interface as an OpenAPI 3.1 document, served at /api/openapi.json.

A test compares it with the application's routes and table of problems, and
another sends what it describes to a running collector.
"""

from deniable_collector.openapi.document import openapi_document
from deniable_collector.openapi.route import OPENAPI

__all__ = ["OPENAPI", "openapi_document"]
