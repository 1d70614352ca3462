"""The definition: what an author writes, validated as a whole."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import Literal

from deniable_sdk.errors import Code, InvalidDefinition, quote
from deniable_sdk.mechanisms import MECHANISMS, Domain, OneOf
from deniable_sdk.mechanisms.base import Target
from deniable_sdk.records import Record, derived
from deniable_sdk.survey.appearance import MAX_IMAGES_LENGTH
from deniable_sdk.survey.authored.joined import AuthoredJoint, read_joined
from deniable_sdk.survey.authored.questions import (
    NO_PREFERENCES,
    AuthoredQuestion,
    BlockPreferences,
    read_authored,
    read_epsilon_of,
)
from deniable_sdk.survey.block import Cell, cells_of
from deniable_sdk.survey.questionnaire import (
    SHOWN_KEYS,
    Questionnaire,
    read_texts,
    read_waves,
    written_texts,
)
from deniable_sdk.survey.questions import MAX_QUESTIONS, Question
from deniable_sdk.survey.questions.rules import items_of
from deniable_sdk.survey.reading import Path, Problems, Section
from deniable_sdk.survey.text import languages
from deniable_sdk.survey.window import WINDOW_KEYS
from deniable_sdk.weights import MIN_EPSILON, format_epsilon, part_of_epsilon

_KEYS = (
    *("slug", *SHOWN_KEYS, "operator", "epsilon"),
    *(*WINDOW_KEYS, "invited", "groups", "waves", "wave", "ask", "crosstabs", "together", "apart"),
    "questions",
)


class PlannedBlock(Record):
    """A block before its mechanism is chosen; `path` is where it is in the definition.

    The results show the cells of a crosstab, and not those of other joint blocks.
    """

    id: str
    questions: tuple[Question, ...]
    preferences: BlockPreferences
    path: Path
    is_crosstab: bool = False
    cells: tuple[Cell, ...] = derived()
    domain: Domain = derived()

    def __post_init__(self) -> None:
        first, *others = self.questions
        cells = cells_of(self.questions) if others else ()
        self.derive("cells", cells)
        self.derive("domain", OneOf(len(cells)) if cells else first.domain)


class Definition(Questionnaire):
    """A survey as its author means it, before anything is chosen for it.

    `epsilon` is what one respondent spends on it, of a panel on this one of its
    `waves`; `whole_epsilon` is what the author wrote, of all of them. The questions with
    the ids `apart` share no block with others.
    """

    whole_epsilon: Fraction
    ask: int | Literal["auto", "all"]
    paths: tuple[Path, ...]  # pyright: ignore[reportIncompatibleMethodOverride]  # a field here
    blocks: tuple[PlannedBlock, ...]
    apart: frozenset[str]
    epsilon: Fraction = derived()

    def __post_init__(self) -> None:
        """Split what the author wrote over the waves."""
        self.derive("epsilon", part_of_epsilon(self.whole_epsilon, self.waves))

    @classmethod
    def from_document(cls, document: object) -> Definition:
        """The definition in a dict, as read from JSON or YAML.

        Raises:
            InvalidDefinition: with every problem and its place.
        """
        problems = Problems()
        section = Section(document, (), problems)
        if problems.found:
            raise InvalidDefinition(problems.found)
        definition = _read(section)
        _check_languages(definition, section)
        _check_images(definition, section)
        if problems.found:
            raise InvalidDefinition(problems.found)
        return definition


def _read(section: Section) -> Definition:
    section.refuse_unknown(_KEYS)
    asked = _read_questions(section)
    waves, wave = read_waves(section)
    crosstabs = read_joined(section, "crosstabs", asked)
    together = read_joined(section, "together", asked, crosstabs)
    blocks = _plan_blocks(asked, (*crosstabs, *together), section, waves)
    return Definition(
        **read_texts(section, _with_shares(asked)),
        waves=waves,
        wave=wave,
        whole_epsilon=_read_epsilon(section, waves),
        ask=_read_ask(section, len(blocks)),
        questions=tuple(each.question for each in asked.values()),
        paths=tuple(each.path for each in asked.values()),
        blocks=blocks,
        apart=_read_apart(section, asked),
    )


def _with_shares(asked: Mapping[str, AuthoredQuestion]) -> list[str]:
    """The ids of the questions with shares of options in the results, as their authors wish."""
    return [
        each.question.id
        for each in asked.values()
        if (each.question.id and each.question.options and each.preferences)
        and each.preferences.target is Target.SHARES
        and (not (name := each.preferences.mechanism) or MECHANISMS[name].has_shares)
    ]


def _read_questions(section: Section) -> dict[str, AuthoredQuestion]:
    asked: dict[str, AuthoredQuestion] = {}
    earlier: dict[str, Question] = {}
    members = list(section.members("questions", 1, MAX_QUESTIONS, "questions"))
    for index, member in enumerate(members):
        inner = section.inner(member, "questions", index)
        for authored in read_authored(inner, earlier):
            question = authored.question
            if question.id and question.id in asked:
                section.problems.add(
                    (*authored.path, "id"),
                    f"the id {question.id!r} is repeated",
                    code=Code.REPEATED,
                    name=question.id,
                )
            # One without an id cannot be named, but what follows it can be read.
            asked[question.id or f"#{index}"] = authored
            earlier[question.id] = question
    if len(asked) > MAX_QUESTIONS >= len(members):
        section.refuse(
            f"got {len(asked)} questions with the items of scores; allowed are {MAX_QUESTIONS}",
            "questions",
            code=Code.WRONG_COUNT,
            lowest=1,
            highest=MAX_QUESTIONS,
        )
    used = items_of(earlier.values())
    # An item that a score could not read is not in vain.
    for authored in () if section.problems.found else asked.values():
        if authored.preferences is None and authored.question.id not in used:
            section.problems.add(
                (*authored.path, "reported"),
                "no score uses it, so that it would be asked in vain",
                code=Code.NEVER_USED,
            )
    return asked


def _plan_blocks(
    asked: Mapping[str, AuthoredQuestion],
    joined: Sequence[AuthoredJoint],
    section: Section,
    waves: int,
) -> tuple[PlannedBlock, ...]:
    """One block for each joint one and each question in none, by first question."""
    order = {each.question.id: index for index, each in enumerate(asked.values())}
    blocks = [
        PlannedBlock(
            joint.block_id,
            joint.questions,
            BlockPreferences(Target.SHARES, None, joint.weight, _part(joint.epsilon, waves)),
            joint.path,
            joint.is_crosstab,
        )
        for joint in joined
    ]
    crossed = {question.id for joint in joined for question in joint.questions}
    for each in asked.values():
        question, preferences, path = each.question, each.preferences, each.path
        if question.id in crossed and preferences != NO_PREFERENCES:
            section.problems.add(
                path,
                "a question that is joined with others is randomized with them and takes no "
                "target, mechanism, weight or epsilon of its own",
                code=Code.NOT_OF_ITS_OWN,
            )
        elif question.id not in crossed and preferences:
            if preferences.epsilon and preferences.epsilon < waves * Fraction(MIN_EPSILON):
                section.problems.add(
                    (*path, "epsilon"),
                    _too_little(preferences.epsilon, waves),
                    code=Code.LITTLE_EPSILON,
                )
            own = preferences.replace(epsilon=_part(preferences.epsilon, waves))
            blocks.append(PlannedBlock(question.id, (question,), own, path))
    return tuple(sorted(blocks, key=lambda block: min(order[q.id] for q in block.questions)))


def _read_epsilon(section: Section, waves: int) -> Fraction:
    """What the author allows, enough for each of the waves to have a part."""
    least = waves * Fraction(MIN_EPSILON)
    epsilon = read_epsilon_of(section)
    if epsilon is not None and epsilon < least:
        section.refuse(
            _too_little(section.values["epsilon"], waves),
            "epsilon",
            code=Code.LITTLE_EPSILON,
        )
    return max(epsilon or least, least)


def _too_little(got: object, waves: int) -> str:
    shown = format_epsilon(got) if isinstance(got, Fraction) else quote(got)
    return (
        f"got {shown} for {waves} waves, which leaves each of them less than {MIN_EPSILON}, the "
        "least; take a larger epsilon or fewer waves"
    )


def _part(epsilon: Fraction | None, waves: int) -> Fraction | None:
    return None if epsilon is None else part_of_epsilon(epsilon, waves)


def _read_apart(section: Section, asked: Mapping[str, AuthoredQuestion]) -> frozenset[str]:
    """The ids of the questions that share no block."""
    if "apart" not in section:
        return frozenset()
    members = list(section.members("apart", 0, MAX_QUESTIONS, "question ids"))
    for index, member in enumerate(members):
        if not (isinstance(member, str) and member in asked):
            section.refuse(
                f"got {quote(member)}; allowed are the ids of questions",
                "apart",
                index,
                code=Code.UNKNOWN_NAME,
            )
    return frozenset(member for member in members if isinstance(member, str))


def _read_ask(section: Section, block_count: int) -> int | Literal["auto", "all"]:
    if "ask" not in section:
        return "auto"
    highest = max(1, block_count)
    return section.read(
        "ask",
        f"auto, all, or a whole number from 1 to {highest}, the number of blocks",
        lambda value: value in ("auto", "all") or (type(value) is int and 1 <= value <= highest),
        "auto",
    )


def _check_images(definition: Definition, section: Section) -> None:
    """Refuse so many large images that a form would take long to load."""
    images = (definition.logo, *(question.image for question in definition.questions))
    length = sum(len(image.data) for image in images if image)
    if length > MAX_IMAGES_LENGTH:
        section.refuse(
            f"got images of {length:,} characters together; allowed are {MAX_IMAGES_LENGTH:,} "
            "(450 KB); save some of them smaller, or take them out",
            "questions",
            code=Code.IMAGES_TOO_LARGE,
        )


def _check_languages(definition: Definition, section: Section) -> None:
    """Every text given by language must be given in the same languages."""
    everywhere = definition.languages
    for path, text in written_texts(definition):
        missing = everywhere - languages(text)
        is_named = any(known.path[: len(path)] == path for known in section.problems.found)
        if isinstance(text, Mapping) and missing and not is_named:
            section.refuse(
                f"has no text in {', '.join(sorted(missing))}, as others have",
                *path,
                code=Code.NO_TEXT,
                languages=", ".join(sorted(missing)),
            )
