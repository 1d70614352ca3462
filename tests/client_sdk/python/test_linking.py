"""Fixed blocks have so few outputs that reports cannot be matched by them."""

import itertools
import json
import math
from fractions import Fraction

import pytest

from deniable_sdk import InvalidDefinition, InvalidSurvey, PublishedSurvey
from deniable_sdk.mechanisms import Subset
from deniable_sdk.survey.block import (
    MOST_FIXED_OUTPUTS,
    count_for_readers,
    fixed_outputs,
    linkage,
)
from deniable_sdk.theory.subset import best_subset, worst_total_error
from deniable_sdk.weights import integer_weights
from sample_definitions import Document, choice, multiple, number, scale, survey, yes_no
from vectors import building

REPEATED = (
    "devices repeat the values of fixed questions, so reports of one person could be matched by "
    "them; the numbers of values of all fixed questions, multiplied, may be 16 at most, and are "
    "at least: "
)
REMEDY = (
    "; offer fewer options (ranges of years, not years), ask for the mean alone of a number, "
    "or leave out fixed"
)


def _fixed(*questions: Document) -> list[Document]:
    return [{**question, "fixed": True} for question in questions]


@pytest.mark.parametrize(
    ("questions", "place", "named"),
    [
        (_fixed(choice(options=99)), "questions[0].fixed", "region more than 16"),
        (_fixed(choice(options=17, required=True)), "questions[0].fixed", "region more than 16"),
        (
            _fixed(yes_no("a"), scale("b", levels=5), yes_no("c")),
            "questions[1].fixed",
            "a 3, b 6, c 3",
        ),
        (
            _fixed(*(yes_no(name, required=True) for name in "abcde")),
            "questions[0].fixed",
            "a 2, b 2, c 2, d 2, e 2",
        ),
        (_fixed(multiple(options=9)), "questions[0].fixed", "drugs more than 16"),
        (_fixed(number(highest=90)), "questions[0].fixed", "visits more than 16"),
        (
            _fixed(choice("a", 8, mechanism="subset"), yes_no("b")),
            "questions[0].fixed",
            "a 9, b 3",
        ),
    ],
    ids=range(7),
)
def test_what_would_link_is_refused(questions: list[Document], place: str, named: str) -> None:
    """An author is told which fixed questions have how many values, and what to do."""
    with pytest.raises(InvalidDefinition) as caught:
        survey(*questions)
    assert str(caught.value) == f"{place}: {REPEATED}{named}{REMEDY}"


def test_a_crosstab_that_would_link_is_named() -> None:
    """The place of a crosstab is its own: no question of it can be mended alone."""
    asked = _fixed(yes_no("a"), scale("b", levels=9))
    with pytest.raises(InvalidDefinition) as caught:
        survey(*asked, crosstabs=[["a", "b"]])
    assert str(caught.value) == f"crosstabs[0]: {REPEATED}a_x_b more than 16{REMEDY}"


def _invited(**groups: int) -> Document:
    """An invitation of so many people in each group."""
    numbers = {name: {"invited": count} for name, count in groups.items()}
    return {"issuer": "https://a.b", "groups": numbers, "small_groups": True}


@pytest.mark.parametrize(
    ("questions", "asked", "needed", "named"),
    [
        (_fixed(yes_no(required=True)), 1, 40, "asthma 2"),
        (_fixed(yes_no("a"), yes_no("b", required=True)), 2, 120, "a 3, b 2"),
        ([*_fixed(yes_no(required=True)), yes_no("b"), yes_no("c")], 1, 120, "asthma 2"),
        ([*_fixed(yes_no("a"), yes_no("b")), yes_no("c")], 2, 540, "a 3, b 3"),
        (_fixed(choice(options=9, required=True)), 1, 180, "region 9"),
    ],
    ids=range(5),
)
def test_a_small_group_would_link(
    questions: list[Document], asked: int, needed: int, named: str
) -> None:
    """Reports carry the group: for each value, 20 of those who are asked it are needed."""
    with pytest.raises(InvalidDefinition) as caught:
        survey(*questions, ask=asked, invited=_invited(a=5000, b=needed - 1))
    assert str(caught.value) == (
        f"questions[0].fixed: {REPEATED.partition(';')[0]}; reports carry the group, and the "
        f"smallest group has {needed - 1} invited people; needed are at least {needed}, which is "
        f"20 for each value among those who are asked {asked} of {len(questions)} blocks, with at "
        f"least these numbers of values: {named}; merge groups, offer fewer options, ask more "
        "blocks, or leave out fixed"
    )
    published = survey(*questions, ask=asked, invited=_invited(a=5000, b=needed))
    assert 20 * published.linkage <= needed


def test_without_fixed_questions_any_group_will_do() -> None:
    """Nothing is repeated, so nothing is matched."""
    assert survey(yes_no(), invited=_invited(a=1)).linkage == 0


def test_a_smaller_group_gets_fewer_values() -> None:
    """A size with 15 values is the best of 6 options, if there are people for so many."""

    def size(people: int) -> object:
        (block,) = survey(
            *_fixed(choice(options=6, required=True)), epsilon="0.5", invited=_invited(a=people)
        ).blocks
        return block.mechanism.to_document()["size"]

    assert (size(300), size(299), size(120)) == (2, 1, 1)


def test_blocks_are_asked_so_often_that_groups_are_large_enough() -> None:
    """Asking one of four blocks would be best; the smallest group has people for asking all."""
    questions = [*_fixed(yes_no("a", required=True)), *(yes_no(name) for name in "bcd")]
    assert survey(*questions, epsilon="0.5").asked == 1
    assert survey(*questions, epsilon=4).asked < 4
    with pytest.raises(InvalidDefinition, match="asked 2 of 4 blocks"):
        survey(*questions, epsilon="0.5", invited=_invited(a=79))
    assert survey(*questions, epsilon="0.5", invited=_invited(a=80)).asked == 2
    assert survey(*questions, epsilon="0.5", invited=_invited(a=160)).asked == 1


@pytest.mark.parametrize("asked", range(1, 5))
@pytest.mark.parametrize("outputs", [(), (2,), (4, 2), (2, 3, 2)])
def test_linkage_counts_those_who_are_asked_most_fixed_blocks(
    outputs: tuple[int, ...], asked: int
) -> None:
    """Among all draws of the blocks; other people have fewer values, shared by more."""
    draws = list(itertools.combinations(range(4), asked))
    most = min(asked, len(outputs))
    alike = sum(set(range(most)) <= set(draw) for draw in draws)
    expected = Fraction(math.prod(outputs) * len(draws), alike) if outputs else 0
    assert linkage(outputs, asked, 4) == expected


def test_a_published_survey_that_links_in_a_group_is_refused() -> None:
    """A device counts the people of the smallest group, whoever published."""
    published = json.loads(survey(*_fixed(yes_no("a")), invited=_invited(a=80, b=60)).document)
    published["invited"]["groups"][1]["invited"] = 59
    with pytest.raises(InvalidSurvey) as caught:
        PublishedSurvey.from_document(published)
    assert str(caught.value) == (
        "privacy.blocks: the smallest group has 59 people; allowed are at least 60 with these "
        "fixed blocks, as devices repeat them and reports carry the group, so that they could be "
        "matched; do not answer it, and tell whoever published it"
    )


def test_a_published_survey_that_links_is_refused() -> None:
    """A device recomputes the bound, whoever published, and writes no number of 81 bits."""
    year = {**building.choice("year", 100), "fixed": True}
    for count, said in ((100, "more than 2^80"), (8, "28")):
        document = building.survey_document(
            {**year, "options": [{"id": str(index)} for index in range(count)]}, epsilon="1"
        )
        with pytest.raises(InvalidSurvey) as caught:
            PublishedSurvey.from_document(document)
        assert str(caught.value) == (
            f"privacy.blocks: the fixed blocks have {said} outputs together; allowed are at most "
            "16, as devices repeat them and reports could be matched by them; do not answer it, "
            "and tell whoever published it"
        )


@pytest.mark.parametrize("epsilon", ["0.1", "0.5", "1", "2", "4"])
@pytest.mark.parametrize("options", range(2, 17))
def test_one_fixed_choice_has_the_best_size_within_the_bound(options: int, epsilon: str) -> None:
    """Up to 6 options keep their best size, from 7 to 16 it is 1; so says exhaustion, too."""
    (asked,) = _fixed(choice(options=options, required=True))
    (block,) = survey(asked, epsilon=epsilon).blocks
    assert isinstance(block.mechanism, Subset)
    weights = integer_weights(Fraction(epsilon))
    allowed = [
        Subset(options, size, weights)
        for size in range(1, options)
        if math.comb(options, size) <= 16
    ]
    assert block.mechanism == min(allowed, key=worst_total_error)
    best = best_subset(options, weights).size
    assert block.mechanism.size == (1 if options >= 7 else min(best, 2))


# From the theory: the size, and how much larger the error is than of the best size.
PRICES = [
    (5, "0.5", 2, 1.0),
    (6, "0.5", 2, 1.0),
    (7, "0.5", 1, 1.4619548929408452),
    (7, "1", 1, 1.1630422850397075),
    (10, "1", 1, 1.395088109458347),
    (12, "2", 1, 1.0014280587122804),
    (16, "0.5", 1, 2.8018865698009856),
    (16, "4", 1, 1.0),
]


@pytest.mark.parametrize(("options", "epsilon", "size", "price"), PRICES)
def test_the_price_is_the_theorys(options: int, epsilon: str, size: int, price: float) -> None:
    """What few outputs cost is what was computed elsewhere in closed form."""
    weights = integer_weights(Fraction(epsilon))
    limited, best = best_subset(options, weights, 16), best_subset(options, weights)
    assert limited.size == size
    assert float(worst_total_error(limited) / worst_total_error(best)) == pytest.approx(
        price, abs=1e-9
    )


def test_fixed_blocks_share_what_they_may_have() -> None:
    """Of all choices with 16 outputs together the one with the smallest error is taken."""

    def sizes(*options: int) -> list[int]:
        asked = (choice(f"q{index}", size, required=True) for index, size in enumerate(options))
        blocks = survey(*_fixed(*asked), epsilon="0.4", ask="all").blocks
        assert fixed_outputs(blocks) <= 16
        return [block.mechanism.to_document()["size"] for block in blocks]  # type: ignore[misc]

    assert sizes(4) == sizes(5) == sizes(6) == [2]
    assert sizes(2, 4) == [1, 2]
    assert sizes(4, 2) == [2, 1]
    assert sizes(4, 4) == sizes(3, 5) == [1, 1]
    assert sizes(2, 2, 4) == [1, 1, 1]


def test_other_questions_are_as_they_were() -> None:
    """A question that is not fixed takes what is best, beside one that is."""
    free, bound = choice("free", 100), {**choice("bound", 7), "fixed": True}
    blocks = survey(free, bound, epsilon=1).blocks
    assert [block.mechanism.to_document()["size"] for block in blocks] == [27, 1]
    assert fixed_outputs(blocks) == 8


def test_counts_for_readers_are_short() -> None:
    """A number with thousands of digits is told by its power of two."""
    assert [count_for_readers(count) for count in (28, 15_504, 2**20, 3**9999)] == [
        *("28", "15,504", "more than 2^20", "more than 2^15848")
    ]


@pytest.mark.parametrize("highest", [1, 5, 30, 4999])
def test_fixed_means_take_shapes_with_few_outputs(highest: int) -> None:
    """Of numbers whose mean is wanted there are always shapes that fit, alone and together."""
    for count in (1, 2):
        asked = [
            number(f"n{index}", highest, target="mean", required=True) for index in range(count)
        ]
        published = survey(*_fixed(*asked), ask="all", epsilon=2)
        assert fixed_outputs(published.blocks) <= MOST_FIXED_OUTPUTS
        assert (
            all(block.mechanism.name == "piecewise" for block in published.blocks) or highest < 4
        )
