"""Surveys in the JSON of SurveyJS.

Source: the documentation of the form library's classes Question, and its JSON schema. A
survey is read as data: whatever is unknown here is left out and noted.
"""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from deniable_web.builder.imports.computed import Calculations
from deniable_web.builder.imports.finishing import finish
from deniable_web.builder.imports.imported import Account, Imported
from deniable_web.builder.imports.languages import find_tag
from deniable_web.builder.imports.nodes import FileNode
from deniable_web.builder.imports.places import Place
from deniable_web.builder.imports.questions import ImportedQuestion, Questions
from deniable_web.builder.imports.surveyjs_endings import Endings
from deniable_web.builder.imports.surveyjs_evaluator import SURVEYJS
from deniable_web.builder.imports.surveyjs_keys import UNREAD
from deniable_web.builder.imports.surveyjs_questions import read_question
from deniable_web.builder.imports.surveyjs_values import expand
from deniable_web.builder.imports.texts import Texts

# In {braces} the form library shows an answer, or a value that it knows.
_REFERENCE: Final = r"\{[^{}\n]+\}"
_WHOLE_SURVEY: Final = ""


def import_surveyjs(document: Mapping[str, Any]) -> Imported:
    """The survey, with the questions of all pages and panels, and an account of changes."""
    account = Account()
    survey = FileNode(document)
    locale = find_tag(str(survey.take("locale") or "")) or "en"
    texts = Texts(account, _REFERENCE, locale)
    # Names and values are compared without regard to capitals there.
    questions = Questions(account, SURVEYJS, str.casefold)
    calculations = Calculations(questions)
    endings = Endings(document, _list(survey.take("triggers")), questions)
    for page in _pages(survey):
        first = len(questions.made)
        for element in expand(page, Place(endings.conditions), questions, texts):
            if element.kind == "expression":
                expression = str(element.node.take("expression") or "")
                calculations.add(element.asked(), expression)
                element.list_unread()
            else:
                read_question(element)
        if 0 < first < len(questions.made):
            questions.made[first]["new_page"] = True
        endings.leave_page(first)
    endings.list_others()
    for value in _list(survey.take("calculatedValues")):
        node = FileNode(value)
        name, expression = (str(node.take(key) or "") for key in ("name", "expression"))
        calculations.add(ImportedQuestion(name, name), expression)
        node.list_unread(name, UNREAD, account)
    calculations.finish()
    introduction = texts.read(survey.take("description"), _WHOLE_SURVEY)
    definition = finish(
        questions,
        texts.read(survey.take("title"), _WHOLE_SURVEY),
        locale,
        introduction=questions.introduction(introduction),
        thanks=texts.read_html(survey.take("completedHtml"), _WHOLE_SURVEY),
    )
    survey.list_unread(_WHOLE_SURVEY, UNREAD, account)
    return Imported(definition, account)


def _pages(survey: FileNode) -> Iterator[object]:
    """The pages; the elements of a document without pages are a page themselves."""
    yield from _list(survey.take("pages"))
    for key in ("elements", "questions"):
        if elements := survey.take(key):
            yield {"elements": elements}


def _list(value: object) -> list[Any]:
    return value if isinstance(value, list) else []
