"""Answers that cannot tell what is asked of them, or hardly."""

from typing import Any

import pytest

from deniable_analysis.designs import (
    ByGroup,
    UnknownDesign,
    cheating_detection,
    compare_with_direct,
    direct,
    forced_choice,
    from_matrix,
    prevalence,
    stochastic_lie_detector,
    warner,
)
from deniable_analysis.errors import InvalidArgument, NotIdentified
from there import there

DETECTOR = stochastic_lie_detector({1: 0.2, 2: 0.8})


UNTOLD: list[tuple[Any, Any, str]] = [
    ([5, 5], warner(0.5), "true no and true yes give every answer equally often"),
    (
        [5, 5],
        from_matrix([[0.8, 0.2, 0.5], [0.2, 0.8, 0.5]], true=["a", "b", "c"]),
        "the probabilities of 3 true categories are mixtures of one another",
    ),
    ([[5, 5], [0, 0]], DETECTOR, "the groups 2 have no answer, but are needed"),
    (
        [[5, 5], [0, 0]],
        cheating_detection({1: 0.1, 2: 0.6}),
        "the groups 2 have no answer, but are needed",
    ),
]


@pytest.mark.parametrize(
    ("counts", "design", "message"), UNTOLD, ids=[message[:40] for *_, message in UNTOLD]
)
def test_what_answers_cannot_tell_is_refused(counts: Any, design: Any, message: str) -> None:
    """A design, or groups, that cannot tell the shares are refused with the reason."""
    for method in ("moment", "likelihood"):
        with pytest.raises(NotIdentified) as caught:
            prevalence(counts, design=design, method=method)
        assert message in str(caught.value)


def test_a_parameter_of_people_who_are_not_there_is_refused() -> None:
    """Where nobody seems to have the trait, nothing tells whether they say so."""
    with pytest.raises(NotIdentified, match="those on whom t depends is 0, so it cannot"):
        prevalence([[20, 80], [80, 20]], design=DETECTOR)


def test_only_direct_answers_cannot_tell_a_parameter() -> None:
    """Where only the group asked openly answered, the parameter plays no part."""
    with pytest.raises(NotIdentified, match="t plays no part in the groups with answers; the gro"):
        prevalence([[5, 5], [0, 0], [0, 0]], design=DETECTOR.with_direct(0))


def test_a_parameter_that_only_the_likelihood_can_tell() -> None:
    """Where a parameter is no ratio of sums the moment method says which method is."""
    first = stochastic_lie_detector({1: 0.2, 2: 0.8})
    zero, one = (entry for entry in direct().matrix[1])
    crooked = (((zero, one), (zero, -one)), ((one, zero), (-one, zero)))
    design = UnknownDesign(
        "made up", first.groups, first.observed, first.true, ("s",), first.constants, (crooked,)
    )
    with pytest.raises(NotIdentified, match="only the likelihood can estimate 's' in made up"):
        prevalence([[50, 50], [40, 60]], design=design)


def test_a_comparison_needs_both_kinds_of_answers() -> None:
    """Without a direct or without a randomized group there is nothing to compare."""
    both = ByGroup("mode", {"openly": direct(), "die": warner(0.7)})
    with pytest.raises(
        InvalidArgument, match="got no direct group with answers; allowed is a des"
    ):
        compare_with_direct({"openly": [0, 0], "die": [5, 5]}, design=both)
    with pytest.raises(InvalidArgument, match="got no randomized group with answers"):
        compare_with_direct({"openly": [5, 5], "die": [0, 0]}, design=both)
    with pytest.raises(InvalidArgument, match="confidence: got 1;"):
        compare_with_direct({"openly": [5, 5], "die": [5, 5]}, design=both, confidence=1)


@pytest.mark.parametrize("method", ["moment", "likelihood"])
def test_extreme_answers_give_numbers(method: str) -> None:
    """An option that nobody chose and answers that are all alike are estimated without a crash."""
    of_three = forced_choice({"a": 0.1, "b": 0.1, "c": 0.1})
    for counts, design in (
        ([0, 100], warner(0.7)),
        ([100, 0], direct()),
        ([50, 0, 50], of_three),
        ([100, 0, 0], of_three),
        ([[100, 0], [100, 0]], DETECTOR),
        ([[0, 100], [0, 100]], DETECTOR),
    ):
        found = prevalence(counts, design=design, method=method)
        total = sum(there(option.share) for option in found.options)
        assert total == pytest.approx(1)
        assert str(found)


def test_few_answers_that_are_alike_are_no_alarm() -> None:
    """Two answers that are the same prove nothing against a design; many do."""
    design = warner(0.75)
    assert prevalence([2, 0], design=design).warnings == ()
    assert len(prevalence([100, 0], design=design).warnings) == 2
