"""The likelihood-ratio test of a regression against one with fewer terms."""

from deniable_analysis.errors import InvalidRegression
from deniable_analysis.regression.ratio import RatioTest, RatioTests, check_likelihood
from deniable_analysis.regression.results import Regression

# Two maxima are each found to about this.
_ROUNDING = 1e-6


def likelihood_ratio(first: Regression, second: Regression) -> RatioTests:
    """The test of a regression against one with fewer terms.

    Args:
        first: a regression by likelihood, without weights.
        second: of the same rows, with terms left out; or the other way round.
    Raises:
        InvalidRegression: one is not nested in the other, for what can be
            seen, or they have no likelihood.
    """
    values = {
        each: check_likelihood(each.log_likelihood, is_weighted=each.is_weighted)
        for each in (first, second)
    }
    larger, smaller = sorted((first, second), key=lambda each: -each.parameter_count)
    degrees = larger.parameter_count - smaller.parameter_count
    statistic = 2 * (values[larger] - values[smaller])
    is_alike = (larger.outcome, larger.link, larger.rows, larger.categories) == (
        smaller.outcome,
        smaller.link,
        smaller.rows,
        smaller.categories,
    )
    if not is_alike or degrees == 0 or statistic < -_ROUNDING:
        raise InvalidRegression(
            f"likelihood_ratio: got {larger.formula!r} of {larger.rows} rows and "
            f"{smaller.formula!r} of {smaller.rows}; allowed are two regressions of the same "
            "outcome, link and rows, one with a part of the other's terms: leave rows that miss "
            "something out before both"
        )
    return RatioTests(
        (RatioTest.of(f"{larger.formula} -> {smaller.formula}", statistic, degrees),)
    )
