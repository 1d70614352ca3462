"""What conditions need to know about the program that evaluated them."""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from deniable_web.builder.imports.syntax import Bare, Bracketed, Call, Chain, Name, Node, Quoted

# A value as the other program computes it: None, a truth value, a number, a text or a list.
Value = Any


class UndecidedError(Exception):
    """The value of an expression is not known here."""


@dataclass(frozen=True, slots=True)
class AnyOf:
    """The condition that at least one of some options is chosen.

    Args:
        values: the options; None for all of them.
        is_negated: whether the condition is the opposite, that none of them is chosen.
    """

    values: tuple[Value, ...] | None
    is_negated: bool


@dataclass(frozen=True, slots=True)
class Evaluator:
    """How a program evaluates conditions.

    All functions raise UndecidedError for what they don't know.

    Args:
        answer: the value of an answer, from its name in the file; None if there is no answer.
        constant: the value of a constant in an expression.
        operations: operators and functions by their names and numbers of operands.
        negation: the one of them that turns a condition into its opposite.
        is_true: whether a condition with this value is met.
        is_condition: whether the value of an expression is always true or false, also inside
            "and", "or" and the negation.
        any_of: the meaning of a condition about a question with several answers.
        has_lists: whether square brackets are lists.
    """

    answer: Callable[[str | None], Value]
    constant: Callable[[Quoted | Bare], Value]
    operations: Mapping[tuple[str, int], Callable[..., Value]]
    negation: str
    is_true: Callable[[Value], bool]
    is_condition: Callable[[Node], bool]
    any_of: Callable[[Node], AnyOf]
    has_lists: bool

    def evaluate(self, tree: Node, answer: Value = None) -> Value:
        """The value of an expression in which every name stands for the same answer."""
        if isinstance(tree, Name):
            return answer
        if isinstance(tree, Quoted | Bare):
            return self.constant(tree)
        if isinstance(tree, Call):
            return self._apply(
                tree.name, *(self.evaluate(part, answer) for part in tree.arguments)
            )
        if isinstance(tree, Chain):
            value = self.evaluate(tree.first, answer)
            for operator, operand in tree.rest:
                value = self._apply(operator, value, self.evaluate(operand, answer))
            return value
        if not self.has_lists:
            raise UndecidedError
        return [self.evaluate(member, answer) for member in tree.members]

    def equals(self, one: Value, other: Value) -> bool:
        """Whether two values are equal."""
        return bool(self._apply("=", one, other))

    def _apply(self, name: str, *operands: Value) -> Value:
        operation = self.operations.get((name, len(operands)))
        if operation is None:
            raise UndecidedError
        return operation(*operands)


def parts(tree: Node) -> Iterator[Node]:
    """An expression and all expressions in it."""
    yield tree
    if isinstance(tree, Call):
        inner = tree.arguments
    elif isinstance(tree, Chain):
        inner = tree.first, *(operand for _, operand in tree.rest)
    else:
        inner = tree.members if isinstance(tree, Bracketed) else ()
    for part in inner:
        yield from parts(part)


def names(tree: Node) -> Iterator[str]:
    """The names of questions in an expression."""
    return (part.text for part in parts(tree) if isinstance(part, Name))
