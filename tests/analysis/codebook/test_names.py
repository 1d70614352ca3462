"""Names of variables that every program accepts."""

import re

from hypothesis import given
from hypothesis import strategies as st

from deniable_analysis.codebook.variables import MOST_CHARACTERS, variable_names

_IDS = st.from_regex(r"[a-z][a-z0-9_]{0,62}", fullmatch=True)
# Written down again: what the manuals of SPSS, Stata and R reserve, in lower case.
_RESERVED = {
    *("all", "and", "by", "eq", "ge", "gt", "le", "lt", "ne", "not", "or", "to", "with"),
    *("byte", "double", "float", "if", "in", "int", "long", "strl", "using"),
    *("break", "else", "for", "function", "next", "repeat", "while"),
}


@given(st.lists(st.tuples(_IDS, st.sampled_from([0, 0, 2, 13, 1000])), max_size=20))
def test_all_names_are_legal_and_different(blocks: list[tuple[str, int]]) -> None:
    """Whatever the ids are, no two names are equal and each is one for Stata, SPSS and R."""
    found = list(variable_names(blocks))
    assert [len(names) for names in found] == [max(1, options) for _, options in blocks]
    names = [name for each in found for name in each]
    assert len(set(names)) == len(names)
    for name in names:
        assert re.fullmatch(r"[a-z][a-z0-9_]*", name)
        assert len(name) <= MOST_CHARACTERS <= 32 - len("32767")
        assert name not in _RESERVED
        assert not re.fullmatch(r"str[0-9]+", name)
    assert list(variable_names(blocks)) == found


def test_names_are_those_that_a_reader_expects() -> None:
    """The block's id where it is free and short, and the number of the option behind it."""
    blocks = [("stress", 0), ("told", 2), ("if", 0), ("str5", 0), ("told_1", 0), ("a" * 40, 0)]
    blocks += [("a" * 41, 0), ("b" * 26 + "_c", 10), ("told", 1)]
    assert list(variable_names(blocks)) == [
        ("stress",),
        ("told_1", "told_2"),
        ("if_2",),
        ("str5_2",),
        ("told_1_2",),
        ("a" * 27,),
        ("a" * 25 + "_2",),
        tuple(f"{'b' * 24}_{number}" for number in range(1, 11)),
        ("told_2_1",),
    ]
