"""How often a report supports an option: p if it is the answer, q if not."""

from dataclasses import dataclass

from deniable_analysis.arguments import Number, is_finite, kind_of, shown
from deniable_analysis.errors import InvalidChannel
from deniable_sdk.mechanisms import Subset


@dataclass(frozen=True, slots=True)
class Channel:
    """The probabilities with which a report supports an option.

    With fractions everything computed from it stays exact; `rounded` gives
    the same channel in floats, for arrays of floats.

    Args:
        keep: p, if the option is the respondent's answer; below 1.
        flip: q, if it is not; above 0 and below keep.
    Raises:
        InvalidChannel: they are not such a pair.
    Source: Wang et al. 2017 (USENIX Security), "pure protocol".
    """

    keep: Number
    flip: Number

    def __post_init__(self) -> None:
        are_numbers = is_finite(self.keep) and is_finite(self.flip)
        if not (are_numbers and 0 < self.flip < self.keep < 1):
            raise InvalidChannel(
                f"got keep {shown(self.keep)} and flip {shown(self.flip)}; "
                "allowed are 0 < flip < keep < 1, as in every private mechanism"
            )

    @classmethod
    def of(cls, mechanism: Subset) -> "Channel":
        """The exact channel of a published mechanism.

        Raises:
            InvalidChannel: it is not subset selection.
        """
        if not isinstance(mechanism, Subset):
            raise InvalidChannel(
                f"mechanism: got {kind_of(mechanism)}; allowed is subset selection, the mechanism "
                "of a yes_no, choice or scale"
            )
        return cls(mechanism.keep, mechanism.flip)

    def rounded(self) -> "Channel":
        """The same channel in floats."""
        return Channel(float(self.keep), float(self.flip))

    @property
    def spread(self) -> Number:
        """How much likelier a report supports the answer: p - q."""
        return self.keep - self.flip
