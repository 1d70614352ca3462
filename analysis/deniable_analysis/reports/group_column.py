"""The group of each report, as a column of a regression."""

from collections.abc import Sequence

import numpy as np

from deniable_analysis.reports.strata import GroupCounts
from deniable_sdk.mechanisms import ValueForm
from deniable_sdk.survey.block import Block
from deniable_sdk.survey.published import PublishedSurvey
from deniable_storage.counts import Integers, JointCounts
from deniable_storage.tables import GROUP_COLUMN
from deniable_storage.values import TupleTally


def group_column(survey: PublishedSurvey) -> str | None:
    """The name of the group in a formula; None if the survey has no groups.

    A question may have the id "group"; no id begins as the other name does.
    """
    if not survey.groups:
        return None
    is_taken = any(question.id == "group" for question in survey.questions)
    return GROUP_COLUMN if is_taken else "group"


def joint_counts_by_group(
    counts: GroupCounts, groups: Sequence[str], blocks: Sequence[Block]
) -> tuple[JointCounts, Integers]:
    """The tuples of all groups in the order of those of one store, and each one's group.

    A tuple that several groups reported is there once for each; its group is an index.
    """
    forms = tuple(block.mechanism.form for block in blocks)
    tally = TupleTally((*forms, ValueForm(len(groups))))
    for index, group in enumerate(groups):
        found = counts.joint_counts(group, blocks)
        of_group = np.full(len(found.counts), index)
        tally.add([*map(found.of, range(len(forms))), of_group], found.counts)
    whole = tally.joint_counts()
    return JointCounts(whole.values[:-1], whole.indexes[:, :-1], whole.counts), whole.of(-1)
