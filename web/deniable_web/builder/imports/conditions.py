"""Conditions of other programs, as decision diagrams over the answers of their questions."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from deniable_web.builder.imports.diagrams import FALSE, TRUE, Diagram, Diagrams
from deniable_web.builder.imports.evaluators import Evaluator, UndecidedError, Value, names, parts
from deniable_web.builder.imports.syntax import (
    Call,
    Chain,
    Name,
    Node,
    UnreadableExpressionError,
    parse,
)

# The syntax tree of an expression, if it can be read, and the names in it.
_Parsed = tuple[Node | None, tuple[str, ...]]
# Their values are not the same each time.
_CHANGING: Final = ("random()", "once()", "now()", "uuid()")


@dataclass(frozen=True, slots=True, eq=False)
class Decider:
    """A question whose answers conditions may be about.

    Args:
        id: its id in the definition.
        options: each option, and the name of the answer in the other program that became it.
        variables: one for each option if several may be chosen, otherwise one for all.
        is_multiple: whether several options may be chosen.
        is_required: whether everybody who is asked must answer.
        is_preset: whether it may have an answer where it is not asked.
        reached: where it is asked.
    """

    id: str
    options: Mapping[str | int, str]
    variables: range
    is_multiple: bool
    is_required: bool
    is_preset: bool
    reached: Diagram


class Conditions:
    """The conditions of one file.

    Args:
        evaluator: the program that evaluated them.
        find: the question that a name stands for; None if nothing is known about it.
    """

    def __init__(self, evaluator: Evaluator, find: Callable[[str], Decider | None]) -> None:
        self.diagrams = Diagrams()
        self._evaluator = evaluator
        self._find = find
        self._parsed: dict[str, _Parsed] = {}
        self._read: dict[str, Diagram] = {}
        self._unknown: dict[object, Diagram] = {}

    def read(self, expression: str) -> Diagram:
        """Where a condition is met. What is not known here is a variable of its own.

        Raises:
            TooComplexError: that needs too much work.
        """
        if expression in self._read:
            return self._read[expression]
        tree, own_names = self._parse(expression)
        if tree is None:
            return self.unknown(expression)
        try:
            found = self._diagram(tree)
        except UndecidedError:
            found = self._unclear(tree)
        # A name that stands for nothing now may be that of a later question.
        if all(map(self._find, own_names)) and not _is_changing(tree):
            self._read[expression] = found
        return found

    def read_anew(self) -> None:
        """Look all names up again, because one of them stands for something else now."""
        self._read.clear()

    def deciders(self, expression: str) -> Sequence[Decider]:
        """The questions that a condition is about."""
        _, own_names = self._parse(expression)
        return [decider for name in own_names if (decider := self._find(name))]

    def unknown(self, key: object) -> Diagram:
        """A function about which nothing is known; the same for equal keys."""
        if key not in self._unknown:
            (variable,) = self.diagrams.new_variables()
            self._unknown[key] = self.diagrams.split(variable, (FALSE, TRUE))
        return self._unknown[key]

    def _parse(self, expression: str) -> _Parsed:
        if expression not in self._parsed:
            self.diagrams.work(len(expression))
            try:
                tree = parse(expression)
                self._parsed[expression] = tree, tuple(dict.fromkeys(names(tree)))
            except UnreadableExpressionError:
                self._parsed[expression] = None, ()
        return self._parsed[expression]

    def _diagram(self, tree: Node) -> Diagram:
        joint = tree.rest[0][0] if isinstance(tree, Chain) else ""
        if isinstance(tree, Chain) and joint in ("and", "or"):
            join = self.diagrams.both if joint == "and" else self.diagrams.either
            found = self._diagram(tree.first)
            for _, part in tree.rest:
                found = join(found, self._diagram(part))
            return found
        if isinstance(tree, Call) and tree.name == self._evaluator.negation:
            (inner,) = tree.arguments
            # The opposite of an answer is true or false, but the answer itself may be neither.
            if not isinstance(inner, Name):
                return self.diagrams.negate(self._diagram(inner))
        return self._comparison(tree)

    def _comparison(self, tree: Node) -> Diagram:
        """A condition without "and", "or" and "not": about one question, or not known here."""
        inner = list(parts(tree))
        deciders = {self._find(name) for name in names(tree)}
        self.diagrams.work(len(inner))
        try:
            if not deciders:
                return TRUE if self._is_met(tree, None) else FALSE
            if len(deciders) == 1 and (decider := deciders.pop()):
                self.diagrams.work(len(inner) * len(decider.options))
                return (self._any_of if decider.is_multiple else self._one_of)(tree, decider)
        except UndecidedError:
            if not self._evaluator.is_condition(tree):
                raise
        return self._unclear(tree)

    def _unclear(self, tree: Node) -> Diagram:
        return self.unknown(object() if _is_changing(tree) else tree)

    def _one_of(self, tree: Node, decider: Decider) -> Diagram:
        """A condition about a question with one answer."""
        diagrams, answer = self.diagrams, self._evaluator.answer
        met = [self._is_met(tree, answer(name)) for name in decider.options.values()]
        without = self._is_met(tree, answer(None))
        branches = [TRUE if is_met else FALSE for is_met in (*met, without)]
        if decider.is_required:
            branches.pop()
        where_asked = diagrams.both(
            decider.reached, diagrams.split(decider.variables[0], branches)
        )
        return diagrams.either(
            where_asked, self._elsewhere(tree, decider, TRUE if without else FALSE)
        )

    def _any_of(self, tree: Node, decider: Decider) -> Diagram:
        """A condition about a question with several answers."""
        choice, evaluator, diagrams = self._evaluator.any_of(tree), self._evaluator, self.diagrams
        chosen = [
            variable
            for variable, name in zip(decider.variables, decider.options.values(), strict=True)
            if choice.values is None
            or any(evaluator.equals(evaluator.answer(name), value) for value in choice.values)
        ]
        where_asked = diagrams.both(decider.reached, diagrams.any_of(chosen))
        found = diagrams.either(where_asked, self._elsewhere(tree, decider, FALSE))
        return diagrams.negate(found) if choice.is_negated else found

    def _elsewhere(self, tree: Node, decider: Decider, without: Diagram) -> Diagram:
        """Where a question is not asked, and its condition is met.

        Args:
            tree: the condition.
            decider: the question.
            without: whether the condition is met without an answer.
        """
        met = self.unknown((decider.id, tree)) if decider.is_preset else without
        return self.diagrams.both(self.diagrams.negate(decider.reached), met)

    def _is_met(self, tree: Node, answer: Value) -> bool:
        return self._evaluator.is_true(self._evaluator.evaluate(tree, answer))


def _is_changing(tree: Node) -> bool:
    return any(isinstance(part, Call) and part.name in _CHANGING for part in parts(tree))
