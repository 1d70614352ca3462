"""Records in the audit trail what the routes of an application change."""

from flask import Flask, Response, g, request

from deniable_collector.access import sent_token
from deniable_collector.errors import StoreUnavailable
from deniable_collector.problems import problem
from deniable_collector.responses import problem_response
from deniable_sdk.foreign import read_object
from deniable_web.accounts.trail import CHANGES, Trail


def record_changes(app: Flask, trail: Trail) -> None:
    """Let an application record what its routes change; without the record they fail."""

    @app.after_request
    def record(response: Response) -> Response:
        what, status = CHANGES.get(request.endpoint or "", (None, 0))
        token = sent_token() if what and response.status_code == status else None
        if what and token:
            try:
                trail.record(token.name, what, _about(response))
            except StoreUnavailable:
                detail = (
                    "It was done, but could not be recorded in the audit trail; tell whoever "
                    "runs the server."
                )
                return problem_response(problem("store-unavailable", detail))
        return response


def _about(response: Response) -> str:
    """The survey that a request changed, or the person whose rights it changed."""
    named = g.get("changed") or (request.view_args or {}).get("slug")
    said = read_object(response.get_data()) if response.is_json else {}
    return str(named or said.get("slug", ""))
