"""Writing the parts of a survey into a document; `reading` is the other way."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from deniable_sdk.canonical import JSON
from deniable_sdk.records import Record


class SurveyPart(Record):
    """A part of a survey; a document contains it as an object whose keys are its fields."""

    def to_document(self) -> dict[str, JSON]:
        """The part as a document contains it."""
        return members(**self._named())


def members(**values: Any) -> dict[str, JSON]:
    """The values that are present, as a document contains them.

    None, False, 0 and empty values count as absent.
    """
    return {key: _document(value) for key, value in values.items() if value}


def moment_text(moment: datetime) -> str:
    """A moment as a published survey contains it."""
    return f"{moment:%Y-%m-%dT%H:%MZ}"


def _document(value: Any) -> JSON:
    if isinstance(value, datetime):
        return moment_text(value)
    if isinstance(value, SurveyPart):
        return value.to_document()
    if isinstance(value, tuple):
        return [_document(member) for member in value]
    return dict(value) if isinstance(value, Mapping) else value
