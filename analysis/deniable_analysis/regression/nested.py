"""The likelihood-ratio test of a regression against one with fewer terms."""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from deniable_analysis.arguments import kind_of
from deniable_analysis.errors import InvalidArgument
from deniable_analysis.regression.channels import Reports
from deniable_analysis.regression.outcomes import Normal
from deniable_analysis.regression.ratio import RatioTest, RatioTests, check_likelihood
from deniable_analysis.regression.results import Regression
from deniable_sdk.wording import counted

# The approximate error of a maximum.
_ROUNDING = 1e-6


def likelihood_ratio(first: Regression, second: Regression) -> RatioTests:
    """The test of a regression against one with fewer terms.

    Args:
        first: regression by likelihood, without weights.
        second: regression of the same rows without some of the terms; the order
            of the two does not matter.
    Raises:
        InvalidArgument: neither is nested in the other, as far as that can be
            checked, or one has no likelihood.
    """
    for each in (first, second):
        if not isinstance(each, Regression):
            raise InvalidArgument(
                f"likelihood_ratio: got {kind_of(each)}; allowed are two results of regress()"
            )
    values = {
        each: check_likelihood(each.log_likelihood, is_weighted=each.is_weighted)
        for each in (first, second)
    }
    larger, smaller = sorted((first, second), key=lambda each: -each.parameter_count)
    degrees = larger.parameter_count - smaller.parameter_count
    statistic = 2 * (values[larger] - values[smaller])
    unlike = _difference(larger, smaller)
    if not unlike and (degrees == 0 or statistic < -_ROUNDING):
        unlike = "their terms, none having all of the other's and more"
    if unlike:
        raise InvalidArgument(
            f"likelihood_ratio: got {larger.formula!r} of {counted(larger.rows, 'row')} and "
            f"{smaller.formula!r} of {smaller.rows}, which differ in {unlike}; allowed are two "
            "regressions of the same outcome, link, rows and designs, one with a part of the "
            "other's terms: leave rows with missing values out before both"
        )
    return RatioTests(
        (RatioTest.of(f"{larger.formula} -> {smaller.formula}", statistic, degrees),)
    )


def _difference(one: Regression, other: Regression) -> str:
    """The difference that makes two regressions incomparable, in words; empty if none."""
    if one.outcome != other.outcome:
        return f"the outcome ({one.outcome}, {other.outcome})"
    if one.link != other.link or one.categories != other.categories:
        return f"the link or the categories of {one.outcome} ({one.link}, {other.link})"
    mine, others = _reports(one), _reports(other)
    alone = sorted(set(mine) ^ set(others))
    if alone:
        return (
            f"the randomized columns ({', '.join(alone)} in one of them, whose reports are a "
            "part of its likelihood; likelihood_ratios() tests what they explain)"
        )
    changed = [name for name in mine if not _are_alike(mine[name], others[name])]
    if changed:
        return f"the designs of {', '.join(changed)}"
    return "" if _is_same(_rows(one), _rows(other)) else "their rows"


def _reports(regression: Regression) -> dict[str, Reports]:
    return {each.name: each for each in regression.assembly.seen.reports}


def _are_alike(one: Reports, other: Reports) -> bool:
    """Whether two columns have the same design."""
    return one.channel.unknown == other.channel.unknown and _is_same(
        [one.channel.constant, one.channel.slopes], [other.channel.constant, other.channel.slopes]
    )


def _rows(regression: Regression) -> list[NDArray[Any]]:
    """The reports of all rows, with the outcome, in the order of the table, or of their values."""
    model, seen = regression.assembly.model, regression.assembly.seen
    # The rows of a study are different reports, each as often as it was counted.
    is_table = len(seen.row_of) == regression.rows
    row_of = seen.row_of if is_table else np.repeat(seen.row_of, seen.counts.astype(np.intp))
    found: list[NDArray[Any]] = [
        each.codes[row_of] for each in sorted(model.reports, key=lambda each: each.name)
    ]
    if isinstance(model.outcome, Normal):
        found.append(model.outcome.numbers[row_of])
    return [*found, np.array(regression.rows)]


def _is_same(one: list[NDArray[Any]], other: list[NDArray[Any]]) -> bool:
    return all(map(np.array_equal, one, other))
