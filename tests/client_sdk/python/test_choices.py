"""What the compiler chooses: the mechanism, and how many blocks each respondent is asked."""

from fractions import Fraction
from typing import Any

import pytest

from deniable_sdk import InvalidDefinition, theory
from deniable_sdk.compiler import best_without_joining, design_survey
from deniable_sdk.compiler.mechanisms import choose_alone
from deniable_sdk.mechanisms import (
    MECHANISMS,
    Mechanism,
    OneOf,
    Piecewise,
    PrivSet,
    SampledBits,
    Subset,
)
from deniable_sdk.survey.definition import Definition
from deniable_sdk.theory.subset import best_subset
from sample_definitions import (
    Document,
    choice,
    definition,
    multiple,
    number,
    scale,
    survey,
    yes_no,
)
from sampled_params import sampled_params


def _chosen(document: Document, epsilon: object = 1) -> Mechanism:
    return survey(document, epsilon=epsilon).blocks[0].mechanism


@pytest.mark.parametrize(
    ("document", "epsilon", "kind"),
    [
        (yes_no(), 1, Subset),
        (scale(levels=7), 1, Subset),
        (scale(levels=7, target="mean"), "0.5", Piecewise),
        (scale(levels=7, target="mean"), "1.5", Piecewise),
        (scale(levels=7, target="mean"), 4, Piecewise),
        (scale(levels=7, target="mean"), 8, Subset),
        (number(), "0.1", Piecewise),
        (number(target="mean"), 1, Piecewise),
        (number(target="mean"), 2, Piecewise),
        (multiple(options=8), 1, SampledBits),
        (multiple(options=8, at_most=2), 1, PrivSet),
        (multiple(options=8, at_most=2), 2, PrivSet),
    ],
)
def test_the_mechanism_follows_what_is_asked(
    document: Document, epsilon: object, kind: type[Mechanism]
) -> None:
    """These are the choices of the theory, sections 2 and 3."""
    assert type(_chosen(document, epsilon)) is kind


@pytest.mark.parametrize("epsilon", ["0.1", "0.7", "1", "1.8", "3", "5", "10"])
@pytest.mark.parametrize(
    "document",
    [
        *(choice(options=options, required=True) for options in (2, 5, 12, 40)),
        *(scale(levels=levels, target="mean") for levels in (2, 5, 10)),
        *(number(highest=highest, target="mean") for highest in (1, 30, 4999)),
        *(multiple(options=8, at_most=at_most) for at_most in (1, 2, 3, 5, 8)),
    ],
    ids=lambda one: f"{one['type']} {one.get('target')} {len(one.get('options', []))}",
)
def test_nothing_an_author_could_name_is_better(document: Document, epsilon: str) -> None:
    """The chosen mechanism has the smallest error of all that serve the question."""
    read = Definition.from_document(definition(document, epsilon=epsilon))
    planned = read.blocks[0]
    least = theory.error(
        choose_alone(planned, Fraction(epsilon), 1).mechanism,
        planned.preferences.target,
        planned.domain,
    )
    served: list[str] = []
    for name in MECHANISMS:
        named = Definition.from_document(definition(document | {"mechanism": name}))
        try:
            other = choose_alone(named.blocks[0], Fraction(epsilon), 1).mechanism
        except InvalidDefinition:
            continue
        served.append(name)
        assert other.name == name
        assert least <= theory.error(other, planned.preferences.target, planned.domain)
    assert served


def test_an_author_can_name_the_mechanism() -> None:
    """It is taken although another has a smaller error."""
    assert isinstance(_chosen(multiple(options=8, mechanism="privset")), PrivSet)
    assert isinstance(
        _chosen(multiple(options=8, at_most=2, mechanism="sampled_bits")), SampledBits
    )
    assert isinstance(_chosen(scale(mechanism="piecewise")), Piecewise)
    assert isinstance(_chosen(number(mechanism="subset")), Subset)
    assert isinstance(_chosen(number(target="mean", mechanism="piecewise"), 5), Piecewise)


@pytest.mark.parametrize(
    ("document", "serving"),
    [
        (yes_no(mechanism="piecewise"), "subset"),
        (choice(mechanism="piecewise"), "subset"),
        (scale(mechanism="privset", target="mean"), "subset, piecewise"),
        (number(mechanism="sampled_bits"), "subset, piecewise"),
        (number(mechanism="subset", highest=1000), "piecewise"),
        (multiple(mechanism="subset"), "sampled_bits, privset"),
    ],
)
def test_a_mechanism_that_cannot_serve_is_refused(document: Document, serving: str) -> None:
    """The message says which ones can."""
    target = document.get("target", "shares")
    with pytest.raises(InvalidDefinition) as caught:
        survey(document)
    assert str(caught.value) == (
        f"questions[0].mechanism: got {document['mechanism']!r}, which cannot serve this question "
        f"with the target {target!r}; allowed: {serving}"
    )


# Theory section 4: the best number of 10 equal questions for epsilon 1, 2, 4 and 8.
BEST = {2: (1, 1, 2, 4), 5: (1, 1, 1, 2), 10: (1, 1, 1, 2)}


@pytest.mark.parametrize("options", BEST)
def test_the_best_number_of_ten_separate_questions(options: int) -> None:
    """The numbers of the theory are the numbers of the compiler."""
    questions = [choice(f"q{index}", options, required=True) for index in range(10)]
    asked = []
    for epsilon in (1, 2, 4, 8):
        read = Definition.from_document(definition(*questions, epsilon=epsilon))
        asked.append(best_without_joining(read).asked)
    assert tuple(asked) == BEST[options]


MIXTURES: list[list[Document]] = [
    [yes_no(f"q{place}") for place in range(30)],
    [choice(f"q{place}", 2 + 20 * place) for place in range(30)],
    [number(f"q{place}", 1 + 9 * place, target="mean") for place in range(30)],
    [multiple(f"q{place}", 2 + place, at_most=1 + place // 3) for place in range(30)],
    [yes_no("a", weight=100), *(multiple(f"q{place}", 30) for place in range(20)), number()],
]


@pytest.mark.sweep
@pytest.mark.parametrize("questions", MIXTURES, ids=["bits", "wide", "means", "sets", "mixed"])
@pytest.mark.parametrize("epsilon", sampled_params(["2", "0.3", "10"], 3))
def test_numbers_that_are_not_compared_are_worse(questions: list[Document], epsilon: str) -> None:
    """Among all numbers of blocks, the best one is found without comparing all."""
    read = Definition.from_document(definition(*questions, epsilon=epsilon))
    variances = {
        asked: design_survey(read.replace(ask=asked)).variance
        for asked in range(1, len(questions) + 1)
    }
    least = min(variances, key=lambda asked: variances[asked])
    assert best_without_joining(read).asked == least


def test_a_weight_moves_the_number_that_is_asked() -> None:
    """A heavy block pulls the number towards its own best one."""
    yes = [yes_no(f"q{index}", required=True) for index in range(5)]
    wide: list[Any] = [choice(f"w{index}", 50, required=True) for index in range(5)]

    def asked(heavy: list[Document], light: list[Document]) -> int:
        weighted = [question | {"weight": 1000} for question in heavy]
        read = Definition.from_document(definition(*weighted, *light, epsilon=8))
        return best_without_joining(read).asked

    assert asked(yes, []) > asked(wide, [])
    assert asked(yes, wide) > asked(wide, yes)


def test_a_joint_block_is_chosen_for_all_its_cells() -> None:
    """A crosstab has the best subset of its joint domain, and its weight counts."""
    document = definition(
        yes_no("a"), choice("b", 4), scale("c"), crosstabs=[{"questions": ["a", "b"], "weight": 3}]
    )
    read = Definition.from_document(document)
    assert [block.preferences.weight for block in read.blocks] == [3, 1]
    best = choose_alone(read.blocks[0], Fraction(2), 1).mechanism
    assert isinstance(best, Subset)
    assert best.domain == OneOf(15)
    assert best == best_subset(15, best.weights)
