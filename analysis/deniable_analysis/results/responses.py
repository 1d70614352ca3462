"""How many of the people of each group reported, by invitation or by link."""

from dataclasses import dataclass
from typing import Any

from deniable_analysis.forms import document_of
from deniable_analysis.parts import Column, ColumnKind, text_column
from deniable_analysis.results.shares import REPORTS
from deniable_sdk.survey.published import PublishedSurvey

ALL_INVITED = "all invited"
RESPONSES = (
    text_column("name", "group"),
    Column("invited", "invited", ColumnKind.COUNT),
    REPORTS,
    Column("rate", "response rate", ColumnKind.RATE),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class ResponseRate:
    """The response of the people who are invited; it is exact and public.

    People who got the link of a group are invited, too.

    Args:
        group: name of their group, or of several merged ones; None for everybody
            who is invited.
        reports: number of their reports.
    """

    group: str | None = None
    invited: int
    reports: int

    @property
    def rate(self) -> float:
        """The part of the invited people who reported."""
        return self.reports / self.invited

    @property
    def name(self) -> str:
        """The name of the people in tables."""
        return self.group or ALL_INVITED

    @property
    def in_words(self) -> str:
        """The response rate as a part of a sentence."""
        return f"{self.rate:.1%} of {self.invited} invited"

    @property
    def warnings(self) -> tuple[str, ...]:
        """A sentence if there are more reports than invited people."""
        if self.reports <= self.invited:
            return ()
        return (self._too_many,)

    @property
    def _too_many(self) -> str:
        """The sentence if there are more reports than invited people."""
        return (
            f"{self.reports} reports of {self.invited} invited people: more tokens were signed "
            "than people are invited, so nobody knows whose reports these are; no correction for "
            "a finite population is made"
        )

    def to_document(self) -> dict[str, Any]:
        """The response as plain JSON values."""
        return {**document_of(self), "response_rate": self.rate}


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkResponse(ResponseRate):
    """The response of the people who got the link of a group; nobody can check who used it."""

    @property
    def _too_many(self) -> str:
        """The sentence if there are more reports than people who got the link."""
        return (
            f"{self.reports} reports by the link of {self.invited} people: others used it, or "
            "some people answered twice, so nobody knows whose reports these are"
        )


def response_of(
    survey: PublishedSurvey, group: str | None, people: int, reports: int
) -> ResponseRate:
    """The response of so many people of a survey's group, or of all who are invited."""
    kind = LinkResponse if survey.link_groups else ResponseRate
    return kind(group=group, invited=people, reports=reports)
