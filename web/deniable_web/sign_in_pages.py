"""Says in words why a person could not be signed in: the only pages of an issuer."""

from collections.abc import Sequence

from deniable_web.packaged_files import page_templates
from deniable_web.pages.languages import CODES, DEFAULT, best, catalog, direction

_TEMPLATES = page_templates()


def render_page(name: str, languages: Sequence[str], survey: str) -> str:
    """A page as HTML without scripts.

    Args:
        name: of its text in the catalog `sign_in`.
        languages: those of the reader, the best one first.
        survey: the address of the survey; empty if it is not known.
    """
    language = best(languages, CODES) or DEFAULT
    texts = catalog("sign_in", language)
    return _TEMPLATES.get_template("sign_in.html").render(
        language=language,
        direction=direction(language),
        words=texts["page"],
        text=texts["problems"][name],
        survey=survey,
    )
