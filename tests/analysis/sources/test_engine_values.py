"""Values in the tables of real engines: all legal ones are counted, all others refused."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pyarrow as pa
import pytest
from pyarrow import parquet

from analysis.engines import ENGINES, PARAMS, Read
from deniable_analysis.errors import UnreadableStudy
from deniable_analysis.simulation.answers import simulate_values
from deniable_analysis.sources.engine_counts import BlockCounter
from deniable_analysis.sources.exports.parquet import codes_of
from deniable_sdk.mechanisms import Mechanism, SampledBits, SomeOf, Subset
from deniable_sdk.survey.block import Block
from deniable_sdk.weights import Weights
from deniable_storage.values import SupportTally
from sample_definitions import choice, multiple, survey

WEIGHTS = Weights(3, 1)
FEW, MANY = SomeOf(7, 7), SomeOf(30, 30)
MECHANISMS: dict[str, Mechanism] = {
    "one answer": Subset(5, 1, WEIGHTS),
    "small sets": Subset(6, 3, WEIGHTS),
    "large sets": Subset(41, 11, WEIGHTS),
    "few pairs": SampledBits(FEW, 2, WEIGHTS),
    "many pairs": SampledBits(MANY, 3, WEIGHTS),
}
Code = int | list[int | None]


@dataclass(frozen=True)
class Case:
    """A block, and cells of a Parquet file with its values; None where there is none."""

    block: Block
    values: Any
    cells: list[Any]

    def write(self, path: Path) -> Path:
        """A Parquet file with the cells."""
        kind = pa.list_(pa.int16()) if self.block.mechanism.form.shape else pa.int16()
        parquet.write_table(pa.table({self.block.id: pa.array(self.cells, kind)}), path)
        return path


def case(name: str) -> Case:
    """Sixty values, as devices send them, and twenty reports without one."""
    mechanism = MECHANISMS[name]
    asked = survey(choice()) if isinstance(mechanism, Subset) else survey(multiple())
    block = asked.blocks[0].replace(mechanism=mechanism)
    generator = np.random.default_rng(2)
    answers = np.zeros(60, dtype=np.int64)
    if not isinstance(mechanism, Subset):
        answers = np.zeros((60, mechanism.domain.options), dtype=np.bool_)
    values = simulate_values(mechanism, answers, generator)
    cells = codes_of(mechanism.form, values).tolist()
    return Case(block, values, [*cells, *[None] * 20])


@pytest.fixture(scope="module", params=PARAMS)
def read(request: pytest.FixtureRequest) -> Iterator[Read]:
    """What reads Parquet files in an engine."""
    with ENGINES[request.param]() as found:
        yield found


def counter(read: Read, folder: Path, block: Block, cells: list[Any]) -> BlockCounter:
    """A counter of a table with these cells."""
    path = Case(block, None, cells).write(folder / "cells.parquet")
    return BlockCounter(read(path), "the table")


@pytest.mark.parametrize("name", MECHANISMS)
def test_legal_values_are_counted(name: str, read: Read, tmp_path: Path) -> None:
    """Rows, reports with a value and each member are as many as they are."""
    given = case(name)
    tally = SupportTally(given.block.mechanism.form)
    tally.add(given.values)
    found = counter(read, tmp_path, given.block, given.cells)
    assert found.count(given.block) == (80, tally.counts())
    assert found.total() == 80


@pytest.mark.parametrize("name", MECHANISMS)
def test_without_a_value_nothing_is_counted(name: str, read: Read, tmp_path: Path) -> None:
    """A column of nothing but missing values has no support."""
    block = case(name).block
    total, counts = counter(read, tmp_path, block, [None] * 5).count(block)
    assert (total, counts.report_count, dict(counts.support)) == (5, 0, {})


def twice(codes: list[Any]) -> list[Any]:
    """The first member in place of the second."""
    return [codes[0], codes[0], *codes[2:]]


def both_bits(codes: list[Any]) -> list[Any]:
    """An option with both of its bits."""
    option = codes[0] // 2
    return [2 * option, 2 * option + 1, *codes[2:]]


FAULTS: dict[str, Callable[[Any], Any]] = {
    "too large": lambda codes: [*codes[:-1], 99],
    "negative": lambda codes: [-1, *codes[1:]],
    "too short": lambda codes: codes[:-1],
    "too long": lambda codes: [*codes, codes[-1] + 2],
    "empty": lambda _: [],
    "a member missing": lambda codes: [None, *codes[1:]],
    "the last missing": lambda codes: [*codes[:-1], None],
    "twice": twice,
    "falling": lambda codes: codes[::-1],
    "both bits": both_bits,
}


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("name", list(MECHANISMS)[1:])
def test_a_list_that_no_device_sends_is_refused(
    name: str, fault: str, read: Read, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    """One such list among legal ones stops counting; the error names the block, not the value."""
    given = case(name)
    if fault == "both bits" and not given.block.mechanism.form.are_pairs:
        pytest.skip("only pairs have bits")
    if fault == "empty" and "clickhouse" in request.node.callspec.id:
        pytest.skip("ClickHouse stores an empty list in place of a missing one")
    cells = [*given.cells[1:], FAULTS[fault](given.cells[0])]
    with pytest.raises(UnreadableStudy, match=rf"^the table, block '{given.block.id}': got a s"):
        counter(read, tmp_path, given.block, cells).count(given.block)


@pytest.mark.parametrize("value", [-1, 5])
def test_a_number_that_no_device_sends_is_refused(value: int, read: Read, tmp_path: Path) -> None:
    """One that is negative, or beyond the options."""
    given = case("one answer")
    with pytest.raises(UnreadableStudy, match="cannot give; the table was changed after it was"):
        counter(read, tmp_path, given.block, [*given.cells, value]).count(given.block)
