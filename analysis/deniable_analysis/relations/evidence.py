"""The evidence of a study about one question: estimates, and their counts."""

from dataclasses import dataclass

from deniable_analysis.estimation.questions import check_supported, estimate_question
from deniable_analysis.mechanisms import IntervalChoice, Tally, analysis_of
from deniable_analysis.mechanisms.margins import Margin
from deniable_analysis.reports.reported import ReportedSurvey
from deniable_analysis.results import QuestionEstimate
from deniable_sdk.mechanisms import Subset
from deniable_sdk.survey.block import Block
from deniable_sdk.survey.published import PublishedSurvey
from deniable_sdk.survey.questions import Question
from deniable_storage.counts import BlockCounts, SurveyCounts


@dataclass(frozen=True, slots=True)
class Evidence:
    """One question of one study.

    Args:
        estimate: estimate of the question.
        tallies: one for each option, if the numbers of supporting reports are
            binomial counts.
        margins: margins of the question in each block with reports that is
            randomized by subset selection.
        population: number of people that the respondents are a sample of; None
            if it is many times the number of respondents.
    """

    estimate: QuestionEstimate
    tallies: tuple[Tally, ...] | None
    margins: tuple[Margin, ...]
    population: int | None


def evidence(study: ReportedSurvey, question: Question, choice: IntervalChoice) -> Evidence:
    """The evidence of a study about a question, from a single read of its counts.

    Raises:
        UnsupportedMechanism: this version cannot debias one of its blocks.
    """
    blocks = tuple(block for block in study.survey.blocks if question in block.questions)
    check_supported(blocks)
    counts = study.count(blocks)
    found = estimate_question(study.survey, question, counts, choice)
    return evidence_of(study.survey, found, counts, choice.population)


def evidence_of(
    survey: PublishedSurvey, found: QuestionEstimate, counts: SurveyCounts, population: int | None
) -> Evidence:
    """The evidence behind an estimate.

    Args:
        survey: survey of the question.
        found: estimate of one of its questions.
        counts: counts of all blocks that contain the question.
        population: as in Evidence.
    """
    (question,) = (each for each in survey.questions if each.id == found.question)
    blocks = [block for block in survey.blocks if question in block.questions]
    used = [block for block in blocks if block.id in found.blocks]
    tallies = tally_of(question, used[0], counts.blocks[used[0].id]) if len(used) == 1 else None
    margins = [
        Margin.of(question, block, counts.blocks[block.id])
        for block in used
        if isinstance(block.mechanism, Subset)
    ]
    reported = tuple(margin for margin in margins if margin.reports)
    return Evidence(found, tallies, reported, population)


def tally_of(question: Question, block: Block, counts: BlockCounts) -> tuple[Tally, ...] | None:
    """The supporting reports of each option; None if they are not binomial counts."""
    if len(block.questions) == 1:
        tallies = analysis_of(block).tallies
        return tuple(tallies(block.mechanism, counts)) if tallies else None
    margin = Margin.of(question, block, counts)
    counted = margin.basis.counted(margin.membership)
    if counted is None:
        return None
    support, channel = counted
    return tuple(Tally(each, counts.report_count, channel) for each in support)
