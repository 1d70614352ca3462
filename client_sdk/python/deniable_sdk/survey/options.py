"""Options: the answers that respondents choose from, and the rule by which they lead on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Protocol

from deniable_sdk.canonical import JSON
from deniable_sdk.errors import Code, few, quote
from deniable_sdk.survey.reading import Section
from deniable_sdk.survey.text import (
    SHORT_TEXT_RULE,
    Text,
    control_problem,
    is_blank,
    is_short_text,
    read_optional_text,
)
from deniable_sdk.survey.writing import SurveyPart

NO_ANSWER = "no_answer"
MAX_OPTIONS = 999
_QUESTION_RULE = "the id of an earlier question with options"
_OPTIONS_RULE = "an option of that question, or a list of some"


class Option(SurveyPart):
    """One possible answer; without a text of its own, its id is shown."""

    id: str
    text: Text | None = None


def read_options(section: Section) -> tuple[Option, ...]:
    """The options of a question; problems go to the section.

    An author may write an option without a text as its id alone.
    """
    options = tuple(
        _read_option(section, member, index)
        for index, member in enumerate(section.members("options", 2, MAX_OPTIONS, "options"))
    )
    check_option_ids(section, [option.id for option in options], "options")
    return options


def option_name(value: object) -> object:
    """The id of an option as YAML reads it: true is yes, false is no, an integer its digits."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value) if isinstance(value, int) else value


def by_option_name(section: Section) -> dict[object, Any]:
    """The values of a section by the ids of options; two keys of one id are a problem."""
    found = {option_name(key): value for key, value in section.values.items()}
    if len(found) < len(section.values):
        keys = ", ".join(str(key) for key in section.values)
        section.refuse(
            f"got the names {keys}, of which two are one; write each once",
            code=Code.REPEATED,
            name=keys,
        )
    return found


def authored_options(options: tuple[Option, ...]) -> list[JSON]:
    """The options as an author writes them: those without a text by their id alone."""
    return [option.id if option.text is None else option.to_document() for option in options]


def check_option_ids(section: Section, ids: list[str], key: str) -> None:
    """Note option ids that are reserved or repeated."""
    seen: set[str] = set()
    for index, option_id in enumerate(ids):
        if option_id == NO_ANSWER:
            section.refuse(
                f"{NO_ANSWER!r} is reserved: every question that is not required has it already",
                key,
                index,
                code=Code.RESERVED,
                name=NO_ANSWER,
            )
        elif option_id and option_id in seen:
            section.refuse(
                f"the option {option_id!r} is repeated",
                key,
                index,
                code=Code.REPEATED,
                name=option_id,
            )
        seen.add(option_id)


def is_no_answer(answer: object) -> bool:
    """Whether a respondent gave no answer, explicitly or by leaving it out."""
    return answer is None or (isinstance(answer, str) and answer == NO_ANSWER)


def _read_option(section: Section, member: object, index: int) -> Option:
    is_whole = section.is_published or isinstance(member, Mapping)
    # Most have only a legal id; giving both fields is the fast way.
    if isinstance(member, dict) and member.keys() == {"id"} and is_short_text(member["id"]):
        return Option(member["id"], None)
    if not is_whole and is_short_text(member):
        return Option(str(member))
    if not is_whole:
        section.refuse(_bad_option(member), "options", index)
        return Option("")
    inner = section.inner(member, "options", index)
    inner.refuse_unknown(("id", "text"))
    option_id = inner.require("id", SHORT_TEXT_RULE)
    if not is_short_text(option_id):
        if "id" in inner:
            inner.refuse(_bad_option(option_id, is_published=section.is_published), "id")
        option_id = ""
    return Option(str(option_id), read_optional_text(inner, "text"))


def _bad_option(value: object, *, is_published: bool = False) -> str:
    if control_problem(value):
        return control_problem(value)
    if is_published:
        return f"got no option id; allowed is {SHORT_TEXT_RULE}"
    hint = ""
    if isinstance(value, bool | int | float):
        hint = "; write it in quotes (a bare number, true or null is not read as a text)"
    elif is_blank(value):
        hint = ", not only blanks; write what respondents are to read"
    return f"got {quote(value)}; allowed is {SHORT_TEXT_RULE}{hint}"


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
        section.refuse(f"got no option; allowed is {_OPTIONS_RULE}", "is", code=Code.EMPTY)
    return chosen


def _check_options(section: Section, chosen: Sequence[object], known: tuple[str, ...]) -> None:
    """Note every option of a rule that its question does not have."""
    options = frozenset(known)
    for index, member in enumerate(chosen):
        if not (isinstance(member, str) and member in options):
            section.refuse(
                f"got {quote(member)}; allowed are: {few(known)}",
                "is",
                index,
                code=Code.UNKNOWN_NAME,
            )
