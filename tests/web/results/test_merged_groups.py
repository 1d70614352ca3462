"""Which groups count as one, so that no stratum has few reports; by enumeration."""

import itertools
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pytest

from deniable_analysis import Study
from deniable_analysis.errors import NoGroups, NotIdentified
from deniable_sdk.survey.block import Block
from deniable_sdk.survey.groups import NO_GROUP
from deniable_storage.counts import (
    BlockCounts,
    JointCounts,
    Member,
    SurveyCounts,
    sum_of_counts,
)
from deniable_web.results.small_parts import (
    LargeStrata,
    groups_to_merge,
    merged_with,
    without_small_parts,
)
from sample_definitions import multiple, survey, yes_no

ASKED = survey(yes_no("a"), yes_no("b"), ask=1)
A, B = ASKED.blocks
NAMES = ("x", "y", "z")


def counts(first: int, second: int) -> SurveyCounts:
    """Counts of a group; each report has one of the two blocks."""
    blocks = {"a": BlockCounts(first, {0: first}), "b": BlockCounts(second, {1: second})}
    return SurveyCounts(first + second, blocks)


def every_survey() -> Iterator[dict[str, SurveyCounts]]:
    """All surveys of three groups with up to three reports of each block."""
    for numbers in itertools.product(range(4), repeat=2 * len(NAMES)):
        pairs = zip(numbers[::2], numbers[1::2], strict=True)
        yield dict(zip(NAMES, (counts(*pair) for pair in pairs), strict=True))


def shown_blocks(counted: Mapping[str, SurveyCounts], least: int) -> list[Block]:
    """The blocks of which all groups together have enough reports."""
    total = sum_of_counts([*counted.values()])
    return [each for each in ASKED.blocks if total.blocks[each.id].report_count >= least]


def test_no_stratum_has_few_reports_and_more_are_merged_for_more() -> None:
    """Each stratum has enough reports of every block that is shown, unless it is all groups."""
    for counted in every_survey():
        found: list[set[str]] = []
        for least in (1, 2, 3, 4, 7):
            blocks = shown_blocks(counted, least)
            merged = groups_to_merge(counted, blocks, least)
            found.append(set(merged))
            strata = [[name] for name in NAMES if name not in merged]
            strata += [list(merged)] * (0 < len(merged) < len(NAMES))
            for stratum in strata:
                sums = sum_of_counts([counted[name] for name in stratum])
                assert sums.report_count >= least
                assert all(sums.blocks[each.id].report_count >= least for each in blocks)
            assert len(merged) != 1
        assert all(one <= other or other <= one for one, other in itertools.pairwise(found))


class Groups:
    """The counts of some groups."""

    def __init__(self, counted: Mapping[str, SurveyCounts]) -> None:
        self._counted = counted

    def check(self) -> None:
        """They are closed."""

    def count(self, group: str, blocks: Sequence[Block]) -> SurveyCounts:
        found = self._counted[group]
        return SurveyCounts(
            found.report_count, {each.id: found.blocks[each.id] for each in blocks}
        )

    def joint_counts(self, group: str, blocks: Sequence[Block]) -> JointCounts:
        raise AssertionError((group, blocks))


def test_merged_groups_have_their_reports_together() -> None:
    """The first of them has all, so none of them can be counted alone; a small block is empty."""
    groups = Groups({"x": counts(9, 1), "y": counts(20, 1), "z": counts(3, 0)})
    strata = LargeStrata.of(groups, NAMES, ASKED.blocks, 10)
    strata.check()
    assert strata.merged == ("x", "z")
    found = {name: strata.count(name, [A, B]) for name in NAMES}
    assert [each.report_count for each in found.values()] == [13, 21, 0]
    assert [each.blocks["a"].report_count for each in found.values()] == [12, 20, 0]
    assert [each.blocks["b"] for each in found.values()] == [BlockCounts(0, {})] * 3
    with pytest.raises(NoGroups, match="the joint values of the group 'x' are not shown here"):
        strata.joint_counts("x", [A, B])


@pytest.mark.parametrize(
    ("without", "merged"),
    [
        (counts(0, 0), ("x", "z")),
        (counts(12, 0), ("x", "z")),
        (counts(9, 0), NAMES),
        (counts(1, 0), NAMES),
    ],
)
def test_reports_without_a_group_are_in_no_stratum(
    without: SurveyCounts, merged: tuple[str, ...]
) -> None:
    """If they are few, all groups count as one, together with them; many of them hide nothing."""
    counted = {"x": counts(9, 1), "y": counts(20, 1), "z": counts(3, 0), NO_GROUP: without}
    strata = LargeStrata.of(Groups(counted), [*NAMES, NO_GROUP], ASKED.blocks, 10)
    assert strata.merged == merged
    found = {name: strata.count(name, ()).report_count for name in (*NAMES, NO_GROUP)}
    assert sum(found.values()) == 34 + without.report_count
    assert found[NO_GROUP] in {0, 12}


@pytest.mark.parametrize(
    ("merge", "merged", "joined"),
    [
        ((), (), ()),
        ((), ("x", "y"), (("x", "y"),)),
        ((("x", "z"),), ("x", "y"), (("x", "y", "z"),)),
        ((("z", "w"),), ("x", "y"), (("z", "w"), ("x", "y"))),
        ((("z", "x"), ("y", "w")), ("x", "y"), (("x", "y", "z", "w"),)),
        ((("x", "y"),), (), (("x", "y"),)),
    ],
)
def test_lists_of_merged_groups_are_joined(
    merge: tuple[tuple[str, ...], ...],
    merged: tuple[str, ...],
    joined: tuple[tuple[str, ...], ...],
) -> None:
    """What a reader merges can only make strata larger."""
    assert merged_with(merge, merged) == joined


def joint(reports: int) -> JointCounts:
    """So many reports of one block with the same value."""
    ones = np.ones(1, dtype=np.int64)
    return JointCounts((np.zeros(1, np.int64),), np.zeros((1, 1), np.int64), reports * ones)


def test_joint_values_are_those_of_one_large_block() -> None:
    """Few reports may have two blocks, however many have each."""
    study = Study(ASKED, 1, lambda _: counts(30, 19), lambda blocks: joint(len(blocks) * 19 + 1))
    seen = without_small_parts(study, 20)
    assert seen.joint_counts([A]).report_count == 20
    for blocks in ([A, B], [B]):
        with pytest.raises(NotIdentified, match="fewer than 21 reports may have all of these"):
            without_small_parts(study, 21).joint_counts(blocks)
    with pytest.raises(NotIdentified, match="their joint values are not shown here; ask somebody"):
        seen.joint_counts([A, B])
    assert seen.count([A, B]).blocks == {
        "a": BlockCounts(30, {0: 30}),
        "b": BlockCounts(0, {}),
    }
    assert seen.report_count == study.report_count


@pytest.mark.parametrize(("rarest", "is_shown"), [(20, True), (19, False)])
def test_a_block_is_as_small_as_the_bits_of_its_rarest_option(
    rarest: int, *, is_shown: bool
) -> None:
    """Each report has bits of few options, and says of which."""
    asked = survey(multiple("b", 30, at_most=30), epsilon=1)
    (block,) = asked.blocks
    form = block.mechanism.form
    assert form.are_pairs
    pairs = itertools.product(range(form.members), (0, 1))
    support: dict[Member, int] = {**dict.fromkeys(pairs, 15), (7, 0): rarest - 8, (7, 1): 8}
    found = SurveyCounts(400, {"b": BlockCounts(400, support)})
    study = Study(asked, 1, lambda _: found, lambda _: joint(1))
    counted = without_small_parts(study, 20).count([block])
    assert counted.blocks["b"] == (found.blocks["b"] if is_shown else BlockCounts(0, {}))
