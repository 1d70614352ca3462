"""What every type of question has, and those with a list of options."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar

from deniable_sdk.canonical import JSON
from deniable_sdk.errors import InvalidAnswer
from deniable_sdk.mechanisms import Answer, Domain
from deniable_sdk.mechanisms.base import Scale
from deniable_sdk.records import Record, derived
from deniable_sdk.survey.appearance import Feedback, Image, QuestionSection
from deniable_sdk.survey.options import NO_ANSWER, Option, ShowIf
from deniable_sdk.survey.reading import Section
from deniable_sdk.survey.text import Text, text_document
from deniable_sdk.survey.writing import members


class Question(Record):
    """A question, and the answers that it accepts.

    `domain` is the set of answers that its mechanism randomizes: an answer is
    the index of an option or number, or the indexes of all options that were
    chosen. `help` is a text below the question, and `image` an image. With `section` a
    section of the form begins with it, and with `new_page` a page. With `random_order` a
    form shows its options in an order that the device draws, and never reports. With `fixed`
    its answer is a fact that does not change: later editions use its first report again.
    """

    # Its name in definitions, and the keys that it adds to a published question and to an
    # author's.
    type: ClassVar[str]
    keys: ClassVar[tuple[str, ...]]
    authored_keys: ClassVar[tuple[str, ...]]
    # Whether an answer may contain several options.
    accepts_several: ClassVar[bool] = False
    # Whether it may be in a crosstab: its answer is one of its options.
    is_closed: ClassVar[bool] = False
    # What the order of its answers means.
    scale: ClassVar[Scale] = Scale.NOMINAL
    # Whether its options are "yes" and "no", for which a page has words of its own.
    has_common_options: ClassVar[bool] = False

    id: str
    text: Text
    help: Text | None
    image: Image | None
    section: QuestionSection | None
    required: bool
    show_if: ShowIf | None
    new_page: bool
    random_order: bool
    fixed: bool
    domain: Domain = derived()

    @property
    def offers_no_answer(self) -> bool:
        """Whether "no answer" is one of its answers.

        It is randomized with them like any other, so that leaving a question
        out, or not being led to it, cannot be seen.
        """
        return not self.required or self.show_if is not None

    @property
    def names(self) -> tuple[str, ...]:
        """The name of each answer in the domain, "no_answer" last."""
        raise NotImplementedError

    @property
    def answers(self) -> Iterator[Answer]:
        """Every answer of its domain that people can give, "no answer" last."""
        return iter(self.domain.answers())

    @property
    def options(self) -> tuple[Option, ...]:
        """Its options; none for a number."""
        return ()

    @property
    def option_ids(self) -> tuple[str, ...]:
        """The ids of its options."""
        return tuple(option.id for option in self.options)

    @property
    def unit(self) -> Text | None:
        """The unit of a number, as the author named it."""
        return None

    @property
    def texts(self) -> tuple[Text | None, ...]:
        """The texts that people read, the question's own among them."""
        return (self.text, *(option.text for option in self.options))

    @property
    def grid(self) -> range:
        """The numbers that are its answers, in units of 10^-4; empty where it has options."""
        return range(0)

    @property
    def items(self) -> tuple[Question, ...]:
        """The questions from which a device computes its answer; none where people answer it."""
        return ()

    @property
    def feedback(self) -> Feedback | None:
        """What a device shows a respondent for the answer it computed."""
        return None

    @classmethod
    def read(cls, section: Section, earlier: Mapping[str, Question], /, **common: Any) -> Question:
        """A question of a published survey or of a definition; problems go to the section."""
        raise NotImplementedError

    def to_authored(self) -> dict[str, Any]:
        """What its type adds to the question in a definition: read turned round."""
        raise NotImplementedError

    def compute(self, answers: Mapping[str, object]) -> str | None:
        """Its answer where it has items; None is no answer.

        Args:
            answers: question id to answer, of the questions before it that were
                reached.
        Raises:
            InvalidAnswer: one of them does not fit its question.
        """
        raise NotImplementedError

    def encode(self, answer: object) -> Answer:
        """The answer as the domain has it; None is no answer.

        Raises:
            InvalidAnswer: it does not fit; the message leaves it out.
        """
        raise NotImplementedError

    def to_document(self) -> dict[str, JSON]:
        """The question as a published survey contains it."""
        return {
            "id": self.id,
            "type": self.type,
            "text": text_document(self.text),
            "required": self.required,
            **members(
                help=self.help,
                image=self.image,
                section=self.section,
                show_if=self.show_if,
                new_page=self.new_page,
                random_order=self.random_order,
                fixed=self.fixed,
            ),
        }

    @property
    def takes(self) -> str:
        """The accepted answers, in words."""
        raise NotImplementedError

    def refusal(self, answer: object) -> InvalidAnswer:
        """The error for an answer that does not fit, which it does not reveal."""
        missing = " is required, and" if answer is None and self.required else ""
        return InvalidAnswer(
            f"question {self.id!r}{missing} takes {self.takes}; the answer given is none of them "
            "and was not used"
        )


class OptionsQuestion(Question):
    """A question with a list of options."""

    options: tuple[Option, ...]  # pyright: ignore[reportIncompatibleMethodOverride]  # a field here
    names: tuple[str, ...] = derived()  # pyright: ignore[reportIncompatibleMethodOverride]  # a field here
    _indexes: Mapping[str | None, int] = derived()

    def __post_init__(self) -> None:
        """Name the answers: the options' ids in their order, "no answer" last."""
        names = (*self.option_ids, *([NO_ANSWER] * self.offers_no_answer))
        self.derive("domain", self.domain_of(len(names)))
        self.derive("names", names)
        self.derive("_indexes", {name: index for index, name in enumerate(names)})

    def domain_of(self, names: int) -> Domain:
        """The domain of so many options, "no answer" among them."""
        raise NotImplementedError

    def to_document(self) -> dict[str, JSON]:
        options: list[JSON] = [option.to_document() for option in self.options]
        return {**super().to_document(), "options": options}
