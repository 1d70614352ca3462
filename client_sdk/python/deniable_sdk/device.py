"""What happens on the respondent's device: draw blocks, randomize answers."""

import itertools
from bisect import bisect_right
from collections.abc import Mapping, Sequence

from deniable_sdk.canonical import JSON
from deniable_sdk.randomness import REPORT_ID_BYTES, RandomIntegers, ReadBytes, system_bytes
from deniable_sdk.records import Record
from deniable_sdk.report import Report
from deniable_sdk.survey.block import Block
from deniable_sdk.survey.groups import group_of
from deniable_sdk.survey.invited import input_of, invited_group
from deniable_sdk.survey.published import PublishedSurvey
from deniable_sdk.survey.routing import check_answers, follow_routing
from deniable_sdk.tokens import InvalidToken, Token, report_id


def draw_blocks(survey: PublishedSurvey, read_bytes: ReadBytes = system_bytes) -> tuple[str, ...]:
    """The ids of the blocks this respondent is asked, in the survey's order.

    Every choice of `survey.asked` blocks is equally likely, or each block as likely as its
    `draw` says, and none depends on an answer. Where all blocks are asked nothing is drawn.
    """
    return tuple([block.id for block in _draw(survey, read_bytes)])


def randomize(  # noqa: PLR0913 - a program names the few that it needs
    survey: PublishedSurvey,
    answers: Mapping[str, object],
    blocks: Sequence[str] | None = None,
    read_bytes: ReadBytes = system_bytes,
    token: Token | None = None,
    *,
    group: str | None = None,
) -> Report:
    """One report of these answers: call it once and keep only the report.

    A second call on the same answers is a second report and spends epsilon
    again; to try sending again, send the same report.

    Args:
        survey: the published survey, from PublishedSurvey.from_bytes.
        answers: question id to answer; a question left out, or None, is
            "no answer". Questions of blocks that are not asked are ignored,
            except the items of scores, and for those that decide which others
            are reached. A question that is not reached is "no answer", whatever
            the answer was.
        blocks: from draw_blocks; drawn here if left out.
        read_bytes: source of random bytes, the operating system's by default.
        token: of an invited respondent, for a survey by invitation.
        group: that the link of the respondent gave, in a survey with groups by link.
    Raises:
        InvalidAnswer: an answer does not fit its question, or is given for a
            question the survey does not have. The message leaves it out.
        InvalidToken: the survey is by invitation and there is no token of
            one of its groups, or there is one and everybody may answer.
        InvalidGroup: no link of the survey gives this group.
    """
    return randomize_reusing(ReusedValues({}, token, group), survey, answers, blocks, read_bytes)


class ReusedValues(Record, hidden="values token"):
    """What a report contains besides fresh draws.

    Args:
        values: block id to the value that was reported before.
        token: of an invited respondent.
        group: that the respondent's link gave.
    """

    values: Mapping[str, JSON]
    token: Token | None
    group: str | None = None


def randomize_reusing(
    carried: ReusedValues,
    survey: PublishedSurvey,
    answers: Mapping[str, object],
    blocks: Sequence[str] | None,
    read_bytes: ReadBytes,
) -> Report:
    """One report, as randomize makes it, with the values of some blocks given.

    For the client alone, which knows that they were drawn on this device for
    the same answers. Nothing is drawn for them, and their answers are ignored.
    """
    kept, token = carried.values, carried.token
    if carried.group is not None:
        group_of(survey.link_groups, carried.group)
    check_answers(survey, answers)
    asked = _draw(survey, read_bytes) if blocks is None else _chosen(survey, blocks)
    fresh = [block for block in asked if block.id not in kept] if kept else asked
    # All answers are checked before anything is drawn.
    if survey.has_routing or survey.has_scores:
        answers = follow_routing(survey, fresh, answers)
    prepared, draws = [], 0
    for block in fresh:
        mechanism = block.mechanism
        prepared.append((block.id, mechanism.randomize, block.encode(answers)))
        draws += mechanism.draws
    spent = _spend(survey, token) if token or survey.invited else b""
    integers = RandomIntegers(read_bytes, draws, 0 if spent else REPORT_ID_BYTES)
    values = {block.id: kept[block.id] for block in asked if block.id in kept} if kept else {}
    for block_id, draw, encoded in prepared:
        values[block_id] = draw(encoded, integers)
    own_id = (spent or integers.lead).hex()
    return Report(survey.digest, own_id, values, token, carried.group or "")


def _spend(survey: PublishedSurvey, token: Token | None) -> bytes:
    """(16,) bytes: the id of the report that a token is spent on."""
    if token is None:
        raise InvalidToken("got no token; only invited people may answer; nothing was randomized")
    group = invited_group(survey.groups, token.group)
    return report_id(input_of(survey.digest, group, token.nonce))


def _draw(survey: PublishedSurvey, read_bytes: ReadBytes) -> Sequence[Block]:
    if survey.asked == len(survey.blocks):
        return survey.blocks
    integers = RandomIntegers(read_bytes, survey.asked)
    ends = list(itertools.accumulate(block.draw or 0 for block in survey.blocks))
    if ends[-1]:
        return [survey.blocks[bisect_right(ends, integers.below(ends[-1]))]]
    drawn = sorted(integers.sample(len(survey.blocks), survey.asked))
    return [survey.blocks[index] for index in drawn]


def _chosen(survey: PublishedSurvey, chosen: Sequence[str]) -> Sequence[Block]:
    asked = [block for block in survey.blocks if block.id in chosen]
    if len(asked) != len(chosen) or len(asked) != survey.asked:
        raise ValueError(
            f"got {len(chosen)} blocks; allowed are exactly {survey.asked} different ones of: "
            f"{', '.join(block.id for block in survey.blocks)}; draw them with draw_blocks"
        )
    return asked
