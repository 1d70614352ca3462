"""The evidence of a study about one question: estimates, and their counts."""

from collections.abc import Sequence
from dataclasses import dataclass

from deniable_analysis.estimate.choice import IntervalChoice
from deniable_analysis.estimate.mechanisms import analysis_of
from deniable_analysis.estimate.question_shares import QuestionCells, reported_margins
from deniable_analysis.estimate.questions import (
    check_supported,
    estimate_question,
    estimate_questions,
)
from deniable_analysis.estimate.tallies import Tally
from deniable_analysis.relations.questions import label
from deniable_analysis.reports.reported import ReportedSurvey
from deniable_analysis.results.questions import QuestionEstimate
from deniable_sdk.mechanisms import Subset
from deniable_sdk.survey.block import Block
from deniable_sdk.survey.published import PublishedSurvey
from deniable_sdk.survey.questions import Question
from deniable_storage.counts import BlockCounts, SurveyCounts


@dataclass(frozen=True, slots=True)
class Evidence:
    """One question of one study, or of one stratum of a study.

    Args:
        label: name of the study or of the stratum.
        survey: survey of the question.
        question: the question.
        counts: counts of all blocks that contain the question.
        estimate: estimate of the question.
        tallies: one for each option, if the numbers of supporting reports are
            binomial counts.
        margins: margins of the question in each block with reports that is
            randomized by subset selection.
        population: number of people that the respondents are a sample of; None
            if it is many times the number of respondents.
        people: number of people of the stratum.
    """

    label: str
    survey: PublishedSurvey
    question: Question
    counts: SurveyCounts
    estimate: QuestionEstimate
    tallies: tuple[Tally, ...] | None
    margins: tuple[QuestionCells, ...]
    population: int | None
    people: int = 0

    @property
    def is_reported(self) -> bool:
        """Whether there are reports, and every option has a share."""
        options = self.estimate.options
        return bool(self.estimate.reports) and all(each.share is not None for each in options)

    @property
    def block(self) -> Block:
        """The first block of the question."""
        return next(each for each in self.survey.blocks if each.id == self.estimate.blocks[0])

    @property
    def warnings(self) -> list[str]:
        """The warnings of the estimate, each with the name of the study."""
        return [f"{self.label}: {warning}" for warning in self.estimate.warnings]


def evidence(study: ReportedSurvey, question: Question, choice: IntervalChoice) -> Evidence:
    """The evidence of a study about a question, from a single read of its counts.

    Raises:
        UnsupportedMechanism: this version cannot debias one of its blocks.
    """
    blocks = tuple(block for block in study.survey.blocks if question in block.questions)
    check_supported(blocks)
    counts = study.count(blocks)
    found = estimate_question(study.survey, question, counts, choice)
    return evidence_of(found, label(study), study.survey, counts, choice.population)


def evidence_of_each(
    study: ReportedSurvey,
    questions: Sequence[Question],
    counts: SurveyCounts,
    choice: IntervalChoice,
    name: str,
) -> list[Evidence]:
    """The evidence about each question, from one read of the reports of a study or a part of it.

    `counts` are those of the blocks of these questions, and of those that lead to them.
    `name` and the population of `choice` are those of the part.
    """
    found = estimate_questions(study.survey, study.edition, questions, counts, choice)
    return [
        evidence_of(each, name, study.survey, counts, choice.population)
        for each in found.questions
    ]


def evidence_of(
    found: QuestionEstimate,
    name: str,
    survey: PublishedSurvey,
    counts: SurveyCounts,
    population: int | None,
) -> Evidence:
    """The evidence behind an estimate; the arguments are fields of Evidence."""
    (question,) = (each for each in survey.questions if each.id == found.question)
    blocks = [block for block in survey.blocks if question in block.questions]
    used = [block for block in blocks if block.id in found.blocks]
    tallies = tally_of(question, used[0], counts.blocks[used[0].id]) if len(used) == 1 else None
    # The options of a multiple choice are no parts of one whole, which margins are.
    by_subset = [
        block
        for block in used
        if isinstance(block.mechanism, Subset) and not question.accepts_several
    ]
    margins = tuple(reported_margins(question, by_subset, counts))
    return Evidence(name, survey, question, counts, found, tallies, margins, population)


def tally_of(question: Question, block: Block, counts: BlockCounts) -> tuple[Tally, ...] | None:
    """The supporting reports of each option; None if they are not binomial counts."""
    if not block.cells:
        tallies = analysis_of(block).tallies
        return tuple(tallies(block.mechanism, counts)) if tallies else None
    margin = QuestionCells.of(question, block, counts)
    return margin.basis.counted(margin.membership)
