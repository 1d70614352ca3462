"""Numbers as people and spreadsheets write them, in the digits and with the signs of any language.

`static/form/typed_numbers.js` does the same in the pages, with the same patterns.
"""

import re
from typing import Final

from deniable_sdk import DeniableError

# The directions of writing that some languages put around a number.
_MARKS: Final = re.compile("[\u061c\u200e\u200f\u2066-\u2069]")
# Minus signs, apostrophes, blanks, and a point and a comma of full width.
_SAME: Final = str.maketrans(
    "\u2212\u2013\uff0d\ufe63\u2019\u2018\u02bc\uff07\t\xa0\u2007\u2008\u2009\u202f\u3000\uff0e\uff0c",
    "----''''       .,",
)
# Thousands in one language, decimals in another.
_UNCLEAR: Final = re.compile(r"-?(?!0+[.,])\d{1,3}[.,]\d{3}", re.ASCII)
_FORMS: Final = (
    # Without groups; in groups of three digits; and as in India, with pairs before the last group.
    re.compile("(-?)(\\d*)(?:[.,\u066b](\\d+))?", re.ASCII),
    re.compile(
        "(-?)([1-9]\\d{0,2}([.,'\u066c ])\\d{3}(?:\\3\\d{3})*)(?:(?!\\3)[.,\u066b](\\d+))?",
        re.ASCII,
    ),
    re.compile(
        "(-?)([1-9]\\d?([,\u066c])\\d\\d(?:\\3\\d\\d)*\\3\\d{3})(?:[.\u066b](\\d+))?", re.ASCII
    ),
)
_DIGIT: Final = re.compile("[0-9]")
_NO_DIGIT: Final = re.compile("[^0-9]")


class UnclearNumber(DeniableError, ValueError):
    """A text that some people read as thousands, and others as decimals."""


def decimal_text(written: str) -> str | None:
    """The number that everybody reads in a text, with a decimal point; None if it is no number.

    Raises:
        UnclearNumber: it has one point or comma, before exactly three digits; the message does
            not repeat it.
    """
    plain = _MARKS.sub("", written).translate(_SAME).strip(" ")
    text = "".join(str(int(sign)) if sign.isdecimal() else sign for sign in plain)
    if _UNCLEAR.fullmatch(text):
        raise UnclearNumber(
            "a number has a point or comma before its last three digits, which can mean two "
            "numbers; write 2500 for thousands, or 2.5000 for decimals"
        )
    found = next((match for form in _FORMS if (match := form.fullmatch(text))), None)
    if found is None or not _DIGIT.search(text):
        return None
    sign, whole, *_, decimals = found.groups()
    return f"{sign}{_NO_DIGIT.sub('', whole) or '0'}{f'.{decimals}' if decimals else ''}"
