"""The fonts of figures: matplotlib's own, and wider ones that this machine may have."""

from functools import cache
from pathlib import Path

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
    return [_OWN, *(name for name in _WIDE if name in _files())]


def can_draw(text: str) -> bool:
    """Whether the fonts have all characters of a text."""
    return {ord(character) for character in text if not character.isspace()} <= _characters()


@cache
def _files() -> dict[str, Path]:
    from matplotlib.font_manager import fontManager  # noqa: PLC0415 - takes long

    return {font.name: Path(font.fname) for font in reversed(fontManager.ttflist)}


@cache
def _characters() -> frozenset[int]:
    from matplotlib.ft2font import FT2Font  # noqa: PLC0415 - as above

    found = (FT2Font(_files()[name]).get_charmap() for name in fitting_fonts())
    return frozenset().union(*found)
