"""The design of a questionnaire: joint blocks, unequal draws, and their variance."""

import itertools
import json
import math
import os
import random
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from deniable_sdk import PublishedSurvey, compile_survey, draw_blocks
from deniable_sdk.compiler import best_design, best_without_joining
from deniable_sdk.compiler.margins import joint_variance, margin_variance
from deniable_sdk.compiler.search import partitions
from deniable_sdk.mechanisms import Subset
from deniable_sdk.survey.block import Block
from deniable_sdk.survey.definition import Definition
from sample_definitions import choice, definition, multiple, number, scale, survey, yes_no

ANCHORS = json.loads(Path(__file__).with_name("design_anchors.json").read_text())


def document_of(options: Sequence[int], epsilon: object, **keys: object) -> dict[str, Any]:
    """A definition of required questions with so many options each."""
    questions = [choice(f"q{index}", each, required=True) for index, each in enumerate(options)]
    return definition(*questions, epsilon=epsilon, **keys)


def variance_of(published: PublishedSurvey) -> float:
    """The variance of the least certain share where all answers are as common, enumerated.

    From the published survey alone: each block's channel, one random set at a time.
    """
    return max(
        enumerated(block, place) / float(published.part(block))
        for block in published.blocks
        for place in range(len(block.questions))
    )


def enumerated(block: Block, place: int) -> float:
    """The variance of the share of a question's first option, from every output of the block."""
    mechanism = block.mechanism
    assert isinstance(mechanism, Subset)
    sizes = [question.domain.size for question in block.questions]
    cells = list(itertools.product(*map(range, sizes)))
    inside = {index for index, cell in enumerate(cells) if cell[place] == 0}
    holding = math.comb(len(cells) - 1, mechanism.size - 1)
    missing = math.comb(len(cells) - 1, mechanism.size)
    high, low = mechanism.weights.high, mechanism.weights.low
    whole = holding * high + missing * low
    moments = []
    for true in range(len(cells)):
        first = second = Fraction(0)
        for output in itertools.combinations(range(len(cells)), mechanism.size):
            chance = Fraction(high if true in output else low, whole)
            count = len(inside & set(output))
            first += chance * count
            second += chance * count**2
        moments.append((first, second))
    (with_first, with_second) = moments[min(inside)]
    (other_first, other_second) = moments[max(set(range(len(cells))) - inside)]
    share = Fraction(1, sizes[place])
    mean = share * with_first + (1 - share) * other_first
    square = share * with_second + (1 - share) * other_second
    return float((square - mean**2) / (with_first - other_first) ** 2)


def groupings(kinds: Sequence[int]) -> Iterator[list[tuple[int, ...]]]:
    """All ways to put these into groups."""
    if not kinds:
        yield []
        return
    first, *rest = kinds
    for found in groupings(rest):
        yield [(first,), *found]
        for index, group in enumerate(found):
            yield [*found[:index], (*group, first), *found[index + 1 :]]


def total(groups: Sequence[Sequence[int]], ratio: float) -> float:
    """The sum of the groups' variances, each with its best size; infinite if one is too large."""
    found = 0.0
    for group in groups:
        cells = math.prod(group)
        if len(group) > 9 or cells > 1000:
            return math.inf
        margins = [((cells // options, options),) for options in group]
        found += min(
            joint_variance(cells, margins, ratio, size) for size in range(1, min(cells, 30))
        )
    return found


@pytest.mark.parametrize(
    "anchor", ANCHORS, ids=lambda each: f"{each['options']} {each['epsilon']}"
)
def test_a_design_is_as_good_as_the_best_that_is_known(anchor: dict[str, Any]) -> None:
    """Recomputed from the published bytes, and never worse than every question alone."""
    document = document_of(anchor["options"], anchor["epsilon"])
    read = Definition.from_document(document)
    found = best_design(read).variance
    assert found <= 1.03 * anchor["best"]
    assert found <= anchor["alone"] * (1 + 1e-9)
    assert best_without_joining(read).variance == pytest.approx(anchor["alone"], rel=1e-6)
    published = compile_survey(document)
    if all(math.comb(block.domain.size, _size(block)) < 99 for block in published.blocks):
        assert variance_of(published) == pytest.approx(found, rel=1e-3)


def _size(block: Block) -> int:
    assert isinstance(block.mechanism, Subset)
    return block.mechanism.size


@pytest.mark.parametrize("size", [1, 2, 3])
@pytest.mark.parametrize("options", [(2, 2), (2, 3), (3, 2, 2)])
def test_the_variance_of_a_margin_is_enumerated(options: tuple[int, ...], size: int) -> None:
    """The formula is the sum over all outputs."""
    (block,) = survey(
        *(choice(f"q{index}", each, required=True) for index, each in enumerate(options)),
        crosstabs=[[f"q{index}" for index in range(len(options))]],
    ).blocks
    assert isinstance(block.mechanism, Subset)
    mechanism = block.mechanism.replace(size=size)
    other = Block(block.id, block.questions, mechanism)
    for place, each in enumerate(options):
        ratio = mechanism.weights.high / mechanism.weights.low
        cells = block.domain.size
        found = margin_variance(cells, size, ratio, cells // each, 1 / each)
        assert found == pytest.approx(enumerated(other, place), rel=1e-9)


def test_the_search_finds_the_best_of_all_groupings() -> None:
    """For random questionnaires of up to 7 questions, at every epsilon."""
    source = random.Random(7)
    for _ in range(25):
        kinds = [source.choice([2, 2, 3, 3, 4, 5, 7, 11]) for _ in range(source.randint(2, 7))]
        ratio = math.exp(source.choice([0.5, 1, 2, 3, 4, 6]))
        best = min(total(groups, ratio) for groups in groupings(kinds))
        (found,) = partitions([(each, (((1, each),),), 1.0, ratio) for each in kinds], [], 1)
        groups = [[options for options, *_ in group] for group in found]
        assert sorted(itertools.chain(*groups)) == sorted(kinds)
        assert total(groups, ratio) == pytest.approx(best, rel=1e-6)


def test_a_definition_gives_the_same_bytes_everywhere() -> None:
    """With other hash seeds, in other processes."""
    questions = [choice(f"q{index}", 2 + index % 5) for index in range(14)]
    questions += [yes_no(f"y{index}") for index in range(9)]
    text = json.dumps(definition(*questions, number(), multiple(options=7), epsilon=3))
    code = "import json,sys;from deniable_sdk import compile_survey as c;"
    code += "print(c(json.loads(sys.argv[1])).digest)"
    found = {
        subprocess.run(
            [sys.executable, "-c", code, text],
            env={**os.environ, "PYTHONHASHSEED": seed},
            capture_output=True,
            check=True,
            text=True,
        ).stdout
        for seed in ("0", "1", "77")
    }
    assert len(found) == 1
    assert found == {compile_survey(json.loads(text)).digest + "\n"}


def test_each_block_is_drawn_as_often_as_its_draw_says() -> None:
    """The law of the draw, enumerated: every number below the sum of draws once."""
    published = compile_survey(document_of([2, 4, 10], 1))
    draws = {block.id: block.draw for block in published.blocks if block.draw}
    whole = sum(draws.values())
    assert len({*draws.values()}) == 3
    found = Counter(
        draw_blocks(published, partial(int.to_bytes, k, byteorder="big"))[0] for k in range(whole)
    )
    assert found == draws
    assert sum(published.part(block) for block in published.blocks) == 1


def test_whoever_declares_the_number_of_blocks_gets_questions_alone() -> None:
    """With the same draws for all."""
    for ask in (1, 2, "all"):
        published = compile_survey(document_of([2] * 6, 4, ask=ask))
        assert [len(block.questions) for block in published.blocks] == [1] * 6
        assert {block.draw for block in published.blocks} == {None}


def test_only_closed_questions_whose_shares_are_wanted_are_joined() -> None:
    """Crosstabs, means, numbers, sets and named mechanisms stay as they are."""
    published = survey(
        *(yes_no(f"y{index}") for index in range(4)),
        scale("mean", target="mean"),
        choice("named", 3, mechanism="subset"),
        number("number"),
        multiple("set", options=6),
        choice("a", 3),
        choice("b", 3),
        crosstabs=[["a", "b"]],
        epsilon=5,
    )
    joint = {block.id: block for block in published.blocks if len(block.questions) > 1}
    together = {question.id for block in joint.values() for question in block.questions}
    assert together == {"y0", "y1", "y2", "y3", "named", "a", "b"}
    assert [block.id for block in joint.values() if block.is_crosstab] == ["a_x_b"]


def test_questions_of_a_survey_with_facts_are_drawn_equally_often() -> None:
    """Devices repeat facts, and what can be matched counts those who are asked the same."""
    questions = [yes_no("smoker", fixed=True), yes_no("a"), yes_no("b"), choice("c", 9)]
    published = survey(*questions, epsilon=4)
    assert {len(block.questions) for block in published.blocks} == {1}
    assert {block.draw for block in published.blocks} == {None}


def test_no_question_spends_more_than_its_epsilon() -> None:
    """Whatever travels with it; the others spend all that the survey allows."""
    questions = [yes_no(f"q{index}", required=True) for index in range(6)]
    questions[2]["epsilon"] = 1
    for ask in ("auto", 1):
        published = survey(*questions, yes_no("s", epsilon=0.5), epsilon=4, ask=ask)
        spent = {
            question.id: block.epsilon
            for block in published.blocks
            for question in block.questions
        }
        assert spent.pop("q2") <= 1
        assert spent.pop("s") <= 0.5
        whole = pytest.approx(4 / published.asked, abs=1e-9)
        assert all(each == whole for each in spent.values())
    waves = survey(yes_no("a", epsilon=1), choice("b", 4), waves=4, epsilon=8)
    assert waves.block("a").epsilon == pytest.approx(0.25, abs=1e-9)


def test_authors_pin_questions_together_and_keep_others_apart() -> None:
    """Whatever the best design is; the cells of what is only together are not shown."""
    questions = [yes_no(f"q{index}", required=True) for index in range(7)]
    plain = survey(*questions, epsilon=6)
    assert [len(block.questions) for block in plain.blocks] == [7]
    apart = survey(*questions, epsilon=6, apart=["q3"])
    assert [question.id for question in apart.block("q3").questions] == ["q3"]
    assert sorted(len(block.questions) for block in apart.blocks) == [1, 6]
    pinned = survey(*questions, epsilon=0.5, together=[["q1", "q5"]])
    assert [question.id for question in pinned.block("q1_x_q5").questions] == ["q1", "q5"]
    assert not pinned.block("q1_x_q5").is_crosstab
    assert len(pinned.blocks) == 6


def test_a_weight_makes_a_question_more_certain() -> None:
    """A question with the weight 2 is drawn four times as often as another."""
    published = survey(choice("a", 4, weight=2), choice("b", 4), epsilon=1)
    first, second = (published.part(block) for block in published.blocks)
    assert float(first / second) == pytest.approx(4, rel=1e-2)
