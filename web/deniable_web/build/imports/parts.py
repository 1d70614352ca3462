"""The parts of an expression of another program: names, values, words and signs.

SurveyJS writes {smokes} = 'yes', XLSForm ${smokes} = 'yes'. Each expression is split once,
from left to right, so the time grows only in proportion to its length.
"""

import re
from typing import Final

# The most characters of an expression: enough to name hundreds of options.
LONGEST: Final = 20_000
# No two of these can begin with the same character, and none is tried twice at one place.
_PART: Final = re.compile(
    r"""\s+|\$?\{(?P<name>[^{}]*)\}|'(?P<single>[^']*)'|"(?P<double>[^"]*)\""""
    r"|(?P<word>[\d.][\w.]*|[^\W\d][\w.-]*)"
    r"|(?P<sign>==?|!=?|<[=>]?|>=?|\|\||&&|[\[\](),+*/^-])"
)

# The kind of a part (name, value, word or sign), and its text.
Part = tuple[str, str]


def split(expression: str) -> list[Part] | None:
    """The parts of an expression.

    Args:
        expression: of at most LONGEST characters.
    Returns:
        None if the expression is longer, or contains anything else.
    """
    if len(expression) > LONGEST:
        return None
    parts: list[Part] = []
    end = 0
    while end < len(expression):
        found = _PART.match(expression, end)
        if found is None:
            return None
        end = found.end()
        kind = found.lastgroup
        if kind:
            is_quoted = kind in ("single", "double")
            parts.append(("value", found[kind]) if is_quoted else (kind, found[kind].strip()))
    return parts
