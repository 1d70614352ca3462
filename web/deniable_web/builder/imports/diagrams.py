"""Decision diagrams: functions of several variables that are true or false, each stored once.

Two functions are equal exactly if they are the same diagram.
Source: Bryant (1986), Graph-based algorithms for Boolean function manipulation.
"""

from collections.abc import Sequence
from functools import partial
from typing import Final

# The number of a diagram.
Diagram = int
FALSE: Final[Diagram] = 0
TRUE: Final[Diagram] = 1

# Work for all conditions of a file. Each unit takes a few microseconds.
_MOST_WORK: Final = 500_000
# The work for a variable with few values, and the number of values that need a unit.
_NODE: Final = 4
# How many variables may follow one another; two diagrams are combined recursively.
_DEEPEST: Final = 200


class TooComplexError(Exception):
    """A function needs more work than a condition that a person wrote."""


class Diagrams:
    """The diagrams of a file.

    A diagram is TRUE, FALSE, or a variable with one diagram for each of its values. On each
    path the numbers of the variables increase.
    """

    def __init__(self) -> None:
        self._nodes: list[tuple[int, tuple[Diagram, ...]]] = [(-1, ()), (-1, ())]
        self._depths = [0, 0]
        self._numbers: dict[tuple[int, tuple[Diagram, ...]], Diagram] = {}
        self._results: dict[tuple[object, ...], Diagram] = {}
        self._work = _MOST_WORK
        self._variables = 0

    def new_variables(self, count: int = 1) -> range:
        """The numbers of new variables, which come after all others."""
        first, self._variables = self._variables, self._variables + count
        return range(first, self._variables)

    def work(self, amount: int) -> None:
        """Count some work.

        Raises:
            TooComplexError: there was too much for one file.
        """
        self._work -= amount
        if self._work < 0:
            raise TooComplexError

    def split(self, variable: int, branches: Sequence[Diagram]) -> Diagram:
        """The function that is one of these for each value of a variable.

        Raises:
            TooComplexError: it is too large.
        """
        self.work(_NODE + len(branches) // _NODE)
        first = branches[0]
        if all(branch == first for branch in branches):
            return first
        node = (variable, tuple(branches))
        if node not in self._numbers:
            depth = 1 + max(self._depths[branch] for branch in branches)
            if depth > _DEEPEST:
                raise TooComplexError
            self._numbers[node] = len(self._nodes)
            self._nodes.append(node)
            self._depths.append(depth)
        return self._numbers[node]

    def any_of(self, variables: Sequence[int]) -> Diagram:
        """Whether one of these variables has the value 1; each has the values 0 and 1."""
        found = FALSE
        for variable in sorted(variables, reverse=True):
            found = self.split(variable, (found, TRUE))
        return found

    def negate(self, diagram: Diagram) -> Diagram:
        """The opposite of a function."""
        if diagram in (FALSE, TRUE):
            return TRUE - diagram
        key = ("not", diagram)
        if key not in self._results:
            variable, branches = self._nodes[diagram]
            self._results[key] = self.split(variable, [*map(self.negate, branches)])
        return self._results[key]

    def both(self, one: Diagram, other: Diagram) -> Diagram:
        """Where both functions are true."""
        if FALSE in (one, other):
            return FALSE
        if TRUE in (one, other) or one == other:
            return max(one, other)
        first, second = sorted((one, other), key=lambda diagram: self._nodes[diagram][0])
        key = ("and", first, second)
        if key not in self._results:
            variable, branches = self._nodes[first]
            also = self._branches(second, variable, len(branches))
            self._results[key] = self.split(variable, [*map(self.both, branches, also)])
        return self._results[key]

    def either(self, one: Diagram, other: Diagram) -> Diagram:
        """Where at least one of two functions is true."""
        return self.negate(self.both(self.negate(one), self.negate(other)))

    def given(self, diagram: Diagram, variable: int, value: int) -> Diagram:
        """A function of the other variables: the same, but with the value of one variable."""
        own, branches = self._nodes[diagram]
        if own == variable:
            return branches[value]
        if own > variable or diagram in (FALSE, TRUE):
            return diagram
        key = ("given", diagram, variable, value)
        if key not in self._results:
            restrict = partial(self.given, variable=variable, value=value)
            self._results[key] = self.split(own, [*map(restrict, branches)])
        return self._results[key]

    def _branches(self, diagram: Diagram, variable: int, count: int) -> Sequence[Diagram]:
        """The diagram for each value of a variable that is not after the diagram's first."""
        own, branches = self._nodes[diagram]
        return branches if own == variable else (diagram,) * count
