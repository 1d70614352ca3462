"""Conditions of other programs: who is asked after the import is who was asked there."""

import itertools
import json
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from deniable_web.builder.imports.imported import Imported
from deniable_web.builder.imports.text import import_text
from deniable_web.builder.imports.xlsform import import_xlsform
from engines.conditions import (
    SURVEYJS_FLAT,
    SURVEYJS_GROUP,
    XLSFORM_FLAT,
    XLSFORM_GROUP,
    Answer,
    Base,
    Case,
    plain,
    surveyjs_cases,
    xlsform_cases,
)
from engines.forms import form, survey

ENGINES = Path(__file__).parents[2] / "engines"


def of_surveyjs(bases: Sequence[Base], targets: Sequence[Sequence[str]]) -> Imported:
    """The import of such a survey."""
    return import_text(json.dumps(survey(bases, targets)).encode())


def of_xlsform(bases: Sequence[Base], targets: Sequence[Sequence[str]]) -> Imported:
    """The import of such a form."""
    return import_xlsform(form(bases, targets))


PROGRAMS = [
    pytest.param("surveyjs.json", surveyjs_cases(), of_surveyjs, id="SurveyJS"),
    pytest.param("xlsform.json", xlsform_cases(), of_xlsform, id="XLSForm"),
]
Importer = Callable[[Sequence[Base], Sequence[Sequence[str]]], Imported]


def imported(cases: Sequence[Case], read: Importer) -> list[tuple[Any, bool]]:
    """The show_if of each case, and whether its condition is listed."""
    results: dict[Case, tuple[Any, bool]] = {}
    for bases in dict.fromkeys(case.bases for case in cases):
        own = [case for case in cases if case.bases == bases]
        found = read(bases, [case.conditions for case in own])
        questions = {question["id"]: question for question in found.definition["questions"]}
        listed = {note.name for note in found.account.changed if note.reason == "condition"}
        for place, case in enumerate(own):
            results[case] = questions[f"t{place}"].get("show_if"), f"t{place}" in listed
    return [results[case] for case in cases]


def combinations(case: Case) -> Iterator[dict[str, Answer]]:
    """All answers to the questions of a case, in the order of the tables."""
    for answers in itertools.product(*case.answers.values()):
        yield dict(zip(case.answers, answers, strict=True))


def options(base: Base, answer: Answer) -> set[str | int]:
    """The options of the definition that an answer of the other program chooses."""
    if answer is None:
        return set()
    chosen = answer if isinstance(answer, list) else [answer]
    if base.kind == "select_multiple":
        chosen = answer.split()
    return {base.options[each] for each in chosen}


def shown(case: Case, show_if: Any) -> str:
    """Where a definition asks the last question, as the tables write it."""
    bits = ""
    named = {base.name: base for base in case.named}
    for answers in combinations(case):
        base = named[show_if["question"]] if show_if else None
        is_shown = base is None or (
            base.is_asked(answers) and options(base, answers[base.name]) & {*show_if["is"]}
        )
        bits += "1" if is_shown else "0"
    return bits


def can_be_said(case: Case, bits: str) -> bool:
    """Whether some show_if asks the last question exactly where the other program does."""
    states = list(zip(combinations(case), bits, strict=True))
    for base in case.named:
        asked = [
            (options(base, answers[base.name]), bit)
            for answers, bit in states
            if base.is_asked(answers)
        ]
        leading = [
            option
            for option in base.options.values()
            if all(bit == "1" for chosen, bit in asked if option in chosen)
        ]
        if shown(case, {"question": base.name, "is": leading}) == bits != "0" * len(bits):
            return True
    return "0" not in bits


@pytest.mark.parametrize(("file", "cases", "read"), PROGRAMS)
def test_who_is_asked_is_who_was_asked(file: str, cases: Sequence[Case], read: Importer) -> None:
    """Over all answers, as the other program's own engine says, or the condition is listed."""
    table = json.loads((ENGINES / file).read_text())
    assert [conditions for conditions, _ in table] == [[*case.conditions] for case in cases]
    different, lost = [], []
    for case, (_, bits), (show_if, is_listed) in zip(
        cases, table, imported(cases, read), strict=True
    ):
        if is_listed:
            assert show_if is None
            lost += [case.conditions] if can_be_said(case, bits) else []
        elif shown(case, show_if) != bits:
            different.append(case.conditions)
    assert different == []
    # Hardly any: mostly bare names, and comparisons that are true or false of every answer.
    assert len(lost) < len(cases) / 12, lost


def result(found: Imported) -> tuple[Any, bool]:
    """The show_if of the last question, and whether its condition is listed."""
    question = found.definition["questions"][-1]
    listed = {note.name for note in found.account.changed if note.reason == "condition"}
    return question.get("show_if"), question["id"] in listed


@pytest.mark.parametrize(
    ("conditions", "question", "leading"),
    [
        (["{a} = 'X'"], "a", ["x"]),
        (["{a} contains 'x'"], "a", ["x", "xy"]),
        (["{a} anyof ['x', 'z']"], "a", ["x", "Z"]),
        (["{a} notempty"], "a", ["x", "xy", "Z"]),
        (["{a} equal x or {a} equals Z"], "a", ["x", "Z"]),
        (["{d} <> 1"], "d", ["2", "10", "none of"]),
        (["!({d} >= 2)"], "d", ["1", "none of"]),
        (["{b}"], "b", ["yes"]),
        (["{b} = false"], "b", ["no"]),
        (["{k} = 'ja'"], "k", ["yes"]),
        ([r"{e} = 'it\'s'"], "e", ["it's"]),
        (["{m} contains 'P' or {m} anyof [q]"], "m", ["p", "q"]),
        (["!({m} notcontains 2)"], "m", ["2"]),
        (["{m} notempty"], "m", ["p", "q", "2"]),
        (["{r} > 1 && {r} <> 3"], "r", [2]),
        (["{r} anyof [1, 2, 3]", "{r} > 1"], "r", [2, 3]),
        (["{c} = 'yes'", "{s} <> 'u'"], "s", ["v", "w"]),
    ],
)
def test_a_condition_of_surveyjs_is_kept(
    conditions: Sequence[str], question: str, leading: Sequence[str | int]
) -> None:
    """All of its operators, about one question."""
    bases = SURVEYJS_GROUP if "{s}" in conditions[-1] else SURVEYJS_FLAT
    found = result(of_surveyjs(bases, [conditions]))
    assert found == ({"question": question, "is": leading}, False)


@pytest.mark.parametrize(
    ("conditions", "question", "leading"),
    [
        (["${a} = 'x'"], "a", ["x"]),
        (["selected(${m}, 'p') or selected(${m}, 'q')"], "m", ["p", "q"]),
        (["not(not(selected(${m}, 'p')))"], "m", ["p"]),
        (["${m} != ''"], "m", ["p", "q", "pq", "2"]),
        (["count-selected(${m}) > 0"], "m", ["p", "q", "pq", "2"]),
        (["${d} != '1'"], "d", ["2", "10", "n"]),
        (["not(${d} = 1)"], "d", ["2", "10", "n"]),
        (["${d} >= 2"], "d", ["2", "10"]),
        (["selected(${m}, 2)"], "m", ["2"]),
        (["selected(${d}, 1) or selected(${d}, 10)"], "d", ["1", "10"]),
        (["${k} = 'OK'"], "k", ["yes"]),
        (["${r} >= 2"], "r", [2, 3]),
        (["string-length(${a}) > 0"], "a", ["x", "xy", "Z"]),
        (["${c} = 'yes'", "not(selected(${s}, 'u'))"], "s", ["v", "w"]),
        (["${c} = 'yes'", "${s} != ''"], "s", ["u", "v", "w"]),
        (["${c} = 'yes'", "${c} != 'no'"], "c", ["yes"]),
    ],
)
def test_a_condition_of_an_xlsform_is_kept(
    conditions: Sequence[str], question: str, leading: Sequence[str | int]
) -> None:
    """All of its functions, about one question."""
    bases = XLSFORM_GROUP if "${c}" in conditions[0] else XLSFORM_FLAT
    found = result(of_xlsform(bases, [conditions]))
    assert found == ({"question": question, "is": leading}, False)


@pytest.mark.parametrize(
    "condition",
    [
        " {a} ", "{a} =", "= 'x'", "{a} 'x'", "{a} = 'x' and {b}", "{a} <> 'x'", "{a} empty",
        "{a} = - 'x'", "{a} = --1", "{a} = 1-", "{a} = 'x' or {b}", "{a} = 'x' or", "or", "()",
        "{m} allof ['p', 'q']", "{m} contains ['p', 'q']", "{m} = ['p', 'q']",
        "{m} notcontains 'p'", "{a} = ['x'", "{a} = 'x", "{a = 'x'", "{a} = 'x' 'y'", "{a} = ,",
        "{{a}} = 'x'", "{a} # 1", "{ a } = 'x'", "{a} = it's", "{e} = \"it's\"",
        "{a} = 'unknown'", "{nobody} = 'x'", "{t0} = true", "{a} = 'x' = true",
        "isContainerReady('t')", "{a.b} = 'x'", "{d} = 0x1", "{d} > ['1']", "{a} = -x",
        "{a} = 2x", "{a} = trueish", "{a} = x-y", "today() = {a}", "{a}[0] = 'x'",
    ],
)  # fmt: skip
def test_what_surveyjs_says_and_a_definition_cannot_is_listed(condition: str) -> None:
    """Everybody is asked instead, and nothing is guessed."""
    assert result(of_surveyjs(SURVEYJS_FLAT, [[condition]])) == (None, True)


@pytest.mark.parametrize(
    "condition",
    [
        "${a}", "not(${a})", "boolean(${a})", "${a} = true()", "${a} != 'x'",
        "${a} = 'x' and ${k} = 'OK'", "not(selected(${m}, 'p'))",
        "selected(${m}, 'p') and selected(${m}, 'q')", "${m} = 'p q'", "selected(${m})",
        "selected('p', ${m})", "selected(${m} 'p')", "selected(${m}, 'p q')",
        "selected(${m}, ' ')", "count-selected(${m}) = 2", "count-selected(${m}) > 'x'",
        "x = ${a}", "jr:choice-name(${a}, '${a}') = 'X'", "regex(${a}, '^x')", "${a} = ../a",
        "${d} > '1e0'", "${a} < today()", "if(${a} = 'x', 1)", "${a}[1] = 'x'",
        "count-selected(${m}, 1) > 0", "${r} = '2.0'", "count-selected(../m) > 0",
        "string-length(3) > ${r}", "${k} = ''",
    ],
)  # fmt: skip
def test_what_an_xlsform_says_and_a_definition_cannot_is_listed(condition: str) -> None:
    """Everybody is asked instead, and nothing is guessed."""
    found = of_xlsform(XLSFORM_FLAT, [[condition]])
    assert result(found) == (None, True)


def test_conditions_that_need_too_much_work_are_listed() -> None:
    """The others before them are kept."""
    switches = [Base(f"s{place}", "boolean", {True: "yes", False: "no"}) for place in range(40)]
    pairs = (f"({{s{place}}} = true and {{s{place + 20}}} = true)" for place in range(20))
    found = of_surveyjs(switches, [["{s0} = true"], [" or ".join(pairs)]])
    questions = {question["id"]: question for question in found.definition["questions"]}
    assert questions["t0"]["show_if"] == {"question": "s0", "is": ["yes"]}
    assert result(found) == (None, True)


def test_an_answer_before_the_question_is_not_guessed() -> None:
    """A question of SurveyJS with a default value has an answer where nobody sees it."""
    document = survey(SURVEYJS_GROUP, [["{s} = 'u'"]])
    assert result(import_text(json.dumps(document).encode()))[0] == {"question": "s", "is": ["u"]}
    document["elements"][2]["defaultValue"] = "u"
    assert result(import_text(json.dumps(document).encode())) == (None, True)
    document["elements"][0]["defaultValue"] = "yes"
    always = survey(SURVEYJS_FLAT, [["{d} = 1"]])
    always["elements"][1]["defaultValue"] = 2
    found = result(import_text(json.dumps(always).encode()))
    assert found == ({"question": "d", "is": ["1"]}, False)


def test_a_name_of_two_questions_decides_nothing() -> None:
    """In SurveyJS they have one answer, which either of them may change."""
    document = survey(SURVEYJS_FLAT, [["{a} = 'x'"], ["{a} = 'x'"]])
    document["elements"].insert(-1, {**document["elements"][0]})
    found = import_text(json.dumps(document).encode())
    questions = {question["id"]: question for question in found.definition["questions"]}
    assert questions["t0"]["show_if"] == {"question": "a", "is": ["x"]}
    assert result(found) == (None, True)


CHOICES = {"type": "radiogroup", "choices": ["x", "y"], "isRequired": True}
MATRIX = {"type": "matrix", "rows": ["r", "s"], "columns": ["x", "y"], "eachRowRequired": True}


@pytest.mark.parametrize(
    ("question", "page", "name"),
    [
        ({**MATRIX, "eachRowRequired": False, "isRequired": True}, {}, "q.r"),
        ({**MATRIX, "rowsVisibleIf": "{item} = 1"}, {}, "q.r"),
        ({**MATRIX, "rows": [{"value": "r", "visibleIf": "{a} = 1"}, "s"]}, {}, "q.r"),
        ({**CHOICES, "enableIf": "{a} = 1"}, {}, "q"),
        (CHOICES, {"enableIf": "{a} = 1"}, "q"),
    ],
)
def test_a_question_that_may_be_left_out_has_no_answer_then(
    question: dict[str, object], page: dict[str, object], name: str
) -> None:
    """In SurveyJS one row of a matrix may be enough, and whoever cannot answer need not."""

    def imported_with(condition: str) -> Imported:
        asked = {"type": "boolean", "name": "t", "visibleIf": condition}
        pages = [{"elements": [{**question, "name": "q"}], **page}, {"elements": [asked]}]
        return import_text(json.dumps({"title": "T", "pages": pages}).encode())

    assert result(imported_with(f"{{{name}}} <> 'x'")) == (None, True)
    found = imported_with(f"{{{name}}} = 'x'")
    show_if, is_listed = result(found)
    assert (show_if["is"], is_listed) == (["x"], False)
    assert "rules" in {note.reason for note in found.account.changed}


@pytest.mark.parametrize(("question", "name"), [(MATRIX, "q.r"), (CHOICES, "q")])
def test_a_question_that_everybody_answers_has_an_answer(
    question: dict[str, object], name: str
) -> None:
    """So "is not x" means all other options."""
    asked = {"type": "boolean", "name": "t", "visibleIf": f"{{{name}}} <> 'x'"}
    document = {"title": "T", "elements": [{**question, "name": "q"}, asked]}
    show_if, is_listed = result(import_text(json.dumps(document).encode()))
    assert (show_if["is"], is_listed) == (["y"], False)


def test_what_changes_each_time_is_not_the_same_condition() -> None:
    """Two draws of random() differ; two tests of one number do not."""
    bases = [*XLSFORM_GROUP[:1], Base("n", "integer", {}), XLSFORM_GROUP[2]]
    for outer, kept in (("${n} > 3", True), ("random() > 0.5", False)):
        bases[2] = Base("s", "select_one", plain("u", "v"), True, (outer,))
        show_if, is_listed = result(of_xlsform(bases, [[outer, "${s} = 'u'"]]))
        assert show_if == ({"question": "s", "is": ["u"]} if kept else None)
        assert is_listed != kept
