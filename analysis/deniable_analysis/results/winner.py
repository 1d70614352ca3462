"""The option that the most people chose, with its uncertainty."""

from collections.abc import Iterable
from dataclasses import dataclass

from deniable_analysis.charts import Chart
from deniable_analysis.defaults import DEFAULT_CONFIDENCE
from deniable_analysis.forms import Documented
from deniable_analysis.parts import (
    Column,
    ColumnKind,
    Line,
    Part,
    Table,
    text_column,
    warning_lines,
)
from deniable_analysis.presentation import Presented
from deniable_analysis.results.shares import normal_mark
from deniable_sdk.wording import counted


@dataclass(frozen=True, slots=True, kw_only=True)
class Rival(Documented):
    """An option that is not in the lead.

    Args:
        behind: share of the leader minus this share.
        standard_error: standard error of that difference.
        probability_ahead: posterior probability that the option is ahead of the
            leader, under a flat prior.
    """

    option: str
    share: float
    behind: float
    standard_error: float
    probability_ahead: float


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class Winner(Presented):
    """The option with the largest share, and the probability that it is not the largest.

    Args:
        option: option in the lead.
        share: raw share of this option.
        probability_wrong: close upper bound of the posterior probability that
            another option is ahead, with normal noise and a flat prior. It is
            not an error rate: in a close race, the leader is wrong more often.
        possible: confidence set for the largest option; its coverage is at
            least the confidence, however close the race is.
        confidence: confidence of this set.
        rivals: the other options, the closest first.
        warnings: sentences about limits of the result.
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
    warnings: tuple[str, ...] = ()

    @property
    def title(self) -> str:
        """The question with the number of reports."""
        return f"{self.question}: {counted(self.reports, 'report')}"

    def parts(self) -> Iterable[Part]:
        """The leader, and a row for each rival."""
        yield Line(self.title)
        yield Line(
            f"{self.option} leads with {self.share:z.4f}; posterior probability (equal priors) "
            f"that another option is really ahead: {self.probability_wrong:.4g}"
        )
        is_alone = len(self.possible) == 1
        largest = self.option if is_alone else f"one of {', '.join(self.possible)}"
        yield Line(
            f"with {self.confidence:.6g} confidence, also in a close race, the largest is "
            f"{largest}"
        )
        numbers = (
            text_column("option", "rival"),
            Column("share", "share"),
            Column("behind", "behind"),
            Column("standard_error", "sd"),
            Column("probability_ahead", "probability ahead", ColumnKind.CHANCE),
        )
        yield Table.of((), numbers, [(rival,) for rival in self.rivals])
        yield from warning_lines(self.warnings)

    def charts(self) -> Iterable[Chart]:
        """The lead over each rival; if an interval contains 0, the rival may be ahead."""
        marks = tuple(
            normal_mark(
                f"{rival.option} (ahead: {_percent(rival.probability_ahead)})",
                rival.behind,
                rival.standard_error,
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
