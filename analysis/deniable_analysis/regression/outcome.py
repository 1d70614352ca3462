"""The kind of outcome that data and choices result in, and its reference category."""

from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from deniable_analysis.arrays import Floats
from deniable_analysis.errors import InvalidArgument, NotIdentified
from deniable_analysis.forms import pandas
from deniable_analysis.regression.channels import ReportChannel, Reports, Variable, em_shares
from deniable_analysis.regression.choices import Choices
from deniable_analysis.regression.formula import Formula
from deniable_analysis.regression.observations import Observations, distinct
from deniable_analysis.regression.outcomes import (
    LINKS,
    Binary,
    Multinomial,
    Normal,
    Ordered,
    OutcomeModel,
)
from deniable_sdk.survey.options import NO_ANSWER

# With fewer categories, another reference only changes the signs of the coefficients.
_SEVERAL = 3
_EM_STEPS = 100


def with_default_coding(formula: Formula, name: str, reports: Reports, counts: Floats) -> Variable:
    """A reported variable in the form that the formula uses: numbers or ordered categories."""
    variable = reports.variable(name)
    if formula.has_contrasts_of(name):
        return replace(variable, numbers=None)
    if formula.makes_categories_of(name) or variable.numbers is None:
        return led_by_most_frequent(name, reports, counts)
    return variable


def led_by_most_frequent(name: str, reports: Reports, counts: Floats) -> Variable:
    """A reported variable as categories, the one with the largest estimated share first.

    With a reference that nobody chose, every coefficient would be infinite. If
    there are only two categories, "no" or a similar name is first.
    """
    axis = [each.name for each in reports.variables].index(name)
    variable = reports.variables[axis]
    if len(variable.levels) < _SEVERAL:
        return variable.led_by()
    cube = _shares(reports, counts).reshape([len(each.levels) for each in reports.variables])
    own = np.moveaxis(cube, axis, 0).reshape(len(variable.levels), -1).sum(axis=1)
    return variable.led_by(variable.levels[int(np.argmax(own))])


def _shares(reports: Reports, counts: Floats) -> Floats:
    """Shares of the joint answers by a few steps of EM."""
    middle = np.full(len(reports.channel.unknown), 0.5)
    likelihoods = reports.channel.likelihoods(middle)
    seen = np.bincount(reports.codes, counts, len(likelihoods)).astype(np.float64)
    return em_shares(likelihoods[seen > 0], seen[seen > 0], _EM_STEPS)


def clear_with_references(formula: Formula, seen: Observations) -> Observations:
    """The same rows; the most frequent category of each column that was not randomized is first.

    Columns that already have an order (pandas' Categorical), or contrasts in
    the formula, keep their order; categories that no row has are left out.
    """
    used = {
        name: _used(seen.clear[name]) for name in formula.variables if name in seen.clear.columns
    }
    changed = {
        name: _led(seen, name) if _has_default(formula, name, column) else column
        for name, column in used.items()
        if _has_default(formula, name, column) or column is not seen.clear[name]
    }
    if not changed:
        return seen
    clear = seen.clear.copy(deep=False)
    for name, column in changed.items():
        clear[name] = column
    return replace(seen, clear=clear)


def _used(column: Any) -> Any:
    """The same column, without categories that no row has."""
    if not isinstance(column.dtype, pandas().CategoricalDtype):
        return column
    return column.cat.remove_unused_categories()


def _has_default(formula: Formula, name: str, column: Any) -> bool:
    types = pandas().api.types
    has_order = isinstance(column.dtype, pandas().CategoricalDtype)
    if has_order or formula.has_contrasts_of(name) or column.nunique() < _SEVERAL:
        return False
    if types.is_numeric_dtype(column.dtype):
        return formula.has_only_categories_of(name)
    return bool(types.is_object_dtype(column.dtype) or types.is_string_dtype(column.dtype))


def _led(seen: Observations, name: str) -> Any:
    codes, levels = distinct(seen.clear[name], name)
    first = int(np.argmax(np.bincount(codes, seen.counts * seen.weights)))
    order = [levels[first], *(each for each in levels if each != levels[first])]
    return pandas().Categorical(seen.clear[name], categories=order)


@dataclass(frozen=True, slots=True, eq=False)
class ReadOutcome:
    """An outcome in the form that the model uses.

    Args:
        link: name of the link.
        outcome: kind of outcome.
        variable: categories of the outcome, the reference first; None for a
            number.
        reports: for categories that were not randomized, the answers as reports
            of themselves; otherwise None.
    """

    link: str
    outcome: OutcomeModel
    variable: Variable | None = None
    reports: Reports | None = None


def read_outcome(
    name: str, column: Any, randomized: Reports | None, counts: Floats, choices: Choices
) -> ReadOutcome:
    """The outcome.

    Raises:
        InvalidArgument: the link or reference does not fit it.
        NotIdentified: the outcome is the same in every row.
    """
    if randomized is not None:
        variable = _ordered_by(name, randomized, counts, choices)
        return ReadOutcome(*_of_categories(variable, choices), variable)
    if is_number(column, choices.link):
        return _number(name, column, choices)
    codes, found = distinct(column, name)
    _check_differs(name, len(found) < 2)
    plain = Variable(name, tuple(_shown(each) for each in found))
    size = len(plain.levels)
    seen = Reports((plain,), codes, ReportChannel.known(np.eye(size), (np.arange(size),)))
    variable = _ordered_by(name, seen, counts, choices)
    reports = arranged(seen, {name: variable})
    return ReadOutcome(*_of_categories(variable, choices), variable, reports)


def arranged(reports: Reports, variables: dict[str, Variable]) -> Reports:
    """The same reports with the levels of some variables in another order."""
    sizes = [len(each.levels) for each in reports.variables]
    cells = np.arange(int(np.prod(sizes))).reshape(sizes)
    for axis, old in enumerate(reports.variables):
        wanted = variables.get(old.name, old)
        cells = cells.take([old.levels.index(level) for level in wanted.levels], axis=axis)
    order = cells.reshape(-1)
    channel = replace(
        reports.channel,
        constant=reports.channel.constant[:, order],
        slopes=reports.channel.slopes[:, :, order],
        scores=None if reports.channel.scores is None else reports.channel.scores[:, order],
    )
    new = tuple(variables.get(each.name, each) for each in reports.variables)
    return replace(reports, variables=new, channel=channel)


def _shown(value: object) -> str:
    is_whole = isinstance(value, (float, np.floating)) and float(value).is_integer()
    return str(int(value)) if is_whole else str(value)  # type: ignore[call-overload]


def is_number(column: Any, link: str | None) -> bool:
    """Whether an outcome that was not randomized is a number, not one of two categories."""
    types = pandas().api.types
    if not types.is_numeric_dtype(column.dtype) or types.is_bool_dtype(column.dtype):
        return False
    return link == "identity" or bool(column.nunique() > 2)


def _number(name: str, column: Any, choices: Choices) -> ReadOutcome:
    if choices.link not in (None, "identity"):
        raise InvalidArgument(
            f"link: got {choices.link!r} for the outcome {name}, which is a number; allowed is "
            "'identity', or turn it into categories first (as text)"
        )
    numbers = np.asarray(column, dtype=np.float64)
    if not np.isfinite(numbers).all():
        raise InvalidArgument(f"the outcome {name} is infinite in some rows; leave these rows out")
    _check_differs(name, bool(numbers.min() == numbers.max()))
    return ReadOutcome("identity", Normal(numbers))


def _check_differs(name: str, is_constant: bool) -> None:
    if is_constant:
        raise NotIdentified(
            f"the outcome {name} is the same in every row that has all columns, so nothing "
            "explains it; take another outcome or more rows"
        )


def _ordered_by(name: str, reports: Reports, counts: Floats, choices: Choices) -> Variable:
    """The variable with the reference first; an ordered outcome keeps its order."""
    variable = reports.variable(name)
    levels, reference = variable.levels, choices.reference
    if reference is not None and (reference not in levels or choices.link == "ordered"):
        allowed = "none with link='ordered'" if choices.link == "ordered" else ", ".join(levels)
        raise InvalidArgument(
            f"reference: got {reference!r} for the outcome {variable.name}; allowed: {allowed}"
        )
    if choices.link == "ordered":
        _check_order(variable)
        return variable
    return variable.led_by(reference) if reference else led_by_most_frequent(name, reports, counts)


def _check_order(variable: Variable) -> None:
    """Raise InvalidArgument if a category has no place in an order."""
    if NO_ANSWER in variable.levels:
        answers = ", ".join(each for each in variable.levels if each != NO_ANSWER)
        raise InvalidArgument(
            f"link: got 'ordered' for the outcome {variable.name}, which may be {NO_ANSWER!r}; "
            f"that is not above or below {answers}; allowed is link='logit', where it is a "
            "category of its own, or make the question required in the next edition"
        )


def _of_categories(variable: Variable, choices: Choices) -> tuple[str, OutcomeModel]:
    link, size = choices.link or "logit", len(variable.levels)
    if link == "ordered" and size > 2:
        return link, Ordered(variable.levels)
    if link in LINKS and size == 2:
        return link, Binary(variable.levels, LINKS[link])
    if link == "logit":
        return link, Multinomial(variable.levels)
    raise InvalidArgument(
        f"link: got {link!r} for the outcome {variable.name} with {size} categories; allowed are "
        + ("logit, probit and cloglog" if size == 2 else "logit and ordered")
    )
