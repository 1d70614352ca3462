"""The calculations of a file; they are read after all questions, and become scores."""

import re
from collections.abc import Mapping
from dataclasses import replace
from fractions import Fraction
from typing import Any, Final

from deniable_web.builder.imports.calculations import Steps, read_calculation
from deniable_web.builder.imports.imported import Changed, LeftOut
from deniable_web.builder.imports.questions import ImportedQuestion, Questions
from deniable_web.builder.imports.scores import Score, make_score
from deniable_web.builder.imports.values import NoScoreError, Operand

_CLOSED: Final = ("yes_no", "choice", "scale")
_NUMBER: Final = re.compile(r"-?\d{1,15}(?:\.\d{1,15})?", re.ASCII)


class Calculations:
    """The calculations so far, each with the number of questions before it."""

    def __init__(self, questions: Questions) -> None:
        self._questions = questions
        self._waiting: list[tuple[int, ImportedQuestion, str]] = []
        self._names: set[str] = set()
        self._sources: dict[str, Operand] = {}

    def add(self, asked: ImportedQuestion, expression: str) -> None:
        """Keep a calculation, as the other program writes it, until all questions are known."""
        # A respondent cannot be required to answer a calculation.
        asked = replace(asked, is_required=False)
        self._waiting.append((len(self._questions.made), asked, expression))
        self._names.add(asked.name)

    def finish(self) -> None:
        """Insert each score where its calculation was, or after the last question it needs."""
        steps, made = Steps(), self._questions.made
        index = {question["id"]: number for number, question in enumerate(made)}
        found: list[tuple[int, dict[str, Any]]] = []
        used: dict[str, Operand] = {}
        for place, asked, expression in self._waiting:
            try:
                score = make_score(read_calculation(expression, self._find, steps))
            except NoScoreError as error:
                self._questions.account.leave_out(asked.name, error.reason, *asked.words())
                continue
            question = self._make(asked, score)
            used |= {source.id: source for source in score.sources}
            needed = [source.id for source in score.sources]
            if "show_if" in question:
                needed.append(question["show_if"]["question"])
            found.append((max(place, *(index[name] + 1 for name in needed)), question))
        for before, (place, question) in enumerate(sorted(found, key=lambda each: each[0])):
            made.insert(place + before, question)
        self._keep_unreported(used)

    def _make(self, asked: ImportedQuestion, score: Score) -> dict[str, Any]:
        account = self._questions.account
        account.change(asked.name, Changed.SCORE)
        if score.is_rounded:
            account.change(asked.name, Changed.ROUNDED)
        question = self._questions.make(asked, "score", score.keys)
        items = [self._questions.by_id[source.id] for source in score.sources]
        # Everybody who is asked has this score, so its values need no "no answer".
        if all(
            item.get("required") and item.get("show_if") in (None, question.get("show_if"))
            for item in items
        ):
            question["required"] = True
        return question

    def _keep_unreported(self, used: Mapping[str, Operand]) -> None:
        """Report only the scores, except where an answer also decides what is asked."""
        made = self._questions.made
        deciding = {each["show_if"]["question"] for each in made if "show_if" in each}
        for question in made:
            if question["id"] in used and question["id"] not in deciding:
                question["reported"] = False
                self._questions.account.change(used[question["id"]].name, Changed.UNREPORTED)

    def _find(self, name: str) -> Operand:
        """The question with a name, for use in a score."""
        question = self._questions.named(name)
        if question is None:
            raise NoScoreError(LeftOut.NESTED if name in self._names else LeftOut.REFERS)
        own = question["id"]
        if own not in self._sources:
            self._sources[own] = _source(name, question, self._questions.values(name))
        return self._sources[own]


def _source(name: str, question: Mapping[str, Any], values: Mapping[str, str | int]) -> Operand:
    if question["type"] == "number":
        grid = (question["min"], question["max"], question.get("step", 1))
        return Operand(name, question["id"], (), {}, (), tuple(Fraction(str(end)) for end in grid))
    if question["type"] not in _CLOSED:
        raise NoScoreError(LeftOut.REFERS)
    if not values:
        raise NoScoreError(LeftOut.NAMES)
    names = {name: str(option) for name, option in values.items()}
    numbers = {names[name]: Fraction(name) for name in names if _NUMBER.fullmatch(name)}
    options = tuple(dict.fromkeys(names.values()))
    return Operand(name, question["id"], options, names, tuple(map(numbers.get, options)), ())
