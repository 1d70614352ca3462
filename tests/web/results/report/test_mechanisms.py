"""What a device does with an answer is said in every language, with the mechanism's numbers."""

import re

import pytest

from deniable_sdk import theory
from deniable_sdk.mechanisms import OneOf, Piecewise, PrivSet, SampledBits, SomeOf, Subset
from deniable_sdk.mechanisms.base import Mechanism
from deniable_sdk.weights import Weights
from deniable_web.pages.languages import CODES
from deniable_web.pages.numbers import Numbers
from deniable_web.results.report.method import in_words

MECHANISMS = (
    Subset(2, 1, Weights(3, 1)),
    Subset(9, 3, Weights(5, 2)),
    SampledBits(SomeOf(5, 5), 2, Weights(3, 1)),
    PrivSet(SomeOf(6, 2), 3, Weights(5, 2)),
    Piecewise(OneOf(11), 10, 4, Weights(5, 2)),
    Piecewise(OneOf(61, True), 20, 3, Weights(5, 2)),
)
_MARKS = dict.fromkeys((0x2066, 0x2069, 0x200E, 0x00A0, 0x202F))


def percentages(text: str) -> set[str]:
    """The percentages in a text, whatever the language's signs are."""
    plain = text.translate(_MARKS).replace(",", ".")
    return set(re.findall(r"\d+\.\d(?=\s*%)", plain))


@pytest.mark.parametrize("language", CODES)
@pytest.mark.parametrize("mechanism", MECHANISMS, ids=lambda each: each.name)
def test_words_have_the_probabilities_of_the_mechanism(
    mechanism: Mechanism, language: str
) -> None:
    """They are those that authors read before the survey is published."""
    words = in_words(mechanism, Numbers(language))
    expected = percentages(theory.describe(mechanism))
    assert expected
    assert percentages(words) == expected
    assert "{" not in words


def test_each_language_has_words_of_its_own() -> None:
    """No language repeats those of another one."""
    for mechanism in MECHANISMS:
        words = {in_words(mechanism, Numbers(language)) for language in CODES}
        assert len(words) == len(CODES)
