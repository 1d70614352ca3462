"""The frame of a page for people who run surveys: its bar, and the request for a token."""

from dataclasses import dataclass
from typing import Final

from flask import Blueprint, current_app, render_template, request

from deniable_collector.access import require_token
from deniable_web.pages.languages import CODES, DEFAULT, LANGUAGES, best, catalog, direction

_EXTENSION: Final = "deniable_web.manage"


@dataclass(frozen=True, slots=True)
class WaysIn:
    """How people who run surveys may sign in, besides with a token in one tab.

    Args:
        has_sessions: whether a browser can stay signed in.
        sign_in: the address at which a provider's accounts sign in; empty if there is none.
        provider: what people call that provider.
    """

    has_sessions: bool = False
    sign_in: str = ""
    provider: str = ""


def create_manage(ways_in: WaysIn | None = None) -> Blueprint:
    """The route with which a page checks its token."""
    manage = Blueprint("manage", __name__)

    manage.record(lambda state: state.app.extensions.update({_EXTENSION: ways_in or WaysIn()}))

    @manage.get("/manage/token")
    def check_token() -> tuple[str, int]:
        require_token()
        return "", 204

    return manage


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
