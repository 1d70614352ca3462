"""What devices make of answers before they randomize them: routing, and the answer to a block."""

from collections.abc import Mapping

import numpy as np

from deniable_analysis.arrays import Bools
from deniable_analysis.errors import InvalidArgument
from deniable_analysis.estimate.cells import block_membership
from deniable_analysis.estimate.mechanisms.base import Answers
from deniable_sdk import PublishedSurvey
from deniable_sdk.survey.block import Block
from deniable_storage.counts import Integers


def routed(survey: PublishedSurvey, given: Mapping[str, Answers]) -> dict[str, Answers]:
    """The answers as devices count them: none to a question that was not reached."""
    found = dict(given)
    asked = {question.id: question for question in survey.reported}
    for question in survey.reported:
        rule = question.show_if
        if rule is None or rule.question not in asked:
            continue
        leading = [asked[rule.question].names.index(name) for name in rule.options]
        before, own = found[rule.question], found[question.id]
        chosen = before[:, leading] if before.ndim == 2 else np.isin(before, leading)[:, None]
        is_reached, none = chosen.sum(axis=1) > 0, len(question.names) - 1
        if own.ndim == 1:
            found[question.id] = np.where(is_reached, own, none)
        else:
            is_none = np.arange(own.shape[1]) == none
            found[question.id] = np.where(is_reached[:, None], own, is_none)
    return found


def answers_of_block(block: Block, given: Mapping[str, Answers], rows: Integers) -> Answers:
    """The answers to a block.

    Raises:
        InvalidArgument: somebody is led to a required question and does not answer it.
    """
    only, *others = block.questions
    if not block.cells:
        return given[only.id][rows]
    if not others:
        return _places_of_sets(block_membership(block, only) > 0, given[only.id][rows])
    sizes = [len(question.names) for question in block.questions]
    # The last question varies fastest, so the numbers of the cells ascend.
    cells = np.ravel_multi_index(np.transpose(block.cells), sizes)
    joint = np.ravel_multi_index([given[question.id][rows] for question in block.questions], sizes)
    found = np.minimum(np.searchsorted(cells, joint), len(cells) - 1)
    if not np.array_equal(cells[found], joint):
        asked = ", ".join(question.id for question in block.questions if question.required)
        raise InvalidArgument(
            f"answers: got no answer to one of {asked}, which are required; allowed is an option "
            "where a respondent is led to the question"
        )
    return found


def _places_of_sets(sets: Bools, chosen: Bools) -> Integers:
    """The place of each row of chosen options among the sets of options.

    Raises:
        InvalidArgument: "no answer" is chosen together with options.
    """
    _, number = np.unique(np.vstack([sets, chosen]), axis=0, return_inverse=True)
    place = np.full(number.max() + 1, -1, dtype=np.int64)
    place[number[: len(sets)]] = np.arange(len(sets))
    found: Integers = place[number[len(sets) :]]
    if (found < 0).any():
        raise InvalidArgument(
            "answers: got no answer together with options; allowed is one of them alone"
        )
    return found
