"""Formulas: which columns they name, and the matrix they make of them."""

import ast
import builtins
import contextlib
import difflib
import re
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from deniable_analysis.errors import ColumnNotFound, InvalidFormula, InvalidTable

Floats = NDArray[np.float64]

INTERCEPT = "Intercept"
# Names that a formula may use and that are no columns.
_PYTHON = frozenset(dir(builtins))


@dataclass(frozen=True, slots=True, eq=False)
class Formula:
    """What a formula says.

    Args:
        text: as it was given.
        outcome: the column before the ~.
        variables: the columns after it, in their order.
        right: what stands after it, read by formulaic; columns have aliases.
        aliases: for each column of the right side the name it has there.
    """

    text: str
    outcome: str
    variables: tuple[str, ...]
    right: Any
    aliases: Mapping[str, str]

    def makes_categories_of(self, name: str) -> bool:
        """Whether the column stands within C()."""
        alias = self.aliases.get(name, name)
        return re.search(rf"\bC\(\s*`?{re.escape(alias)}\b", str(self.right)) is not None

    def without(self, names: Sequence[str]) -> "Formula":
        """The same with only the terms that name none of these columns."""
        aliases = {self.aliases.get(name, name) for name in names}
        kept = [
            term
            for term in self.right
            if not any(aliases & _identifiers(str(factor)) for factor in term.factors)
        ]
        variables = tuple(name for name in self.variables if name not in names)
        right = _formulaic().Formula([str(term) for term in kept] or ["1"])
        return Formula(self.text, self.outcome, variables, right, self.aliases)


@dataclass(frozen=True, slots=True, eq=False)
class Matrix:
    """The matrix of a formula.

    Args:
        values: (rows, terms).
        terms: what the columns are called.
        is_of_all_rows: whether it depends on the other rows of the table, as
            with center(): equal rows must then not be left out.
        again: gives the matrix of another table by the same rules.
    """

    values: Floats
    terms: tuple[str, ...]
    is_of_all_rows: bool
    again: Callable[[Any], Floats]


def read_formula(text: Any, columns: Iterable[str]) -> Formula:
    """The formula, if it names only columns that there are.

    Raises:
        InvalidFormula: it cannot be read.
        ColumnNotFound: it names none of the columns; near ones are listed.
    """
    names = tuple(columns)
    if not isinstance(text, str) or text.count("~") != 1:
        raise InvalidFormula(
            f"got the formula {text!r}; allowed is one outcome, a ~, and predictors, like "
            "'outcome ~ age + group'"
        )
    left, right = (side.strip() for side in text.split("~"))
    outcome = left.strip("`")
    _check_column(outcome, names, "before the ~ stands the outcome, one column as it is")
    aliases = {name: f"column{place}_" for place, name in enumerate(names) if _needs_alias(name)}
    read = _read(_aliased(right, aliases), text)
    wanted = dict.fromkeys(_variables(read))
    own = {alias: name for name, alias in aliases.items()}
    variables = tuple(own.get(name, name) for name in wanted)
    for name in variables:
        _check_column(name, names, f"the formula {text!r} names it")
    if outcome in variables:
        raise InvalidFormula(
            f"got the formula {text!r}, in which {outcome} explains itself; leave it out after "
            "the ~"
        )
    return Formula(text, outcome, variables, read, aliases)


def make_matrix(formula: Formula, table: Any) -> Matrix:
    """The matrix of the right side.

    Args:
        formula: read before.
        table: a pandas table that has its columns, without missing values.
    Raises:
        InvalidFormula: a term cannot be computed, or is no finite number in
            some row; the message leaves the values out.
    """
    renamed = table.rename(columns=dict(formula.aliases))
    made = _computed(formula, lambda: formula.right.get_model_matrix(renamed, **_OPTIONS))
    rules = made.model_spec
    terms = tuple(_shown(name, formula.aliases) for name in rules.column_names)

    def again(other: Any) -> Floats:
        other_renamed = other.rename(columns=dict(formula.aliases))
        with warnings.catch_warnings():
            # Formulaic would only warn, and take it for the first category.
            warnings.simplefilter("error", _formulaic().errors.DataMismatchWarning)
            made_again = _computed(formula, lambda: rules.get_model_matrix(other_renamed))
        return _checked(made_again, terms)

    return Matrix(_checked(made, terms), terms, bool(rules.transform_state), again)


_OPTIONS = {"output": "numpy", "na_action": "ignore"}


def _formulaic() -> Any:
    import formulaic  # noqa: PLC0415 - with pandas it takes longer to load than a command runs

    return formulaic


def _read(right: str, text: str) -> Any:
    formulaic = _formulaic()
    read: Any = None
    with contextlib.suppress(formulaic.errors.FormulaicError, SyntaxError):
        found = formulaic.Formula(right)
        for factor in _factors(found):
            ast.parse(factor, mode="eval")
        read = found
    if not isinstance(read, formulaic.SimpleFormula) or not len(read):
        raise InvalidFormula(
            f"got the formula {text!r}, which cannot be read; allowed after the ~ are columns "
            "joined by + (together), : (interaction) or * (both), C(column) for categories and "
            "I(...) for arithmetic, in which powers are **"
        )
    return read


def _needs_alias(name: str) -> bool:
    return not name.isidentifier()


def _aliased(right: str, aliases: Mapping[str, str]) -> str:
    """The right side with names that Python cannot read replaced."""
    for name in sorted(aliases, key=len, reverse=True):
        plain = re.escape(name)
        right = re.sub(rf"`{plain}`|(?<![\w.`]){plain}(?![\w.`])", aliases[name], right)
    return right


def _shown(name: str, aliases: Mapping[str, str]) -> str:
    for column, alias in aliases.items():
        name = re.sub(rf"\b{alias}(?!\w)", lambda _, own=column: own, name)  # type: ignore[misc]
    return name


def _identifiers(text: str) -> set[str]:
    return set(re.findall(r"[^\W\d]\w*", text))


def _factors(read: Any) -> list[str]:
    """The different factors of the terms, in their order."""
    terms = read if isinstance(read, _formulaic().SimpleFormula) else ()
    return list(dict.fromkeys(str(factor).strip() for term in terms for factor in term.factors))


def _variables(read: Any) -> list[str]:
    """The columns that the terms name: whatever is not called or looked into."""
    found = []
    for factor in _factors(read):
        nodes = list(ast.walk(ast.parse(factor, mode="eval")))
        others = [node.func for node in nodes if isinstance(node, ast.Call)]
        others += [node.value for node in nodes if isinstance(node, ast.Attribute)]
        found += [
            node.id
            for node in nodes
            if isinstance(node, ast.Name) and node not in others and node.id not in _PYTHON
        ]
    return found


def _check_column(name: str, columns: Sequence[str], why: str) -> None:
    if name in columns:
        return
    near = difflib.get_close_matches(name, columns, n=3, cutoff=0.5)
    listed = f"did you mean {', '.join(near)}?" if near else f"there are: {', '.join(columns)}"
    raise ColumnNotFound(f"got the column {name!r}, which there is not ({why}); {listed}")


def _computed(formula: Formula, make: Callable[[], Any]) -> Any:
    """What is made; errors without their texts, which can hold values."""
    failed, strange = "", False
    try:
        # What is no number is found out below, where it can be named.
        with np.errstate(all="ignore"):
            return make()
    except _formulaic().errors.FactorEncodingError:
        strange = True
    except _formulaic().errors.FormulaicError as error:
        found = re.match(r"Unable to evaluate factor `(.*?)`\. \[(\w+)", str(error))
        factor = _shown(found[1], formula.aliases) if found else "a term"
        failed = f"{factor} ({found[2] if found else type(error).__name__})"
    except _formulaic().errors.DataMismatchWarning:
        strange = True
    except (TypeError, ValueError) as error:
        failed = f"a term ({type(error).__name__})"
    if strange:
        raise InvalidTable(
            f"formula {formula.text!r}: got rows with a category that no row of the regression "
            "has, or texts in place of numbers; allowed is what it was computed from"
        )
    raise InvalidFormula(
        f"formula {formula.text!r}: cannot compute {failed}; in I(...) stands arithmetic as "
        "Python writes it, with powers as **, and only of columns that hold numbers: a "
        "randomized one has categories"
    )


def _checked(made: Any, terms: Sequence[str]) -> Floats:
    values: Floats = np.asarray(made, dtype=np.float64)
    for place, term in enumerate(terms):
        if not np.isfinite(values[:, place]).all():
            raise InvalidFormula(
                f"the term {term} is no finite number in some rows; leave these rows out, or "
                "take a transformation that is defined for them"
            )
    return values
