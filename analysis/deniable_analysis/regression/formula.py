"""Formulas: the columns that they name, and the model matrix."""

import ast
import contextlib
import re
import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from deniable_analysis.arrays import Floats
from deniable_analysis.errors import InvalidArgument, NotIdentified
from deniable_analysis.forms import named
from deniable_analysis.regression.names import aliased, aliases_of, check_column, columns_in, shown

INTERCEPT = "Intercept"


@dataclass(frozen=True, slots=True, eq=False)
class Formula:
    """A parsed formula.

    Args:
        text: text from the caller.
        outcome: column before the ~.
        variables: columns after the ~, in their order.
        right: part after the ~, parsed by formulaic; columns have aliases.
        aliases: alias of each column of the table.
    """

    text: str
    outcome: str
    variables: tuple[str, ...]
    right: Any
    aliases: Mapping[str, str]

    def makes_categories_of(self, name: str) -> bool:
        """Whether the column appears within C()."""
        alias = self.aliases[name]
        return re.search(rf"\bC\(\s*{alias}\b", str(self.right)) is not None

    def has_contrasts_of(self, name: str) -> bool:
        """Whether C() has contrasts of the column, as in C(group, contr.sum)."""
        return re.search(rf"\bC\(\s*{self.aliases[name]}\s*,", str(self.right)) is not None

    def has_only_categories_of(self, name: str) -> bool:
        """Whether the column appears nowhere but as the first argument of C()."""
        alias = self.aliases[name]
        factors = [each for each in _factors(self.right) if alias in _identifiers(each)]
        return all(re.fullmatch(rf"C\(\s*{alias}\s*(,.*)?\)", each) for each in factors)

    def columns_of_terms(self) -> list[list[str]]:
        """The columns that each term names."""
        names = {alias: name for name, alias in self.aliases.items()}
        return [
            [names[each] for each in _identifiers(str(term)) if each in names]
            for term in self.right
        ]

    def without(self, names: Sequence[str]) -> "Formula":
        """The formula without the terms that name any of these columns."""
        aliases = {self.aliases[name] for name in names}
        kept = [
            term
            for term in self.right
            if not any(aliases & _identifiers(str(factor)) for factor in term.factors)
        ]
        variables = tuple(name for name in self.variables if name not in names)
        right = _formulaic().Formula([str(term) for term in kept] or ["1"])
        return Formula(self.text, self.outcome, variables, right, self.aliases)


@dataclass(frozen=True, slots=True, eq=False)
class ModelMatrix:
    """The matrix of a formula.

    Args:
        values: (rows, terms) matrix.
        terms: names of its columns.
        is_of_all_rows: whether a row depends on the other rows of the table, as
            with center(). Equal rows must not be merged then.
        again: computes the matrix of another table by the same rules.
    """

    values: Floats
    terms: tuple[str, ...]
    is_of_all_rows: bool
    again: Callable[[Any], Floats]


def read_formula(text: Any, columns: Iterable[str]) -> Formula:
    """The parsed formula, if all columns that it names exist.

    Raises:
        InvalidArgument: it cannot be parsed.
        ColumnNotFound: a name is not a column; the message lists similar names.
    """
    names = tuple(columns)
    if not isinstance(text, str) or text.count("~") != 1:
        raise InvalidArgument(
            f"got the formula {text!r}; allowed is one outcome, a ~, and predictors, like "
            "'outcome ~ age + group'"
        )
    left, right = (side.strip() for side in text.split("~"))
    outcome = left.strip("`")
    check_column(outcome, names, "before the ~ write the outcome, one column unchanged")
    aliases = aliases_of(names, right)
    read = _read(aliased(right, aliases), text)
    variables = columns_in(_factors(read), aliases, text)
    if outcome in variables:
        raise InvalidArgument(
            f"got the formula {text!r}, in which {outcome} explains itself; leave it out after "
            "the ~"
        )
    return Formula(text, outcome, variables, read, aliases)


def make_matrix(formula: Formula, table: Any) -> ModelMatrix:
    """The model matrix of the right side.

    Raises:
        InvalidArgument: a term cannot be computed, or is not a finite number in
            some row; the message does not show values.
        NotIdentified: a term has no column, as its category is the same in all rows.
    """
    renamed = table.rename(columns=dict(formula.aliases))
    options = {"output": "numpy", "na_action": "ignore"}
    made = _computed(formula, lambda: formula.right.get_model_matrix(renamed, **options))
    rules = made.model_spec
    terms = tuple(shown(name, formula.aliases) for name in rules.column_names)
    # Formulaic would leave them out without a word.
    empty = [str(term) for term, own in rules.term_slices.items() if own.start == own.stop]
    if empty:
        raise NotIdentified(
            f"formula: {named([shown(each, formula.aliases) for each in empty])}: the same in "
            "all rows, so there is no coefficient; leave it out"
        )

    def again(other: Any) -> Floats:
        other_renamed = other.rename(columns=dict(formula.aliases))
        with warnings.catch_warnings():
            # Formulaic would only warn, and treat it as the first category.
            warnings.simplefilter("error", _formulaic().errors.DataMismatchWarning)
            made_again = _computed(formula, lambda: rules.get_model_matrix(other_renamed))
        return _checked(made_again, terms)

    return ModelMatrix(_checked(made, terms), terms, bool(rules.transform_state), again)


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
        raise InvalidArgument(
            f"got the formula {text!r}, which cannot be read; allowed after the ~ are columns "
            "joined by + (together), : (interaction) or * (both), C(column) for categories and "
            "I(...) for arithmetic, in which powers are **"
        )
    return read


def _identifiers(text: str) -> set[str]:
    return set(re.findall(r"[^\W\d]\w*", text))


def _factors(read: Any) -> list[str]:
    """The different factors of the terms, in their order."""
    terms = read if isinstance(read, _formulaic().SimpleFormula) else ()
    return list(dict.fromkeys(str(factor).strip() for term in terms for factor in term.factors))


def _computed(formula: Formula, make: Callable[[], Any]) -> Any:
    """The result of a function; its errors are raised without texts, which may contain values."""
    failed, strange = "", False
    try:
        # Values that are not numbers are reported below, where they have names.
        with np.errstate(all="ignore"):
            return make()
    except (_formulaic().errors.FactorEncodingError, _formulaic().errors.DataMismatchWarning):
        strange = True
    except _formulaic().errors.FormulaicError as error:
        found = re.match(r"Unable to evaluate factor `(.*?)`\. \[(\w+)", str(error))
        factor = shown(found[1], formula.aliases) if found else "a term"
        failed = f"{factor} ({found[2] if found else type(error).__name__})"
    except (TypeError, ValueError) as error:
        failed = f"a term ({type(error).__name__})"
    if strange:
        raise InvalidArgument(
            f"formula {formula.text!r}: got rows with a category that no row of the regression "
            "has, or texts in place of numbers; allowed is what it was computed from"
        )
    raise InvalidArgument(
        f"formula {formula.text!r}: cannot compute {failed}; I(...) takes Python arithmetic, "
        "with powers as **, and only on columns of numbers: a randomized column has categories"
    )


def _checked(made: Any, terms: Sequence[str]) -> Floats:
    values: Floats = np.asarray(made, dtype=np.float64)
    for index, term in enumerate(terms):
        if not np.isfinite(values[:, index]).all():
            raise InvalidArgument(
                f"the term {term} is not a finite number in some rows; leave these rows out, or "
                "use a transformation that is defined for them"
            )
    return values
