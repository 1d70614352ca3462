"""The frame of a page for people who run surveys: its bar, and how they sign in."""

from dataclasses import dataclass
from typing import Final

from flask import Blueprint, Response, current_app, render_template, request

from deniable_collector.access import bearer, collaborators
from deniable_collector.permissions import open_to, open_to_everybody, present_token
from deniable_collector.responses import json_response
from deniable_collector.tokens import AccessToken, Role
from deniable_web.pages import policy
from deniable_web.pages.languages import CODES, DEFAULT, LANGUAGES, best, catalog, direction
from deniable_web.pages.sign_in_links import exchange

_EXTENSION: Final = "deniable_web.pages.organiser_frame"


@dataclass(frozen=True, slots=True)
class WaysIn:
    """How people who run surveys may sign in, besides with a token in one tab.

    Args:
        has_sessions: whether a browser can stay signed in.
        provider: what people call the provider at which accounts sign in; empty if there is none.
    """

    has_sessions: bool = False
    provider: str = ""


def create_manage(ways_in: WaysIn | None = None) -> Blueprint:
    """The routes with which a page exchanges a link for a token, and learns what a token opens."""
    manage = Blueprint("manage", __name__)

    manage.record(lambda state: state.app.extensions.update({_EXTENSION: ways_in or WaysIn()}))

    @manage.get("/manage/account")
    @open_to(*Role)
    def account() -> Response:
        return json_response(described(present_token()))

    @manage.post("/manage/link")
    @open_to_everybody
    def use_link() -> Response:
        """A token for the secret of a link, which is sent as a token would be."""
        using = collaborators()
        rights, token = exchange(using.registry, bearer(), using.commits.clock())
        return json_response({"token": token, **described(rights)})

    manage.after_request(policy.protect)
    return manage


def described(rights: AccessToken) -> dict[str, object]:
    """What responses say about a token or an account."""
    surveys = None if rights.surveys is None else sorted(rights.surveys)
    return {"name": rights.name, "role": rights.role.value, "surveys": surveys}


def wanted_language() -> str:
    """The interface's language in ?lang=, or the best one for the browser."""
    named = request.args.get("lang", "")
    return best((named, *request.accept_languages.values()), CODES) or DEFAULT


def render_page(template: str, *, here: str, script: str, surface: str, **values: object) -> str:
    """A page whose script asks for a token before it shows anything.

    Args:
        template: a template that extends manage/layout.html.
        here: the page's place in the bar, or another name.
        script: the name of its entry module.
        surface: the catalog of the page's own texts, `texts` in the template.
        values: other values for the template.
    """
    return render_template(template, **framed(surface), here=here, script=script, **values)


def framed(surface: str) -> dict[str, object]:
    """The values for the frame of every page, and `texts`, the texts of its surface."""
    language = wanted_language()
    return {
        **in_language(surface),
        "frame": catalog("manage", language)["frame"],
        "languages": LANGUAGES,
        "ways_in": current_app.extensions[_EXTENSION],
    }


def in_language(surface: str) -> dict[str, object]:
    """The texts of a surface in the wanted language, and the query with which links keep it."""
    language = wanted_language()
    is_named = request.args.get("lang") == language
    return {
        "texts": catalog(surface, language),
        "language": language,
        "direction": direction(language),
        "language_query": f"?lang={language}" if is_named else "",
    }
