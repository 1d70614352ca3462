"""How many of a survey's questions one respondent sees."""

from dataclasses import dataclass

from deniable_analysis.forms import Documented
from deniable_sdk import PublishedSurvey
from deniable_sdk.survey.routing import questions_to_show


@dataclass(frozen=True, slots=True)
class Seen(Documented):
    """How many questions one respondent sees.

    Args:
        least: the fewest; None if that depends on answers.
        most: the most.
        all: the questions of the survey, without the scores that devices compute.
    """

    least: int | None
    most: int
    all: int

    @classmethod
    def of(cls, survey: PublishedSurvey) -> "Seen":
        """The questions that devices show for the blocks they draw."""
        ids = [block.id for block in survey.blocks]
        whole = len(questions_to_show(survey, ids))
        counts = sorted(len(questions_to_show(survey, [name])) for name in ids)
        most = min(whole, sum(counts[-survey.asked :]))
        # Blocks may share the question that leads to them.
        least = None if survey.has_routing else min(most, sum(counts[: survey.asked]))
        return cls(least, most, whole)
