"""Lists of options, as authors write them."""

from collections.abc import Mapping

from deniable_sdk.errors import quote
from deniable_sdk.survey.options import MAX_OPTIONS, Option, check_option_ids
from deniable_sdk.survey.reading import Section
from deniable_sdk.survey.text import (
    SHORT_TEXT_RULE,
    is_blank,
    is_short_text,
    read_optional_text,
)


def read_option_list(section: Section) -> tuple[Option, ...]:
    """The options in the author's order, each a text or an id with a text."""
    options = tuple(
        _read_option(section, member, index)
        for index, member in enumerate(section.members("options", 2, MAX_OPTIONS, "options"))
    )
    check_option_ids(section, [option.id for option in options], "options")
    return options


def _read_option(section: Section, member: object, index: int) -> Option:
    if isinstance(member, Mapping):
        inner = Section(member, section.at("options", index), section.problems)
        inner.refuse_unknown(("id", "text"))
        option_id = inner.require("id", SHORT_TEXT_RULE)
        if is_short_text(option_id):
            return Option(str(option_id), read_optional_text(inner, "text"))
        if "id" in inner:
            inner.refuse(_bad_option(option_id), "id")
        return Option("")
    if is_short_text(member):
        return Option(str(member))
    section.refuse(_bad_option(member), "options", index)
    return Option("")


def _bad_option(value: object) -> str:
    hint = ""
    if isinstance(value, bool | int | float):
        hint = "; write it in quotes (a bare number, true or null is not read as a text)"
    elif is_blank(value):
        hint = ", not only blanks; write what respondents are to read"
    return f"got {quote(value)}; allowed is {SHORT_TEXT_RULE}{hint}"
