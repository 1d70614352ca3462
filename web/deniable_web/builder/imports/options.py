"""The options of a question: ids that a definition allows, each with one text."""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from deniable_sdk.survey.options import MAX_OPTIONS, NO_ANSWER
from deniable_sdk.survey.text import MAX_SHORT_TEXT_LENGTH
from deniable_web.builder.imports.imported import Account, Changed
from deniable_web.builder.imports.texts import Text, words

# The name of an option in the other program, and its text.
Option = tuple[str, Text]

# Room for the number of an option at the end of its id.
_LONGEST_BESIDE_NUMBER: Final = MAX_SHORT_TEXT_LENGTH - 8


class KeptOption(NamedTuple):
    """An option of a definition, and its name in the other program."""

    id: str
    text: Text
    name: str


def keep_options(name: str, options: Sequence[Option], account: Account) -> list[KeptOption]:
    """The options of the question `name`, at most as many as a definition allows."""
    kept: dict[str, KeptOption] = {}
    for plain, value, text in _with_ids(options):
        own = plain
        while own in kept and kept[own].text != text:
            own += "_"
        if own != value:
            account.change(name, Changed.SHORTENED, own)
        if not text:
            account.change(name, Changed.UNTITLED, own)
        kept[own] = KeptOption(own, text or own, value)
    all_kept = [*kept.values()]
    for option in all_kept[MAX_OPTIONS:]:
        account.change(name, Changed.SHORTENED, *words(option.text))
    return all_kept[:MAX_OPTIONS]


def _with_ids(options: Sequence[Option]) -> Iterator[tuple[str, str, Text]]:
    """Each option with an id; options with one name and different texts get ids of their own."""
    numbers: dict[str, dict[str, int]] = {}
    for value, text in options:
        of_one = numbers.setdefault(_id(value, text), {})
        of_one.setdefault(str(text), len(of_one) + 1)
    for value, text in options:
        own = _id(value, text)
        if len(numbers[own]) > 1:
            own = f"{own[:_LONGEST_BESIDE_NUMBER]}_{numbers[own][str(text)]}"
        if own:
            yield own, value, text


def _id(value: str, text: Text) -> str:
    """The name of an option, within the limits of a definition."""
    if value == NO_ANSWER:
        return f"{value}_"
    return (value.strip() or next(words(text)))[:MAX_SHORT_TEXT_LENGTH]
