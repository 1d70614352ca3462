"""What happens on the respondent's device: draw blocks, randomize answers."""

import os
from collections.abc import Mapping, Sequence

from deniable_sdk.canonical import kind
from deniable_sdk.errors import InvalidAnswer
from deniable_sdk.randomness import DRAW_BYTES, REPORT_ID_BYTES, RandomIntegers, ReadBytes
from deniable_sdk.report import Report
from deniable_sdk.survey.block import Block
from deniable_sdk.survey.published import PublishedSurvey
from deniable_sdk.survey.routing import follow_routing


def draw_blocks(survey: PublishedSurvey, read_bytes: ReadBytes = os.urandom) -> tuple[str, ...]:
    """The ids of the blocks this respondent is asked, in the survey's order.

    Every choice of `survey.asked` blocks is equally likely and none depends
    on an answer. Where all blocks are asked nothing is drawn.
    """
    if survey.asked == len(survey.blocks):
        return tuple([block.id for block in survey.blocks])
    integers = RandomIntegers(read_bytes, DRAW_BYTES * survey.asked)
    drawn = sorted(integers.sample(len(survey.blocks), survey.asked))
    return tuple([survey.blocks[place].id for place in drawn])


def randomize(
    survey: PublishedSurvey,
    answers: Mapping[str, object],
    blocks: Sequence[str] | None = None,
    read_bytes: ReadBytes = os.urandom,
) -> Report:
    """One report of these answers: call it once and keep only the report.

    A second call on the same answers is a second report and spends epsilon
    again; to try sending again, send the same report.

    Args:
        survey: the published survey, from PublishedSurvey.from_bytes.
        answers: question id to answer; a question left out, or None, is
            "no answer". Questions of blocks that are not asked are ignored,
            but for those that decide which others are reached; a question
            that is not reached is "no answer", whatever was given.
        blocks: what draw_blocks gave; drawn here if left out.
        read_bytes: source of random bytes, the operating system's by default.
    Raises:
        InvalidAnswer: an answer does not fit its question, or is given for a
            question the survey does not have. The message leaves it out.
    """
    if not isinstance(answers, dict | Mapping):
        raise InvalidAnswer(
            f"got {kind(answers)}; allowed is a mapping from question id to answer"
        )
    asked = _asked_blocks(survey, draw_blocks(survey, read_bytes) if blocks is None else blocks)
    if not answers.keys() <= survey.question_ids:
        raise InvalidAnswer(
            f"answers were given for {len(answers.keys() - survey.question_ids)} questions that "
            f"survey {survey.slug!r} does not have; it has: "
            f"{', '.join(question.id for question in survey.questions)}"
        )
    # All answers are checked before anything is drawn.
    if survey.has_routing:
        answers = follow_routing(survey, asked, answers)
    places = [block.place(answers) for block in asked]
    draws = sum([block.mechanism.draws for block in asked])
    integers = RandomIntegers(read_bytes, REPORT_ID_BYTES + DRAW_BYTES * draws)
    report_id = integers.read(REPORT_ID_BYTES).hex()
    values = {
        block.id: block.mechanism.randomize(place, integers)
        for block, place in zip(asked, places, strict=True)
    }
    return Report(survey.digest, report_id, values)


def _asked_blocks(survey: PublishedSurvey, chosen: Sequence[str]) -> list[Block]:
    asked = [block for block in survey.blocks if block.id in chosen]
    if len(asked) != len(chosen) or len(asked) != survey.asked:
        raise ValueError(
            f"got {len(chosen)} blocks; allowed are exactly {survey.asked} different ones of: "
            f"{', '.join(block.id for block in survey.blocks)}; draw them with draw_blocks"
        )
    return asked
