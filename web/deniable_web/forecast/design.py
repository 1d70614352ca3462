"""Warnings about the design of a survey: asking, epsilon, routes, links and invitations."""

import itertools
import math
from collections.abc import Iterator
from fractions import Fraction

from deniable_analysis.planning import AskingPlan
from deniable_sdk import PublishedSurvey
from deniable_sdk.mechanisms import Piecewise
from deniable_sdk.mechanisms.base import Scale, Target
from deniable_sdk.survey.block import fixed_outputs
from deniable_sdk.survey.definition import Definition
from deniable_sdk.survey.groups import SMALL_GROUP
from deniable_sdk.survey.questions import Question
from deniable_sdk.weights import SURVEY_CAP, YEAR_DAYS, YEARLY_CAP
from deniable_web.definition.epsilon_caps import max_likelihood_ratio, panel_epsilon
from deniable_web.forecast.advice import COSTLY_FACTOR, LARGE_EPSILON, LEAST_ITEMS, Advice, Caution
from deniable_web.forecast.disclosure import Disclosure, percent


def advise_on_design(
    definition: Definition, survey: PublishedSurvey, asking: AskingPlan
) -> Iterator[Advice]:
    """Warnings about asking, epsilon, routes, numbers and pairs of questions."""
    if asking.factor > COSTLY_FACTOR:
        message = (
            f"asking {asking.asked} of {asking.blocks} blocks requires {asking.factor:.2f} times "
            "the respondents of the best design; write ask: auto"
        )
        yield Advice(Caution.COSTLY_ASKING, (), message)
    if panel_epsilon(definition) > LARGE_EPSILON:
        yield advise_on_epsilon(survey)
    yield from _about_routes(definition)
    yield from _about_shape(definition, survey)
    yield from _about_pairs(definition, survey)
    yield from _about_items(definition)


def advise_on_epsilon(survey: PublishedSurvey) -> Advice:
    """The warning of a survey that spends more than LARGE_EPSILON."""
    spent, told = float(panel_epsilon(survey)), Disclosure.of(max_likelihood_ratio(survey)).told
    is_panel = survey.waves > 1
    reports = "all reports" if is_panel else "the report"
    waves = f" over {survey.waves} waves" if is_panel else ""
    message = (
        f"an epsilon of {spent:g}{waves} protects little: somebody who thought an "
        f"answer {percent(told.prior)} likely may be {percent(told.high)} sure of it after "
        f"{reports}; apps refuse more than {float(SURVEY_CAP):g} for one survey unless they set "
        f"another epsilon_cap, and a device allows {float(YEARLY_CAP):g} in {YEAR_DAYS} days for "
        f"all surveys together; choose {float(LARGE_EPSILON):g} at most, better 1 or 2, and ask "
        "more respondents"
    )
    return Advice(Caution.LARGE_EPSILON, (), message)


def _about_routes(definition: Definition) -> Iterator[Advice]:
    """Warnings about questions that only some respondents reach, with the noise of all.

    A mean or share among those who reach a question is divided by their number, so its
    margin grows at most with one over their share.
    """
    blocks = [
        block
        for block in definition.blocks
        if any(question.show_if for question in block.questions)
    ]
    if blocks:
        message = (
            "show_if leads only some respondents here, and a mean or share among those alone has "
            "a wider margin than among all: up to 3 times as wide if a third come here; in that "
            "case plan for 9 times the respondents, or ask everybody"
        )
        yield Advice.about(Caution.ROUTED, blocks, message)


def _about_shape(definition: Definition, survey: PublishedSurvey) -> Iterator[Advice]:
    """Warnings about numbers reported as a nearby place, if more than a mean is wanted."""
    blurred = {
        block.id
        for block in survey.blocks
        if isinstance(block.mechanism, Piecewise) and block.mechanism.window > 1
    }
    blocks = [
        block
        for block in definition.blocks
        if block.id in blurred and block.preferences.target is Target.SHARES
    ]
    if blocks:
        message = (
            "shares of single values cannot be estimated, only the mean and the shape; if the "
            "share of some values matters, ask for a choice of a few ranges"
        )
        yield Advice.about(Caution.SHAPE_ONLY, blocks, message)


def _about_items(definition: Definition) -> Iterator[Advice]:
    """Warnings about adjacent scales with the same levels, which may be one battery."""
    blocks = [block for block in definition.blocks if len(block.questions) == 1]
    for _, group in itertools.groupby(blocks, key=lambda block: _levels(block.questions[0])):
        alike = list(group)
        if len(alike) >= LEAST_ITEMS and _levels(alike[0].questions[0]):
            message = (
                f"these {len(alike)} scales have the same levels; from separate questions the "
                "share of respondents whose sum reaches a cut-off cannot be known; if they are "
                "one scale, make them the items of a question of the type score (only the mean of "
                "the sum comes out about as exactly from separate questions, if nothing else is "
                "asked)"
            )
            yield Advice.about(Caution.SEPARATE_ITEMS, alike, message)


def _levels(question: Question) -> tuple[object, ...]:
    """The levels that items of one battery have in common; empty for other questions."""
    return question.options if question.scale is Scale.ORDINAL else ()


def _about_pairs(definition: Definition, survey: PublishedSurvey) -> Iterator[Advice]:
    """A warning about closed questions if none of them share a block."""
    closed = [
        block
        for block in definition.blocks
        if len(block.questions) == 1 and block.questions[0].is_closed
    ]
    has_joint = any(len(block.questions) > 1 for block in survey.blocks)
    if len(closed) > 1 and not has_joint:
        message = (
            "answers randomized separately reveal almost nothing about pairs; if you want to "
            "relate two questions, declare it before fielding, like crosstabs: "
            f"[[{closed[0].id}, {closed[1].id}]]"
        )
        yield Advice.about(Caution.NO_CROSSTAB, closed, message)


def smallest_group(survey: PublishedSurvey, respondents: int | None) -> Fraction:
    """The reports that can be confused with each other; 0 if nobody knows how many.

    Reports carry their group, so these are the reports of the smallest group, if all groups
    respond alike; all their people are counted without a number of respondents.
    """
    if not survey.groups:
        return Fraction(respondents or 0)
    people = [group.people for group in survey.groups]
    answering = min(sum(people), respondents or sum(people))
    return Fraction(min(people) * answering, sum(people))


def matched_among(survey: PublishedSurvey, respondents: int | None) -> int | None:
    """N, such that at best one in N matches is right, on average; None if it is unknown.

    Reports with the same output are matched. With m outputs and n reports, at most m
    matches are right on average, whatever people answer: the sum over the outputs of 1 - (1
    - P)^n.
    """
    people = smallest_group(survey, respondents)
    return max(1, math.floor(people / survey.linkage)) if people and survey.linkage else None


def advise_on_linking(
    definition: Definition, survey: PublishedSurvey, respondents: int | None
) -> Iterator[Advice]:
    """A warning about how fixed questions allow reports to be matched."""
    blocks = [block for block in definition.blocks if block.questions[0].fixed]
    if blocks:
        outputs, among = fixed_outputs(survey.blocks), matched_among(survey, respondents)
        few = f"N, where N is 1/{outputs} of the reports"
        if among is not None:
            few = f"{among:,}{' in the smallest group' if survey.groups else ''}"
        message = (
            f"reports of one person can be matched up to 1 in {few}, on average, because devices "
            "repeat the values they report for facts, and all facts together have "
            f"{outputs} different values; to lower that share, ask for fewer facts, offer fewer "
            "options or leave out fixed"
        )
        numbers = {"outputs": outputs, "among": among}
        yield Advice.about(Caution.LINKABLE, blocks, message, numbers)


def advise_on_fieldwork(definition: Definition) -> Iterator[Advice]:
    """Warnings about tokens that are collected while reports are sent, and about small groups."""
    invited, window = definition.invited, definition.window
    if invited is None:
        return
    opens = window.opens if window else None
    if not (opens and invited.collect_until and invited.collect_until <= opens):
        message = (
            "tokens are collected while reports are sent, so whoever sees the times at both the "
            "issuer and the collector could match people and reports; set collect_until before "
            "opens, or let different organisations run both"
        )
        yield Advice(Caution.OVERLAPPING, (), message)
    least = min(group.people for group in invited.groups)
    if least < SMALL_GROUP:
        message = (
            f"the smallest group has {least} people, and each report carries its group: it is "
            f"hidden only among them; merge groups until each has {SMALL_GROUP}"
        )
        yield Advice(Caution.SMALL_GROUPS, (), message, {"least": least, "enough": SMALL_GROUP})
