"""The columns and settings of XLSForm that are noted in a certain way, if nothing reads them.

All others are noted as settings. Source: the specification of XLSForm, and pyxform's aliases.
"""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from pyxform.aliases import TRANSLATABLE_SURVEY_COLUMNS, list_header, survey_header
from pyxform.parsing.sheet_headers import to_snake_case
from pyxform.question import MultipleChoiceQuestion

from deniable_web.builder.imports.imported import Changed
from deniable_web.builder.imports.nodes import Unread

# pyxform's own notes about a row, and what only says how a question looks or is stored.
_HARMLESS: Final = """
    __row _dynamic_default actions autoplay bind::type children choices compact_tag
    control::end control::odk:placeholder control::odk:tick-interval control::start control::step
    disabled flat instance itemset list_name parameters::odk:placeholder
    parameters::odk:tick-interval query rows sms_allow_media sms_date_format sms_datetime_format
    sms_field sms_option sms_response sms_separator type
    $autoname $kuid kobo--score-choices kobo--rank-items
"""
# Settings that say how a form is named, sent, stored, encrypted or laid out by other programs.
_HARMLESS_SETTINGS: Final = """
    add_none_option allow_choice_duplicates attribute auto_delete auto_send clean_text_values
    client_editable compact_prefix compact_tag default_language delimiter entity_version flat
    form_id id_string instance_id instance_name instance_xmlns name namespaces omit_instanceID
    prefix public_key sms_allow_media sms_date_format sms_datetime_format sms_field sms_keyword
    sms_response sms_separator style submission_url type version
"""
# How a column is called in a workbook that pyxform keeps in a group of columns.
_HEADERS: Final = {
    ("bind", "calculate"): "calculation",
    ("bind", "constraint"): "constraint",
    ("bind", "entities:saveto"): "save_to",
    ("bind", "jr:constraintMsg"): "constraint_message",
    ("bind", "jr:noAppErrorString"): "no_app_error_string",
    ("bind", "jr:requiredMsg"): "required_message",
    ("bind", "readonly"): "read_only",
    ("bind", "relevant"): "relevant",
    ("bind", "required"): "required",
    ("control", "appearance"): "appearance",
    ("control", "autoplay"): "autoplay",
    ("control", "jr:count"): "repeat_count",
    ("control", "rows"): "rows",
    ("instance", "odk:tag"): "compact_tag",
}
_GROUPS: Final = ("bind", "control", "instance", "parameters")

# What pyxform knows; nobody sees other columns, in which authors keep their own notes.
_COLUMNS: Final = frozenset(
    (
        *survey_header,
        *TRANSLATABLE_SURVEY_COLUMNS,
        *list_header,
        *MultipleChoiceQuestion.get_slot_names(),
    )
)

UNREAD: Final[Unread] = {
    **dict.fromkeys(_HARMLESS.split()),
    **dict.fromkeys(("choice_filter", "constraint", "required", "trigger"), Changed.RULES),
    "media": Changed.PICTURES,
}
UNREAD_SETTINGS: Final[Unread] = dict.fromkeys(_HARMLESS_SETTINGS.split())


def meaning(header: str) -> str:
    """What pyxform calls a column without groups, such as type for command."""
    name = to_snake_case(header)
    return str({**survey_header, **list_header}.get(name, name))


def is_known(header: str) -> bool:
    """Whether XLSForm has a column, or KoboToolbox for its own use."""
    names = (header, to_snake_case(header), to_snake_case(re.split("::?", header)[0]))
    return header in UNREAD or any(name in _COLUMNS for name in names)


def named_as_in_file(row: Mapping[str, Any]) -> dict[str, Any]:
    """A row of pyxform with the names of columns; a parameter is parameters::NAME."""
    return dict(_columns(row))


def _columns(row: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    for key, value in row.items():
        if key in _GROUPS and isinstance(value, Mapping):
            for inner, own in value.items():
                yield _HEADERS.get((key, inner), f"{key}::{inner}"), own
        else:
            yield key, value
