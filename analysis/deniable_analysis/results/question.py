"""The estimates of one question."""

from dataclasses import dataclass
from typing import Any

from deniable_analysis.results.numbers import DistributionEstimate, MeanEstimate
from deniable_analysis.results.shares import SHARE_HEADERS, OptionEstimate
from deniable_analysis.text_table import text_table


@dataclass(frozen=True, slots=True, kw_only=True)
class QuestionEstimate:
    """What is estimated of one question, as far as its reports can tell.

    Args:
        question: its id.
        type: its type.
        blocks: the blocks it was randomized in; several, if it stands in
            several crosstabs, whose estimates are then pooled.
        reports: how many reports these blocks have, together.
        epsilon: what a report spends on one such block, at most.
        interval: which intervals the options have: "wilson",
            "clopper-pearson" or "normal". That of a mean is always normal.
        options: in the question's order, "no_answer" last if it has it. Of a
            number only "no_answer", and nothing where everybody must answer.
        mean: of a number or scale; None for other questions.
        distribution: of a number or scale randomized by `square_wave`.
        warnings: what looks wrong with the reports.
    """

    question: str
    type: str
    blocks: tuple[str, ...]
    reports: int
    epsilon: float
    interval: str
    options: tuple[OptionEstimate, ...]
    mean: MeanEstimate | None = None
    distribution: DistributionEstimate | None = None
    warnings: tuple[str, ...] = ()

    def to_document(self) -> dict[str, Any]:
        """The estimates as plain JSON values."""
        return {
            "question": self.question,
            "type": self.type,
            "blocks": list(self.blocks),
            "reports": self.reports,
            "epsilon": self.epsilon,
            "interval": self.interval,
            "options": [option.to_document() for option in self.options],
            "mean": self.mean.to_document() if self.mean else None,
            "distribution": self.distribution.to_document() if self.distribution else None,
        }

    def __str__(self) -> str:
        title = (
            f"{self.question} ({self.type}): {self.reports} reports, epsilon {self.epsilon:.4g}"
        )
        if not self.reports:
            return f"{title}\nno report carries this question yet, so there is no estimate"
        if self.blocks != (self.question,):
            title += f", from {', '.join(self.blocks)}; {self.interval} intervals"
        return "\n".join((title, *self._tables(), *(f"warning: {text}" for text in self.warnings)))

    def _tables(self) -> list[str]:
        tables = []
        if self.options:
            rows = [(option.option, *option.cells()) for option in self.options]
            tables.append(text_table(("option", *SHARE_HEADERS), rows))
        tables.extend(str(part) for part in (self.mean, self.distribution) if part is not None)
        return tables
