"""The forecast of one block: the accuracy of its estimates, and its privacy."""

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from deniable_analysis.forms import document_of
from deniable_analysis.planning import Estimated, PlannedEstimate, planned_estimates
from deniable_analysis.planning.looks import Looks
from deniable_analysis.privacy import guess_with_report, guess_without_report
from deniable_sdk import Block, theory
from deniable_sdk.mechanisms import Domain, OneOf
from deniable_sdk.mechanisms.base import Scale, Target
from deniable_sdk.survey.questions import Question
from deniable_sdk.survey.text import in_language
from deniable_web.forecast.disclosure import Disclosure

SHARE = "share"
LEVELS = "levels"


@dataclass(frozen=True, slots=True)
class Wanted:
    """The author's parameters of a forecast.

    Args:
        respondents: those of the whole survey; each is asked only some blocks.
        margin: the wanted margin; for a mean, a part of its range.
        part: how likely a respondent is asked a given block.
        at_every: how intervals at every look are computed; None if the survey has an end of its
            own, for which margins are those of one look.
    """

    respondents: int | None
    margin: Fraction | None
    part: Fraction
    at_every: Looks | None = None

    @property
    def reports(self) -> Fraction | None:
        """The expected reports of a block."""
        return None if self.respondents is None else self.respondents * self.part


@dataclass(frozen=True, slots=True)
class EstimateForecast:
    """The accuracy of one kind of estimate, at its hardest truth.

    Args:
        estimated: the kind of estimate: the share of an option, of a cell or of one
            question of a crosstab, a mean, or the share at or above a cut-off of a score.
        question: its id; None for the cells of a crosstab.
        unit: "share", or the unit of a mean; "" if the author gave none.
        margin: half the width of the 95 % interval, in the unit.
        wanted_margin: the wanted margin, in the unit.
        respondents_for_margin: the respondents of the whole survey for the wanted margin.
        margin_at_every_look: half the width of the interval that holds at every look; None if
            the survey has an end of its own.
    """

    estimated: Estimated
    question: str | None
    unit: str
    margin: float | None
    wanted_margin: float | None
    respondents_for_margin: int | None
    margin_at_every_look: float | None

    @classmethod
    def of(
        cls, planned: PlannedEstimate, question: Question | None, wanted: Wanted
    ) -> "EstimateForecast":
        """The forecast of a planned estimate."""
        margin, at_every, wanted_margin, needed = None, None, None, None
        if wanted.reports is not None:
            known = planned, wanted.reports, wanted.part
            margin = Looks().margin(*known) * float(planned.length)
            if wanted.at_every:
                at_every = margin * wanted.at_every.times(*known)
        if wanted.margin is not None:
            wanted_margin = float(wanted.margin * planned.length)
            needed = Looks().respondents_for(planned, wanted.margin, wanted.part)
        unit = unit_of(planned.estimated, question)
        found = planned.estimated, planned.question, unit
        return cls(*found, margin, wanted_margin, needed, at_every)

    def to_document(self) -> dict[str, Any]:
        """The estimate as plain JSON values."""
        return {"estimate": self.estimated.value, **document_of(self, "estimated")}


def unit_of(estimated: Estimated, question: Question | None) -> str:
    """The unit of an estimate's margin: "share", or that of a mean; "" if it has none."""
    if estimated is not Estimated.MEAN:
        return SHARE
    if question and question.scale is Scale.NUMERIC:
        # In the first of its languages: any text shows people the unit.
        return in_language(question.unit, "") if question.unit else ""
    return LEVELS


def margin_in_unit(margin: float, unit: str) -> str:
    """A margin in words."""
    return f"±{margin:.3f}" if unit == SHARE else f"±{margin:.3g} {unit}".rstrip()


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
        part: how likely a respondent is asked the block.
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
    part: Fraction
    reports: float | None
    guess_without_report: float
    guess_with_report: float
    disclosure: Disclosure
    estimates: tuple[EstimateForecast, ...]

    @classmethod
    def of(cls, block: Block, target: Target, wanted: Wanted) -> "BlockForecast":
        """The forecast of a published block for the target that its author wants."""
        questions = {question.id: question for question in block.questions}
        reports, is_alone = wanted.reports, len(block.questions) == 1
        return cls(
            block=block.id,
            questions=tuple(questions),
            mechanism=block.mechanism.name,
            in_words=theory.describe(block.mechanism),
            epsilon=block.epsilon,
            options=option_count(block.questions[0].domain if is_alone else block.domain),
            part=wanted.part,
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
            **document_of(self, "disclosure", "estimates", "part"),
            "part": float(self.part),
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
