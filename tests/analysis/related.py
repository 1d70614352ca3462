"""Studies of whose reports everything is chosen: counts, or tuples of values."""

import dataclasses
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from analysis.enumerated import with_mechanism
from deniable_analysis import Study
from deniable_analysis.arrays import Floats
from deniable_analysis.estimate.cells import Basis
from deniable_analysis.relations.cells import separate_basis
from deniable_sdk import PublishedSurvey, theory
from deniable_sdk.mechanisms import Mechanism, Subset
from deniable_sdk.survey.block import Block
from deniable_sdk.weights import Weights
from deniable_storage.counts import BlockCounts, JointCounts, SurveyCounts
from sample_definitions import survey, yes_no

MUST: dict[str, Any] = {"required": True}
LN3 = Weights(3, 1)


def with_mechanisms(published: PublishedSurvey, *mechanisms: Mechanism) -> PublishedSurvey:
    """The same survey, its blocks randomized by these."""
    blocks = tuple(
        block.replace(mechanism=mechanism)
        for block, mechanism in zip(published.blocks, mechanisms, strict=True)
    )
    assert all(block.mechanism.fits(block.domain) for block in blocks)
    return published.replace(blocks=blocks)


def counted_study(published: PublishedSurvey, **said: Sequence[int] | Mapping[Any, int]) -> Study:
    """A study of single options: how many reports of a block say each."""

    def count(blocks: Sequence[Block]) -> SurveyCounts:
        counts = {}
        for block in blocks:
            given = said.get(block.id, ())
            things: dict[Any, int] = dict(
                given if isinstance(given, Mapping) else enumerate(given)
            )
            counts[block.id] = BlockCounts(_reports(block.mechanism, things), things)
        reports = [
            _reports(block.mechanism, dict(enumerate(given)))
            for block in published.blocks
            if not isinstance(given := said.get(block.id, ()), Mapping)
        ]
        carried = [each.report_count for each in counts.values()]
        return SurveyCounts(max((*reports, *carried)), counts)

    def joint_counts(blocks: Sequence[Block]) -> JointCounts:
        raise AssertionError(f"not asked for: {len(blocks)} blocks together")

    return Study(published, 1, count, joint_counts)


def _reports(mechanism: Mechanism, things: Mapping[Any, int]) -> int:
    """How many reports say so much: each names as many things as a set holds."""
    size = mechanism.size if isinstance(mechanism, Subset) else 1
    return sum(things.values()) // size


def yes_no_study(yes: int, no: int, weights: Weights = LN3) -> Study:
    """A study of one yes/no question."""
    return counted_study(with_mechanism(Subset(2, 1, weights), yes_no(**MUST)), asthma=[yes, no])


def wave(edition: int, yes: int, no: int, weights: Weights = LN3) -> Study:
    """An edition of a yes/no question."""
    return dataclasses.replace(yes_no_study(yes, no, weights), edition=edition)


def yes_no_apart() -> PublishedSurvey:
    """Two yes/no questions, each by itself at epsilon ln 3."""
    published = survey(yes_no(**MUST), yes_no("limited", **MUST), ask="all")
    return with_mechanisms(published, Subset(2, 1, LN3), Subset(2, 1, LN3))


def table_study(published: PublishedSurvey, table: Sequence[Sequence[int]]) -> Study:
    """A study of two blocks of single options, from the table of their reports."""
    counts = np.array(table)
    rows, columns = counts.shape
    first, second = published.blocks

    def joint_counts(blocks: Sequence[Block]) -> JointCounts:
        turned = counts if list(blocks) == [first, second] else counts.T
        return reported_together(turned)

    margins = {first.id: counts.sum(axis=1), second.id: counts.sum(axis=0)}
    study = counted_study(published, **{name: each.tolist() for name, each in margins.items()})
    assert (rows, columns) == (first.domain.size, second.domain.size)
    return Study(published, 1, study.count, joint_counts)


def reported_together(counts: NDArray[Any]) -> JointCounts:
    """Reports of two single options, from their table; empty cells left out."""
    places = np.argwhere(counts > 0)
    values = tuple(np.arange(size) for size in counts.shape)
    return JointCounts(values, places, counts[counts > 0])


def basis_of(table: NDArray[Any], *mechanisms: Subset) -> Basis:
    """The cells that a table of reports gives, of two questions of their own."""
    sizes = (mechanism.domain_size for mechanism in mechanisms)
    return separate_basis(mechanisms, [np.eye(size) for size in sizes], reported_together(table))


def channel_matrix(mechanism: Subset) -> Floats:
    """(outputs, answers) of a mechanism of single options."""
    return np.array(list(theory.channel(mechanism).values()), dtype=np.float64)
