"""A plan in words, for people who do not know the symbols."""

import math
from collections.abc import Callable, Mapping
from typing import Any

from deniable_sdk.wording import counted

Words = Callable[[Mapping[str, Any]], str]


def plan_in_words(answer: Mapping[str, Any]) -> str:
    """One sentence on the result of a plan, from its document."""
    return next(words(answer) for key, words in _WORDS.items() if key in answer)


def epsilon_in_words(epsilon: float | None) -> str:
    """One sentence on what an epsilon means for a respondent; None if there is none."""
    if epsilon is None:
        return "This design has no epsilon: some answer reveals the truth."
    return (
        f"At epsilon {epsilon:.6g} one report can change the odds of any guess about its "
        f"sender's answer by a factor of at most about {math.exp(epsilon):.3g}."
    )


def _respondents(answer: Mapping[str, Any], name: str = "respondents") -> str:
    return counted(answer[name], "respondent", commas=True)


def _of_test(answer: Mapping[str, Any]) -> str:
    share, against = _percent(answer["share"]), _percent(answer["against"])
    return (
        f"With {_respondents(answer)} a share of {share} is distinguished from {against} in "
        f"{_in_100(answer['power'])}{_by_mistake(answer)}"
    )


def _of_comparison(answer: Mapping[str, Any]) -> str:
    return (
        f"With {_respondents(answer, 'respondents_per_group')} in each of two groups, shares of "
        f"{_percent(answer['first'])} and {_percent(answer['second'])} are distinguished in "
        f"{_in_100(answer['power'])}{_by_mistake(answer)}"
    )


def _of_order(answer: Mapping[str, Any]) -> str:
    high, low = sorted((answer["first"], answer["second"]), reverse=True)
    return (
        f"With {_respondents(answer)} an option that {_percent(high)} choose comes "
        f"out ahead of one that {_percent(low)} choose in {_in_100(answer['power'])}."
    )


def _of_mean(answer: Mapping[str, Any]) -> str:
    return (
        f"With {_respondents(answer)} the mean of a number from {answer['low']:g} "
        f"to {answer['high']:g} is estimated to within ±{answer['margin']:.3g} in "
        f"{_in_100(answer['confidence'])}, whatever they answer."
    )


def _where(share: object) -> str:
    known = {
        "worst": ", whatever the share is",
        "equal": ", if all options are chosen equally often",
    }
    return known.get(str(share)) or f", where it is {_percent(float(str(share)))}"


def _of_watched_share(answer: Mapping[str, Any]) -> str:
    expected = (
        f"The margin of ±{100 * answer['margin']:.3g} percentage points is expected after "
        f"{_respondents(answer)}{_where(answer['share'])}"
    )
    later = answer.get("in_9_of_10_surveys")
    until = f", and reached by {later:,} in 9 of 10 surveys" if later else ""
    return f"{expected}{until}. The interval holds at every look."


def _of_share(answer: Mapping[str, Any]) -> str:
    of = ""
    if answer["population"] is not None:
        of = f" of {counted(answer['population'], 'person', plural='people', commas=True)}"
    which = "all shares of the question at once are" if answer["all_options"] else "a share is"
    return (
        f"With {_respondents(answer)}{of} {which} estimated to within "
        f"±{100 * answer['margin']:.3g} percentage points in {_in_100(answer['confidence'])}"
        f"{_where(answer['share'])}."
    )


# The key identifies the kind of plan: no other kind has it.
_WORDS: Mapping[str, Words] = {
    "against": _of_test,
    "respondents_per_group": _of_comparison,
    "second": _of_order,
    "mechanism": _of_mean,
    "watch": _of_watched_share,
    "share": _of_share,
}


def _by_mistake(answer: Mapping[str, Any]) -> str:
    return f"; equal shares are called different in {_in_100(answer['significance'])}."


def _percent(share: float) -> str:
    return f"{100 * share:.4g} %"


def _in_100(part: float) -> str:
    """A part of all surveys; never all or none if that is only nearly true."""
    shown = float(f"{100 * part:.3g}")
    if shown >= 100:
        return "nearly all surveys"
    return f"{shown:g} of 100 surveys" if shown >= 0.1 else "hardly any survey"
