"""Planning for a declared design of two true categories: the second one's share."""

from fractions import Fraction

from deniable_analysis.designs.design import Design
from deniable_analysis.errors import InvalidPlan


def design_unit_variance(design: Design, share: Fraction) -> Fraction:
    """The total variance of the estimated share, times the respondents.

    Args:
        design: with two true categories; a direct question has none of it
            from randomization.
        share: of the second true category ("yes").
    Raises:
        InvalidPlan: the design has other than two true categories, or does not
            distinguish them.
    Source: the variance of a multinomial under the estimator's weights, which
    sum the answers' parts to the share without bias.
    """
    constant, slope = _of_squares(design)
    return constant + slope * share - share**2


def design_worst_share(design: Design) -> Fraction:
    """The share of the second true category that is hardest to estimate.

    Raises:
        InvalidPlan: as for design_unit_variance.
    """
    _, slope = _of_squares(design)
    return max(Fraction(0), min(Fraction(1), slope / 2))


def _of_squares(design: Design) -> tuple[Fraction, Fraction]:
    """The second moment of what one answer adds: at a share of 0, and its slope."""
    if len(design.true) != 2:
        raise InvalidPlan(
            f"design: got {design.name}, with {len(design.true)} true categories; allowed are "
            "two, so plan for one category against the others"
        )
    if not design.is_identified:
        raise InvalidPlan(
            f"design: got {design.name}, which no number of respondents can estimate: "
            f"{design.why_not_identified}"
        )
    squares = [part**2 for part in _parts(design)]
    first = sum(
        (square * row[0] for square, row in zip(squares, design.matrix, strict=True)), Fraction()
    )
    second = sum(
        (square * row[1] for square, row in zip(squares, design.matrix, strict=True)), Fraction()
    )
    return first, second - first


def _parts(design: Design) -> tuple[Fraction, ...]:
    """What each observed category adds to the share, on average 0 or 1 as is true."""
    if design.estimator is not None:
        return design.estimator[1]
    # Least squares: the second row of (A'A)^-1 A', for the two columns of A.
    first, second = zip(*design.matrix, strict=True)
    own, other = _product(second, second), _product(first, second)
    determinant = _product(first, first) * own - other**2
    return tuple(
        (_product(first, first) * b - other * a) / determinant
        for a, b in zip(first, second, strict=True)
    )


def _product(one: tuple[Fraction, ...], other: tuple[Fraction, ...]) -> Fraction:
    return sum((a * b for a, b in zip(one, other, strict=True)), Fraction())
