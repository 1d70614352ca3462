"""A warning: what an author should know before fielding, what to do, and when it is given."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from fractions import Fraction
from typing import Any

from deniable_analysis.forms import document_of
from deniable_sdk.survey.definition import PlannedBlock
from deniable_sdk.weights import SURVEY_CAP

# A result of 40 percent could be 30 or 50: a third cannot be distinguished from a half, and
# most questions need at least that. For a mean, a tenth of its range.
USEFUL_MARGIN = Fraction(1, 10)

# A result of 40 percent is between 35 and 45.
PRECISE_MARGIN = Fraction(1, 20)

# An option can be distinguished from one that nobody chose only if its share exceeds its
# margin. So with a margin of a half, only the choice of a majority is visible. For a mean,
# half of its range: the middle would be as good a guess.
BLIND_MARGIN = Fraction(1, 2)

# A multiple of the share of an average option, 1 / options. With a larger margin, even an
# option twice as common as the average cannot be distinguished from one that nobody chose.
VISIBLE_TIMES = 2

# A report contains information about only some options of a set, so the required
# respondents grow with the options. With more options than this, leaving some out helps
# most.
MANY_OPTIONS = 10

# For all waves together. e^4 is 55: somebody who thought something 10 percent likely may be
# 86 percent sure after the report. Apps refuse more by default.
LARGE_EPSILON = SURVEY_CAP

# A tenth more error needs a tenth more respondents; less is not worth a change of plan.
COSTLY_FACTOR = Fraction(11, 10)

# Fewer equal scales in a row are seldom a battery.
LEAST_ITEMS = 3

_MOST_NAMED = 3


class Caution(StrEnum):
    """The kinds of warnings, in order; programs may rely on these words.

    Asking too much comes first: its remedy may also end the warnings after it.
    """

    COSTLY_ASKING = "costly_asking"
    BLIND = "blind"
    TOO_MANY_OPTIONS = "too_many_options"
    FEW_RESPONDENTS = "few_respondents"
    LARGE_EPSILON = "large_epsilon"
    LINKABLE = "linkable"
    OVERLAPPING = "overlapping"
    SMALL_GROUPS = "small_groups"
    ROUTED = "routed"
    SHAPE_ONLY = "shape_only"
    NO_CROSSTAB = "no_crosstab"
    SEPARATE_ITEMS = "separate_items"


@dataclass(frozen=True, slots=True)
class Advice:
    """A warning: one sentence, with the remedy.

    Args:
        caution: the kind of the warning.
        blocks: the blocks that it is about; empty if it is about the whole survey.
        message: the message for people, in English.
        numbers: the numbers that a page fills into the same message in its own language.
    """

    caution: Caution
    blocks: tuple[str, ...]
    message: str
    numbers: Mapping[str, float | None] = field(default_factory=dict)

    @classmethod
    def about(
        cls,
        caution: Caution,
        blocks: Sequence[PlannedBlock],
        message: str,
        numbers: Mapping[str, float | None] | None = None,
    ) -> "Advice":
        """A warning about these blocks; the message begins with their names."""
        ids = tuple(block.id for block in blocks)
        return cls(caution, ids, f"{_enumerate(ids)}: {message}", numbers or {})

    def to_document(self) -> dict[str, Any]:
        """The warning as plain JSON values."""
        return {"warning": self.caution.value, **document_of(self, "caution")}


def _enumerate(ids: Sequence[str]) -> str:
    if len(ids) > _MOST_NAMED:
        return f"{', '.join(ids[:_MOST_NAMED])} and {len(ids) - _MOST_NAMED} more"
    return " and ".join(filter(None, (", ".join(ids[:-1]), ids[-1])))
