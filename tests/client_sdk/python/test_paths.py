"""Blocks over paths: the combinations of answers that routing lets occur, and no others."""

import itertools
import random
from collections.abc import Iterator
from fractions import Fraction
from typing import Any

import pytest

from deniable_sdk import InvalidAnswer, InvalidSurvey, PublishedSurvey, canonical, randomize
from deniable_sdk.compiler import best_design, best_without_joining
from deniable_sdk.compiler.margins import margin_variance, margins_of
from deniable_sdk.mechanisms import Subset
from deniable_sdk.survey.block import Block
from deniable_sdk.survey.definition import Definition
from deniable_sdk.survey.routing import follow_routing
from sample_definitions import Document, choice, definition, multiple, scale, survey, yes_no
from tape import Tape

MUST: dict[str, Any] = {"required": True}


def led(router: str, *options: object) -> dict[str, Any]:
    """The keys of a question below another."""
    return {"show_if": {"question": router, "is": list(options)}}


def chain(length: int) -> list[Document]:
    """Yes/no questions, each of which a yes to the one before leads to."""
    first = yes_no("q0", **MUST)
    return [
        first,
        *(yes_no(f"q{each}", **MUST, **led(f"q{each - 1}", "yes")) for each in range(1, length)),
    ]


def every_answer(published: PublishedSurvey) -> Iterator[dict[str, object]]:
    """All that respondents can answer to closed questions, whether or not they are reached."""
    each = [[*question.option_ids, None] for question in published.questions]
    for answers in itertools.product(*each):
        yield dict(zip((question.id for question in published.questions), answers, strict=True))


def given(published: PublishedSurvey, block: Block) -> set[object]:
    """All that devices hand to the mechanism of a block."""
    found: set[object] = set()
    for answers in every_answer(published):
        try:
            counted = follow_routing(published, [block], answers)
        except InvalidAnswer:
            continue
        found.add(block.encode(counted))
    return found


def routed_questions(source: random.Random) -> list[Document]:
    """Up to five closed questions, some of them below an earlier one."""
    found: list[Document] = []
    for index in range(source.randint(2, 5)):
        options = source.randint(2, 3)
        asked = choice(f"q{index}", options, required=source.random() < 0.5)
        if found and source.random() < 0.7:
            router = source.choice(found)
            count = source.randint(1, len(router["options"]))
            asked |= led(router["id"], *source.sample(router["options"], count))
        found.append(asked)
    return found


def test_a_block_has_a_cell_for_each_path_and_no_other() -> None:
    """For random questionnaires: what devices can say is every number below the cells."""
    source = random.Random(11)
    for _ in range(60):
        questions = routed_questions(source)
        ids = [question["id"] for question in questions]
        published = survey(*questions, together=[ids], ask="all")
        (block,) = published.blocks
        assert given(published, block) == set(range(len(block.cells)))
        assert list(block.cells) == sorted(block.cells)
        assert [block.separated(index) for index in range(len(block.cells))] == [*block.cells]


def test_questions_whose_router_is_in_no_block_before_them_have_all_answers() -> None:
    """The block cannot know whether they are reached."""
    asked = [yes_no("a", **MUST), yes_no("b", **MUST, **led("a", "yes")), yes_no("c", **MUST)]
    for pinned, cells in ((["b", "c"], 6), (["b", "a"], 6), (["a", "b"], 3)):
        published = survey(*asked, together=[pinned], ask="all")
        assert [len(block.cells) for block in published.blocks if block.cells] == [cells]


@pytest.mark.parametrize("size", [1, 2])
def test_no_two_paths_differ_by_more_than_the_weights(size: int) -> None:
    """The law of the report of each path, enumerated; and every report has the same length."""
    questions = [yes_no("h", **MUST), choice("w", 3, **MUST, **led("h", "yes"))]
    published = survey(*questions, epsilon=1, together=[["h", "w"]])
    (block,) = published.blocks
    assert isinstance(block.mechanism, Subset)
    mechanism = block.mechanism.replace(size=size)
    outputs = list(itertools.combinations(range(4), size))
    for one, other in itertools.permutations(range(4), 2):
        weights = [
            [mechanism.weights.high if path in each else mechanism.weights.low for each in outputs]
            for path in (one, other)
        ]
        assert sum(weights[0]) == sum(weights[1])
        ratios = [Fraction(*pair) for pair in zip(*weights, strict=True)]
        assert max(ratios) == block.ratio
    answers: list[dict[str, object]] = [{"h": False}]
    answers += [{"h": "yes", "w": f"o{k}"} for k in range(3)]
    lengths = {
        len(randomize(published, each, read_bytes=Tape(bytes(200))).to_bytes()) for each in answers
    }
    assert len(lengths) == 1


def test_an_answer_that_nothing_leads_to_is_refused_without_being_told() -> None:
    """It cannot come from a device; whoever calls the block learns nothing of it."""
    questions = [yes_no("h", **MUST), choice("w", 3, **MUST, **led("h", "yes"))]
    (block,) = survey(*questions, together=[["h", "w"]]).blocks
    with pytest.raises(InvalidAnswer, match="do not lead to") as error:
        block.encode({"h": "no", "w": "o1"})
    assert "o1" not in str(error.value)
    assert error.value.__cause__ is None


def test_nine_questions_of_seven_answers_may_have_few_paths() -> None:
    """Only paths count; without routing the domain would be 40 million."""
    questions = [choice("q0", 6, **MUST)]
    questions += [choice(f"q{k}", 6, **MUST, **led(f"q{k - 1}", "o0")) for k in range(1, 9)]
    published = survey(*questions, together=[[f"q{k}" for k in range(9)]])
    assert [len(block.cells) for block in published.blocks] == [46]
    unrouted: Any = canonical.decode(published.document)
    for question in unrouted["questions"]:
        question.pop("show_if", None)
    with pytest.raises(InvalidSurvey, match="one of 1001 answers"):
        PublishedSurvey.from_document(unrouted)


def test_the_variance_of_a_share_along_paths_is_enumerated() -> None:
    """Each answer to each question, from every set of paths."""
    questions = [
        yes_no("h", **MUST),
        choice("w", 3, **led("h", "yes")),
        yes_no("r", **MUST, **led("w", "o0", "o1")),
    ]
    (block,) = survey(*questions, together=[["h", "w", "r"]]).blocks
    ratio, cells = 4.0, len(block.cells)
    assert margins_of(block) == (((1, 1), (6, 1)), ((1, 1), (2, 3)), ((2, 2), (3, 1)))
    for size in (1, 2, 3):
        for within in range(1, cells):
            share = 1 / 3
            sets = list(itertools.combinations(range(cells), size))
            moments = []
            for true in (0, cells - 1):
                weights = [ratio if true in each else 1.0 for each in sets]
                counts = [sum(cell < within for cell in each) for each in sets]
                pairs = list(zip(weights, counts, strict=True))
                whole = sum(weights)
                moments.append([sum(w * t**power for w, t in pairs) / whole for power in (1, 2)])
            (first, second), (other, another) = moments
            mean = share * first + (1 - share) * other
            variance = share * second + (1 - share) * another - mean**2
            found = margin_variance(cells, size, ratio, within, share)
            assert found == pytest.approx(variance / (first - other) ** 2, rel=1e-9)


@pytest.mark.parametrize(
    ("questions", "epsilon", "most", "alone"),
    [
        ([yes_no("h", **MUST), choice("w", 5, **MUST, **led("h", "yes"))], 1, 2.89, 5.23),
        ([yes_no("h", **MUST), choice("w", 5, **MUST, **led("h", "yes"))], 2, 0.843, 1.04),
        (chain(8), 1, 6.02, 13.4),
        (chain(8), 2, 1.25, 3.83),
    ],
)
def test_a_router_and_what_it_leads_to_are_one_block(
    questions: list[Document], epsilon: int, most: float, alone: float
) -> None:
    """A third to all of the respondents more would be needed if each were alone."""
    read = Definition.from_document(definition(*questions, epsilon=epsilon))
    design = best_design(read)
    assert [len(block.planned.questions) for block in design.blocks] == [len(questions)]
    assert design.variance < most
    assert best_without_joining(read).variance > alone


def test_paths_are_joined_only_where_that_is_better() -> None:
    """Not for pins of the author, numbers, sets, means, nor where fewer would be certain."""
    questions = [
        yes_no("h", **MUST),
        multiple("which", 6, **led("h", "yes")),
        scale("mean", target="mean", **led("h", "yes")),
        choice("apart", 3, **led("h", "yes")),
        choice("w", 3, **led("h", "yes")),
    ]
    published = survey(*questions, apart=["apart"], epsilon=1)
    joint = [block for block in published.blocks if len(block.questions) > 1]
    assert [[question.id for question in block.questions] for block in joint] == [["h", "w"]]
    source = random.Random(3)
    for _ in range(20):
        asked = routed_questions(source)
        epsilon = source.choice(["0.5", "1", "2", "4", "6"])
        read = Definition.from_document(definition(*asked, epsilon=epsilon))
        found = best_design(read).variance
        assert found <= best_without_joining(read).variance * (1 + 1e-9)


@pytest.mark.parametrize("at_most", [2, 3])
@pytest.mark.parametrize("required", [True, False])
def test_few_options_are_one_question_over_their_sets(required: bool, at_most: int) -> None:
    """Every set that people can choose is an answer; "no answer" stands alone."""
    published = survey(multiple("m", 3, at_most=at_most, required=required), epsilon=6)
    (block,) = published.blocks
    assert isinstance(block.mechanism, Subset)
    assert block.mechanism.size == 1
    sets = [
        list(each)
        for count in range(at_most + 1)
        for each in itertools.combinations(["o0", "o1", "o2"], count)
    ]
    given = [block.encode({"m": each}) for each in sets]
    given += [] if required else [block.encode({"m": None})]
    assert sorted(map(str, given)) == sorted(map(str, range(len(block.cells))))
    with pytest.raises(InvalidAnswer):
        block.encode({"m": ["o1", "o1"]})


@pytest.mark.parametrize(
    ("options", "epsilon", "mechanism"),
    [
        *((4, 4, "subset"), (4, 3, "subset"), (2, 2, "subset"), (7, 6, "subset")),
        *((4, 1, "sampled_bits"), (7, 2, "sampled_bits"), (10, 6, "sampled_bits")),
    ],
)
def test_sets_are_listed_only_where_that_is_better(
    options: int, epsilon: int, mechanism: str
) -> None:
    """Four options at epsilon 4 need half the respondents."""
    read = Definition.from_document(definition(multiple("m", options), epsilon=epsilon))
    (block,) = best_design(read).blocks
    assert block.mechanism.name == mechanism
    named = definition(multiple("m", options, mechanism="sampled_bits"), epsilon=epsilon)
    bits = best_design(Definition.from_document(named)).variance
    assert best_design(read).variance <= bits
    if (options, epsilon) == (4, 4):
        assert best_design(read).variance < 0.5 * bits


def test_a_survey_of_more_options_or_others_sets_is_refused() -> None:
    """Ten options have too many sets, and a domain must be exactly the sets."""
    published = survey(multiple("m", 4), epsilon=4)
    document: Any = canonical.decode(published.document)
    document["privacy"]["blocks"][0]["mechanism"]["domain_size"] = 16
    with pytest.raises(InvalidSurvey, match="one of 17 answers"):
        PublishedSurvey.from_document(document)
    document["questions"][0]["options"] = [{"id": f"o{each}"} for each in range(10)]
    with pytest.raises(InvalidSurvey, match="does not fit"):
        PublishedSurvey.from_document(document)
