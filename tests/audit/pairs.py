"""Surveys, and two answers to each that an audit must not tell apart beyond its claim."""

import json
import math
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from deniable_sdk import PublishedSurvey
from deniable_sdk.randomness import DRAW_RANGE
from deniable_sdk.weights import exponential_floor, integer_weights
from sample_definitions import choice, scale, survey, yes_no
from score_samples import score

Answers = Mapping[str, Any]


@dataclass(frozen=True, slots=True)
class Pair:
    """Two ways to answer a survey, each of one respondent, or of one for each process.

    Args:
        survey: what is answered.
        first: the answers, one mapping for each process.
        second: other answers of one of the respondents.
        tries: how often a report's bytes are asked for.
        tells_nothing: whether nothing may be told of the answers at all, because
            both fit no question, or both come to the same score.
    """

    survey: PublishedSurvey
    first: tuple[Answers, ...]
    second: tuple[Answers, ...]
    tries: int = 1
    tells_nothing: bool = False

    @property
    def claim(self) -> float:
        """The epsilon that the survey's integers allow, exactly, as a logarithm."""
        if self.tells_nothing:
            return 0.0
        ratio = math.prod(block.ratio for block in self.survey.worst_blocks)
        return math.log(ratio.numerator) - math.log(ratio.denominator)


def _multiple(options: int, **keys: Any) -> dict[str, Any]:
    return choice("conditions", options, **keys) | {"type": "multiple"}


def _number(highest: int, **keys: Any) -> dict[str, Any]:
    keys = {"type": "number", "text": "How often?", "min": 0, "max": highest, **keys}
    return {"id": "visits", **keys}


def _routed() -> PublishedSurvey:
    rule = {"question": "smokes", "is": "yes"}
    follow_up = {**_number(10), "show_if": rule}
    return survey(yes_no("smokes", required=True), follow_up, epsilon=2, ask="all")


def _four_asked_two() -> PublishedSurvey:
    return survey(*(yes_no(f"q{index}") for index in range(4)), epsilon=2, ask=2)


def _four_asked_one() -> PublishedSurvey:
    return survey(
        *(yes_no(f"q{index}", required=True) for index in range(4)), epsilon="1.5", ask=1
    )


def _three_bits() -> PublishedSurvey:
    """Three bits at 1/4 each: the compiler would take more than one only at a large epsilon."""
    document = json.loads(survey(_multiple(3), epsilon="0.75").document)
    weights = integer_weights(Fraction(1, 4))
    document["privacy"]["blocks"][0]["mechanism"] |= {
        "sampled": 3,
        "weights": [weights.high, weights.low],
    }
    return PublishedSurvey.from_document(document)


def _full_draws() -> PublishedSurvey:
    """Weights whose total is two thirds of what one draw can be, the rest drawn again."""
    document = json.loads(survey(yes_no(required=True), epsilon="0.2").document)
    low = DRAW_RANGE * 3 // 10
    high = exponential_floor(Fraction(1, 5)) * low >> 256
    document["privacy"]["blocks"][0]["mechanism"]["weights"] = [high, low]
    return PublishedSurvey.from_document(document)


def _every_kind() -> PublishedSurvey:
    questions = [yes_no(), choice(options=7), scale(target="mean"), _number(30), _multiple(4)]
    return survey(*questions, epsilon=5, ask="all")


_WARNER = survey(yes_no(required=True), epsilon=1)
_YES, _NO = {"asthma": True}, {"asthma": False}
_SCALE_MEAN = survey(scale(target="mean"), epsilon=1)
_MANY = [f"o{place}" for place in range(6)]
_SETS = survey(_multiple(6, mechanism="sampled_bits"), epsilon=1)
_THREE_BITS = _three_bits()
_FEW = survey(_multiple(8, at_most=2, mechanism="privset"), epsilon=1)
_NUMBER = survey(_number(30), epsilon=1)
_LARGE = survey(_number(30), epsilon=6)
_MEAN = survey(_number(30, target="mean"), epsilon=1)
_JOINT = survey(yes_no(), choice(options=4), crosstabs=[["asthma", "region"]], epsilon=1)
_FOUR = survey(choice(options=4, required=True), epsilon=1)
_SUBSET = survey(choice(options=7, required=True), epsilon=1)
_SCORE = survey(score(at_least=2), epsilon=1)
_THREE = {"mood_1": "every day", "mood_2": "never", "mood_3": "never"}
_OTHERS = dict.fromkeys(("mood_1", "mood_2", "mood_3"), "some days")
_TWO = {"mood_1": "some days", "mood_3": "some days"}
_NINE = dict.fromkeys(("mood_1", "mood_2", "mood_3"), "every day")
_ROUTED = _routed()
_LED = {"question": "smokes", "is": "yes"}
_PATH = survey(
    yes_no("smokes", required=True), choice(options=5, required=True, show_if=_LED), epsilon=2
)
_LISTED = survey(_multiple(4), epsilon=4)
_UNEQUAL = survey(yes_no("a"), choice("b", 11), epsilon=1)
_ASKED = _four_asked_two()
_EVERY = _every_kind()

PAIRS: Mapping[str, Pair] = {
    "warner": Pair(_WARNER, (_YES,), (_NO,)),
    "full draws": Pair(_full_draws(), (_YES,), (_NO,)),
    "no answer": Pair(survey(yes_no(), epsilon=1), (_YES,), ({},)),
    "one of four": Pair(_FOUR, ({"region": "o0"},), ({"region": "o3"},)),
    "subset": Pair(_SUBSET, ({"region": "o1"},), ({"region": "o5"},)),
    "scale, mean": Pair(_SCALE_MEAN, ({"stress": 1},), ({"stress": 5},)),
    "scale, mean, no answer": Pair(_SCALE_MEAN, ({"stress": 3},), ({},)),
    "number": Pair(_NUMBER, ({"visits": 0},), ({"visits": 30},)),
    "number, no answer": Pair(_NUMBER, ({"visits": 7},), ({},)),
    "number for its mean": Pair(_MEAN, ({"visits": 30},), ({"visits": 0},)),
    "number for its mean, no answer": Pair(_MEAN, ({"visits": 13},), ({},)),
    "sampled bits": Pair(_SETS, ({"conditions": _MANY},), ({"conditions": []},)),
    "sampled bits, no answer": Pair(_SETS, ({"conditions": ["o1"]},), ({},)),
    "several bits": Pair(_THREE_BITS, ({"conditions": _MANY[:3]},), ({"conditions": []},)),
    "privset": Pair(_FEW, ({"conditions": ["o2", "o6"]},), ({"conditions": []},)),
    "privset, no answer": Pair(_FEW, ({"conditions": ["o2"]},), ({},)),
    "crosstab": Pair(
        _JOINT, ({"asthma": True, "region": "o0"},), ({"asthma": False, "region": "o3"},)
    ),
    "items of one score": Pair(_SCORE, (_THREE,), (_OTHERS,), tells_nothing=True),
    "items left out": Pair(_SCORE, (_THREE,), (_TWO,), tells_nothing=True),
    "two scores": Pair(_SCORE, (_THREE,), (_NINE,)),
    "a score or none": Pair(_SCORE, (_THREE,), ({},)),
    "reached or not": Pair(_ROUTED, ({"smokes": True, "visits": 9},), ({"smokes": False},)),
    "reached without answer": Pair(_ROUTED, ({"smokes": True},), ({"smokes": True, "visits": 0},)),
    "along a path": Pair(_PATH, ({"smokes": True, "region": "o2"},), ({"smokes": False},)),
    "one of all sets": Pair(_LISTED, ({"conditions": ["o0", "o3"]},), ({"conditions": []},)),
    "one of all sets, no answer": Pair(_LISTED, ({"conditions": ["o1"]},), ({},)),
    "drawn unequally": Pair(_UNEQUAL, ({"a": True},), ({"b": "o0"},)),
    "two of four asked": Pair(
        _ASKED, ({f"q{place}": True for place in range(4)},), ({"q0": False, "q3": False},)
    ),
    "one of four asked": Pair(
        _four_asked_one(),
        ({f"q{place}": True for place in range(4)},),
        ({f"q{place}": False for place in range(4)},),
    ),
    "every kind": Pair(
        _EVERY,
        (
            {
                "asthma": True,
                "region": "o0",
                "stress": 5,
                "visits": 30,
                "conditions": _MANY[:4],
            },
        ),
        ({},),
    ),
    "sent again": Pair(survey(yes_no(required=True), epsilon="1.5"), (_YES,), (_NO,), tries=4),
    "two processes": Pair(_WARNER, (_YES, _YES), (_YES, _NO)),
    "refused text": Pair(
        _SUBSET, ({"region": "o99"},), ({"region": "x" * 50},), tells_nothing=True
    ),
    "refused number": Pair(_LARGE, ({"visits": 31},), ({"visits": -1},), tells_nothing=True),
}
