"""The questions that an import has made so far, by the names that later questions use."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import InitVar, dataclass, field
from fractions import Fraction
from typing import Any, Final

from deniable_sdk.survey.questions import MAX_QUESTIONS
from deniable_sdk.survey.questions.closed import MAX_LEVELS
from deniable_web.builder.imports.bounds import number_keys
from deniable_web.builder.imports.evaluators import Evaluator
from deniable_web.builder.imports.imported import Account, Changed, LeftOut, UnreadableImport
from deniable_web.builder.imports.names import Names
from deniable_web.builder.imports.options import KeptOption, Option, keep_options
from deniable_web.builder.imports.places import ImportedSection, Sections
from deniable_web.builder.imports.routing import Routing
from deniable_web.builder.imports.texts import Text, join, words

# More than any survey has; a file may contain millions of both.
_MOST_QUESTIONS: Final = 1_000
_MOST_OPTIONS_TOGETHER: Final = 50_000
_YES_NO: Final = ("yes", "no")


@dataclass(frozen=True, slots=True)
class ImportedQuestion:
    """The properties that all questions of other programs have.

    Args:
        name: its name in the other program.
        text: the text of the question; "" if it has none.
        help: a text below it.
        section: the page, panel or group that it is in; None if no heading is above it.
        is_required: whether an answer must be given.
        conditions: its own condition and those of its groups; it is asked where all are met.
        is_preset: whether it may have an answer where it is not asked.
        alias: the name that calculations use for it, if it is a different one.
        words: all that respondents would read of it, for the account.
    """

    name: str
    text: Text
    help: Text = ""
    section: ImportedSection | None = None
    is_required: bool = False
    conditions: tuple[str, ...] = ()
    is_preset: bool = False
    alias: str = ""
    words: Callable[[], Iterable[str]] = tuple


@dataclass(slots=True)
class Questions:
    """The list of questions made so far.

    Args:
        account: lists what is left out or changed.
        evaluator: the program that evaluated the conditions.
        fold: maps all spellings of a name to one, if that program ignores case.
    """

    account: Account
    evaluator: InitVar[Evaluator]
    fold: Callable[[str], str] = str
    routing: Routing = field(init=False)
    sections: Sections = field(init=False)
    made: list[dict[str, Any]] = field(default_factory=list)
    by_id: dict[str, dict[str, Any]] = field(default_factory=dict)
    _names: Names = field(default_factory=Names)
    _ids: dict[str, str] = field(default_factory=dict)
    _aliases: dict[str, str] = field(default_factory=dict)
    _values: dict[str, Mapping[str, str | int]] = field(default_factory=dict)
    _option_count: int = 0
    _opening: Text = ""

    def __post_init__(self, evaluator: Evaluator) -> None:
        self.routing = Routing(evaluator, lambda name: (self.named(name) or {}).get("id"))
        self.sections = Sections(self.account)

    def named(self, name: str) -> dict[str, Any] | None:
        """The question with this name or alias; the first, if there are several."""
        own = self._ids.get(self._key(name))
        return self.by_id[own] if own else None

    def values(self, name: str) -> Mapping[str, str | int]:
        """The names of the answers to a question, and the option for each name."""
        return self._values.get(self._key(name), {})

    def show(self, name: str, text: Text, is_always_shown: bool) -> None:
        """A text without a question: before the first question it introduces the survey."""
        if self.made or not is_always_shown:
            self.account.change(name, Changed.NOTE, *words(text))
        elif text:
            self._opening = join(self._opening, text, "\n\n")

    def introduction(self, text: Text = "") -> Text:
        """The introduction of the survey: a text, and those before the first question."""
        return join(text, self._opening, "\n\n")

    def add_yes_no(
        self, asked: ImportedQuestion, labels: Mapping[str, Text], called: Mapping[str, str]
    ) -> None:
        """A question answered with yes or no.

        Args:
            asked: the question.
            labels: texts for yes and no.
            called: the names of both answers in the other program, with yes and no.
        """
        self._add(asked, "yes_no", {"labels": dict(labels)} if labels else {}, called)

    def add_choice(
        self, asked: ImportedQuestion, options: Sequence[Option], *, is_shuffled: bool = False
    ) -> None:
        """A question with one of several options; of type yes_no if these are its only options."""
        kept = self._options(asked.name, options)
        if {option.id for option in kept} == {*_YES_NO} and not is_shuffled:
            labels = {option.id: option.text for option in kept if option.text != option.id}
            self.add_yes_no(asked, labels, {value: value for value in _YES_NO})
        else:
            self._add_options(asked, "choice", kept, _order(is_shuffled))

    def add_multiple(
        self,
        asked: ImportedQuestion,
        options: Sequence[Option],
        most: int = 0,
        *,
        is_shuffled: bool = False,
    ) -> None:
        """A question with any of several options, at most `most` of them; 0 is no limit."""
        kept = self._options(asked.name, options)
        extra = {"at_most": most} if 1 <= most < len(kept) else {}
        self._add_options(asked, "multiple", kept, extra | _order(is_shuffled))

    def _add_options(
        self,
        asked: ImportedQuestion,
        kind: str,
        kept: Sequence[KeptOption],
        extra: Mapping[str, Any],
    ) -> None:
        if len(kept) < 2:
            self.account.leave_out(asked.name, LeftOut.NO_OPTIONS, *asked.words())
            return
        options = [
            option.id if option.text == option.id else {"id": option.id, "text": option.text}
            for option in kept
        ]
        values = {option.name: option.id for option in kept}
        # Nobody knows which of several options with one name a condition means.
        is_clear = len(values) == len(kept)
        self._add(asked, kind, {"options": options, **extra}, values if is_clear else {})

    def add_scale(
        self, asked: ImportedQuestion, lowest: int, highest: int, labels: Mapping[str, Text]
    ) -> None:
        """A scale of levels, with words for some of them."""
        levels = highest - lowest + 1
        if not 2 <= levels <= MAX_LEVELS or not -100 <= lowest <= 100:
            for text in labels.values():
                self.account.change(asked.name, Changed.NOTE, *words(text))
            self.add_number(asked, Fraction(lowest), Fraction(highest), Fraction(1))
            return
        extra: dict[str, Any] = {"levels": levels}
        if lowest != 1:
            extra["lowest"] = lowest
        values = {str(level): level for level in range(lowest, highest + 1)}
        if worded := {level: text for level, text in labels.items() if text and level in values}:
            extra["labels"] = worded
        self._add(asked, "scale", extra, values)

    def add_number(
        self, asked: ImportedQuestion, low: Fraction | None, high: Fraction | None, step: Fraction
    ) -> None:
        """A number; missing bounds are added, and noted in the account."""
        keys, is_filled = number_keys(low, high, step)
        if is_filled:
            self.account.change(asked.name, Changed.BOUNDS)
        self._add(asked, "number", keys, {})

    def _add(
        self,
        asked: ImportedQuestion,
        kind: str,
        extra: dict[str, Any],
        values: Mapping[str, str | int],
    ) -> None:
        question = self.make(asked, kind, extra)
        question.update(self.sections.begin(asked.name, asked.section))
        self.made.append(question)
        name, own = self.fold(asked.name), question["id"]
        # If two questions have the same name, later references mean the first. Which of them
        # a condition means depends on who was asked which.
        key = name
        if name in self._ids:
            key = f"{name} {len(self._ids)}"
            self.routing.forget(self._ids[name])
        self._ids[key], self._values[key] = own, values
        self.routing.add(
            own,
            {option: value for value, option in values.items()},
            is_multiple=kind == "multiple",
            is_required=asked.is_required,
            is_preset=asked.is_preset,
        )
        if asked.alias:
            self._aliases.setdefault(self.fold(asked.alias), key)

    def make(self, asked: ImportedQuestion, kind: str, extra: Mapping[str, Any]) -> dict[str, Any]:
        """A question with a new id; it is not added to the list.

        Raises:
            UnreadableImport: there are too many questions.
        """
        if len(self.by_id) == _MOST_QUESTIONS:
            raise UnreadableImport(
                f"the file has more than {_MOST_QUESTIONS:,} questions, and a survey has at most "
                f"{MAX_QUESTIONS}; remove some"
            )
        name = asked.name
        own = self._names.make(name)
        if own != name:
            self.account.change(name, Changed.RENAMED)
        if not asked.text:
            self.account.change(name, Changed.UNTITLED)
        question = {"id": own, "type": kind, "text": asked.text or name, **extra}
        if asked.help:
            question["help"] = asked.help
        if asked.is_required:
            question["required"] = True
        rule = self.routing.ask(own, asked.conditions)
        if rule is None:
            self.account.change(name, Changed.CONDITION, *asked.conditions)
        question |= rule or {}
        self.by_id[own] = question
        return question

    def _options(self, name: str, options: Sequence[Option]) -> list[KeptOption]:
        self._option_count += len(options)
        if self._option_count > _MOST_OPTIONS_TOGETHER:
            raise UnreadableImport(
                f"the questions of the file have more than {_MOST_OPTIONS_TOGETHER:,} options "
                "together; remove some"
            )
        return keep_options(name, options, self.account)

    def _key(self, name: str) -> str:
        folded = self.fold(name)
        return self._aliases.get(folded, folded)


def _order(is_shuffled: bool) -> dict[str, bool]:
    return {"random_order": True} if is_shuffled else {}
