"""The HTTP interface as an OpenAPI 3.1 document, served at /api/openapi.json.

One test compares the document with the application's routes and table of problems. Another
sends the requests that it describes to a running collector.
"""

from deniable_collector.openapi.document import openapi_document
from deniable_collector.openapi.route import OPENAPI

__all__ = ["OPENAPI", "openapi_document"]
