"""Numbers as results show them: those that are not finite are not known."""

import math


def finite_or_none(value: float) -> float | None:
    """The number; None where it is infinite or NaN."""
    return float(value) if math.isfinite(value) else None
