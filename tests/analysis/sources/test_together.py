"""Tuples of values that respondents gave together, from stores and simulations."""

import json
from collections import Counter
from pathlib import Path

import numpy as np
import pytest

from analysis.study_files import add_reports, write_store
from deniable_analysis import open_study
from deniable_analysis.errors import UnreadableStudy
from deniable_analysis.simulation import simulate_survey
from deniable_sdk import PublishedSurvey, randomize
from deniable_sdk.canonical import JSON
from deniable_sdk.mechanisms import ValueForm
from deniable_storage.counts import JointCounts
from deniable_storage.values import TupleTally
from sample_definitions import choice, multiple, number, scale, survey, yes_no

KINDS = survey(
    choice("region", 9, required=True),
    yes_no("order", required=True),
    multiple(options=4),
    number(),
    scale(target="mean"),
    epsilon=8,
    ask=4,
)


def tuples_of(together: JointCounts) -> Counter[str]:
    """Each tuple as JSON, with its count."""
    columns = [together.of(index).tolist() for index in range(len(together.values))]
    found: Counter[str] = Counter()
    for *values, count in zip(*columns, together.counts.tolist(), strict=True):
        text = json.dumps(values)
        assert text not in found
        found[text] = count
    return found


def expected(reports: list[dict[str, JSON]], blocks: list[str]) -> Counter[str]:
    """The tuples of reports that carry all of these blocks."""
    return Counter(
        json.dumps([report[block] for block in blocks])
        for report in reports
        if all(block in report for block in blocks)
    )


def test_tuples_of_a_store_are_those_of_its_reports(tmp_path: Path) -> None:
    """Of one block, of two and of all kinds at once, exactly the stored tuples are counted."""
    path = tmp_path / "store.sqlite"
    write_store(path, KINDS)
    reports = [dict(randomize(KINDS, {"order": "yes", "region": "o1"}).values) for _ in range(400)]
    add_reports(path, KINDS, reports)
    study = open_study(path)
    ids = [block.id for block in KINDS.blocks]
    for chosen in ([0], [1], [1, 0], [0, 2, 3], [3, 4, 1]):
        together = study.joint_counts([KINDS.blocks[place] for place in chosen])
        assert together.report_count > 0
        assert tuples_of(together) == expected(reports, [ids[place] for place in chosen])
        assert together.report_count == sum(
            all(ids[place] in report for place in chosen) for report in reports
        )


def test_without_reports_there_is_no_tuple(tmp_path: Path) -> None:
    """An empty store gives empty arrays of the right shapes."""
    path = tmp_path / "store.sqlite"
    write_store(path, KINDS)
    together = open_study(path).joint_counts(KINDS.blocks[:3])
    assert together.report_count == 0
    assert together.indexes.shape == (0, 3)
    assert [values.shape[1:] for values in together.values] == [
        form_shape(block.mechanism.to_document()) for block in KINDS.blocks[:3]
    ]


def form_shape(document: dict[str, JSON]) -> tuple[int, ...]:
    """The shape of one value, from the published parameters."""
    if document["name"] == "sampled_bits":
        sampled = document["sampled"]
        assert isinstance(sampled, int)
        return (sampled, 2)
    size = document["size"]
    assert isinstance(size, int)
    return () if size == 1 else (size,)


def test_a_value_no_device_sends_is_refused(tmp_path: Path) -> None:
    """A stored value that its block cannot give is refused by block, and never repeated."""
    path = tmp_path / "store.sqlite"
    write_store(path, KINDS)
    add_reports(path, KINDS, [{"order": 77, "region": 1}])
    with pytest.raises(UnreadableStudy, match=r"block 'order': got a stored value") as found:
        open_study(path).joint_counts(KINDS.blocks[:2])
    assert "77" not in str(found.value)


def every_answer(published: PublishedSurvey, respondents: int) -> dict[str, object]:
    """The first answer of everybody to everything."""
    return {
        question.id: np.zeros((respondents, len(question.names)), dtype=np.bool_)
        if question.type == "multiple"
        else np.zeros(respondents, dtype=np.int64)
        for question in published.questions
    }


def test_simulated_tuples_are_those_that_were_counted() -> None:
    """The tuples of a simulated study say of each block exactly what its counts say."""
    study = simulate_survey(
        KINDS,
        every_answer(KINDS, 30_000),  # type: ignore[arg-type]
        np.random.default_rng(3),
    )
    counts = study.count(KINDS.blocks)
    for block in KINDS.blocks:
        together = study.joint_counts([block])
        assert together.report_count == counts.blocks[block.id].report_count
        said: Counter[object] = Counter()
        for value, count in zip(together.of(0).tolist(), together.counts.tolist(), strict=True):
            for member in value if isinstance(value, list) else [value]:
                said[tuple(member) if isinstance(member, list) else member] += count
        assert said == counts.blocks[block.id].support


def test_simulated_tuples_are_of_the_same_respondents() -> None:
    """Answers that always go together are found together, in a survey with almost no noise."""
    published = survey(
        yes_no("a", required=True), yes_no("b", required=True), epsilon=10, ask="all"
    )
    answers = np.random.default_rng(1).integers(2, size=5000)
    study = simulate_survey(published, {"a": answers, "b": answers}, np.random.default_rng(2))
    together = study.joint_counts(published.blocks)
    is_equal = together.of(0) == together.of(1)
    assert together.report_count == 5000
    assert together.counts[is_equal].sum() > 4800


def test_adding_in_chunks_changes_nothing() -> None:
    """Rows in many chunks give the same tuples as in one, however wide they are."""
    generator = np.random.default_rng(4)
    for form in (ValueForm(3), ValueForm(40, (2,)), ValueForm(5, (7,)), ValueForm(9, (3, 2))):
        rows = generator.integers(3, size=(2000, *form.shape))
        single, split = TupleTally((form, form)), TupleTally((form, form))
        single.add([rows, rows[::-1]])
        for start in range(0, 2000, 130):
            split.add([rows[start : start + 130], rows[::-1][start : start + 130]])
        assert tuples_of(single.joint_counts()) == tuples_of(split.joint_counts())
        one = expected(
            [{"a": a, "b": b} for a, b in zip(rows.tolist(), rows[::-1].tolist(), strict=True)],
            ["a", "b"],
        )
        assert tuples_of(single.joint_counts()) == one
