"""Surveys of SurveyJS that end early for some, and the answers to try."""

import itertools
from typing import Any

ANSWERS = ["yes", "no", None]


def _question(name: str, *, is_required: bool = True, **own: object) -> dict[str, Any]:
    required = {"isRequired": True} if is_required else {}
    return {"type": "radiogroup", "name": name, "choices": ["yes", "no"], **required, **own}


A, B, C, D = (_question(name) for name in "abcd")


def _survey(*pages: list[Any], triggers: list[Any], **own: object) -> dict[str, Any]:
    return {
        "title": "T",
        "pages": [{"elements": page} for page in pages],
        "triggers": [
            trigger if isinstance(trigger, dict) else {"type": "complete", "expression": trigger}
            for trigger in triggers
        ],
        **own,
    }


# Each survey, and whether all of its triggers can be said with show_if.
SURVEYS: list[tuple[dict[str, Any], bool]] = [
    (_survey([A, B], [C], [D], triggers=["{b} = 'no'"]), True),
    (_survey([A], [B], [C], [D], triggers=["{c} = 'NO'"]), True),
    (_survey([A], [B], [C], [D], triggers=["{b} <> 'yes'"]), True),
    (_survey([A], [B], [C], [D], triggers=["{b} = 'no' or {b} empty"]), True),
    (_survey([A], [B], [C], [D], triggers=["{a} = 'no'", "{b} = 'no'", "{c} = 'no'"]), True),
    (_survey([A], [B], triggers=["{b} = 'no'"]), True),
    (_survey([A, B, C, D], triggers=["{a} = 'no'"]), True),
    (_survey([A], [B], triggers=["{a} = 'unknown'"]), True),
    (_survey([A], [B], [_question("c", visibleIf="{b} = 'no'")], triggers=["{a} = 'no'"]), True),
    (_survey([_question("a", is_required=False)], [B], triggers=["{a} = 'no'"]), False),
    (_survey([_question("a", is_required=False)], [B], triggers=["{a} <> 'yes'"]), True),
    (_survey([A], [_question("b", visibleIf="{a} = 'no'")], [C], triggers=["{b} = 'no'"]), False),
    (_survey([A], [B], [C], triggers=["{a} = 'no' and {b} = 'no'"]), False),
    (_survey([A], [B], [C], triggers=["{a}"]), False),
    (_survey([A], [B], [C], triggers=["{a} ="]), False),
    (_survey([A], [B], [C], triggers=["{nobody} = 'no'"]), False),
    (_survey([A], [B], [C], triggers=["true"]), False),
    (_survey([A], [B], [C], triggers=[{"type": "complete", "name": "a", "value": "no"}]), False),
    (
        _survey(
            *([A], [B], [C]),
            triggers=[{"type": "skip", "expression": "{a} = 'no'", "gotoName": "c"}],
        ),
        False,
    ),
    (_survey([A, B], [C], triggers=["{a} = 'no'"], questionsOnPageMode="singlePage"), False),
    (_survey([A, B], [C], triggers=["{a} = 'no'"], questionsOnPageMode="questionPerPage"), False),
    (_survey([A], [B], [C], triggers=["{a} = 'no'"], firstPageIsStartPage=True), False),
]


def names(survey: dict[str, Any]) -> list[str]:
    """The names of all questions, in order."""
    return [question["name"] for page in survey["pages"] for question in page["elements"]]


def answers(survey: dict[str, Any]) -> list[dict[str, str | None]]:
    """All answers to the questions that respondents may give."""
    questions = [question for page in survey["pages"] for question in page["elements"]]
    lists = [ANSWERS[:2] if "isRequired" in each else ANSWERS for each in questions]
    return [dict(zip(names(survey), each, strict=True)) for each in itertools.product(*lists)]
