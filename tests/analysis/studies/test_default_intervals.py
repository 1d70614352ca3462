"""Intervals and warnings that follow from how a survey ended."""

from collections.abc import Callable
from dataclasses import replace
from functools import partial
from typing import Any

import pytest

from analysis.simulated_studies import ROUTED, simulated
from deniable_analysis import (
    Study,
    compare,
    compare_with_norm,
    pool_studies,
    screened_prevalence,
    share_above,
    trend,
)
from deniable_analysis.errors import InvalidArgument
from deniable_storage.ends import End, Fieldwork

ENDS = {
    Fieldwork(None): ("anytime", "because the survey is open"),
    Fieldwork(End.CLOSES): ("wilson", ""),
    Fieldwork(End.AT_MOST_REPORTS): ("wilson", ""),
    Fieldwork(End.CLOSES, is_extended=True): ("wilson", ""),
    Fieldwork(End.CLOSES, is_extended=True, is_given_out=True): (
        "anytime",
        "is extended, closed as planned",
    ),
    Fieldwork(End.HAND): ("wilson", ""),
    Fieldwork(End.HAND, is_given_out=True): ("anytime", "because the survey is closed by hand"),
    Fieldwork(End.MARGIN): ("anytime", "closed when its results were precise enough"),
}


@pytest.mark.sweep
@pytest.mark.parametrize("state", ENDS, ids=str)
def test_the_default_interval_follows_from_the_end(state: Fieldwork) -> None:
    """Intervals for one look are the default only after an end that was published."""
    study = replace(simulated(ROUTED, 2_000, 8), fieldwork=lambda: state)
    kind, why = ENDS[state]
    found = study.estimate()
    assert found.interval == kind
    assert why in str(found).splitlines()[0]
    assert found.to_document()["fieldwork"] == {
        "ended_by": state.end,
        "is_extended": state.is_extended,
        "intervals": "fixed" if kind == "wilson" else "anytime",
        **({"is_given_out": True} if state.is_given_out else {}),
    }
    assert study.crosstab("region", "stress").interval == kind
    assert study.survival("region").interval in {kind, "score"}
    assert share_above(study, "stress", 2).interval in {kind, "score"}
    assert pool_studies([study, simulated(ROUTED, 500, 9)]).interval in {kind, "score"}
    assert compare(study, simulated(ROUTED, 500, 9), "told").interval == kind
    groups = study.compare_groups("stress", "region", ("o0", "o1"))
    assert groups.interval in {kind, "score"}
    if kind == "anytime":
        assert {study.survival("region").interval, groups.interval} == {"anytime"}
    asked = study.estimate(interval="wilson")
    assert ("for one look at a survey that is" in str(asked)) is (kind == "anytime")


@pytest.mark.deep
def test_results_for_one_look_warn_unless_the_survey_ended_as_planned() -> None:
    """Tests, quantiles, winners, norms, trends and regressions; the warning says why."""
    planned = simulated(ROUTED, 20_000, 8)
    calls: list[Callable[[Study], Any]] = [
        lambda study: study.independence("region", "stress"),
        lambda study: study.winner("region"),
        lambda study: study.quantiles("stress"),
        lambda study: study.regress("told ~ C(stress)"),
        lambda study: trend([study, simulated(ROUTED, 500, 9)], "told"),
        lambda study: compare_with_norm(study, "stress", mean=2, sd=1),
        lambda study: screened_prevalence(
            study, "told", positive="yes", sensitivity=(80, 90), specificity=0.9
        ),
    ]
    for call in calls:
        before = call(planned).warnings
        for state, words in (
            (Fieldwork(None), "the survey is open: look once, when it has ended as planned"),
            (
                Fieldwork(End.HAND, is_given_out=True),
                "closed by hand: it applies if nobody decided by the results",
            ),
        ):
            found = call(replace(planned, fieldwork=partial(replace, state)))
            (*rest, added) = found.warnings
            assert tuple(rest) == before
            assert added.startswith("this result is for one look, and the survey is ")
            assert words in added
            assert words in str(found)
    known: dict[str, Any] = {"positive": "yes", "sensitivity": 0.9, "specificity": 0.9}
    open_study = replace(planned, fieldwork=partial(Fieldwork, None))
    found = screened_prevalence(open_study, "told", **known)
    assert (found.positive.interval, found.warnings) == ("anytime", ())
    with pytest.raises(InvalidArgument, match=r"allowed: wilson, clopper-pearson$"):
        screened_prevalence(
            planned, "told", **{**known, "sensitivity": (9, 10)}, interval="anytime"
        )
