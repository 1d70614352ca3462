"""The most that a report can reveal, in numbers that people can check.

Every number is computed exactly, and then rounded in the direction of less protection, so a
bound remains a bound.
"""

import math
from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction
from itertools import count
from typing import Final, NamedTuple

from deniable_analysis.privacy import belief_bounds
from deniable_sdk import PublishedSurvey
from deniable_sdk.survey.block import fixed_outputs
from deniable_sdk.weights import SURVEY_CAP, YEAR_DAYS, YEARLY_CAP, format_epsilon
from deniable_web.definition.epsilon_caps import max_likelihood_ratio, panel_epsilon
from deniable_web.forecast.disclosure import PRIORS, TOLD_PRIOR
from deniable_web.pages.form.languages import PageLanguage

# The largest error of a rounded bound, as a part of its distance from 0 and from 100 percent.
_CLOSE: Final = Fraction(1, 10)


@dataclass(frozen=True, slots=True)
class BeliefWords:
    """How likely somebody believed something to be, and the bounds after a report."""

    before: str
    low: str
    high: str


class Notice(NamedTuple):
    """A notice for some surveys only: one line, and a text that people can open."""

    line: str
    text: str


@dataclass(frozen=True, slots=True)
class PrivacyWords:
    """The survey's weights in the words of one language.

    Args:
        drawing: how the device draws questions; empty if everybody is asked all.
        panel: which wave of a panel it is; None if it is not a panel.
        large: what it means that this survey alone, with all its waves, spends more than
            apps allow; None if it does not.
        fixed: how far reports can be matched by fixed questions; None without any.
        told: the belief in the sentence for people.
        beliefs: the same for several beliefs, the least likely first.
        at_most_times: the largest ratio of likelihoods of a whole report.
        epsilon: its logarithm, as the survey states it.
    """

    drawing: str
    panel: Notice | None
    large: Notice | None
    fixed: Notice | None
    told: BeliefWords
    beliefs: tuple[BeliefWords, ...]
    at_most_times: str
    epsilon: str


def privacy_words(survey: PublishedSurvey, language: PageLanguage) -> PrivacyWords:
    """The page's sentences about the privacy of a survey."""
    panel = _notice("panel", language, wave=survey.wave, waves=survey.waves)
    ratio = math.prod((block.ratio for block in survey.worst_blocks), start=Fraction(1))
    return PrivacyWords(
        drawing=_drawing(survey, language),
        panel=panel if survey.waves > 1 else None,
        large=_large(survey, language),
        fixed=_fixed(survey, language),
        told=_belief(TOLD_PRIOR, ratio, language),
        beliefs=tuple(_belief(prior, ratio, language) for prior in PRIORS),
        at_most_times=language.number(_times(ratio)),
        epsilon=language.number(format_epsilon(survey.epsilon)),
    )


def percent(share: Fraction, rounded: Callable[[Fraction], int]) -> str:
    """A share between 0 and 1 in percent, rounded up or down, and never to 0 or 100."""
    exact = 100 * share
    for decimals in count():
        found = Fraction(rounded(exact * 10**decimals), 10**decimals)
        if abs(found - exact) <= _CLOSE * min(exact, 100 - exact):
            break
    return f"{float(found):.{decimals}f}"


def _belief(prior: Fraction, ratio: Fraction, language: PageLanguage) -> BeliefWords:
    bounds = belief_bounds(prior, ratio)
    sides = ((prior, math.ceil), (bounds.low, math.floor), (bounds.high, math.ceil))
    pattern = language.texts["privacy"]["percent"]
    written = (language.number(percent(*side)) for side in sides)
    return BeliefWords(*(pattern.format(number=text) for text in written))


def _drawing(survey: PublishedSurvey, language: PageLanguage) -> str:
    if survey.asked == len(survey.blocks):
        return ""
    # If questions are asked together, or one depends on another, a respondent may see more
    # questions than were drawn.
    is_plain = len(survey.blocks) == len(survey.answered) and not survey.has_routing
    text = language.texts["privacy"]["draw" if is_plain else "draw_parts"]
    return text.format(asked=survey.asked, all=len(survey.blocks))


def _notice(name: str, language: PageLanguage, **numbers: object) -> Notice:
    own = language.texts["privacy"]
    return Notice(own[name].format(**numbers), own[f"{name}_text"].format(**numbers))


def _fixed(survey: PublishedSurvey, language: PageLanguage) -> Notice | None:
    outputs = fixed_outputs(survey.blocks)
    if outputs == 1:
        return None
    found = _notice("fixed", language, outputs=language.number(str(outputs)))
    group = language.texts["privacy"]["fixed_group"]
    return found._replace(text=f"{found.text} {group}") if survey.groups else found


def _large(survey: PublishedSurvey, language: PageLanguage) -> Notice | None:
    if panel_epsilon(survey) <= SURVEY_CAP:
        return None
    told = _belief(TOLD_PRIOR, max_likelihood_ratio(survey), language)
    return _notice(
        "large" if survey.waves == 1 else "large_panel",
        language,
        before=told.before,
        high=told.high,
        epsilon=language.number(f"{math.ceil(100 * panel_epsilon(survey)) / 100:g}"),
        cap=YEARLY_CAP,
        days=YEAR_DAYS,
        waves=survey.waves,
    )


def _times(ratio: Fraction) -> str:
    """A ratio rounded up to about three digits."""
    decimals = 2 if ratio < 10 else 1 if ratio < 100 else 0
    return f"{math.ceil(ratio * 10**decimals) / 10**decimals:,.{decimals}f}"
