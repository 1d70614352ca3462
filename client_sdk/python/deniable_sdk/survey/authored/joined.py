"""Joint blocks: closed questions that an author puts together.

The questions of a crosstab are to be related: they are asked and randomized as one joint
question, because answers randomized apart say next to nothing about pairs. Others are only
to travel together.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from fractions import Fraction

from deniable_sdk.errors import Code, quote
from deniable_sdk.mechanisms.parameters import MAX_DOMAIN_SIZE
from deniable_sdk.records import Record
from deniable_sdk.survey.authored.questions import (
    AuthoredQuestion,
    read_epsilon_of,
    read_weight,
)
from deniable_sdk.survey.block import MAX_BLOCK_QUESTIONS, cells_of
from deniable_sdk.survey.questions import MAX_QUESTIONS, Question
from deniable_sdk.survey.reading import MAX_BLOCK_ID_LENGTH, Path, Section

_RULE = "a list of question ids, or an object with questions, weight and epsilon"
_JOINT = "_x_"


class AuthoredJoint(Record):
    """The block's name, its questions in the author's order, and what the author wants of it.

    `weight` is how much it counts, `epsilon` the most that its report spends, or None.
    """

    block_id: str
    questions: tuple[Question, ...]
    weight: Fraction
    epsilon: Fraction | None
    path: Path
    is_crosstab: bool


def read_joined(
    section: Section,
    key: str,
    asked: Mapping[str, AuthoredQuestion],
    earlier: Sequence[AuthoredJoint] = (),
) -> tuple[AuthoredJoint, ...]:
    """The joint blocks under a key of a definition; problems go to the section.

    Args:
        section: the definition.
        key: "crosstabs" or "together".
        asked: the questions by id.
        earlier: joint blocks under other keys, of which these have no question.
    """
    if key not in section:
        return ()
    found: list[AuthoredJoint] = []
    for index, member in enumerate(section.members(key, 0, MAX_QUESTIONS, "lists of questions")):
        read = _read(section, (key, index), member, asked)
        if read is None:
            continue
        ids = [question.id for question in read.questions]
        known = [*earlier, *found]
        if any(set(ids) == {question.id for question in other.questions} for other in found):
            section.refuse(
                "the same questions are repeated",
                key,
                index,
                code=Code.REPEATED,
                name=", ".join(ids),
            )
            continue
        taken = earlier if key == "crosstabs" else known
        if both := {*ids} & {question.id for other in taken for question in other.questions}:
            section.refuse(
                f"got {', '.join(sorted(both))}, which is joined with other questions already",
                *(key, index),
                code=Code.JOINED_ALREADY,
                questions=", ".join(sorted(both)),
            )
            continue
        name = joint_name(ids, {*asked, *(other.block_id for other in known)})
        found.append(read.replace(block_id=name))
    return tuple(found)


def joint_name(ids: Sequence[str], taken: Collection[str]) -> str:
    """The ids joined as a plain column name, shortened to fit, with a number if it is taken."""
    room = MAX_BLOCK_ID_LENGTH
    if len(_JOINT.join(ids)) > room:
        most = (room - len(_JOINT) * (len(ids) - 1)) // len(ids)
        ids = [each[:most].rstrip("_") for each in ids]
    name = joined = _JOINT.join(ids)
    number = 1
    while name in taken:
        number += 1
        ending = f"_{number}"
        name = joined[: room - len(ending)] + ending
    return name


def _read(
    section: Section,
    place: tuple[str, int],
    member: object,
    asked: Mapping[str, AuthoredQuestion],
) -> AuthoredJoint | None:
    if not isinstance(member, list | Mapping):
        section.refuse_value(member, _RULE, *place)
        return None
    document = {"questions": member} if isinstance(member, list) else member
    inner = section.inner(document, *place)
    inner.refuse_unknown(("questions", "weight", "epsilon"))
    before = len(section.problems.found)
    questions = tuple(_read_questions(inner, asked))
    weight = read_weight(inner)
    epsilon = read_epsilon_of(inner) if "epsilon" in inner else None
    if len(section.problems.found) == before:
        _check(inner, questions)
    if len(section.problems.found) > before:
        return None
    is_crosstab = place[0] == "crosstabs"
    return AuthoredJoint("", questions, weight, epsilon, section.at(*place), is_crosstab)


def _read_questions(section: Section, asked: Mapping[str, AuthoredQuestion]) -> Iterator[Question]:
    members = section.members("questions", 2, MAX_BLOCK_QUESTIONS, "question ids")
    for index, member in enumerate(members):
        known = asked.get(member) if isinstance(member, str) else None
        if known and _is_crossable(known):
            yield known.question
            continue
        allowed = [name for name, each in asked.items() if _is_crossable(each)]
        section.refuse(
            f"got {quote(member)}; allowed are the survey's yes_no, choice and scale questions, "
            f"and scores with cut-offs: {', '.join(allowed) or 'there is none'}",
            "questions",
            index,
            code=Code.NOT_JOINABLE,
        )


def _is_crossable(authored: AuthoredQuestion) -> bool:
    return authored.question.is_closed and authored.preferences is not None


def _check(section: Section, questions: Sequence[Question]) -> None:
    ids = [question.id for question in questions]
    if len(set(ids)) < len(ids):
        section.refuse(
            "a question is repeated", "questions", code=Code.REPEATED, name=max(ids, key=ids.count)
        )
    if len({question.fixed for question in questions}) > 1:
        fixed = ", ".join(question.id for question in questions if question.fixed)
        section.refuse(
            f"some questions are fixed and some are not ({fixed}); take all or none of them as "
            "fixed, as their joint answer is reported as one",
            "questions",
            code=Code.SOME_FIXED,
        )
    sizes = " × ".join(str(question.domain.size) for question in questions)
    if len(cells_of(questions)) > MAX_DOMAIN_SIZE:
        section.refuse(
            f'has more than {MAX_DOMAIN_SIZE} cells ({sizes}, "no answer" counted); allowed are '
            f"at most {MAX_DOMAIN_SIZE}; take fewer questions, or options that are put together",
            code=Code.TOO_MANY_CELLS,
            highest=MAX_DOMAIN_SIZE,
        )
