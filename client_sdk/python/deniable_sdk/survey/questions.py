"""A question with a closed list of options, as a published survey carries it."""

from collections.abc import Mapping

from deniable_sdk.canonical import JSON
from deniable_sdk.errors import InvalidAnswer
from deniable_sdk.records import Record, derived
from deniable_sdk.survey.reading import ID_PATTERN, ID_RULE, Section
from deniable_sdk.survey.text import (
    Text,
    is_encodable,
    read_optional_text,
    read_text,
    text_document,
)

NO_ANSWER = "no_answer"
MAX_QUESTIONS = 200
MAX_OPTIONS = 999
MAX_OPTION_ID_LENGTH = 200

OPTION_ID_RULE = f"a text of 1 to {MAX_OPTION_ID_LENGTH} characters"


class Option(Record):
    """One possible answer; without a text of its own, its id is shown."""

    id: str
    text: Text | None = None

    def to_document(self) -> dict[str, JSON]:
        """The option as a published survey carries it."""
        document: dict[str, JSON] = {"id": self.id}
        if self.text is not None:
            document["text"] = text_document(self.text)
        return document


class Question(Record):
    """What is asked, and which answers it takes."""

    id: str
    type: str
    text: Text
    options: tuple[Option, ...]
    required: bool
    domain: tuple[str, ...] = derived()
    _places: Mapping[str | None, int] = derived()

    def __post_init__(self) -> None:
        """Option ids in the order of their indexes, "no answer" last.

        Leaving a question out is an answer like any other and is randomized
        with them; only a required question has no such answer.
        """
        ids = tuple(option.id for option in self.options)
        domain = ids if self.required else (*ids, NO_ANSWER)
        self.derive("domain", domain)
        self.derive("_places", {option_id: place for place, option_id in enumerate(domain)})

    def index(self, answer: object) -> int:
        """The place of an answer in the domain.

        Args:
            answer: an option's id, or None for no answer. For yes_no also
                True or False, for scale also the level as a number.
        Raises:
            InvalidAnswer: it is none of them; the message leaves it out.
        """
        chosen = NO_ANSWER if answer is None else _option_id(self.type, answer)
        place = self._places.get(chosen)
        if place is None:
            missing = " is required, and" if self.required and answer is None else ""
            raise InvalidAnswer(
                f"question {self.id!r}{missing} takes one of its options: "
                f"{', '.join(self.domain)}; the answer given is none of them and was not used"
            )
        return place

    def to_document(self) -> dict[str, JSON]:
        """The question as a published survey carries it."""
        return {
            "id": self.id,
            "type": self.type,
            "text": text_document(self.text),
            "options": [option.to_document() for option in self.options],
            "required": self.required,
        }


def _option_id(question_type: str, answer: object) -> str | None:
    if isinstance(answer, bool):
        return ("no", "yes")[answer] if question_type == "yes_no" else None
    if isinstance(answer, int) and question_type == "scale":
        # CPython refuses to write integers of thousands of digits.
        return str(answer) if answer.bit_length() < 64 else None
    return answer if isinstance(answer, str) else None


def read_question(section: Section, types: Mapping[str, object]) -> Question:
    """A question of a published survey; problems go to the section."""
    section.refuse_unknown(("id", "type", "text", "options", "required"))
    question_type = section.require("type", f"one of {', '.join(types)}")
    if "type" in section and not (isinstance(question_type, str) and question_type in types):
        section.refuse(f"got an unknown type; allowed: {', '.join(types)}", "type")
    if "required" not in section:
        section.require("required", "true or false")
    options = tuple(
        _read_option(Section(member, section.at("options", index), section.problems))
        for index, member in enumerate(section.members("options", 2, MAX_OPTIONS, "options"))
    )
    check_option_ids(section, [option.id for option in options], "options")
    return Question(
        id=section.identifier("id", ID_PATTERN, ID_RULE),
        type=str(question_type),
        text=read_text(section, "text"),
        options=options,
        required=section.flag("required"),
    )


def check_option_ids(section: Section, ids: list[str], key: str) -> None:
    """Note option ids that are reserved or stand twice."""
    seen: set[str] = set()
    for index, option_id in enumerate(ids):
        if option_id == NO_ANSWER:
            section.refuse(
                f"{NO_ANSWER!r} is reserved: every question that is not required has it already",
                key,
                index,
            )
        elif option_id and option_id in seen:
            section.refuse(f"the option {option_id!r} stands twice", key, index)
        seen.add(option_id)


def is_option_id(value: object) -> bool:
    """Whether a value can name an option."""
    return (
        isinstance(value, str)
        and bool(value.strip())
        and len(value) <= MAX_OPTION_ID_LENGTH
        and is_encodable(value)
    )


def _read_option(section: Section) -> Option:
    section.refuse_unknown(("id", "text"))
    option_id = section.require("id", OPTION_ID_RULE)
    if "id" in section and not is_option_id(option_id):
        section.refuse(f"got no option id; allowed is {OPTION_ID_RULE}", "id")
    return Option(str(option_id), read_optional_text(section, "text"))
