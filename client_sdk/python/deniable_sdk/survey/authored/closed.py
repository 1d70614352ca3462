"""yes_no, choice and scale, as authors write them."""

from typing import Any

from deniable_sdk.survey.authored.options import read_option_list
from deniable_sdk.survey.options import Option
from deniable_sdk.survey.questions import ClosedQuestion
from deniable_sdk.survey.reading import Section
from deniable_sdk.survey.text import Text, read_text

MAX_LEVELS = 101


def read_yes_no(section: Section, common: dict[str, Any]) -> ClosedQuestion:
    """The options yes and no, perhaps in other words."""
    return _labelled(section, common, ("yes", "no"))


def read_choice(section: Section, common: dict[str, Any]) -> ClosedQuestion:
    """The options in the author's order."""
    return ClosedQuestion(**common, options=read_option_list(section))


def read_scale(section: Section, common: dict[str, Any]) -> ClosedQuestion:
    """One option for each level."""
    lowest = section.integer("lowest", -100, 100, default=1)
    levels = section.integer("levels", 2, MAX_LEVELS)
    return _labelled(section, common, tuple(str(lowest + step) for step in range(levels)))


def _labelled(section: Section, common: dict[str, Any], ids: tuple[str, ...]) -> ClosedQuestion:
    labels = _read_labels(section, ids)
    options = tuple(Option(option_id, labels.get(option_id)) for option_id in ids)
    return ClosedQuestion(**common, options=options)


def _read_labels(section: Section, ids: tuple[str, ...]) -> dict[str, Text]:
    if "labels" not in section:
        return {}
    inner = Section(section.values["labels"], section.at("labels"), section.problems)
    # YAML reads a bare yes or no as true or false, and a bare 1 as a number.
    inner.values = {option_name(key): text for key, text in inner.values.items()}
    inner.refuse_unknown(ids)
    return {option_id: read_text(inner, option_id) for option_id in ids if option_id in inner}


def option_name(value: object) -> object:
    """An option's id as an author names it: yes and no may be read as truths."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    return str(value) if isinstance(value, int) else value
