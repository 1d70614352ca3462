"""The show_if rule: which answers to another question lead to this one."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from deniable_sdk.canonical import JSON
from deniable_sdk.errors import few, quote
from deniable_sdk.survey.options import MAX_OPTIONS, option_name
from deniable_sdk.survey.reading import Section
from deniable_sdk.survey.writing import SurveyPart

_QUESTION_RULE = "the id of an earlier question with options"
_OPTIONS_RULE = "an option of that question, or a list of some"


class Router(Protocol):
    """The part of the deciding question that a rule needs."""

    @property
    def option_ids(self) -> tuple[str, ...]:
        """The ids of its options; none where it has no options."""
        ...


class ShowIf(SurveyPart):
    """Reach a question only if one of these options of another was chosen."""

    question: str
    options: tuple[str, ...]

    def to_document(self) -> dict[str, JSON]:
        """The rule as a published survey contains it."""
        return {"question": self.question, "is": list(self.options)}


def read_show_if(section: Section, earlier: Mapping[str, Router]) -> ShowIf:
    """The rule of a question; problems go to the section.

    An author may write a single option without a list, and options in any order.
    """
    section.refuse_unknown(("question", "is"))
    name = section.require("question", _QUESTION_RULE)
    router = earlier.get(name) if isinstance(name, str) else None
    known = router.option_ids if router else ()
    if not known and "question" in section:
        section.refuse_value(name, _QUESTION_RULE, "question")
    chosen = _read_chosen(section)
    if known and "is" in section:
        _check_options(section, chosen, known)
    named = {member for member in chosen if isinstance(member, str)}
    options = tuple(option for option in known if option in named)
    if section.is_published and [each for each in chosen if each in options] != [*options]:
        section.refuse("the options are not in their order, or one is repeated", "is")
    return ShowIf(str(name), options)


def _read_chosen(section: Section) -> list[object]:
    if section.is_published:
        return list(section.members("is", 1, MAX_OPTIONS, "options"))
    value = section.require("is", _OPTIONS_RULE)
    chosen = [option_name(member) for member in (value if isinstance(value, list) else [value])]
    if not chosen:
        section.refuse(f"got no option; allowed is {_OPTIONS_RULE}", "is")
    return chosen


def _check_options(section: Section, chosen: Sequence[object], known: tuple[str, ...]) -> None:
    """Note every option of a rule that its question does not have."""
    options = frozenset(known)
    for index, member in enumerate(chosen):
        if not (isinstance(member, str) and member in options):
            section.refuse(f"got {quote(member)}; allowed are: {few(known)}", "is", index)
