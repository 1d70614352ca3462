"""The builder's pages, and what their scripts ask of the server."""

from typing import Any, Final

from flask import Blueprint, Response
from werkzeug.wrappers import Response as AnyResponse

from deniable_collector.access import collaborators, require_analyst, require_owner
from deniable_collector.errors import Refused
from deniable_collector.problems import problem
from deniable_collector.responses import json_response
from deniable_sdk import InvalidDefinition, PublishedSurvey, compile_survey
from deniable_web.build.bodies import read_bytes, read_document, read_wishes, refuse
from deniable_web.build.codes import draw_code
from deniable_web.build.definition_text import to_yaml
from deniable_web.build.imports import UnreadableImport, import_text, import_xlsform
from deniable_web.build.pages import render_builder, render_home, render_share
from deniable_web.build.preview import render_preview
from deniable_web.caps import cap_problem
from deniable_web.pages import policy
from deniable_web.publication import SlugTaken, SurveyClosed, publish

_YAML: Final = "application/yaml"


def create_builder() -> Blueprint:
    """All routes of the builder, of sharing and of the home page."""
    build = Blueprint("build", __name__)
    _add_pages(build)
    _add_definitions(build)
    _add_publishing(build)

    @build.after_request
    def protect_pages(response: AnyResponse) -> AnyResponse:
        return policy.protect(response)

    return build


def _add_pages(build: Blueprint) -> None:
    @build.get("/")
    def home() -> str:
        return render_home()

    @build.get("/build")
    def builder() -> str:
        return render_builder()

    @build.get("/surveys/<slug>/share")
    def share(slug: str) -> tuple[str, int]:
        return render_share(collaborators().store.find_survey(slug), slug)


def _add_definitions(build: Blueprint) -> None:
    @build.post("/manage/definitions/check")
    def check_definition() -> Response:
        # A forecast needs numpy and scipy, which nobody else has to wait for.
        from deniable_web.build.checking import check  # noqa: PLC0415 - see above

        require_owner()
        sent = read_document()
        return json_response(check(sent.get("definition"), read_wishes(sent)))

    @build.post("/manage/definitions/preview")
    def preview() -> Response:
        require_owner()
        survey = _compile(read_document().get("definition"))
        return json_response({"page": render_preview(survey)})

    @build.post("/manage/definitions/export")
    def export() -> Response:
        require_owner()
        return Response(to_yaml(read_document().get("definition")), content_type=_YAML)

    @build.post("/manage/definitions/import/<kind>")
    def take_import(kind: str) -> Response:
        require_owner()
        reader = {"text": import_text, "xlsform": import_xlsform}.get(kind)
        if reader is None:
            raise Refused(
                problem("not-found", "Imports come as text or xlsform; send one of them.")
            )
        try:
            imported = reader(read_bytes())
        except UnreadableImport as error:
            raise refuse(str(error)) from None
        return json_response(imported.to_document())


def _add_publishing(build: Blueprint) -> None:
    @build.post("/manage/surveys")
    def publish_survey() -> Response:
        require_owner()
        survey = _compile(read_document().get("definition"))
        beyond = cap_problem(survey)
        if beyond:
            raise refuse(str(beyond))
        is_new = _publish(survey)
        published: dict[str, Any] = {
            "slug": survey.slug,
            "digest": survey.digest,
            "is_new": is_new,
        }
        return json_response(published, 201 if is_new else 200)

    @build.post("/manage/surveys/<slug>/code/<kind>")
    def code(slug: str, kind: str) -> Response:
        require_analyst()
        if collaborators().store.find_survey(slug) is None:
            raise Refused(problem("unknown-survey", "No survey is published here by this name."))
        body, media_type = draw_code(read_document().get("origin"), slug, kind)
        return Response(body, content_type=media_type)


def _compile(document: object) -> PublishedSurvey:
    try:
        return compile_survey(document)
    except InvalidDefinition as error:
        raise refuse("; ".join(str(found) for found in error.problems)) from None


def _publish(survey: PublishedSurvey) -> bool:
    store = collaborators().store
    try:
        return publish(store, survey)
    except SlugTaken:
        raise Refused(
            problem(
                "survey-conflict",
                f"Another survey is open under the name {survey.slug}, and a published survey "
                "never changes; close that one first, or choose another name.",
            )
        ) from None
    except SurveyClosed:
        raise Refused(
            problem(
                "survey-closed",
                f"This very survey was published as {survey.slug} before and is closed, and stays "
                "so; change something for a next edition, or choose another name.",
            )
        ) from None
