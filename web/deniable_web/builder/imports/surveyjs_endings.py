"""Triggers of SurveyJS that end a survey: later pages are only for those who meet none."""

from collections.abc import Sequence
from typing import Any, Final

from deniable_web.builder.imports.evaluators import names
from deniable_web.builder.imports.imported import Changed
from deniable_web.builder.imports.nodes import leaves
from deniable_web.builder.imports.questions import Questions
from deniable_web.builder.imports.syntax import UnreadableExpressionError, parse

# With these, the pages of the file are not those that respondents leave.
_OTHER_PAGES: Final = ("firstPageIsStarted", "firstPageIsStartPage", "isSinglePage")


class Endings:
    """The triggers of a survey.

    Such a trigger is tested when somebody leaves the page of the question that it is about.

    Args:
        survey: the whole survey.
        triggers: those in it, as the file has them.
        questions: the questions made so far.
    """

    def __init__(self, survey: Any, triggers: Sequence[Any], questions: Questions) -> None:
        # The conditions of the pages after those that were read.
        self.conditions: tuple[str, ...] = ()
        self._questions = questions
        self._waiting = list(triggers)
        is_standard = survey.get("questionsOnPageMode", "standard") == "standard"
        self._is_paged = is_standard and not any(map(survey.get, _OTHER_PAGES))

    def leave_page(self, first: int) -> None:
        """Take over the triggers about questions of a page, the first of which has this place."""
        on_page = {question["id"] for question in self._questions.made[first:]}
        waiting, self._waiting = self._waiting, []
        for trigger in waiting:
            own, name = _condition(trigger)
            question = (self._questions.named(name) or {}).get("id", "")
            routing = self._questions.routing
            if (
                self._is_paged
                and question in on_page
                and routing.leads_on(question, self.conditions, own)
            ):
                self.conditions += (own,)
            else:
                self._waiting.append(trigger)

    def list_others(self) -> None:
        """Note the triggers that were not taken over."""
        for trigger in self._waiting:
            details = f"triggers: {', '.join(leaves(trigger))}"
            self._questions.account.change("", Changed.RULES, details)


def _condition(trigger: Any) -> tuple[str, str]:
    """When a trigger does not end the survey, and the question that it is about; else "" twice."""
    expression = trigger.get("expression") if isinstance(trigger, dict) else None
    if not isinstance(expression, str) or {*trigger} != {"type", "expression"}:
        return "", ""
    try:
        named = set(names(parse(expression)))
    except UnreadableExpressionError:
        return "", ""
    is_ending = trigger["type"] == "complete" and len(named) == 1
    return (f"!({expression})", named.pop()) if is_ending else ("", "")
