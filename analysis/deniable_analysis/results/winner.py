"""Which option most people chose, and how sure that is."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from deniable_analysis.defaults import DEFAULT_CONFIDENCE
from deniable_analysis.estimators.confidence import critical_value
from deniable_analysis.forms import counted, pandas
from deniable_analysis.presentation import Chart, Line, Mark, Part, Presented, Table

if TYPE_CHECKING:
    import pandas as pd

# Of the intervals of leads in a chart.


@dataclass(frozen=True, slots=True, kw_only=True)
class Rival:
    """An option that is not in the lead.

    Args:
        option: its name.
        share: its raw share.
        behind: the leader's share minus this one.
        standard_error: of that difference.
        probability_ahead: how likely it is really ahead of the leader
            (posterior, under equal priors).
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
            hardly less. It is posterior, by the normal noise of the reports
            and equal priors; in a close race the leader is wrong more often.
        possible: the options that may be the largest: with this confidence,
            however close the race, the largest is one of them.
        confidence: of these.
        reports: behind the shares.
        epsilon: what each of these spent on the question.
        rivals: the other options, the nearest first.
    """

    question: str
    option: str
    share: float
    probability_wrong: float
    possible: tuple[str, ...]
    confidence: float
    reports: int
    epsilon: float
    rivals: tuple[Rival, ...]

    def to_document(self) -> dict[str, Any]:
        """The winner as plain JSON values."""
        return {
            "question": self.question,
            "option": self.option,
            "share": self.share,
            "probability_wrong": self.probability_wrong,
            "possible": list(self.possible),
            "confidence": self.confidence,
            "reports": self.reports,
            "epsilon": self.epsilon,
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
            f"{self.option} leads with {self.share:z.4f}; posterior probability (equal priors) "
            f"that another option is really ahead: {self.probability_wrong:.4g}"
        )
        yield Line(
            f"with {self.confidence:.6g} confidence, also in a close race, the largest is "
            + (
                f"{self.option}"
                if len(self.possible) == 1
                else f"one of {', '.join(self.possible)}"
            )
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
        """By how much each rival is behind: an interval across 0 means it may lead."""
        reach = critical_value(DEFAULT_CONFIDENCE)
        marks = tuple(
            Mark(
                f"{rival.option} (ahead: {_percent(rival.probability_ahead)})",
                rival.behind,
                rival.behind - reach * rival.standard_error,
                rival.behind + reach * rival.standard_error,
            )
            for rival in self.rivals
        )
        title = (
            f"{self.title}, epsilon {self.epsilon:.4g}; {self.option} leads, wrong with "
            f"posterior probability {_percent(self.probability_wrong)}; "
            f"{DEFAULT_CONFIDENCE:g} normal intervals"
        )
        yield Chart(
            title, f"lead of {self.option}, in shares of those asked", marks, reference=0.0
        )


def _percent(probability: float) -> str:
    return "< 0.1 %" if probability < 0.001 else f"{100 * probability:.1f} %"
