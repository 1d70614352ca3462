"""The frame of a page for those who run surveys: its bar, and the question for a token."""

from flask import Blueprint, render_template, request

from deniable_collector.access import require_analyst
from deniable_web.pages.languages import CODES, DEFAULT, LANGUAGES, best, catalog, direction


def create_manage() -> Blueprint:
    """The route by which a page checks its token."""
    manage = Blueprint("manage", __name__)

    @manage.get("/manage/token")
    def check_token() -> tuple[str, int]:
        require_analyst()
        return "", 204

    return manage


def wanted_language() -> str:
    """The interface's language that ?lang= names, or the browser likes best."""
    named = request.args.get("lang", "")
    return best((named, *request.accept_languages.values()), CODES) or DEFAULT


def render_page(template: str, *, here: str, script: str, surface: str, **values: object) -> str:
    """A page whose script asks for a token before it shows anything.

    Args:
        template: extends manage/layout.html.
        here: the place in the bar, or another name.
        script: the name of its entry module.
        surface: the catalog of its own texts, `texts` in the template.
        values: what else the template takes.
    """
    return render_template(template, **framed(surface), here=here, script=script, **values)


def framed(surface: str) -> dict[str, object]:
    """What the frame of every page takes, and `texts`, what its surface says."""
    language = wanted_language()
    return {
        **in_language(surface),
        "frame": catalog("manage", language)["frame"],
        "languages": LANGUAGES,
    }


def in_language(surface: str) -> dict[str, object]:
    """What a surface says in the wanted language, and how links keep that language."""
    language = wanted_language()
    is_named = request.args.get("lang") == language
    return {
        "texts": catalog(surface, language),
        "language": language,
        "direction": direction(language),
        "language_query": f"?lang={language}" if is_named else "",
    }
