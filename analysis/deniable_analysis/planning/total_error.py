"""How far a whole table of shares is expected to be off."""

import math
from collections.abc import Sequence

import numpy as np

from deniable_analysis.arguments import Number
from deniable_analysis.errors import InvalidPlan
from deniable_analysis.planning.designs import check_subset, unit_variance
from deniable_analysis.planning.inputs import read_respondents
from deniable_sdk.mechanisms import Subset


def expected_absolute_error(
    mechanism: Subset, respondents: int, shares: Sequence[Number]
) -> float:
    """The expected sum of the absolute errors of all shares of a question.

    By the normal approximation.

    Args:
        mechanism: of the question, from plan_mechanism or a published block.
        respondents: those who are asked the question.
        shares: the true shares, one for each option.
    Raises:
        InvalidPlan: respondents is below 1, or shares are not as many as the
            options or not from 0 to 1.
    """
    check_subset(mechanism)
    is_list = isinstance(shares, Sequence) or (isinstance(shares, np.ndarray) and shares.ndim == 1)
    given = list(shares) if is_list else []
    if len(given) != mechanism.domain_size:
        raise InvalidPlan(
            f"shares: got {len(given)}; allowed are {mechanism.domain_size}, one for each option"
        )
    count = read_respondents("respondents", respondents)
    variances = (unit_variance(mechanism, share) / count for share in given)
    return sum(math.sqrt(2 * variance / math.pi) for variance in variances)
