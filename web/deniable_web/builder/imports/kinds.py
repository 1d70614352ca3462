"""Tells by the contents of a file what kind of survey it is."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from deniable_sdk.survey.questions import QUESTION_TYPES
from deniable_web.builder.imports.surveyjs_questions import KINDS

# Keys of a definition that no other program has.
_OURS: Final = ("slug", "epsilon")
# Where SurveyJS has elements.
_HOLDERS: Final = ("pages", "elements", "questions")
# What only the files of other programs contain.
_OTHERS: Final = {
    "a survey of Qualtrics": ('"SurveyEntry"',),
    "a survey of Formbricks": ('"headline"',),
    "a survey of LimeSurvey": ("<LimeSurveyDocType>", "type/scale"),
    "a data dictionary of REDCap": ("Variable / Field Name", "field_name,form_name"),
    "an XForm of ODK, made from an XLSForm": ("http://www.w3.org/2002/xforms",),
    "an XLSForm in another format": ("list_name,", "type,name,label"),
}


def is_definition(document: Mapping[str, Any]) -> bool:
    """Whether a document is a definition, perhaps with mistakes."""
    questions = document.get("questions")
    return isinstance(questions, list) and (
        any(key in document for key in _OURS)
        or any(_type(question) in QUESTION_TYPES for question in questions)
    )


def is_surveyjs(document: Mapping[str, Any]) -> bool:
    """Whether a document has an element of a type that SurveyJS has."""
    return any(kind in KINDS for kind in _types(document))


def other_program(text: str) -> str:
    """The kind of survey of another program that a text is; "" if it is not known."""
    return next((kind for kind, marks in _OTHERS.items() if any(m in text for m in marks)), "")


def _types(holder: Mapping[str, Any]) -> Iterator[str]:
    for key in _HOLDERS:
        inner = holder.get(key)
        for element in inner if isinstance(inner, list) else ():
            if isinstance(element, Mapping):
                yield _type(element)
                yield from _types(element)


def _type(question: object) -> str:
    return str(question.get("type")) if isinstance(question, Mapping) else ""
