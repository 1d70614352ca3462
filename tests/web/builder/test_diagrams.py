"""Decision diagrams: equal functions are one diagram, and large ones are refused."""

import itertools
import random
from collections.abc import Callable

import pytest

from deniable_web.builder.imports.diagrams import FALSE, TRUE, Diagram, Diagrams, TooComplexError

SIZES = (2, 3, 2, 4)
STATES = list(itertools.product(*map(range, SIZES)))
# A function as a set of states.
Table = frozenset[tuple[int, ...]]
Pair = tuple[Diagram, Table]


def drawn(diagrams: Diagrams, draw: random.Random, depth: int) -> Pair:
    """A function drawn at random, as a diagram and as a table."""
    if depth == 0:
        variable = draw.randrange(len(SIZES))
        values = {value for value in range(SIZES[variable]) if draw.random() < 0.5}
        branches = [TRUE if value in values else FALSE for value in range(SIZES[variable])]
        table = frozenset(state for state in STATES if state[variable] in values)
        return diagrams.split(variable, branches), table
    one, table = drawn(diagrams, draw, depth - 1)
    kind = draw.choice(["not", "and", "or"])
    if kind == "not":
        return diagrams.negate(one), frozenset(STATES) - table
    other, beside = drawn(diagrams, draw, depth - 1)
    join: Callable[[Diagram, Diagram], Diagram]
    join = diagrams.both if kind == "and" else diagrams.either
    return join(one, other), table & beside if kind == "and" else table | beside


def test_equal_functions_are_one_diagram() -> None:
    """However they were made: compared with tables of all states."""
    draw, diagrams = random.Random(1), Diagrams()
    diagrams.new_variables(len(SIZES))
    pairs = [drawn(diagrams, draw, draw.randint(0, 5)) for _ in range(400)]
    assert len({table for _, table in pairs}) == len(set(pairs))
    assert len({diagram for diagram, _ in pairs}) == len(set(pairs))
    assert (FALSE, frozenset()) in pairs
    assert (TRUE, frozenset(STATES)) in pairs


def test_a_function_with_one_value_given_is_one_of_the_others() -> None:
    """Its table is that of the states with this value."""
    draw, diagrams = random.Random(2), Diagrams()
    diagrams.new_variables(len(SIZES))
    tables = {table: diagram for diagram, table in (drawn(diagrams, draw, 4) for _ in range(400))}
    for table, diagram in tables.items():
        for variable, size in enumerate(SIZES):
            for value in range(size):
                given = diagrams.given(diagram, variable, value)
                same = frozenset(
                    state
                    for state in STATES
                    if (*state[:variable], value, *state[variable + 1 :]) in table
                )
                assert tables.get(same, given) == given


def test_any_of_several_variables() -> None:
    """The order in which they are named does not matter."""
    diagrams = Diagrams()
    first, second, third = diagrams.new_variables(3)
    found = diagrams.any_of([third, first])
    assert found == diagrams.either(diagrams.any_of([first]), diagrams.any_of([third]))
    assert diagrams.given(found, second, 1) == found
    assert diagrams.any_of([]) == FALSE


@pytest.mark.parametrize("count", [201, 400_000])
def test_a_function_of_too_many_variables_is_refused(count: int) -> None:
    """Neither the depth of a diagram nor the work is without a limit."""
    diagrams = Diagrams()
    with pytest.raises(TooComplexError):
        diagrams.any_of(diagrams.new_variables(count))


def test_too_much_work_is_refused() -> None:
    """The size of this function doubles with each pair."""

    def of_pairs(count: int) -> Diagram:
        diagrams, found = Diagrams(), FALSE
        diagrams.new_variables(2 * count)
        for place in range(count):
            pair = diagrams.both(diagrams.any_of([place]), diagrams.any_of([place + count]))
            found = diagrams.either(found, pair)
        return found

    assert of_pairs(5) not in (FALSE, TRUE)
    with pytest.raises(TooComplexError):
        of_pairs(40)
