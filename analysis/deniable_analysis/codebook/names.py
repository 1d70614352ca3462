"""Names of variables that SPSS, Stata and R all accept."""

import itertools
import re
from collections.abc import Iterable, Iterator

# Stata allows 32 characters. pyreadstat names the value labels of a variable after it, with a
# number of up to 5 digits behind the name.
MOST_CHARACTERS = 27
# Words of the languages of SPSS, Stata and R. Block ids are in lower case.
_SPSS = "all and by eq ge gt le lt ne not or to with"
_STATA = "byte double float if in int long strl using with"
_R = "break else for function if in next repeat while"
_RESERVED = frozenset(f"{_SPSS} {_STATA} {_R}".split())
_STATA_TEXT = re.compile(r"str[0-9]+")


def variable_names(blocks: Iterable[tuple[str, int]]) -> Iterator[tuple[str, ...]]:
    """The names of each block's variables, all different.

    A variable is named after its block. The variables of the options of a block end
    in the number of the option: reported_1, reported_2. A name that is too long is
    cut, and one that is taken gets a number.

    Args:
        blocks: the id of each block, and its number of options if it has a
            variable for each of them, otherwise 0.
    """
    taken: set[str] = set()
    for block_id, options in blocks:
        attempts = (_named(block_id, options, attempt) for attempt in itertools.count(1))
        names = next(each for each in attempts if _are_free(each, taken))
        taken.update(names)
        yield names


def _named(block_id: str, options: int, attempt: int) -> tuple[str, ...]:
    ends = [f"_{number}" for number in range(1, options + 1)] or [""]
    mark = "" if attempt == 1 else f"_{attempt}"
    room = MOST_CHARACTERS - len(mark) - len(ends[-1])
    return tuple(f"{block_id[:room].rstrip('_')}{mark}{end}" for end in ends)


def _are_free(names: tuple[str, ...], taken: set[str]) -> bool:
    return not any(
        name in taken or name in _RESERVED or _STATA_TEXT.fullmatch(name) for name in names
    )
