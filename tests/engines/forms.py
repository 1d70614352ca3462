"""Questionnaires with conditions, as the files of both programs."""

from collections.abc import Iterable, Sequence
from typing import Any

from engines.conditions import Base
from workbooks import Row, workbook


def survey(bases: Iterable[Base], targets: Iterable[Sequence[str]]) -> dict[str, Any]:
    """A survey of SurveyJS: these questions, and t0, t1, ... in panels with these conditions."""
    elements = [_inside(_question(base), base.inside) for base in bases]
    for place, conditions in enumerate(targets):
        elements.append(_inside({"type": "boolean", "name": f"t{place}"}, conditions))
    return {"title": "T", "elements": elements}


def form(bases: Iterable[Base], targets: Iterable[Sequence[str]]) -> bytes:
    """An XLSForm: these questions, and t0, t1, ... in groups with these conditions."""
    header: Row = ["type", "name", "label", "required", "relevant", "parameters"]
    rows: list[Row] = [header]
    choices: list[Row] = [["list_name", "name", "label"]]
    for base in bases:
        has_list = base.kind.startswith("select")
        kind = f"{base.kind} {base.name}" if has_list else base.kind
        parameters = f"start=1 end={len(base.options)}" if base.kind == "range" else None
        required = "yes" if base.is_required else None
        row: Row = [kind, base.name, "A?", required, None, parameters]
        rows += _grouped(row, base.inside)
        choices += [[base.name, value, value] for value in base.options if has_list]
    for place, conditions in enumerate(targets):
        rows += _grouped(["integer", f"t{place}", "B?"], conditions)
    return workbook({"survey": rows, "choices": choices})


def _question(base: Base) -> dict[str, Any]:
    question: dict[str, Any] = {"type": base.kind, "name": base.name}
    if base.is_required:
        question["isRequired"] = True
    values = list(base.options)
    if base.kind == "rating":
        question |= {"rateMin": values[0], "rateMax": values[-1]}
    elif base.kind != "boolean":
        question["choices"] = values
    elif values != [True, False]:
        question |= {"valueTrue": values[0], "valueFalse": values[1]}
    return question


def _inside(question: dict[str, Any], conditions: Sequence[str]) -> dict[str, Any]:
    """A question with the last of the conditions, in panels with the others."""
    if not conditions:
        return question
    found = {**question, "visibleIf": conditions[-1]}
    for depth, condition in enumerate(reversed(conditions[:-1])):
        name = f"{question['name']}_panel_{depth}"
        found = {"type": "panel", "name": name, "visibleIf": condition, "elements": [found]}
    return found


def _grouped(row: Row, conditions: Sequence[str]) -> list[Row]:
    """A row with the last of the conditions, in groups with the others."""
    own = [*row, *([None] * (6 - len(row)))]
    if conditions:
        own[4] = conditions[-1]
    found = [own]
    for depth, condition in enumerate(reversed(conditions[:-1])):
        begin: Row = ["begin group", f"{row[1]}_group_{depth}", "G", None, condition]
        found = [begin, *found, ["end group"]]
    return found
