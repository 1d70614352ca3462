"""The names of a formula: columns of the table, and functions of their rows."""

import ast
import difflib
import re
from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from deniable_analysis.errors import ColumnNotFound, InvalidArgument

# The functions of formulaic, without those that depend on the order of rows or on other tables,
# and without hashes, in which categories share a column by chance.
_FUNCTIONS = (
    *("C", "I", "bs", "cc", "center", "cr", "cs", "exp", "exp10", "exp2", "log", "log10"),
    *("log2", "poly", "scale", "standardize"),
)
_MODULES = ("contr", "np")
_CONTRASTS = ("contr.diff", "contr.helmert", "contr.poly", "contr.sum", "contr.treatment")
# Names in the results that are not terms.
_OWN = ("Intercept", "log spread")


def aliases_of(columns: Sequence[str], text: str) -> dict[str, str]:
    """A unique alias for each column, which is not a function or a keyword of Python.

    Args:
        columns: columns of the table.
        text: text of the formula; it contains none of the aliases.
    """
    prefix = "column"
    while any(prefix in each for each in (text, *columns)):
        prefix += "_"
    return {name: f"{prefix}{index}_" for index, name in enumerate(columns)}


def aliased(right: str, aliases: Mapping[str, str]) -> str:
    """The right side of a formula with aliases in place of its columns.

    Names of functions and arguments and quoted texts are not columns. A column
    whose name is a number needs backquotes.

    Raises:
        ColumnNotFound: a name in backquotes is not a column.
    """
    names = sorted(filter(_can_stand_alone, aliases), key=len, reverse=True)
    plain = "|".join(map(re.escape, names)) or r"(?!)"
    found = re.compile(
        rf"(?P<text>\"[^\"]*\"|'[^']*')|`(?P<quoted>[^`]*)`"
        rf"|(?<![\w.])(?P<plain>{plain})(?![\w.]|\s*\(|\s*=(?!=))"
    )

    def instead(match: re.Match[str]) -> str:
        if match["text"] is not None:
            return match["text"]
        if match["quoted"] is not None:
            check_column(match["quoted"], tuple(aliases), "the formula has it in backquotes")
        return aliases[match["quoted"] or match["plain"]]

    return found.sub(instead, right)


def shown(text: str, aliases: Mapping[str, str]) -> str:
    """A term with the names of its columns in place of their aliases."""
    columns = {alias: name for name, alias in aliases.items()}
    if not columns:
        return text
    alias = "|".join(sorted(columns, key=len, reverse=True))
    return re.sub(rf"(?<!\w)({alias})(?!\w)", lambda match: _own(columns[match[1]]), text)


def columns_in(factors: Iterable[str], aliases: Mapping[str, str], text: str) -> tuple[str, ...]:
    """The columns that the factors of a formula name, in their order.

    Raises:
        ColumnNotFound: a name is not a column.
        InvalidArgument: a function is not allowed in formulas.
    """
    columns = {alias: name for name, alias in aliases.items()}
    found: dict[str, None] = {}
    for factor in factors:
        nodes = list(ast.walk(ast.parse(factor, mode="eval")))
        called = [node.func for node in nodes if isinstance(node, ast.Call)]
        # True or None alone is parsed as a value but meant as a name; 1 is the intercept.
        alone = nodes[1] if isinstance(nodes[1], ast.Constant) and factor != "1" else None
        inner = [node.value for node in nodes if isinstance(node, ast.Attribute)]
        for node in nodes:
            is_name = isinstance(node, ast.Name | ast.Attribute) or node is alone
            if not is_name or node in inner:
                continue
            name = ast.unparse(node)
            is_inside = isinstance(node, ast.Attribute) and ast.unparse(node.value) in columns
            if node in called or is_inside or name.split(".", 1)[0] in _MODULES:
                _check_function(shown(name, aliases), text)
            else:
                wanted = columns.get(name, name)
                check_column(wanted, tuple(aliases), f"the formula {text!r} names it")
                found[wanted] = None
    return tuple(found)


def check_column(name: str, columns: Sequence[str], why: str) -> None:
    """Raise ColumnNotFound unless there is such a column."""
    if name in columns:
        return
    near = difflib.get_close_matches(name, columns, n=3, cutoff=0.5)
    listed = f"did you mean {', '.join(near)}?" if near else f"there are: {', '.join(columns)}"
    raise ColumnNotFound(f"got the column {name!r}, which does not exist ({why}); {listed}")


def _can_stand_alone(name: str) -> bool:
    if name.isidentifier():
        return True
    try:
        float(name)
    except ValueError:
        return re.search(r"[^\W\d]", name) is not None
    return False


def _own(name: str) -> str:
    """A column's name in terms: in backquotes if it would be ambiguous."""
    return f"`{name}`" if name in _OWN else name


def _check_function(name: str, text: str) -> None:
    """Raise an error unless the function works row by row or remembers its state."""
    module, _, own = name.rpartition(".")
    is_known = (
        name in _FUNCTIONS
        or name in _CONTRASTS
        or (module == "np" and isinstance(getattr(np, own, None), np.ufunc | float))
    )
    if is_known:
        return
    offered = [
        *_FUNCTIONS,
        *_CONTRASTS,
        *(f"np.{each}" for each in ("log1p", "sqrt", "abs", "minimum")),
    ]
    near = difflib.get_close_matches(name, offered, n=3, cutoff=0.5)
    instead = f"did you mean {', '.join(near)}?" if near else f"for example {', '.join(offered)}"
    raise InvalidArgument(
        f"got the function {name!r} in the formula {text!r}; allowed are functions of formulaic "
        f"and numpy that treat each row by itself: {instead}"
    )
