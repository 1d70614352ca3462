"""A QR code of a survey's address, as a drawing or as dots."""

import re
from io import BytesIO
from typing import Final

import segno

from deniable_collector.errors import Refused
from deniable_collector.problems import problem

_ORIGIN: Final = re.compile(r"https?://[^\s/?#@]{1,255}", re.ASCII)
_BORDER: Final = 4  # modules; scanners need this much
_DOTS: Final = 12  # a side of a module in the PNG: large enough for a poster


def draw_code(origin: object, slug: str, kind: str) -> tuple[bytes, str]:
    """The code of origin/s/slug, and its media type.

    Args:
        origin: the origin under which respondents' browsers reach this server; behind a
            proxy the server may not know it.
        slug: the slug of a survey.
        kind: svg or png.
    Raises:
        Refused: the origin or the kind is not valid.
    """
    if not isinstance(origin, str) or not _ORIGIN.fullmatch(origin):
        detail = "Send the origin that the page was loaded from, like https://example.org."
        raise Refused(problem("invalid-definition", detail))
    code = segno.make(f"{origin}/s/{slug}", error="m", micro=False)
    drawn = BytesIO()
    if kind == "svg":
        code.save(
            drawn,
            kind="svg",
            border=_BORDER,
            xmldecl=False,
            omitsize=True,
            svgclass=None,
            lineclass=None,
        )
        return drawn.getvalue(), "image/svg+xml"
    if kind == "png":
        code.save(drawn, kind="png", border=_BORDER, scale=_DOTS)
        return drawn.getvalue(), "image/png"
    raise Refused(problem("not-found", "Codes are drawn as svg or png; ask for one of them."))
