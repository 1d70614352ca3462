"""A whole survey answered by many respondents at once."""

from collections import Counter
from collections.abc import Iterable, Mapping

import numpy as np
from numpy.typing import ArrayLike

from deniable_analysis.counts import BlockCounts, Counts, Said
from deniable_analysis.errors import InvalidAnswers
from deniable_analysis.simulation.block import (
    CHUNK_CELLS,
    check_answers,
    draw_rows,
    simulate_block,
)
from deniable_analysis.simulation.mechanisms import Answers, Integers
from deniable_analysis.simulation.mechanisms.marking import Marks, Places, mark_subsets
from deniable_analysis.study import Study
from deniable_sdk import PublishedSurvey
from deniable_sdk.survey.block import Block


def simulate_survey(
    survey: PublishedSurvey, answers: Mapping[str, ArrayLike], generator: np.random.Generator
) -> Study:
    """The study of respondents who answer so, ready to be estimated.

    Each is asked some of the blocks, drawn as a device does. What is kept are
    counts: memory does not grow with the respondents.

    Args:
        survey: published.
        answers: for each question, in the order of respondents, the place of
            what was chosen among its names ("no answer" is the last of them);
            for a question where several may be chosen, truth values of shape
            (respondents, names).
        generator: numpy's, with a seed to repeat a simulation.
    Raises:
        InvalidAnswers: a question's answers are missing, or not as many as
            another's, or none of its own.
    """
    given = _of_questions(survey, answers)
    counts = _simulate_counts(survey, given, generator)
    return Study(survey, 1, lambda _: counts)


def _simulate_counts(
    survey: PublishedSurvey, given: Mapping[str, Answers], generator: np.random.Generator
) -> Counts:
    respondents = len(given[survey.questions[0].id])
    said: dict[str, Counter[Said]] = {block.id: Counter() for block in survey.blocks}
    carried: Counter[str] = Counter()
    rows = max(1, CHUNK_CELLS // len(survey.blocks))
    for start in range(0, respondents, rows):
        asked = _draw_asked(survey, min(rows, respondents - start), generator)
        for block, is_asked in zip(survey.blocks, asked.T, strict=True):
            of_block = _of_block(block, given, start + is_asked.nonzero()[0])
            counts = simulate_block(block.mechanism, of_block, generator)
            carried[block.id] += counts.report_count
            said[block.id].update(counts.said)
    blocks = {name: BlockCounts(carried[name], said[name]) for name in said}
    return Counts(respondents, blocks)


def _of_questions(survey: PublishedSurvey, answers: Mapping[str, ArrayLike]) -> dict[str, Answers]:
    asked = {question.id: question.domain for question in survey.questions}
    if answers.keys() != asked.keys():
        raise InvalidAnswers(
            f"answers: got those of {_listed(answers)}; allowed are those of every question of "
            f"survey {survey.slug!r}: {_listed(asked)}"
        )
    given = {
        name: check_answers(domain, answers[name], f"answers: question {name!r}")
        for name, domain in asked.items()
    }
    lengths = {len(each) for each in given.values()}
    if len(lengths) > 1:
        raise InvalidAnswers(
            f"answers: got from {min(lengths)} to {max(lengths)} for a question; allowed are as "
            "many for each as there are respondents"
        )
    return given


def _listed(names: Iterable[str]) -> str:
    return ", ".join(names) or "no question"


def _draw_asked(survey: PublishedSurvey, rows: int, generator: np.random.Generator) -> Marks:
    """Which blocks each respondent is asked: rows by blocks."""
    blocks, asked = len(survey.blocks), survey.asked
    marks = np.zeros((rows, blocks), dtype=np.bool_)
    mark_subsets(marks, Places(blocks, np.asarray), asked, asked, draw_rows(generator, rows))
    return marks


def _of_block(block: Block, given: Mapping[str, Answers], rows: Integers) -> Answers:
    """The answers to a block; with several questions the last varies fastest."""
    first, *others = block.questions
    joint = given[first.id][rows]
    for question in others:
        joint = joint * question.domain.size + given[question.id][rows]
    return joint
