"""The layout of a survey's questions on pages, and the matrices that they form."""

from collections.abc import Callable, Container, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Final

from deniable_sdk import PublishedSurvey
from deniable_sdk.mechanisms.base import Scale
from deniable_sdk.survey.appearance import QuestionSection
from deniable_sdk.survey.questions import Question
from deniable_sdk.survey.questions.rules import items_of
from deniable_web.pages.form.languages import PageLanguage, Words
from deniable_web.pages.form.questions import FormQuestion, Picture, view_picture, view_question

# With more columns, each becomes too narrow for its words on a small laptop.
MOST_COLUMNS: Final = 12


@dataclass(frozen=True, slots=True)
class QuestionGroup:
    """Questions that are shown together: a single one, or the rows of a matrix.

    Args:
        questions: the questions in their order.
        columns: the headings of a matrix's columns; empty for a single question.
        stem: the text of the score whose items begin here.
        help: the help text of this score.
        picture: the image of this score.
        kept: a sentence on answers that only scores use; empty for other questions.
    """

    questions: tuple[FormQuestion, ...]
    columns: tuple[Words, ...] = ()
    stem: Words | None = None
    help: Words | None = None
    picture: Picture | None = None
    kept: str = ""


@dataclass(frozen=True, slots=True)
class Part:
    """A group in all languages of a page, under the id of its first question."""

    id: str
    groups: tuple[tuple[PageLanguage, QuestionGroup], ...]


@dataclass(frozen=True, slots=True)
class FormSection:
    """What a page shows of a section of the survey.

    Args:
        heading: its title and note; None before the first section.
        parts: the questions.
    """

    heading: QuestionSection | None
    parts: tuple[Part, ...]


def lay_out(
    survey: PublishedSurvey, languages: Sequence[PageLanguage]
) -> tuple[tuple[FormSection, ...], ...]:
    """The pages of a form; each is a sequence of sections."""
    begun = _begun_scores(survey)
    items = {each.id for each in survey.answered} - {each.id for each in survey.reported}

    def stay_together(earlier: Question, later: Question) -> bool:
        return later.id not in begun and _is_alike(earlier, later, items)

    def part(members: Sequence[Question]) -> Part:
        first = members[0].id
        return Part(
            first,
            tuple((each, _group(members, begun.get(first), items, each)) for each in languages),
        )

    starts = _starts(survey, begun)
    headings = {
        name: next((each.section for each in found if each.section), None)
        for name, found in starts.items()
    }
    heading = None
    pages = []
    for page in _split(
        survey.questions, lambda _, later: not any(one.new_page for one in starts[later.id])
    ):
        sections = []
        for members in _split(page, lambda _, later: headings[later.id] is None):
            heading = headings[members[0].id] or heading
            parts = tuple(map(part, _split(members, stay_together)))
            sections.append(FormSection(heading, parts))
        pages.append(tuple(sections))
    return tuple(pages)


def _starts(
    survey: PublishedSurvey, begun: Mapping[str, Question]
) -> dict[str, tuple[Question, ...]]:
    """The questions whose section or page begins at each question: itself, and its score.

    A score begins at its first item. Its own hidden fields are behind its items, because the
    form reads words from them; nothing begins there.
    """
    return {
        each.id: () if each in begun.values() else (begun.get(each.id, each), each)
        for each in survey.questions
    }


def _begun_scores(survey: PublishedSurvey) -> dict[str, Question]:
    """Each score, by the id of its first item that is asked for the score only."""
    reported = {question.id for question in survey.reported}
    begun: dict[str, Question] = {}
    for score in survey.questions:
        used = items_of([score]) - reported - items_of(begun.values())
        first = next((each.id for each in survey.questions if each.id in used), None)
        if first:
            begun[first] = score
    return begun


def _group(
    members: Sequence[Question],
    score: Question | None,
    items: Container[str],
    language: PageLanguage,
) -> QuestionGroup:
    views = tuple(view_question(question, language) for question in members)
    columns = tuple(choice.words for choice in views[0].choices) if len(views) > 1 else ()
    stem = language.said(score.text) if score else None
    help_text = language.said(score.help) if score and score.help else None
    picture = view_picture(score, language) if score else None
    if members[0].id not in items:
        return QuestionGroup(views, columns, stem, help_text, picture)
    # The sentence on the answers to items is shown once, above their group.
    is_one = len(members) == 1 and score is None
    kept = language.texts["question"]["kept_item" if is_one else "kept_items"]
    quiet = tuple(replace(view, kept="") for view in views)
    return QuestionGroup(quiet, columns, stem, help_text, picture, kept)


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


def _is_alike(earlier: Question, later: Question, items: Container[str]) -> bool:
    """Whether two scales, or two items, have the same options and ways not to answer.

    An item and a reported question are never alike, because their answers are used differently.
    """
    return (
        not earlier.grid
        and not later.grid
        and not any(each.help or each.image for each in (earlier, later))
        and (earlier.id in items) is (later.id in items)
        and (earlier.scale is later.scale is Scale.ORDINAL or earlier.id in items)
        and earlier.options == later.options
        and earlier.required == later.required
        and len(earlier.options) + (not earlier.required) <= MOST_COLUMNS
    )
