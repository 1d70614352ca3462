"""What somebody who sees a report can learn from it."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from deniable_analysis.privacy import Belief, belief_bounds, tell_apart_error

# A rare thing, an uncommon one, and a coin.
PRIORS = (Fraction(1, 100), Fraction(1, 10), Fraction(1, 2))

# The prior that sentences for people use: it shows best what a report can reveal.
TOLD_PRIOR = Fraction(1, 10)


@dataclass(frozen=True, slots=True)
class Disclosure:
    """The most that a report can reveal, given the epsilon that it spends.

    Args:
        ratio: e^epsilon, exactly.
        tell_apart_error: the least error rate of the best test of two equally likely
            answers; a coin has 1/2.
        beliefs: the bounds of what can be believed afterwards.
    """

    ratio: Fraction
    tell_apart_error: Fraction
    beliefs: tuple[Belief, ...]

    @classmethod
    def of(cls, ratio: Fraction) -> "Disclosure":
        """What a report that spends this ratio can reveal."""
        beliefs = tuple(belief_bounds(prior, ratio) for prior in PRIORS)
        return cls(ratio, tell_apart_error(ratio), beliefs)

    @property
    def told(self) -> Belief:
        """The belief that sentences for people use."""
        return next(belief for belief in self.beliefs if belief.prior == TOLD_PRIOR)

    def to_document(self) -> dict[str, Any]:
        """The error and the bounds as plain JSON values."""
        return {
            "tell_apart_error": float(self.tell_apart_error),
            "beliefs": [
                {name: float(getattr(belief, name)) for name in ("prior", "low", "high")}
                for belief in self.beliefs
            ],
        }


def percent(share: Fraction | float) -> str:
    """A share for people, with enough digits to distinguish it from 0 and from 1."""
    whole = 100 * float(share)
    if 10 <= whole < 99.5:
        return f"{whole:.0f}%"
    return f"{whole:.2g}%" if whole < 10 else f"{whole:.4g}%"
