"""The syntax of expressions of other programs, as far as XLSForm and SurveyJS share it.

SurveyJS writes {smokes} = 'yes', XLSForm ${smokes} = 'yes'. Each expression is read once,
from left to right, so the time grows only in proportion to its length.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

# The most characters of an expression: enough to name hundreds of options.
LONGEST: Final = 20_000
# Nested brackets, as deep as a person can read.
_DEEPEST: Final = 30
# No two of these can begin with the same character, and none is tried twice at one place.
_PART: Final = re.compile(
    r"""\s+|\$?\{(?P<name>[^{}]*)\}"""
    r"""|'(?P<single>(?:\\'|[^'])*)'|"(?P<double>(?:\\"|[^"])*)\""""
    r"|(?P<word>[\d.][\w.]*|[^\W\d][\w.-]*)"
    r"|(?P<sign>=[=<>]?|!=?|<[=>]?|>=?|\|\||&&|[\[\](),+*/%^-])"
)
_END: Final = ("", "")

# The operators, from those that bind least, each with the name that this program gives it.
_LEVELS: Final[tuple[Mapping[str, str], ...]] = (
    {"or": "or", "||": "or"},
    {"and": "and", "&&": "and"},
    dict.fromkeys(("=", "==", "equal", "equals"), "=")
    | dict.fromkeys(("!=", "<>", "notequal", "notequals"), "!=")
    | {"<": "<", "less": "<", "<=": "<=", "=<": "<=", "lessorequal": "<="}
    | {">": ">", "greater": ">", ">=": ">=", "=>": ">=", "greaterorequal": ">="},
    {"+": "+", "-": "-"},
    {"*": "*", "/": "/", "div": "/", "%": "mod", "mod": "mod"},
    {"^": "^", "power": "^"},
    dict.fromkeys(("contains", "contain"), "contains")
    | dict.fromkeys(("notcontains", "notcontain"), "notcontains")
    | {"anyof": "anyof", "allof": "allof", "noneof": "noneof"},
)
_OPERATORS: Final = {
    sign: (level, name) for level, names in enumerate(_LEVELS) for sign, name in names.items()
}
_NO_OPERATOR: Final = (-1, "")
_COMPARISONS: Final = 2
_POWERS: Final = 5
_NEGATIONS: Final = ("!", "negate")
_AFTER: Final = ("empty", "notempty")


class UnreadableExpressionError(Exception):
    """An expression is longer or deeper than people write them, or has another syntax."""

    def __init__(self, *, is_too_long: bool = False) -> None:
        super().__init__("too long" if is_too_long else "another syntax")
        self.is_too_long = is_too_long


@dataclass(frozen=True, slots=True)
class Name:
    """The answer to the question with this name."""

    text: str


@dataclass(frozen=True, slots=True)
class Quoted:
    """A text in quotation marks; a backslash before one of them does not end it."""

    text: str


@dataclass(frozen=True, slots=True)
class Bare:
    """A word or a number without quotation marks."""

    text: str


@dataclass(frozen=True, slots=True)
class Bracketed:
    """A list in square brackets."""

    members: "tuple[Node, ...]"


@dataclass(frozen=True, slots=True)
class Chain:
    """Operators that bind equally, applied from left to right: a - b + c."""

    first: "Node"
    rest: "tuple[tuple[str, Node], ...]"


@dataclass(frozen=True, slots=True)
class Call:
    """A function, such as selected(), or an operator with one operand: -, !, empty, notempty."""

    name: str
    arguments: "tuple[Node, ...]"


Node = Name | Quoted | Bare | Bracketed | Chain | Call
# The kind of a part (name, value, word or sign), and its text.
_Part = tuple[str, str]


def parse(expression: str) -> Node:
    """The syntax tree of an expression.

    Raises:
        UnreadableExpressionError: it has another syntax, or is longer than LONGEST.
    """
    reader = _Reader(_split(expression))
    tree = reader.read()
    if not reader.is_at_end:
        raise UnreadableExpressionError
    return tree


def _split(expression: str) -> Sequence[_Part]:
    if len(expression) > LONGEST:
        raise UnreadableExpressionError(is_too_long=True)
    parts: list[_Part] = []
    end = 0
    while end < len(expression):
        part = _PART.match(expression, end)
        if part is None:
            raise UnreadableExpressionError
        end = part.end()
        kind = part.lastgroup
        if kind:
            is_quoted = kind in ("single", "double")
            parts.append(("value" if is_quoted else kind, part[kind]))
    return parts


class _Reader:
    """Reads the parts of an expression from left to right."""

    def __init__(self, parts: Sequence[_Part]) -> None:
        self._parts = [*parts, _END]
        self._place = 0
        self._depth = 0

    @property
    def is_at_end(self) -> bool:
        return self._parts[self._place] is _END

    def read(self, least: int = 0) -> Node:
        """An expression of operators of at least this level, inside another."""
        self._depth += 1
        if self._depth > _DEEPEST:
            raise UnreadableExpressionError(is_too_long=True)
        tree = self._operation(least)
        self._depth -= 1
        return tree

    def _operation(self, least: int) -> Node:
        tree = self._operand()
        level, _ = self._operator()
        while level >= least:
            tree = self._chain(tree, level)
            level, _ = self._operator()
        return tree

    def _chain(self, first: Node, level: int) -> Chain:
        """The operators of one level, after their first operand."""
        rest: list[tuple[str, Node]] = []
        own, name = self._operator()
        while own == level:
            self._place += 1
            rest.append((name, self._operation(level + 1)))
            own, name = self._operator()
        # The programs read a = b < c in different ways.
        if level == _COMPARISONS and len(rest) > 1:
            raise UnreadableExpressionError
        return Chain(first, tuple(rest))

    def _operator(self) -> tuple[int, str]:
        """The level and the name of the operator at this place."""
        kind, text = self._parts[self._place]
        is_operator = kind in ("sign", "word")
        return _OPERATORS.get(text.lower(), _NO_OPERATOR) if is_operator else _NO_OPERATOR

    def _operand(self) -> Node:
        if self._take(*_NEGATIONS):
            return Call("!", (self.read(len(_LEVELS)),))
        if self._take("-"):
            kind, text = self._parts[self._place]
            is_number = kind == "word" and text[0] in "0123456789."
            return Bare(f"-{self._consume()}") if is_number else Call("-", (self.read(_POWERS),))
        tree = self._atom()
        operator = self._take(*_AFTER)
        return Call(operator, (tree,)) if operator else tree

    def _atom(self) -> Node:
        if self._take("("):
            tree = self.read()
            self._expect(")")
            return tree
        if self._take("["):
            return Bracketed(self._members("]"))
        kind, _ = self._parts[self._place]
        if kind == "name":
            return Name(self._consume())
        if kind == "value":
            return Quoted(self._consume())
        if kind != "word":
            raise UnreadableExpressionError
        text = self._consume()
        return Call(f"{text}()", self._members(")")) if self._take("(") else Bare(text)

    def _members(self, end: str) -> tuple[Node, ...]:
        """The expressions between commas, up to a closing bracket."""
        members: list[Node] = []
        if not self._take(end):
            members.append(self.read())
            while self._take(","):
                members.append(self.read())
            self._expect(end)
        return tuple(members)

    def _consume(self) -> str:
        _, text = self._parts[self._place]
        self._place += 1
        return text

    def _take(self, *signs: str) -> str:
        """Consume one of these signs or words and return it; otherwise ""."""
        kind, text = self._parts[self._place]
        found = text.lower() if kind in ("sign", "word") and text.lower() in signs else ""
        self._place += bool(found)
        return found

    def _expect(self, sign: str) -> None:
        if not self._take(sign):
            raise UnreadableExpressionError
