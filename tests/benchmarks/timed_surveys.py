"""The surveys whose reports are timed, in Python and in Node."""

from typing import Any

from deniable_sdk import PublishedSurvey
from deniable_sdk.records import Record
from sample_definitions import choice, multiple, number, survey
from score_samples import score


class TimedSurvey(Record):
    """A survey and the answers of one respondent."""

    label: str
    published: PublishedSurvey
    answers: dict[str, Any]

    @property
    def draws(self) -> int:
        """How many random numbers one report takes, the choice of blocks included.

        The blocks of the surveys timed here are all alike.
        """
        asked, blocks = self.published.asked, self.published.blocks
        to_choose = asked if asked < len(blocks) else 0
        return to_choose + asked * blocks[0].mechanism.draws

    def to_document(self) -> dict[str, Any]:
        """What the script for Node reads."""
        document = self.published.document.hex()
        return {
            "label": self.label,
            "draws": self.draws,
            "answers": self.answers,
            "document": document,
        }


def timed_surveys() -> list[TimedSurvey]:
    """Questions of every kind, one of them in three sizes, ten blocks, and a score.

    A choice has as many answers as its label says, "no answer" among them.
    """
    ten = [choice(f"q{index}", options=3) for index in range(10)]
    ten_answers = {f"q{index}": "o1" for index in range(10)}
    return [
        *(_choice(size) for size in (4, 100, 1000)),
        TimedSurvey("10 blocks of 4", survey(*ten, epsilon=5, ask="all"), ten_answers),
        TimedSurvey("3 of 10 blocks of 4", survey(*ten, epsilon=5, ask=3), ten_answers),
        *(_multiple(name, size) for name in ("sampled_bits", "privset") for size in (10, 100)),
        _number("piecewise", "shares"),
        _number("piecewise", "mean"),
        *(_score(band, level) for band, level in (("lowest", "never"), ("highest", "every day"))),
    ]


def _choice(size: int) -> TimedSurvey:
    asked = survey(choice(options=size - 1), epsilon=2)
    return TimedSurvey(f"{size} options", asked, {"region": "o1"})


def _multiple(mechanism: str, options: int) -> TimedSurvey:
    """At most three of the options."""
    question = multiple(options=options, at_most=3, mechanism=mechanism)
    answers = {"drugs": ["o1", "o5"]}
    return TimedSurvey(f"{mechanism}, 3 of {options}", survey(question, epsilon=2), answers)


def _score(band: str, level: str) -> TimedSurvey:
    """Nine items: what a report costs must not depend on the band."""
    battery = score(items=[f"item {place}" for place in range(9)])
    answers = {f"mood_{place}": level for place in range(1, 10)}
    return TimedSurvey(f"9 items, {band} band", survey(battery, epsilon=2), answers)


def _number(mechanism: str, target: str) -> TimedSurvey:
    question = number(highest=100, mechanism=mechanism, target=target)
    return TimedSurvey(f"{mechanism}, 101 cells", survey(question, epsilon=2), {"visits": 42})
