"""What a survey needs and how it is designed, in numbers and in words."""

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

import pytest

from deniable_analysis.planning.blocks import Estimated
from deniable_sdk.compiler import best_without_joining, design_survey
from deniable_sdk.survey.definition import Definition
from deniable_web.forecast.needs import (
    margin_reached,
    respondents_needed,
    wanted_estimates,
)
from deniable_web.forecast.survey import SurveyForecast
from deniable_web.pages.languages import CODES, catalog
from deniable_web.pages.numbers import Numbers
from deniable_web.planning.forecast_words import design_in_words
from forecast_checks import check, multiple, number
from sample_definitions import Document, choice, definition, scale, yes_no
from score_samples import score
from there import there

ANY: Sequence[Sequence[Document]] = (
    [yes_no("a")],
    [yes_no(f"q{place}", required=True) for place in range(7)],
    [yes_no("a"), choice("b", 5), scale("c"), multiple("d"), number("e")],
    [score(), yes_no("a", required=True, epsilon="0.5")],
)


def told(found: SurveyForecast, language: str = "en") -> dict[str, str]:
    """The sentences by their keys."""
    return dict(design_in_words(found, Numbers(language)))


@pytest.mark.parametrize("questions", ANY)
@pytest.mark.parametrize("epsilon", [1, 4])
def test_the_needed_respondents_are_the_fewest(
    questions: Sequence[Document], epsilon: int
) -> None:
    """With them every margin is reached, and with one fewer the hardest is not."""
    author = Definition.from_document(definition(*questions, epsilon=epsilon))
    for design in (design_survey(author), best_without_joining(author)):
        for margin in (Fraction(1, 20), Fraction(1, 7)):
            count = respondents_needed(design, margin)
            assert margin_reached(design, count) <= margin * (1 + 1e-9)
            # Reports are rounded up to a whole number before respondents are.
            least = min(each.part for each in wanted_estimates(design))
            fewer = count - 1 - int(1 / least)
            assert fewer < 1 or margin_reached(design, fewer) > margin


@pytest.mark.parametrize("questions", ANY)
def test_the_forecast_needs_what_its_estimates_need(questions: Sequence[Document]) -> None:
    """The first estimate of each question counts, and the largest number is that of all."""
    found = check(*questions, epsilon=2, margin=0.08)
    assert found.needs.margin == 0.08
    wanted = [
        there(estimate.respondents_for_margin)
        for block in found.blocks
        for place, estimate in enumerate(block.estimates)
        if place == 0 or estimate.estimated in (Estimated.MARGINAL, Estimated.CELL)
    ]
    assert found.needs.respondents == max(wanted)
    assert check(*questions, epsilon=2).needs.margin == 0.05


@pytest.mark.parametrize(
    ("questions", "keys", "seen"),
    [
        ([yes_no("a"), yes_no("b")], {"ask": "all"}, (2, 2, 2)),
        ([yes_no("a"), choice("b", 3), scale("c")], {"ask": 1}, (1, 1, 3)),
        ([yes_no("a"), yes_no("b"), scale("c")], {"ask": 1, "crosstabs": [["a", "b"]]}, (1, 2, 3)),
        ([score(), yes_no("a")], {"ask": 1}, (1, None, None)),
        (
            [yes_no("a"), yes_no("b", show_if={"question": "a", "is": "yes"})],
            {"ask": 1},
            (None, 2, 2),
        ),
    ],
)
def test_what_a_respondent_sees(
    questions: Sequence[Document], keys: Document, seen: tuple[int | None, ...]
) -> None:
    """Questions that devices show: the items of a score, and what leads to a question."""
    found = check(*questions, epsilon=1, **keys)
    least, most, whole = seen
    items = found.seen.all
    assert found.seen.least == least
    assert found.seen.most == (most or items - 1)
    assert whole in (None, items)


@pytest.mark.parametrize("language", CODES)
def test_every_sentence_is_whole_in_every_language(language: str) -> None:
    """Each key of the design is used by one of these surveys, and filled in."""
    surveys: list[tuple[Sequence[Document], dict[str, Any]]] = [
        ([yes_no("a"), yes_no("b")], {"ask": "all", "epsilon": 2}),
        ([yes_no(f"q{place}", required=True) for place in range(7)], {"epsilon": 4}),
        ([yes_no("a"), yes_no("b"), scale("c", target="mean")], {"crosstabs": [["a", "b"]]}),
        ([yes_no("a"), yes_no("b", show_if={"question": "a", "is": "yes"})], {"ask": 1}),
        ([yes_no("a"), yes_no("b", show_if={"question": "a", "is": "yes"})], {}),
        ([yes_no("a", epsilon="0.5"), yes_no("b")], {"ask": 1, "epsilon": 2}),
    ]
    used = set()
    for questions, keys in surveys:
        for key, sentence in told(check(*questions, **keys), language).items():
            used.add(key)
            assert not set(sentence) & set("{}")
    texts = catalog("forecast", language)["design"]
    assert used >= set(texts) - {"question", "part", "sees_all", "sees_between", "sees_at_most"}
