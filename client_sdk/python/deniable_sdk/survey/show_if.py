"""The show_if rule: which answers to another question lead to this one."""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from typing import Protocol

from deniable_sdk.canonical import JSON
from deniable_sdk.errors import quote
from deniable_sdk.records import Record
from deniable_sdk.survey.options import MAX_OPTIONS
from deniable_sdk.survey.reading import Section

# So that what a refusal says does not grow with the survey.
_NAMED_OPTIONS = 5
_QUESTION_RULE = "the id of an earlier question with options"


class Router(Protocol):
    """The part of the deciding question that a rule needs."""

    @property
    def option_ids(self) -> tuple[str, ...]:
        """The ids of its options; none where it has no options."""
        ...


class ShowIf(Record):
    """Reach a question only if one of these options of another was chosen."""

    question: str
    options: tuple[str, ...]

    def to_document(self) -> dict[str, JSON]:
        """The rule as a published survey contains it."""
        return {"question": self.question, "is": list(self.options)}


def read_show_if(section: Section, earlier: Mapping[str, Router]) -> ShowIf | None:
    """The rule of a published question, None where it has none.

    Args:
        section: the question's.
        earlier: the questions before it, by id.
    """
    if "show_if" not in section:
        return None
    inner = Section(section.values["show_if"], section.at("show_if"), section.problems)
    inner.refuse_unknown(("question", "is"))
    known = read_router(inner, earlier)
    chosen = list(inner.members("is", 1, MAX_OPTIONS, "options"))
    if known:
        check_options(inner, chosen, known)
        index = {option: number for number, option in enumerate(known)}
        indices = [index[name] for name in chosen if isinstance(name, str) and name in index]
        if any(left >= right for left, right in itertools.pairwise(indices)):
            inner.refuse("the options are not in their order, or one is repeated", "is")
    router = inner.values.get("question")
    return ShowIf(str(router), tuple(str(member) for member in chosen))


def read_router(section: Section, earlier: Mapping[str, Router]) -> tuple[str, ...]:
    """The options of the question a rule names; none where it names no such question."""
    name = section.require("question", _QUESTION_RULE)
    question = earlier.get(name) if isinstance(name, str) else None
    options = question.option_ids if question else ()
    if not options and "question" in section:
        section.refuse(f"got {quote(name)}; allowed is {_QUESTION_RULE}", "question")
    return options


def check_options(section: Section, chosen: Sequence[object], known: tuple[str, ...]) -> None:
    """Note every option of a rule that its question does not have."""
    named = ", ".join(known[:_NAMED_OPTIONS]) + (", ..." if len(known) > _NAMED_OPTIONS else "")
    options = frozenset(known)
    for index, member in enumerate(chosen):
        if not (isinstance(member, str) and member in options):
            section.refuse(f"got {quote(member)}; allowed are: {named}", "is", index)
