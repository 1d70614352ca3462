"""A score: an answer that the device computes from others."""

from __future__ import annotations

import itertools
from bisect import bisect_right
from collections.abc import Mapping
from typing import Any, ClassVar, Self

from deniable_sdk.canonical import JSON
from deniable_sdk.errors import Code, quote
from deniable_sdk.survey import decimals
from deniable_sdk.survey.appearance import Feedback, keys_of, read_feedback
from deniable_sdk.survey.decimals import UNIT
from deniable_sdk.survey.options import MAX_OPTIONS, by_option_name, check_option_ids, read_options
from deniable_sdk.survey.questions.authored_rules import (
    CONDITIONS,
    bounds,
    read_authored_rule,
    to_authored_rule,
)
from deniable_sdk.survey.questions.base import Question
from deniable_sdk.survey.questions.closed import LabelledQuestion
from deniable_sdk.survey.questions.number import NumberQuestion, read_decimal, read_decimals
from deniable_sdk.survey.questions.rules import RULE_KEYS, Rule, read_rule
from deniable_sdk.survey.reading import Section
from deniable_sdk.survey.text import SHORT_TEXT_RULE, is_short_text
from deniable_sdk.survey.writing import members

_CUTOFFS_RULE = "bands, each once, with the scores where they begin, like {minimal: 0, mild: 5}"
_KEYS_OF_BANDS = ("options", "labels", "feedback")
_KEYS_OF_NUMBERS = ("min", "max", "unit", "target")


class ScoreQuestion(Question):
    """Reads both kinds of score: those with cut-offs, and those that are numbers."""

    type: ClassVar[str] = "score"
    keys: ClassVar[tuple[str, ...]] = (
        *(*RULE_KEYS, "cutoffs", "options", "feedback"),
        *("min", "max", "unit"),
    )
    authored_keys: ClassVar[tuple[str, ...]] = (
        *(*RULE_KEYS, "levels", "reached", "cutoffs", "labels", "feedback"),
        *("min", "max", "unit", "target"),
    )

    @classmethod
    def read(cls, section: Section, earlier: Mapping[str, Question], /, **common: Any) -> Question:
        kind = _kind(section)
        return _checked_score(kind.read(section, earlier, **common), section)


class BandScore(LabelledQuestion):
    """A score of which the band is reported.

    Args:
        rule: how it is computed.
        cutoffs: where each band begins, in units of 10^-4, ascending; what is
            below the first one is in the first band too.
        feedback: what the device shows the respondent.
    """

    type: ClassVar[str] = ScoreQuestion.type
    keys: ClassVar[tuple[str, ...]] = ScoreQuestion.keys
    authored_keys: ClassVar[tuple[str, ...]] = ScoreQuestion.authored_keys

    rule: Rule
    cutoffs: tuple[int, ...]
    feedback: Feedback | None  # pyright: ignore[reportIncompatibleMethodOverride]  # a field here

    @property
    def items(self) -> tuple[Question, ...]:
        return self.rule.questions

    @classmethod
    def read(cls, section: Section, earlier: Mapping[str, Question], /, **common: Any) -> Self:
        if not section.is_published:
            return cls._read_authored(section, earlier, common)
        options = read_options(section)
        return cls(
            **common,
            options=options,
            rule=read_rule(section, earlier),
            cutoffs=_checked(
                read_decimals(section, "cutoffs", len(options), len(options)), section
            ),
            feedback=read_feedback(section, [option.id for option in options]),
        )

    @classmethod
    def _read_authored(
        cls, section: Section, earlier: Mapping[str, Question], common: dict[str, Any]
    ) -> Self:
        begins = _read_cutoffs(section)
        ids = tuple(begins)
        common["cutoffs"] = _checked(tuple(begins.values()), section)
        common["rule"] = read_authored_rule(section, earlier)
        if not section.problems.found:
            _check_reached(bounds(common["rule"]), begins, section)
        common["feedback"] = read_feedback(section, ids)
        return cls._labelled(section, common, ids)

    def to_authored(self) -> dict[str, Any]:
        begins = map(decimals.number_of, self.cutoffs)
        return {
            **to_authored_rule(self.rule),
            "cutoffs": dict(zip(self.option_ids, begins, strict=True)),
            **super().to_authored(),
            **members(feedback=self.feedback),
        }

    def compute(self, answers: Mapping[str, object]) -> str | None:
        step = self.rule.step
        lowest = self.cutoffs[0] // step * step
        steps = self.rule.steps(answers, lowest)
        if steps is None:
            return None
        return self.names[max(0, bisect_right(self.cutoffs, lowest + steps * step) - 1)]

    def to_document(self) -> dict[str, JSON]:
        keys = keys_of(self.option_ids)
        return {
            **super().to_document(),
            **self.rule.to_document(),
            "cutoffs": [*map(decimals.format_units, self.cutoffs)],
            **members(feedback=self.feedback and self.feedback.to_document(keys)),
        }


class NumberScore(NumberQuestion):
    """A score that is reported as a number; what is beyond its ends is reported as the end."""

    type: ClassVar[str] = ScoreQuestion.type
    keys: ClassVar[tuple[str, ...]] = ScoreQuestion.keys
    authored_keys: ClassVar[tuple[str, ...]] = ScoreQuestion.authored_keys

    rule: Rule

    @property
    def items(self) -> tuple[Question, ...]:
        return self.rule.questions

    @classmethod
    def read(cls, section: Section, earlier: Mapping[str, Question], /, **common: Any) -> Self:
        if section.is_published:
            return super().read(section, earlier, **common, rule=read_rule(section, earlier))
        before = len(section.problems.found)
        common["rule"] = rule = read_authored_rule(section, earlier)
        if len(section.problems.found) > before or len(rule.items) < rule.at_least:
            return cls._on_grid(section, common, 0, UNIT, UNIT)
        lowest, highest = bounds(rule)
        lowest_read = read_decimal(section, "min") if "min" in section else lowest
        highest_read = read_decimal(section, "max") if "max" in section else highest
        return cls._on_grid(section, common, lowest_read, highest_read, rule.step)

    def to_authored(self) -> dict[str, Any]:
        return {**super().to_authored(), **to_authored_rule(self.rule)}

    def compute(self, answers: Mapping[str, object]) -> str | None:
        steps = self.rule.steps(answers, self.lowest)
        if steps is None:
            return None
        return decimals.format_units(min(self.lowest + steps * self.step, self.highest))

    def to_document(self) -> dict[str, JSON]:
        return {**super().to_document(), **self.rule.to_document()}


def _checked_score(score: BandScore | NumberScore, section: Section) -> Question:
    """The score; if it is required, everybody must have one, whatever they answer.

    Otherwise it would depend on the answers whether there is a report at all.
    """
    is_sure = score.rule.skipped is not None
    sure = [
        item
        for item in score.items
        if item.required and (is_sure or item.show_if in (None, score.show_if))
    ]
    if score.required and len(sure) < score.rule.at_least:
        section.refuse(
            f"a required score needs {score.rule.at_least} items that are required and asked of "
            f"everybody who has the score; got {len(sure)}",
            "required",
            code=Code.REQUIRED_SCORE,
            needed=score.rule.at_least,
            count=len(sure),
        )
    if score.show_if and score.feedback and score.feedback.links:
        section.refuse(
            "only those who are asked would see the links, so a visit to them would say something "
            "about an answer; remove the links, or 'show_if'",
            "feedback",
            "links",
            code=Code.LINKS_TELL,
        )
    return score


def _kind(section: Section) -> type[BandScore | NumberScore]:
    """The kind of a score; keys that belong to the other one are problems."""
    has_bands = "cutoffs" in section
    for key in _KEYS_OF_NUMBERS if has_bands else _KEYS_OF_BANDS:
        if key in section:
            section.refuse(
                f"belongs to a score {'without' if has_bands else 'with'} cutoffs",
                key,
                code=Code.OTHER_TYPE,
                type="score",
            )
    return BandScore if has_bands else NumberScore


def _read_cutoffs(section: Section) -> dict[str, int]:
    """The bands that an author writes, and where each begins, in units of 10^-4."""
    written = section.values["cutoffs"]
    if not isinstance(written, Mapping):
        section.refuse(
            f"got {quote(written)}; allowed are {_CUTOFFS_RULE}", "cutoffs", code=Code.CUTOFFS
        )
        return {"low": 0, "high": UNIT}
    inner = section.within("cutoffs")
    inner.values = by_option_name(inner)
    if not 2 <= len(inner.values) <= MAX_OPTIONS or not all(map(is_short_text, inner.values)):
        inner.refuse(
            f"allowed are 2 to {MAX_OPTIONS} bands, each {SHORT_TEXT_RULE}",
            code=Code.WRONG_COUNT,
            lowest=2,
            highest=MAX_OPTIONS,
        )
    check_option_ids(section, list(map(str, inner.values)), "cutoffs")
    read = {band: read_decimal(inner, band) for band in map(str, inner.values)}
    begins = {band: units for band, units in read.items() if units is not None}
    if len(begins) < len(read):
        return {band: place for place, band in enumerate(read)}
    # A map has no order of its own: bands are in that of their cut-offs.
    return dict(sorted(begins.items(), key=lambda band: band[1]))


def _check_reached(ends: tuple[int, int], begins: Mapping[str, int], section: Section) -> None:
    """Note bands in which nobody can be, and scores without a band.

    `ends` are the lowest and the highest score, in units of 10^-4, and `begins` the
    ascending scores at which bands begin.
    """
    scores = "scores are from {} to {}".format(*map(decimals.format_units, ends))
    first, *later = begins
    empty = [band for band in later if begins[band] > ends[1]]
    empty += [first] if begins[later[0]] <= ends[0] else []
    if begins[first] > ends[0]:
        section.refuse(
            f"{scores}; add a band that begins at the lowest score", "cutoffs", code=Code.CUTOFFS
        )
    elif empty:
        combine = section.values.get("combine")
        advice = (
            f"{combine} is 1 or 0; write two bands, like {{no: 0, yes: 1}}"
            if combine in CONDITIONS
            else "change the cut-offs, or the points of the items"
        )
        section.refuse(
            f"{scores}, so nobody can be in the band {quote(empty[0])}; {advice}",
            "cutoffs",
            code=Code.CUTOFFS,
        )


def _checked(cutoffs: tuple[int, ...], section: Section) -> tuple[int, ...]:
    """The cut-offs, which ascend; a problem and one cut-off where they do not."""
    if all(first < second for first, second in itertools.pairwise(cutoffs)):
        return cutoffs or (0,)
    section.refuse("the cut-offs do not ascend", "cutoffs", code=Code.CUTOFFS)
    return (0,)
