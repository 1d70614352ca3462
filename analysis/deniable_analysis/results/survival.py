"""How many are still without an event, by the intervals in which it happened."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from deniable_analysis.presentation import Chart, Line, Look, Mark, Part, Presented, Table
from deniable_analysis.results.frames import pandas
from deniable_analysis.results.shares import SHARE_HEADERS, SHARE_NUMBERS, OptionEstimate
from deniable_analysis.words import counted

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SurvivalCurve(Presented):
    """The share of those who answered whose event came after an interval.

    Args:
        question: its id.
        not_yet: the option of those without the event.
        reports: behind the shares.
        epsilon: what each of these spent on it.
        interval: which intervals the shares have.
        points: for each interval, in order, the share that is left after it.
            share, low and high are raw and need not fall; valid_share does.
    """

    question: str
    not_yet: str
    reports: int
    epsilon: float
    interval: str
    points: tuple[OptionEstimate, ...]

    def to_document(self) -> dict[str, Any]:
        """The curve as plain JSON values."""
        return {
            "question": self.question,
            "not_yet": self.not_yet,
            "reports": self.reports,
            "epsilon": self.epsilon,
            "interval": self.interval,
            "points": [point.to_document() for point in self.points],
        }

    def to_frame(self) -> "pd.DataFrame":
        """One row for each interval, as a pandas data frame."""
        rows = [
            {**point.to_document(), "standard_error": point.standard_error}
            for point in self.points
        ]
        numbers = dict.fromkeys((*SHARE_NUMBERS, "standard_error"), "float64")
        return pandas().DataFrame(rows).astype(numbers)

    @property
    def title(self) -> str:
        """The question with its reports and epsilon."""
        return (
            f"{self.question} (survival): {counted(self.reports, 'report')}, epsilon "
            f"{self.epsilon:.4g}; {self.interval} intervals"
        )

    def parts(self) -> Iterable[Part]:
        """A row for each interval."""
        yield Line(self.title)
        rows = tuple((point.option, *point.cells()) for point in self.points)
        yield Table(("left after", *SHARE_HEADERS), rows)

    def charts(self) -> Iterable[Chart]:
        """The shares that are left, as a line that only falls."""
        marks = (
            Mark(point.option, point.valid_share, point.low, point.high) for point in self.points
        )
        yield Chart(self.title, "share without the event", tuple(marks), Look.STEPS)
