"""The results: what an analyst gets, frozen, and the forms it can take."""

import math
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from deniable_analysis.errors import PandasMissing
from deniable_analysis.estimators.intervals import Interval
from deniable_analysis.text_table import text_table

if TYPE_CHECKING:
    import pandas as pd

_HEADERS = ("option", "share", "low", "high", "valid", "sd mechanism", "sd sampling")
_NUMBERS = ("share", "low", "high", "valid_share", "mechanism_variance", "sampling_variance")


@dataclass(frozen=True, slots=True)
class OptionEstimate:
    """The estimated share of one option; all None while nobody reported.

    share, low and high are raw and may lie outside 0 to 1; valid_share is for
    show only. A variance part can be slightly negative near 0 and 1: only so
    do the two parts add up to the total.
    """

    option: str
    share: float | None
    low: float | None
    high: float | None
    valid_share: float | None
    mechanism_variance: float | None
    sampling_variance: float | None

    @property
    def standard_error(self) -> float | None:
        """The square root of both variances together."""
        if self.mechanism_variance is None or self.sampling_variance is None:
            return None
        # lambda (1 - lambda) at a part of the reports: negative by rounding only.
        return math.sqrt(max(0.0, self.mechanism_variance + self.sampling_variance))

    def to_document(self) -> dict[str, Any]:
        """The estimate as plain JSON values."""
        return {"option": self.option, **{name: getattr(self, name) for name in _NUMBERS}}


@dataclass(frozen=True, slots=True)
class QuestionEstimate:
    """The estimated shares of one question's options.

    Args:
        question: its id.
        type: its type.
        block: the block it was randomized in.
        reports: how many reports carry that block.
        epsilon: what each of these spent on it.
        options: in the question's order, "no_answer" last if it has it.
        warnings: what looks wrong with the reports.
    """

    question: str
    type: str
    block: str
    reports: int
    epsilon: float
    options: tuple[OptionEstimate, ...]
    warnings: tuple[str, ...] = ()

    def to_document(self) -> dict[str, Any]:
        """The estimates as plain JSON values."""
        return {
            "question": self.question,
            "type": self.type,
            "reports": self.reports,
            "epsilon": self.epsilon,
            "options": [option.to_document() for option in self.options],
        }

    def __str__(self) -> str:
        title = (
            f"{self.question} ({self.type}): {self.reports} reports, epsilon {self.epsilon:.4g}"
        )
        if not self.reports:
            return f"{title}\nno report carries this question yet, so there is no estimate"
        rows = [_cells(option) for option in self.options]
        notes = (f"warning: {warning}" for warning in self.warnings)
        return "\n".join((title, text_table(_HEADERS, rows), *notes))


@dataclass(frozen=True, slots=True, repr=False)
class Estimates:
    """The estimates of a survey's questions, all of the same moment.

    Args:
        survey: its slug.
        digest: of its published document.
        edition: which edition of the slug it is.
        reports: how many reports it has, those without a given block too.
        confidence: how often an interval holds the true share.
        interval: which interval.
        simultaneous: whether a question's intervals hold all at once.
        questions: one result for each question.
    """

    survey: str
    digest: str
    edition: int
    reports: int
    confidence: float
    interval: Interval
    simultaneous: bool
    questions: tuple[QuestionEstimate, ...]

    @property
    def warnings(self) -> tuple[str, ...]:
        """What looks wrong with the reports, each led by its question."""
        return tuple(
            f"{question.question}: {warning}"
            for question in self.questions
            for warning in question.warnings
        )

    def to_document(self) -> dict[str, Any]:
        """The results as plain JSON values with stable keys; no NaN."""
        return {
            "survey": self.survey,
            "digest": self.digest,
            "edition": self.edition,
            "reports": self.reports,
            "confidence": self.confidence,
            "interval": self.interval.value,
            "simultaneous": self.simultaneous,
            "questions": [question.to_document() for question in self.questions],
            "warnings": list(self.warnings),
        }

    def to_frame(self) -> "pd.DataFrame":
        """One row for each option, as a pandas data frame.

        Raises:
            PandasMissing: pandas is not installed.
        """
        try:
            # Only here, so that everything else works without it.
            import pandas as pd  # noqa: PLC0415 - see above
        except ImportError:
            raise PandasMissing(
                "a data frame needs pandas, which is not installed; run: pip install pandas"
            ) from None
        rows = [
            {
                **_question_columns(question),
                **option.to_document(),
                "standard_error": option.standard_error,
            }
            for question in self.questions
            for option in question.options
        ]
        return pd.DataFrame(rows).astype(dict.fromkeys((*_NUMBERS, "standard_error"), "float64"))

    def __repr__(self) -> str:
        every = ", all options of a question at once" if self.simultaneous else ""
        title = (
            f"survey {self.survey}, edition {self.edition}: {self.reports} reports; "
            f"{self.confidence:.6g} {self.interval.value} intervals{every}"
        )
        return "\n\n".join((title, *(str(question) for question in self.questions)))


def _question_columns(question: QuestionEstimate) -> Mapping[str, object]:
    return {name: value for name, value in question.to_document().items() if name != "options"}


def _cells(option: OptionEstimate) -> tuple[str, ...]:
    shares = (option.share, option.low, option.high, option.valid_share)
    variances = (option.mechanism_variance, option.sampling_variance)
    return (
        option.option,
        *("" if share is None else f"{share:.4f}" for share in shares),
        *("" if variance is None else _sd(variance) for variance in variances),
    )


def _sd(variance: float) -> str:
    # A part of the variance can be negative at a raw share outside 0 to 1.
    return f"{math.sqrt(variance):.4f}" if variance >= 0 else "<0"
