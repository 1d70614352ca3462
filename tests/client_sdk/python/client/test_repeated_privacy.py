"""What two reports of one device tell together: every draw enumerated, every ratio exact."""

import itertools
from collections import Counter
from fractions import Fraction
from typing import Any

import pytest

from deniable_sdk import PublishedSurvey
from deniable_sdk.canonical import JSON
from deniable_sdk.testing import RecordingTransport, open_test_client
from deniable_sdk.weights import Weights, is_within
from tape import Tape

ID = bytes(16)
# Four equally likely draws tell whether the answer is kept: three of them keep it.
DRAWS = [draw.to_bytes(6, "big") for draw in range(4)]
PLACE = bytes(6)
WARNER: JSON = {"name": "subset", "domain_size": 2, "size": 1, "weights": [3, 1]}
# Above ln 3, below ln 9.
EPSILON = "1.1"


def published(title: str, *, fixed: bool = False, **panel: int) -> PublishedSurvey:
    """A survey of one required question under Warner's method, at a ratio of 3."""
    question: dict[str, JSON] = {
        "id": "asthma",
        "type": "yes_no",
        "text": "Asthma?",
        "options": [{"id": "yes"}, {"id": "no"}],
        "required": True,
        **({"fixed": True} if fixed else {}),
    }
    block: JSON = {"id": "asthma", "questions": ["asthma"], "mechanism": WARNER}
    return PublishedSurvey.from_document(
        {
            "format": "deniable-survey/1",
            "slug": "health",
            "title": title,
            "questions": [question],
            "privacy": {"epsilon": EPSILON, "asked": 1, "blocks": [block], **panel},
        }
    )


def told(surveys: list[PublishedSurvey], answers: tuple[str, str], tape: bytes) -> Any:
    """What both reports say, from these bytes and no others."""
    read = Tape(tape)
    with open_test_client(RecordingTransport(), read_bytes=read) as client:
        reports = [
            # Held, so that no sending in the background draws from the tape.
            client.submit(survey, {"asthma": answer}, again="edition", hold=True)
            for survey, answer in zip(surveys, answers, strict=True)
        ]
    read.assert_all_read()
    return tuple(report.values["asthma"] for report in reports)


def worst_ratio(surveys: list[PublishedSurvey], tapes: list[bytes], pairs: list[Any]) -> Fraction:
    """The most that any two pairs of answers make anything that is told differ."""
    laws = [Counter(told(surveys, answers, tape) for tape in tapes) for answers in pairs]
    outcomes = set().union(*laws)
    return max(
        Fraction(one[outcome], other[outcome])
        for one, other in itertools.permutations(laws, 2)
        for outcome in outcomes
        if other[outcome] or one[outcome]
    )


@pytest.mark.parametrize("later", ["yes", "no"])
def test_two_editions_tell_of_a_fact_what_one_tells(later: str) -> None:
    """The joint law of both reports has the ratio of one, whatever the second is answered."""
    editions = [published("1", fixed=True), published("2", fixed=True)]
    tapes = [ID + draw + PLACE + ID for draw in DRAWS]
    assert worst_ratio(editions, tapes, [("yes", later), ("no", later)]) == 3
    laws = {told(editions, ("yes", later), tape) for tape in tapes}
    assert laws == {(0, 0), (1, 1)}


def test_two_waves_of_a_panel_tell_the_product() -> None:
    """Fresh draws multiply, also where the answer changes, and stay within what is promised."""
    waves = [published(f"{number}", waves=2, wave=number) for number in (1, 2)]
    tapes = [
        ID + first + PLACE + ID + second + PLACE
        for first, second in itertools.product(DRAWS, repeat=2)
    ]
    pairs = list(itertools.product(("yes", "no"), repeat=2))
    assert worst_ratio(waves, tapes, pairs) == 9
    assert is_within([Weights(9, 1)], 2 * waves[0].epsilon)
