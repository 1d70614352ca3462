"""Which option most people chose, and how sure that is."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from deniable_analysis.presentation import Chart, Line, Mark, Part, Presented, Table
from deniable_analysis.results.frames import pandas
from deniable_analysis.words import counted

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, kw_only=True)
class Rival:
    """An option that is not in the lead.

    Args:
        option: its name.
        share: its raw share.
        behind: what the leader has more.
        standard_error: of that difference.
        probability_ahead: how likely it is really ahead of the leader.
    """

    option: str
    share: float
    behind: float
    standard_error: float
    probability_ahead: float

    def to_document(self) -> dict[str, Any]:
        """The rival as plain JSON values."""
        return {
            "option": self.option,
            "share": self.share,
            "behind": self.behind,
            "standard_error": self.standard_error,
            "probability_ahead": self.probability_ahead,
        }


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Winner(Presented):
    """The option with the largest share, and how likely it is not the largest.

    Args:
        question: its id.
        option: the one in the lead.
        share: its raw share.
        probability_wrong: that another one is really ahead: at most this, and
            hardly less, by the normal noise of the reports.
        reports: behind the shares.
        rivals: the other options, the nearest first.
    """

    question: str
    option: str
    share: float
    probability_wrong: float
    reports: int
    rivals: tuple[Rival, ...]

    def to_document(self) -> dict[str, Any]:
        """The winner as plain JSON values."""
        return {
            "question": self.question,
            "option": self.option,
            "share": self.share,
            "probability_wrong": self.probability_wrong,
            "reports": self.reports,
            "rivals": [rival.to_document() for rival in self.rivals],
        }

    def to_frame(self) -> "pd.DataFrame":
        """One row for each rival, as a pandas data frame."""
        return pandas().DataFrame([rival.to_document() for rival in self.rivals])

    @property
    def title(self) -> str:
        """The question with its reports."""
        return f"{self.question}: {counted(self.reports, 'report')}"

    def parts(self) -> Iterable[Part]:
        """The leader, and a row for each rival."""
        yield Line(self.title)
        yield Line(
            f"{self.option} leads with {self.share:z.4f}; that another option is really ahead has "
            f"probability {self.probability_wrong:.4g}"
        )
        rows = tuple(
            (
                rival.option,
                f"{rival.share:z.4f}",
                f"{rival.behind:z.4f}",
                f"{rival.standard_error:z.4f}",
                f"{rival.probability_ahead:.4g}",
            )
            for rival in self.rivals
        )
        yield Table(("rival", "share", "behind", "sd", "probability ahead"), rows)

    def charts(self) -> Iterable[Chart]:
        """The shares of all options."""
        marks = (Mark(self.option, self.share), *(Mark(r.option, r.share) for r in self.rivals))
        yield Chart(self.title, "share of those asked", marks)
