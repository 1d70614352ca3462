"""A draft whose mistakes are replaced, so that everything else in it can be forecast."""

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from deniable_sdk import DefinitionProblem, InvalidDefinition
from deniable_sdk.survey.definition import Definition
from deniable_sdk.survey.reading import ID_PATTERN, Path
from deniable_sdk.survey.text import is_blank

# What a draft gets in place of a forecast that cannot be made.
NO_OUTLOOK: Final[dict[str, Any]] = {
    "is_too_large": False,
    "forecast": None,
    "words": None,
    "incomplete": [],
    "trade_off": [],
}
TOO_LARGE: Final = NO_OUTLOOK | {"is_too_large": True}
# Long enough to be accepted; the forecast does not depend on it.
_TEXT: Final = "…"
# The keys of the survey that have a stand-in; all others are left out while they are wrong.
_STAND_INS: Final[dict[Any, Any]] = {"title": _TEXT, "slug": "draft"}
# Every margin depends on these.
_NEEDED: Final = ("epsilon", "waves", "wave", "questions")
# Of these only the members that are wrong are left out.
_LISTS: Final = ("crosstabs", "together", "apart")
# No margin depends on these keys of a question.
_SHOWN: Final = ("help", "image", "section", "feedback", "labels", "unit")
_LEFT_OUT: Final = ("show_if", "fixed", "new_page", "random_order")
# Texts, what depends on other questions, the question itself, and what depended on that.
_MOST_ROUNDS: Final = 6


@dataclass(slots=True)
class _Question:
    """A question of a draft, as far as it was repaired."""

    index: int
    document: dict[Any, Any]
    has_texts: bool = False
    is_replaced: bool = False


@dataclass(frozen=True, slots=True)
class FilledDraft:
    """A draft that can be forecast: its definition, with stand-ins for what is wrong."""

    definition: Definition
    _questions: Sequence[_Question]

    @property
    def places(self) -> Mapping[str, int]:
        """The indexes of its questions in the draft, by id."""
        return {each.document["id"]: each.index for each in self._questions}

    @property
    def replaced(self) -> Collection[str]:
        """The ids of the questions that are stand-ins."""
        return {each.document["id"] for each in self._questions if each.is_replaced}

    def own_problems(
        self, problems: Iterable[DefinitionProblem]
    ) -> Iterator[tuple[DefinitionProblem, Path]]:
        """The problems with what the author has written, and their places in the draft."""
        for problem in problems:
            key, *rest = problem.path
            if key != "questions" or not rest:
                yield problem, problem.path
            elif not (question := self._questions[int(rest[0])]).has_texts:
                yield problem, (key, question.index, *rest[1:])


def with_stand_ins(document: object) -> FilledDraft | None:
    """The draft without its mistakes; None if a mistake concerns every margin.

    Missing texts are filled in. Dates, invitations, crosstabs and whatever else has a mistake
    is left out. A question of which more is wrong is replaced by one with yes and no, so that
    the others still share epsilon with it.
    """
    if not isinstance(document, Mapping) or not isinstance(document.get("questions"), list):
        return None
    survey = _STAND_INS | dict(document)
    questions = [
        _Question(index, dict(each) if isinstance(each, Mapping) else {})
        for index, each in enumerate(document["questions"])
    ]
    for _ in range(_MOST_ROUNDS):
        survey["questions"] = [each.document for each in questions]
        try:
            definition = Definition.from_document(survey)
        except InvalidDefinition as error:
            if not _repair(survey, questions, error.problems):
                return None
            continue
        return FilledDraft(definition, questions)
    return None


def _repair(
    survey: dict[Any, Any], questions: list[_Question], problems: Iterable[DefinitionProblem]
) -> bool:
    """Replace what has a problem; False if nothing can take its place."""
    places = [problem.path for problem in problems]
    _leave_out_members(survey, places)
    of_questions: dict[int, list[Sequence[str | int]]] = {}
    for key, *rest in filter(None, places):
        if key == "questions" and rest:
            of_questions.setdefault(int(rest[0]), []).append(rest[1:])
        elif key in _NEEDED:
            return False
        elif key in _STAND_INS:
            survey[key] = _STAND_INS[key]
        elif key not in _LISTS or not rest:
            survey.pop(key, None)
    for place, inner in of_questions.items():
        ids = [each.document.get("id") for each in questions if each is not questions[place]]
        _repair_question(questions[place], inner, ids)
    # An item of a score that is replaced is asked in vain.
    questions[:] = [each for each in questions if each.document]
    # What has no place is a key that the survey lacks.
    return all(places)


def _leave_out_members(survey: dict[Any, Any], places: Iterable[Sequence[str | int]]) -> None:
    """Leave out the lists of questions that have a problem."""
    for name in _LISTS:
        wrong = {path[1] for path in places if path[0:1] == (name,) and len(path) > 1}
        if wrong:
            kept = enumerate(survey[name])
            survey[name] = [each for index, each in kept if index not in wrong]


def _repair_question(
    question: _Question, places: Sequence[Sequence[str | int]], others: Collection[object]
) -> None:
    """Replace what has a problem; `others` are the ids of the other questions."""
    keys = {place[0] for place in places if place}
    if keys == {"reported"}:
        question.document = {}
    elif not question.has_texts:
        question.document = _with_texts(question.document)
        question.has_texts = True
    elif keys and keys <= {*_LEFT_OUT}:
        question.document = _without(question.document, keys)
    else:
        own = question.document.get("id")
        is_free = isinstance(own, str) and ID_PATTERN.fullmatch(own) and own not in others
        name = own if is_free else f"stand_in_{question.index}"
        question.document = {"id": name, "type": "yes_no", "text": _TEXT}
        question.is_replaced = True


def _with_texts(question: Mapping[Any, Any]) -> dict[Any, Any]:
    """The question with a text wherever it has to have one, and none where it need not."""
    filled = _without(question, _SHOWN) | {"text": _TEXT}
    if isinstance(question.get("unit"), str):
        filled["unit"] = question["unit"] or _TEXT
    for key, make in (("options", _option), ("levels", _option), ("items", _item)):
        if isinstance(question.get(key), list):
            filled[key] = [
                make(each, f"{_TEXT}{place}") for place, each in enumerate(question[key])
            ]
    return filled


def _option(option: object, name: str) -> object:
    if isinstance(option, Mapping):
        return _without(option, ["text"]) | {"id": option.get("id") or name}
    return name if is_blank(option) or option == "" else option


def _item(item: object, text: str) -> object:
    if isinstance(item, Mapping):
        return item if "question" in item else {**item, "text": text}
    return text if isinstance(item, str) else item


def _without(document: Mapping[Any, Any], keys: Iterable[object]) -> dict[Any, Any]:
    return {key: value for key, value in document.items() if key not in keys}
