"""How the questions of a survey stand on pages, and which rows make a matrix."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from deniable_sdk.mechanisms.base import Scale
from deniable_sdk.survey.questions import Question
from deniable_web.pages.form.languages import PageLanguage, Words
from deniable_web.pages.form.questions import FormQuestion, view_question

# With more, the columns become too narrow for their words on a small laptop.
MOST_COLUMNS: Final = 12


@dataclass(frozen=True, slots=True)
class Group:
    """Questions that stand together: one, or the rows of a matrix.

    Args:
        questions: in their order.
        columns: what heads the columns of a matrix; none for a single question.
    """

    questions: tuple[FormQuestion, ...]
    columns: tuple[Words, ...] = ()


@dataclass(frozen=True, slots=True)
class Part:
    """A group in all languages of a page, under the id of its first question."""

    id: str
    groups: tuple[tuple[PageLanguage, Group], ...]


def lay_out(
    questions: Sequence[Question], languages: Sequence[PageLanguage]
) -> tuple[tuple[Part, ...], ...]:
    """The pages of a form, each a row of parts."""
    return tuple(
        tuple(_part(members, languages) for members in _split(page, _is_alike))
        for page in _split(questions, lambda _, later: not later.new_page)
    )


def _part(members: Sequence[Question], languages: Sequence[PageLanguage]) -> Part:
    groups = tuple((language, _group(members, language)) for language in languages)
    return Part(members[0].id, groups)


def _group(members: Sequence[Question], language: PageLanguage) -> Group:
    views = tuple(view_question(question, language) for question in members)
    if len(views) == 1:
        return Group(views)
    return Group(views, tuple(choice.words for choice in views[0].choices))


def _split(
    questions: Sequence[Question], stay_together: Callable[[Question, Question], bool]
) -> list[list[Question]]:
    parts = [[questions[0]]]
    for earlier, later in pairwise(questions):
        if stay_together(earlier, later):
            parts[-1].append(later)
        else:
            parts.append([later])
    return parts


def _is_alike(earlier: Question, later: Question) -> bool:
    """Whether two scales have the same levels, words and ways to leave them open."""
    return (
        earlier.scale is later.scale is Scale.ORDINAL
        and earlier.options == later.options
        and earlier.required == later.required
        and len(earlier.options) + (not earlier.required) <= MOST_COLUMNS
    )
