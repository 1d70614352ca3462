"""Terms in the texts of a page, each with a button that opens its explanation in place."""

import re
from typing import Final

from markupsafe import Markup, escape

# A term is written like a link: [words](key of its explanation).
TERM: Final = re.compile(r"\[([^\]]+)\]\((\w+)\)")
_BUTTON: Final = r'<button type="button" class="term" popovertarget="term-\2">\1</button>'


def explained(text: str) -> Markup:
    """A text of the interface as markup, whose terms are buttons.

    What is filled in afterwards with `format` is escaped.
    """
    return Markup(TERM.sub(_BUTTON, str(escape(text))))  # noqa: S704 - escaped
