"""The labels of questions and their options."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from babel.lists import format_list

from deniable_analysis.results.answers import NOT_ASKED, NOT_ASKED_OR_NONE
from deniable_analysis.results.responses import ALL_INVITED
from deniable_sdk import PublishedSurvey
from deniable_sdk.mechanisms.base import Scale
from deniable_sdk.survey.groups import group_of
from deniable_sdk.survey.options import NO_ANSWER
from deniable_sdk.survey.questions import Question
from deniable_sdk.survey.text import Text, in_language
from deniable_web.pages.languages import DEFAULT, best, catalog
from deniable_web.pages.numbers import Numbers
from deniable_web.results.findings import ALL_REPORTS

_ASKED = {NOT_ASKED: "not_asked", NOT_ASKED_OR_NONE: "not_asked_or_none", NO_ANSWER: NO_ANSWER}
_ALL = {ALL_INVITED: "all_invited", ALL_REPORTS: "all_reports"}


def isolated(name: str) -> str:
    """A name that may have another direction of writing than its sentence."""
    return f"\u2068{name}\u2069"


def nearest(survey: PublishedSurvey, language: str) -> str:
    """The best of a survey's languages for a reader of this language."""
    return best((language, DEFAULT), sorted(survey.languages)) or language


@dataclass(frozen=True, slots=True)
class Labels:
    """The texts of a survey in one language.

    Args:
        survey: the survey with the author's texts.
        language: the language of the texts; a text without it is shown in its first language.
        own: the interface's names for its own answers and groups: yes, no, no_answer,
            all_invited.
        numbers: the format of numbers in the interface's language.
    """

    survey: PublishedSurvey
    language: str
    own: Mapping[str, str]
    numbers: Numbers

    @classmethod
    def of(cls, survey: PublishedSurvey, language: str) -> "Labels":
        """The texts of a survey in a language, or in the interface's default, or in any."""
        own = catalog("results", language)["options"]
        return cls(survey, nearest(survey, language), own, Numbers(language))

    def text(self, text: Text) -> str:
        """An author's text."""
        return in_language(text, self.language)

    def question(self, question_id: str) -> str:
        """The text of a question."""
        return self.text(self.find(question_id).text)

    def find(self, question_id: str) -> Question:
        """The question with an id of the survey."""
        return next(each for each in self.survey.questions if each.id == question_id)

    def option(self, question_id: str, name: str) -> str:
        """The label for one of a question's option names."""
        question = self.find(question_id)
        if name in _ASKED:
            is_both = name == NO_ANSWER and question.show_if
            return self.own["not_asked_or_none" if is_both else _ASKED[name]]
        option = next((each for each in question.options if each.id == name), None)
        if option is None or option.text is None:
            return self.own.get(name, name) if question.has_common_options else name
        words = self.text(option.text)
        return f"{name} – {words}" if question.scale is Scale.ORDINAL else words

    def answer(self, question_id: str, name: str) -> str:
        """The same, if it is known which of "not asked" and "no answer" is meant."""
        key = _ASKED.get(name)
        return self.own[key] if key else self.option(question_id, name)

    def quoted(self, name: str) -> str:
        """A name in quotation marks, as a part of a sentence."""
        return self.own["quoted"].format(name=isolated(name))

    def group(self, name: str) -> str:
        """The name of a group, of several merged ones, or of all."""
        if name in _ALL:
            return self.own[_ALL[name]]
        found = [group_of(self.survey.groups, each) for each in name.split(" + ")]
        return " + ".join(self.text(each.text or each.id) for each in found)

    def groups(self, names: Iterable[str]) -> str:
        """The names of groups as a part of a sentence."""
        return self.listed(map(self.group, names))

    def listed(self, names: Iterable[str]) -> str:
        """Names as a part of a sentence, in any direction of writing."""
        return format_list([isolated(name) for name in names], locale=self.numbers.locale)

    def unit(self, question_id: str) -> str:
        """The unit of a number; empty if the author names none."""
        unit = self.find(question_id).unit
        return self.text(unit) if unit is not None else ""
