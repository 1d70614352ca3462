"""A QR code of a survey's address, as a drawing or as dots."""

import re
from collections.abc import Mapping
from io import BytesIO
from typing import Any, Final

import segno

from deniable_collector.errors import Refused

_ORIGIN: Final = re.compile(r"https?://[^\s/?#@]{1,255}", re.ASCII)
_BORDER: Final = 4  # modules; scanners need this much
_DOTS: Final = 12  # a side of a module in the PNG: large enough for a poster
_SVG: Final = {"xmldecl": False, "omitsize": True, "svgclass": None, "lineclass": None}
_KINDS: Final[Mapping[str, tuple[str, Mapping[str, Any]]]] = {
    "svg": ("image/svg+xml", _SVG),
    "png": ("image/png", {"scale": _DOTS}),
}


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
        raise Refused.because("invalid-definition", detail)
    code = segno.make(f"{origin}/s/{slug}", error="m", micro=False)
    if kind not in _KINDS:
        raise Refused.because("not-found", "Codes are drawn as svg or png; ask for one of them.")
    media_type, options = _KINDS[kind]
    drawn = BytesIO()
    code.save(drawn, kind=kind, border=_BORDER, **options)
    return drawn.getvalue(), media_type
