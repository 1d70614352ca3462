"""A test of whether two questions have anything to do with each other."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from deniable_analysis.presentation import Line, Part, Presented
from deniable_analysis.results.frames import pandas
from deniable_analysis.words import counted

if TYPE_CHECKING:
    import pandas as pd


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class IndependenceTest(Presented):
    """Whether the answers to two questions are independent.

    Args:
        questions: both.
        design: "joint" where both were randomized as one answer, "separate"
            where each was by itself.
        method: "pearson" on the reports, or "wald" on the debiased cells.
        reports: of how many respondents.
        statistic: chi-squared.
        degrees_of_freedom: its.
        p_value: how often independent answers give as large a statistic.
    """

    questions: tuple[str, str]
    design: str
    method: str
    reports: int
    statistic: float
    degrees_of_freedom: int
    p_value: float

    def to_document(self) -> dict[str, Any]:
        """The test as plain JSON values."""
        return {
            "questions": list(self.questions),
            "design": self.design,
            "method": self.method,
            "reports": self.reports,
            "statistic": self.statistic,
            "degrees_of_freedom": self.degrees_of_freedom,
            "p_value": self.p_value,
        }

    def to_frame(self) -> "pd.DataFrame":
        """One row, as a pandas data frame."""
        row = {**self.to_document(), "questions": " x ".join(self.questions)}
        return pandas().DataFrame([row])

    def parts(self) -> Iterable[Part]:
        """The test in a sentence."""
        yield Line(
            f"{' x '.join(self.questions)} ({self.design}): {counted(self.reports, 'report')}; "
            f"independence: {self.method} chi-squared {self.statistic:.4f} with "
            f"{self.degrees_of_freedom} degrees of freedom, p = {self.p_value:.4g}"
        )
