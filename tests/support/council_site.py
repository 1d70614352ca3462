"""A works council's survey: 15 questions of all kinds, two crosstabs, and invented people."""

import random
from collections.abc import Sequence
from typing import Any

from deniable_collector.store import Store, add_reports
from deniable_sdk import PublishedSurvey, compile_survey, randomize
from sample_definitions import Document

COUNCIL = "respect"
_AREAS = ("ward", "theatre", "laboratory", "office", "kitchen")
_TOLD = ("a colleague", "the works council", "a manager", "a doctor", "nobody")
_CAUSES = ("too few people", "shifts", "pay", "paperwork", "patients", "managers", "noise")
_YEARS = ("less than 2", "2 to 5", "6 to 10", "more than 10")
_HARASSED = {"question": "harassed", "is": "yes"}


def _said(text: str, arabic: str = "") -> Document:
    return {"en": text, "ar": arabic or text}


def _options(names: Sequence[str]) -> list[Document]:
    return [{"id": f"o{place}", "text": _said(name)} for place, name in enumerate(names)]


def _score(question_id: str, text: str, **keys: object) -> Document:
    levels = [
        {"id": f"l{points}", "points": points, "text": _said(str(points))} for points in range(4)
    ]
    items = [{"text": _said(f"{text} ({item})")} for item in range(1, 4)]
    return {
        "id": question_id,
        "type": "score",
        "text": _said(text),
        "items": items,
        "levels": levels,
        **keys,
    }


def _questions() -> list[Document]:
    def asked(
        question_id: str, kind: str, text: str, arabic: str = "", **keys: object
    ) -> Document:
        return {"id": question_id, "type": kind, "text": _said(text, arabic), **keys}

    levels = {1: _said("not at all", "إطلاقاً"), 5: _said("unbearably", "بشكل لا يطاق")}
    return [
        asked(
            "harassed",
            "yes_no",
            "Were you harassed at work in the past year?",
            "هل تعرضت للمضايقة في العمل خلال العام الماضي؟",
        ),
        asked("area", "choice", "Where do you work?", "أين تعمل؟", options=_options(_AREAS)),
        asked(
            "stress", "scale", "How stressed are you?", "ما مدى توترك؟", levels=5, labels=levels
        ),
        asked("told", "multiple", "Whom did you tell about a problem?", options=_options(_TOLD)),
        asked("sick", "number", "How many days were you ill?", min=0, max=60, unit=_said("days")),
        asked("helped", "yes_no", "Did telling somebody help?", show_if=_HARASSED),
        asked("leaving", "yes_no", "Have you thought of leaving?", required=True),
        asked("years", "choice", "How many years have you been here?", options=_options(_YEARS)),
        asked("heard", "scale", "How well are you listened to?", levels=5, labels=levels),
        asked("causes", "multiple", "What makes your work hard?", options=_options(_CAUSES)),
        asked(
            "overtime", "number", "How much overtime a week?", min=0, max=20, unit=_said("hours")
        ),
        asked("satisfied", "scale", "How satisfied are you?", levels=11, lowest=0, target="mean"),
        asked("shifts", "yes_no", "Do you work nights?"),
        _score(
            "mood", "How often did these bother you?", cutoffs={"few": 0, "some": 3, "many": 6}
        ),
        asked("mask", "yes_no", "Have you come to work while ill?"),
    ]


def council(**keys: object) -> PublishedSurvey:
    """The survey; each respondent is asked all of it."""
    return compile_survey(
        {
            "title": _said("Respect at work", "الاحترام في العمل"),
            "slug": COUNCIL,
            "epsilon": 10,
            "ask": 5,
            "crosstabs": [["harassed", "area"], ["stress", "leaving"]],
            "questions": _questions(),
            **keys,
        }
    )


def _answers(source: random.Random) -> dict[str, Any]:
    harassed = source.random() < 0.12
    stress = min(5, 1 + int(source.expovariate(0.6)))
    return {
        "harassed": harassed,
        "area": f"o{min(4, int(source.expovariate(0.8)))}",
        "stress": stress,
        "told": [
            f"o{place}" for place in range(5) if source.random() < (0.5, 0.3, 0.1, 0.05, 0)[place]
        ],
        "sick": min(60, int(source.expovariate(0.12))),
        "helped": source.random() < 0.6,
        "leaving": source.random() < (0.1, 0.2, 0.3, 0.5, 0.8)[stress - 1],
        "years": f"o{min(3, int(source.expovariate(0.6)))}",
        "heard": source.randint(1, 5),
        "causes": [f"o{place}" for place in range(7) if source.random() < 0.6 - place / 12],
        "overtime": min(20, int(source.expovariate(0.3))),
        "satisfied": source.randint(2, 9),
        "shifts": source.choice([True, False, False, None]),
        "mask": source.random() < 0.67,
        **{f"mood_{item}": f"l{source.choice((0, 0, 1, 1, 2, 3))}" for item in range(1, 4)},
    }


def fill_council(store: Store, published: PublishedSurvey, count: int) -> None:
    """Publish the survey, with so many reports of invented people; always the same ones."""
    source = random.Random("council")
    store.publish(published)
    reports = [
        randomize(published, _answers(source), read_bytes=source.randbytes) for _ in range(count)
    ]
    add_reports(store, reports)
