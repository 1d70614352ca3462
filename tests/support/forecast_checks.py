"""Surveys to forecast, and their forecasts."""

from typing import Any

from deniable_sdk.survey.definition import Definition
from deniable_web.forecast.survey import SurveyForecast, forecast
from sample_definitions import definition

Document = dict[str, Any]


def number(question_id: str = "visits", **keys: object) -> Document:
    """A number from 0 to 30."""
    return {"id": question_id, "type": "number", "min": 0, "max": 30, "text": "?", **keys}


def multiple(question_id: str = "ills", options: int = 6, **keys: object) -> Document:
    """Any of some options."""
    ids = [f"o{index}" for index in range(options)]
    return {"id": question_id, "type": "multiple", "options": ids, "text": "?", **keys}


def check(
    *questions: Document,
    respondents: int | None = None,
    margin: float | None = None,
    **keys: object,
) -> SurveyForecast:
    """The forecast of such a definition."""
    document = definition(*questions, **keys)
    return forecast(Definition.from_document(document), respondents, margin)
