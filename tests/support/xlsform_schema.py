"""XLSForms with one column or setting more than a plain one, and what an import makes of it."""

import json
from functools import cache
from typing import Any, Final

from pyxform import aliases
from pyxform.question import MultipleChoiceQuestion, Option
from pyxform.section import GroupedSection
from pyxform.survey import Survey

from deniable_web.builder.imports.xlsform import import_xlsform
from workbooks import Row, workbook

# The attributes of pyxform's objects that no column of a workbook sets.
_INTERNAL: Final = (
    "_choice_itext_ref _created _dynamic_default _itemset_has_ref _qtd_defaults _qtd_kwargs"
    " _translations _xpath actions bind children choices control extra_data file_name itemset"
    " media parent query setgeopoint_by_triggering_ref setvalues_by_triggering_ref"
)
# pyxform's attributes that are columns only with a part, such as instance::odk:tag.
_IN_PARTS: Final = {"body": "body::kb:flash", "instance": "instance::odk:tag"}
_WORDS: Final = "some words"
_VALUES: Final = {
    "appearance": "label",
    "big-image": "some.png",
    "choice_filter": "${other} = 'x'",
    "command": "date",
    "default_language": _WORDS,
    "omit_instanceID": "yes",
    "parameters": "randomize=true",
    "public_key": "abc",
    "readonly": "yes",
    "read_only": "yes",
    "relevance": "${other} = 'x'",
    "relevant": "${other} = 'x'",
    "required": "yes",
    "save_to": "height",
    "trigger": "${other}",
    "type": "date",
    **dict.fromkeys(("calculate", "calculation"), "${n} + ${m}"),
    **dict.fromkeys(("count", "jr:count", "repeat_count"), "2"),
    **dict.fromkeys(("list_name", "name", "tag", "value"), "more"),
}
_KINDS: Final = {"choice": "select_one own", "number": "integer", "group": "begin group"}


def columns() -> dict[str, set[str]]:
    """The names of all columns of each sheet that pyxform knows."""
    found = {
        "survey": (
            *aliases.survey_header,
            *aliases.TRANSLATABLE_SURVEY_COLUMNS,
            *MultipleChoiceQuestion.get_slot_names(),
            *GroupedSection.get_slot_names(),
        ),
        "choices": (*aliases.list_header, *Option.get_slot_names()),
        "settings": (*aliases.settings_header, *Survey.get_slot_names()),
    }
    return {
        sheet: {_IN_PARTS.get(name, name) for name in set(names) - {*_INTERNAL.split()}}
        for sheet, names in found.items()
    }


def fate(part: str, column: str) -> str:
    """What the import makes of a column of a part: taken, listed, or harmless."""
    plain, found = (_imported(_form(part, column, is_set=is_set)) for is_set in (False, True))
    if plain["definition"] != found["definition"]:
        return "taken"
    return "harmless" if plain == found else "listed"


def has_words(part: str, column: str) -> bool:
    """Whether the words in a column are in the definition or in the account."""
    if column in _VALUES:
        return True
    return _WORDS in json.dumps(_imported(_form(part, column, is_set=True)))


@cache
def _imported(form: str) -> dict[str, Any]:
    return import_xlsform(workbook(json.loads(form))).to_document()


def _form(part: str, column: str, *, is_set: bool) -> str:
    """The sheets, as JSON, of a form with a part: a kind of row, a choice or the settings."""
    sheets: dict[str, list[dict[str, str]]] = {
        "survey": [
            *({"type": "integer", "name": name, "label": name} for name in "nm"),
            {"type": "select_one list", "name": "other", "label": "Other"},
        ],
        "choices": [
            *({"list_name": "list", "name": name, "label": name} for name in "xy"),
            *({"list_name": "own", "name": name, "label": name.upper()} for name in "pqr"),
        ],
        "settings": [{"form_title": "T", "form_id": "t"}],
    }
    row = {"type": _KINDS.get(part, "select_one own"), "name": "part", "label": "Part"}
    sheets["survey"].append(row)
    if part == "group":
        inner = {"type": "integer", "name": "inner", "label": "In"}
        sheets["survey"] += [inner, {"type": "end group"}]
    if part == "settings":
        # Otherwise no text would need a language.
        row["label::French (fr)"] = "Partie"
    if column == "save_to":
        sheets["entities"] = [{"list_name": "trees", "label": "a"}]
    if is_set:
        changed = {"choices": sheets["choices"][2], "settings": sheets["settings"][0]}
        changed.get(part, row)[column] = _VALUES.get(column, _WORDS)
    where = part if part in sheets else "survey"
    return json.dumps(
        {name: _table(rows, column if name == where else "") for name, rows in sheets.items()}
    )


def _table(rows: list[dict[str, str]], column: str) -> list[Row]:
    """The rows of a sheet, in which no two columns mean the same as `column`."""
    same = [name for row in rows for name in row if _meaning(name) == _meaning(column)]
    renamed = dict.fromkeys(same, column) if column else {}
    merged = [
        {renamed.get(name, name): cell for name, cell in row.items()}
        | ({column: row[column]} if column in row else {})
        for row in rows
    ]
    header = list(dict.fromkeys(name for row in merged for name in row))
    cells: list[Row] = [[row.get(name) for name in header] for row in merged]
    return [[*header], *cells]


def _meaning(column: str) -> object:
    known = {**aliases.settings_header, **aliases.list_header, **aliases.survey_header}
    return known.get(column, column)
