"""Which numbers answers stand for."""

import pytest

from analysis.enumerated import estimates, number, with_mechanism
from deniable_analysis.results import MeanEstimate
from deniable_analysis.results.answers import numeric_levels
from deniable_sdk import PublishedSurvey
from deniable_sdk.mechanisms import OneOf, Piecewise, Subset
from deniable_sdk.survey.options import Option
from deniable_sdk.survey.questions import ClosedQuestion
from deniable_sdk.weights import Weights
from sample_definitions import choice, scale, survey


def test_numbers_and_levels_have_scores() -> None:
    """A number's grid and a scale's levels are numbers, "no answer" is left out."""
    published = survey(number(), scale(levels=3, lowest=-1), choice(), epsilon=2)
    assert [numeric_levels(question) for question in published.questions] == [
        (1.0, 1.5, 2.0, 2.5, 3.0),
        (-1.0, 0.0, 1.0),
        None,
    ]
    assert [question.unit for question in published.questions] == ["visits", None, None]


def renamed(published: PublishedSurvey, *names: str) -> PublishedSurvey:
    """The survey with other names of its scale's levels, as another compiler may give."""
    (block,) = published.blocks
    (question,) = block.questions
    assert isinstance(question, ClosedQuestion)
    other = question.replace(options=tuple(Option(name) for name in names))
    return published.replace(questions=(other,), blocks=(block.replace(questions=(other,)),))


def test_levels_that_are_no_numbers_have_no_mean() -> None:
    """Levels called by words have shares and no mean."""
    published = with_mechanism(Subset(4, 1, Weights(3, 1)), scale(levels=3))
    (question,) = estimates(renamed(published, "low", "middle", "high"), {"0": 5}).questions
    assert question.mean is None
    assert question.options[0].option == "low"


@pytest.mark.parametrize("steps", [1, 2])
def test_levels_that_are_not_evenly_spaced_have_no_mean_from_places(steps: int) -> None:
    """Outputs move evenly with the place of a level, so uneven levels have no mean."""
    weights, grid = Weights(3, 1), OneOf(3, offers_no_answer=True)
    built = Piecewise(grid, steps, 1, weights)
    even = with_mechanism(built, scale(levels=3))
    assert estimates(even, {"0": 5, "1": 9}).questions[0].mean
    assert estimates(renamed(even, "1", "2", "5"), {"0": 5, "1": 9}).questions[0].mean is None


def test_uneven_levels_have_a_mean_from_shares() -> None:
    """From shares any levels have a mean, in their own numbers."""
    published = with_mechanism(Subset(4, 1, Weights(3, 1)), scale(levels=3))
    (question,) = estimates(
        renamed(published, "1", "2", "5"), {"0": 20, "1": 20, "2": 20, "3": 12}
    ).questions
    assert question.mean
    assert question.mean.value == pytest.approx((1 + 2 + 5) / 3)


def test_a_unit_in_several_languages_is_shown_in_its_first() -> None:
    """The text shows one language, the document all of them."""
    mean = MeanEstimate(value=2.0, low=1.0, high=3.0, variance=0.25, unit={"de": "Tage"})
    assert "2.0000 Tage" in str(mean)
    assert mean.to_document()["unit"] == {"de": "Tage"}
