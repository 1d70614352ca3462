"""The forecast of one block: its accuracy and its privacy."""

from dataclasses import dataclass
from typing import Any

from deniable_analysis import planned_estimates
from deniable_analysis.forms import document_of
from deniable_analysis.privacy import guess_with_report, guess_without_report
from deniable_sdk import Block, theory
from deniable_sdk.mechanisms import Domain, OneOf
from deniable_sdk.mechanisms.base import Target
from deniable_web.forecast.disclosure import Disclosure
from deniable_web.forecast.estimates import EstimateForecast, Wanted


@dataclass(frozen=True, slots=True)
class BlockForecast:
    """A block's privacy, and the accuracy of all its estimates.

    Args:
        block: the block's id.
        questions: the ids of its questions.
        mechanism: the name of the mechanism.
        in_words: what the device does with an answer.
        epsilon: what one report of this block spends.
        options: how many answers, cells of a crosstab, or options of a set there are,
            including "no answer".
        reports: how many reports are expected; None without respondents.
        guess_without_report: how often somebody without any knowledge guesses the whole
            answer right.
        guess_with_report: the same with the report.
        disclosure: what this block alone can reveal.
        estimates: the estimates, beginning with the one that its author wants most.
    """

    block: str
    questions: tuple[str, ...]
    mechanism: str
    in_words: str
    epsilon: float
    options: int
    reports: float | None
    guess_without_report: float
    guess_with_report: float
    disclosure: Disclosure
    estimates: tuple[EstimateForecast, ...]

    @classmethod
    def of(cls, block: Block, target: Target, wanted: Wanted) -> "BlockForecast":
        """The forecast of a published block for the target that its author wants."""
        questions = {question.id: question for question in block.questions}
        reports = wanted.reports
        return cls(
            block=block.id,
            questions=tuple(questions),
            mechanism=block.mechanism.name,
            in_words=theory.describe(block.mechanism),
            epsilon=block.epsilon,
            options=option_count(block.domain),
            reports=None if reports is None else float(reports),
            guess_without_report=float(guess_without_report(block.domain)),
            guess_with_report=float(guess_with_report(block.mechanism)),
            disclosure=Disclosure.of(block.ratio),
            estimates=tuple(
                EstimateForecast.of(planned, questions.get(planned.question or ""), wanted)
                for planned in planned_estimates(block, target)
            ),
        )

    def to_document(self) -> dict[str, Any]:
        """The block as plain JSON values; its margin is that of its first estimate."""
        first = self.estimates[0]
        return {
            **document_of(self, "disclosure", "estimates"),
            **self.disclosure.to_document(),
            "margin": first.margin,
            "respondents_for_margin": first.respondents_for_margin,
            "estimates": [estimate.to_document() for estimate in self.estimates],
        }

    def to_rows(self) -> list[dict[str, Any]]:
        """One flat row for each estimate, for a table of numbers."""
        document = self.to_document()
        nested = ("beliefs", "estimates", "margin", "respondents_for_margin")
        flat = {key: value for key, value in document.items() if key not in nested}
        for belief in self.disclosure.beliefs:
            name = f"belief_{float(belief.prior):g}"
            flat |= {f"{name}_low": float(belief.low), f"{name}_high": float(belief.high)}
        flat["questions"] = " ".join(self.questions)
        return [{**flat, **estimate.to_document()} for estimate in self.estimates]


def option_count(domain: Domain) -> int:
    """How many answers there are to choose from, including "no answer"."""
    return domain.size if isinstance(domain, OneOf) else domain.options
