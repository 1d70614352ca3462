"""The routes of the builder's pages and of their scripts' requests."""

import json
from collections.abc import Mapping, Sequence
from typing import Final

from flask import Blueprint, Response, request

from deniable_collector.access import collaborators, require_survey
from deniable_collector.errors import Refused
from deniable_collector.permissions import (
    Scope,
    open_to,
    open_to_everybody,
    present_token,
    require_survey_of_token,
)
from deniable_collector.responses import compress, json_response
from deniable_collector.tokens import AccessToken, Role
from deniable_sdk import DefinitionProblem, PublishedSurvey
from deniable_sdk.survey.reading import SLUG_PATTERN
from deniable_web.builder.pages import (
    draw_code,
    render_beginning,
    render_builder,
    render_drafts,
    render_home,
    render_preview,
    render_share,
)
from deniable_web.builder.survey_templates import UnknownTemplate
from deniable_web.builder.workshop import (
    check,
    prepare,
    read_definition,
    read_document,
    read_file,
    refuse,
    run_task,
)
from deniable_web.definition.completeness import untranslated, unwritten
from deniable_web.definition.epsilon_caps import cap_problems
from deniable_web.definition.form_size import size_problems
from deniable_web.pages import policy
from deniable_web.stores.publication import SlugTaken, SurveyClosed, publish

_JSON: Final = "application/json"


def create_builder() -> Blueprint:
    """All routes of the builder, of sharing and of the home page."""
    build = Blueprint("build", __name__)
    _add_pages(build)
    _add_definitions(build)
    _add_publishing(build)
    build.after_request(policy.protect)
    build.after_request(compress)
    return build


def _add_pages(build: Blueprint) -> None:
    build.add_url_rule("/", "home", open_to_everybody(render_home))

    build.add_url_rule("/new", "begin", open_to_everybody(render_beginning))

    @build.get("/build")
    @open_to_everybody
    def builder() -> tuple[str, int]:
        prepare()
        try:
            return render_builder(
                request.args.get("template", ""), request.args.getlist("in")
            ), 200
        except (UnknownTemplate, ValueError):
            return render_beginning(), 404

    build.add_url_rule("/drafts", "drafts", open_to_everybody(render_drafts))

    @build.get("/surveys/<slug>/share")
    @open_to_everybody
    def share(slug: str) -> tuple[str, int]:
        return render_share(collaborators().registry.find_survey(slug), slug)


def _add_definitions(build: Blueprint) -> None:
    @build.post("/manage/definitions/check")
    @open_to(Role.EDITOR)
    def check_definition() -> Response:
        token = present_token()
        sent = read_document()
        return json_response(check(sent, _published(sent.get("definition"), token)))

    @build.get("/manage/surveys/<slug>/definition")
    @open_to(Role.EDITOR)
    def definition(slug: str) -> Response:
        found = require_survey(collaborators().registry.find_survey(slug))
        return Response(run_task("write_definition", found.survey.document), content_type=_JSON)

    @build.post("/manage/definitions/preview")
    @open_to(Role.EDITOR)
    def preview() -> Response:
        sent = read_document()
        survey = _compiled(sent)
        _refuse(size_problems(survey))
        is_begun = sent.get("is_begun") is True
        return json_response({"page": render_preview(survey, is_begun=is_begun)})

    @build.post("/manage/definitions/export")
    @open_to(Role.EDITOR)
    def export() -> Response:
        return Response(run_task("write_yaml", read_definition()), content_type="application/yaml")

    @build.post("/manage/definitions/import/<kind>")
    @open_to(Role.EDITOR)
    def take_import(kind: str) -> Response:
        task = {"text": "read_text_file", "xlsform": "read_workbook"}.get(kind)
        if task is None:
            raise Refused.because(
                "not-found", "Imports come as text or xlsform; send one of them."
            )
        return Response(run_task(task, read_file()), content_type=_JSON)


def _add_publishing(build: Blueprint) -> None:
    @build.post("/manage/surveys")
    @open_to(Role.OWNER, scope=Scope.BODY)
    def publish_survey() -> Response:
        survey = _compiled(read_document())
        require_survey_of_token(survey.slug)
        beyond = [*cap_problems(survey), *size_problems(survey)]
        _refuse([*beyond, *untranslated(survey), *unwritten(survey)])
        is_new = _publish(survey)
        published = {"slug": survey.slug, "digest": survey.digest, "is_new": is_new}
        return json_response(published, 201 if is_new else 200)

    @build.post("/manage/surveys/<slug>/code/<kind>")
    @open_to(Role.ANALYST)
    def code(slug: str, kind: str) -> Response:
        require_survey(collaborators().registry.find_survey(slug))
        body, media_type = draw_code(read_document().get("site"), slug, kind)
        return Response(body, content_type=media_type)


def _refuse(problems: Sequence[DefinitionProblem]) -> None:
    """Refuse a draft that has problems."""
    if problems:
        raise refuse("\n".join(map(str, problems)))


def _compiled(sent: Mapping[str, object]) -> PublishedSurvey:
    """The survey that the definition in a request compiles to."""
    return PublishedSurvey.from_bytes(run_task("compile_draft", json.dumps(sent).encode()))


def _published(definition: object, token: AccessToken) -> PublishedSurvey | None:
    """The newest edition published under a draft's slug, if the token is for that survey."""
    slug = definition.get("slug") if isinstance(definition, Mapping) else None
    if not isinstance(slug, str) or not SLUG_PATTERN.fullmatch(slug) or not token.is_for(slug):
        return None
    found = collaborators().registry.find_survey(slug)
    return found.survey if found else None


def _publish(survey: PublishedSurvey) -> bool:
    try:
        return publish(collaborators().registry, survey, collaborators().commits.clock())
    except SlugTaken:
        detail = (
            f"Another survey is open under the name {survey.slug}, and a published survey "
            "never changes; close that one first, or choose another name."
        )
        raise Refused.because("survey-conflict", detail) from None
    except SurveyClosed as error:
        detail = str(error)
        raise Refused.because("survey-closed", f"{detail[0].upper()}{detail[1:]}.") from None
