"""The fonts of figures: matplotlib's own, and wider ones that this machine may have."""

from functools import cache

# Has Latin, Greek, Cyrillic, Hebrew and Arabic letters; matplotlib contains it.
_OWN = "DejaVu Sans"
# Fonts of systems and of their packages, above all for Chinese, Japanese and Korean.
_WIDE = (
    "Noto Sans CJK SC",
    "Noto Sans SC",
    "Source Han Sans SC",
    "WenQuanYi Zen Hei",
    "WenQuanYi Micro Hei",
    "Droid Sans Fallback",
    "PingFang SC",
    "Hiragino Sans GB",
    "Microsoft YaHei",
    "SimHei",
    "Arial Unicode MS",
)


def fitting_fonts() -> list[str]:
    """The names of the fonts that are there, in the order in which a character is looked up."""
    from matplotlib.font_manager import get_font_names  # noqa: PLC0415 - takes long

    there = frozenset(get_font_names())
    return [_OWN, *(name for name in _WIDE if name in there)]


def can_draw(text: str) -> bool:
    """Whether the fonts have all characters of a text."""
    return {ord(character) for character in text if not character.isspace()} <= _characters()


@cache
def _characters() -> frozenset[int]:
    from matplotlib.font_manager import findfont  # noqa: PLC0415 - takes long
    from matplotlib.ft2font import FT2Font  # noqa: PLC0415 - as above

    # The very files that matplotlib uses: a name may have others, with fewer letters.
    found = (FT2Font(findfont(name)).get_charmap() for name in fitting_fonts())
    return frozenset().union(*found)
