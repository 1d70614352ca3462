"""The estimates of questions and crosstabs, from the counts of a survey's blocks."""

import itertools
from collections.abc import Sequence
from dataclasses import replace

from deniable_analysis.defaults import Interval
from deniable_analysis.errors import UnsupportedMechanism
from deniable_analysis.estimate.alarms import sum_warnings
from deniable_analysis.estimate.asked import among_asked
from deniable_analysis.estimate.cells import (
    JointBasis,
    combined_membership,
    group_sizes,
    joint_mechanism,
)
from deniable_analysis.estimate.choice import IntervalChoice, comparisons_among
from deniable_analysis.estimate.means import mean_of_sums, sums_of_shares
from deniable_analysis.estimate.mechanisms import analysis_of
from deniable_analysis.estimate.mechanisms.base import Findings, tally_findings
from deniable_analysis.estimate.question_shares import (
    QuestionCells,
    anytime_question_mean,
    anytime_shares,
    block_weights,
    expected_both,
    pool_margins,
    pooled_tails,
)
from deniable_analysis.estimate.tallies import NORMAL
from deniable_analysis.results.answers import numeric_levels, row_names
from deniable_analysis.results.crosstab import CrosstabEstimate
from deniable_analysis.results.estimates import Estimates
from deniable_analysis.results.questions import QuestionEstimate
from deniable_analysis.results.shares import OptionEstimate, named_cells, named_options
from deniable_sdk.mechanisms import Subset
from deniable_sdk.survey.block import Block
from deniable_sdk.survey.published import PublishedSurvey
from deniable_sdk.survey.questions import Question
from deniable_storage.counts import BlockCounts, SurveyCounts


def check_supported(blocks: Sequence[Block]) -> None:
    """Raise UnsupportedMechanism unless this version can analyse every block."""
    for block in blocks:
        if not isinstance(block.mechanism, Subset):
            analysis_of(block)
        if block.cells and joint_mechanism(block).size > 1:
            _check_sets(block)


def _check_sets(block: Block) -> None:
    if block.questions[0].accepts_several:
        raise UnsupportedMechanism(
            f"block {block.id!r} reports several of all sets of options; this version debiases "
            "reports of one"
        )


def with_routers(survey: PublishedSurvey, questions: Sequence[Question]) -> tuple[Question, ...]:
    """These questions and the routers of any of them, in the survey's order."""
    ids = {question.id for question in questions}
    ids |= {question.show_if.question for question in questions if question.show_if}
    return tuple(question for question in survey.reported if question.id in ids)


def blocks_of(survey: PublishedSurvey, questions: Sequence[Question]) -> tuple[Block, ...]:
    """The blocks that contain any of these questions."""
    return tuple(
        block
        for block in survey.blocks
        if any(question in questions for question in block.questions)
    )


def estimate_questions(
    survey: PublishedSurvey,
    edition: int,
    questions: Sequence[Question],
    counts: SurveyCounts,
    choice: IntervalChoice,
) -> Estimates:
    """The estimates of questions, and of the crosstabs that contain them.

    `counts` are those of all blocks that contain these questions or their routers.
    """
    found = {
        question.id: estimate_question(survey, question, counts, choice)
        for question in with_routers(survey, questions)
    }
    paths = found
    if choice.interval is Interval.ANYTIME:
        routed = [question for question in questions if question.show_if]
        paths = {
            question.id: estimate_question(survey, question, counts, choice.shared(2))
            for question in with_routers(survey, routed)
        }
    return Estimates(
        survey=survey.slug,
        digest=survey.digest,
        edition=edition,
        reports=counts.report_count,
        confidence=choice.confidence,
        interval=choice.interval,
        simultaneous=choice.simultaneous,
        questions=tuple(
            replace(found[question.id], among=among_asked(survey, paths, question, counts, choice))
            if question.show_if
            else found[question.id]
            for question in questions
        ),
        crosstabs=tuple(
            _estimate_crosstab(block, counts.blocks[block.id], choice)
            for block in blocks_of(survey, questions)
            if block.is_crosstab
        ),
    )


def estimate_question(
    survey: PublishedSurvey, question: Question, counts: SurveyCounts, choice: IntervalChoice
) -> QuestionEstimate:
    """The estimates of one question, from the counts of all blocks that contain it."""
    blocks = used_blocks(survey, question)
    findings = _findings(survey, question, blocks, counts, choice)
    reports = sum(counts.blocks[block.id].report_count for block in blocks)
    return QuestionEstimate(
        question=question.id,
        type=question.type,
        blocks=tuple(block.id for block in blocks),
        reports=reports,
        epsilon=max(block.epsilon for block in blocks),
        interval=findings.interval,
        options=_named(question, findings.options),
        mean=findings.mean,
        distribution=findings.distribution,
        warnings=(
            *findings.warnings,
            *_noise_warnings(findings, choice),
        ),
    )


def _named(question: Question, options: tuple[OptionEstimate, ...]) -> tuple[OptionEstimate, ...]:
    """The options of a table of all respondents, with the names of its rows."""
    names = dict(zip(question.names, row_names(question), strict=True))
    return tuple(replace(each, option=names[each.option]) for each in options)


def _noise_warnings(findings: Findings, choice: IntervalChoice) -> tuple[str, ...]:
    """A sentence if estimates have no interval because of the noise of a release."""
    found = [(each.share, each.low, each.release_variance) for each in findings.options]
    if findings.mean:
        found.append((findings.mean.value, findings.mean.low, findings.mean.release_variance))
    is_missing = any(
        value is not None and low is None and released is not None
        for value, low, released in found
    )
    if choice.interval is not Interval.ANYTIME or not is_missing:
        return ()
    sentence = (
        "estimates from counts with noise have no interval here that holds at every look; if "
        "nobody decided by the results when to end the survey, pass interval='wilson'"
    )
    return (sentence,)


def used_blocks(survey: PublishedSurvey, question: Question) -> tuple[Block, ...]:
    """The blocks whose shares can be pooled; the first block if there are none.

    Our compiler puts a question into several blocks only for crosstabs, which
    can be pooled. Another compiler's document may also ask the question on its
    own.
    """
    blocks = tuple(block for block in survey.blocks if question in block.questions)
    return tuple(block for block in blocks if isinstance(block.mechanism, Subset)) or blocks[:1]


def _findings(
    survey: PublishedSurvey,
    question: Question,
    blocks: Sequence[Block],
    counts: SurveyCounts,
    choice: IntervalChoice,
) -> Findings:
    first = blocks[0]
    findings = None if isinstance(first.mechanism, Subset) else analysis_of(first).findings
    if findings and len(first.questions) == 1:
        return findings(first.mechanism, question, counts.blocks[first.id], choice)
    margins = [QuestionCells.of(question, block, counts.blocks[block.id]) for block in blocks]
    if question.accepts_several:
        tallies = margins[0].basis.counted(margins[0].membership)
        assert tallies  # noqa: S101 - see check_supported
        return tally_findings(question.names, tallies, choice)
    return _margin_findings(margins, expected_both(survey, counts.report_count), choice)


def _margin_findings(
    margins: Sequence[QuestionCells], asked_both: float, choice: IntervalChoice
) -> Findings:
    """The shares of a question, and the mean if its answers are numbers.

    In a single block, the number of reports that support an option is a
    binomial count; if it is not, intervals for one look are normal. Several
    blocks are pooled, also with normal intervals. `asked_both` is the number of
    respondents who were asked any two of these blocks.
    """
    question, reported = margins[0].question, [each for each in margins if each.reports]
    is_anytime = choice.interval is Interval.ANYTIME
    rule = choice.among(comparisons_among(len(question.names)))
    (margin, *others) = margins
    if not others and margin.basis.is_binomial(max(group_sizes(margin.membership))):
        numbers = margin.basis.numbers(margin.membership, rule)
        interval = rule.interval.value
        warnings = margin.basis.warnings(question.names, margin.membership)
        is_mean_wanted = reported and numeric_levels(question) is not None
        shares = margin.shares().of_population(choice.population) if is_mean_wanted else None
    elif reported:
        interval = rule.interval.value if is_anytime else NORMAL
        shares = pool_margins(reported, asked_both).of_population(choice.population)
        reports = sum(margin.reports for margin in reported)
        ends = anytime_shares(reported, rule) if is_anytime else None
        numbers = shares.numbers(reports, rule, ends)
        # The same part of each block's reports is assumed to be forged.
        forged = float(block_weights(reported) @ [each.manipulation_margin for each in reported])
        numbers = [{**row, "manipulation_margin": forged} for row in numbers]
        warnings = ()
        if shares.release_part is None:
            warnings = sum_warnings(question.names, shares.shares, pooled_tails(reported))
    else:
        numbers, interval, warnings, shares = [{}] * len(question.names), NORMAL, (), None
    mean, scale = None, numeric_levels(question)
    if scale is not None:
        sums = sums_of_shares(scale, shares) if shares else None
        mean = mean_of_sums(question, scale, sums, choice.confidence)
        if mean.value is not None and is_anytime:
            mean = anytime_question_mean(mean, reported, choice)
    return Findings(interval, named_options(question.names, numbers), mean, warnings=warnings)


def _estimate_crosstab(
    block: Block, counts: BlockCounts, choice: IntervalChoice
) -> CrosstabEstimate:
    """The shares of all combinations of the options of a block's questions."""
    basis = JointBasis(joint_mechanism(block), counts)
    rule = choice.among(basis.mechanism.domain_size)
    # The last question varies fastest, as in the block's domain.
    cells = tuple(itertools.product(*map(row_names, block.questions)))
    alone = combined_membership(block, block.questions)
    return CrosstabEstimate(
        block=block.id,
        questions=tuple(question.id for question in block.questions),
        reports=counts.report_count,
        epsilon=block.epsilon,
        interval=basis.interval(alone, rule),
        cells=named_cells(cells, basis.numbers(alone, rule)),
        warnings=basis.warnings([", ".join(cell) for cell in cells], alone),
    )
