"""Any definition of any kinds of question compiles to a survey that holds what it claims."""

import contextlib
import json
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from deniable_sdk import (
    BudgetExceeded,
    InvalidReport,
    InvalidSurvey,
    PublishedSurvey,
    Report,
    check_report,
    compile_survey,
    draw_blocks,
    questions_to_show,
    randomize,
    reached_questions,
)
from deniable_sdk.weights import is_within
from sample_definitions import definition, paths
from vectors.spelling import Recorder

ODD: list[Any] = [None, True, 0, 1, -1, 2, 9, 5001, "", "0", "1", "-0.5", "x", "a", "no_answer"]
ODD += [[], {}, ["yes"], ["a"], {"question": "q0", "is": ["yes"]}, [[0, 1]], [0, 1], 2**53 - 1]


def _own_keys(draw: st.DrawFn, kind: str, count: int) -> dict[str, Any]:
    """What a kind adds to a question."""
    options = [f"o{number}" for number in range(count)]
    if kind in ("choice", "multiple"):
        at_most = draw(st.integers(1, count)) if kind == "multiple" else None
        return {"options": options} | ({"at_most": at_most} if at_most else {})
    target = {"target": draw(st.sampled_from(["shares", "mean"]))}
    if kind == "scale":
        return {"levels": count, **target}
    step = draw(st.sampled_from(["0.0001", "0.5", "1", "2.25"]))
    low = draw(st.sampled_from(["-3", "0", "7.5"]))
    high = f"{float(Fraction(low) + count * Fraction(step)):.4f}"
    return {"min": low, "max": high, "step": step, **target}


def _options(question: dict[str, Any]) -> list[str]:
    """The options a question can lead by."""
    levels = [str(level + 1) for level in range(question.get("levels", 0))]
    yes_no = ["yes", "no"] if question["type"] == "yes_no" else []
    return [*yes_no, *levels, *question.get("options", [])]


@st.composite
def definitions(draw: st.DrawFn) -> dict[str, Any]:
    """Definitions of one to six questions of any kind, with routing and crosstabs."""
    questions: list[dict[str, Any]] = []
    for index in range(draw(st.integers(1, 6))):
        kind = draw(st.sampled_from(["yes_no", "choice", "scale", "multiple", "number"]))
        question: dict[str, Any] = {
            "id": f"q{index}",
            "type": kind,
            "text": "?",
            "required": draw(st.booleans()),
        }
        if kind != "yes_no":
            question |= _own_keys(draw, kind, draw(st.integers(2, 7)))
        routers = [earlier for earlier in questions if _options(earlier)]
        is_led_to: bool = draw(st.booleans())
        if routers and is_led_to:
            router = draw(st.sampled_from(routers))
            some: Any = st.lists(st.sampled_from(_options(router)), min_size=1, unique=True)
            question["show_if"] = {"question": router["id"], "is": draw(some)}
        questions.append(question)
    plain = [q["id"] for q in questions if q["type"] in ("yes_no", "choice")]
    crosstabs = [plain[:2]] if len(plain) > 1 and draw(st.booleans()) else []
    epsilon = draw(st.sampled_from(["0.01", "0.7", "2", "10"]))
    return definition(*questions, epsilon=epsilon, crosstabs=crosstabs)


@st.composite
def answered(draw: st.DrawFn) -> tuple[PublishedSurvey, dict[str, Any]]:
    """A published survey and legal answers to all of its questions."""
    survey = compile_survey(draw(definitions()))
    answers: dict[str, Any] = {}
    for question in survey.questions:
        names = [name for name in question.names if name != "no_answer"]
        if question.type == "multiple":
            most: int = question.at_most  # type: ignore[attr-defined]
            answers[question.id] = draw(
                st.lists(st.sampled_from(names), unique=True, max_size=most)
            )
        elif question.offers_no_answer and not question.required and draw(st.booleans()):
            answers[question.id] = draw(st.sampled_from([None, "no_answer"]))
        else:
            answers[question.id] = draw(st.sampled_from(names))
    return survey, answers


@settings(max_examples=120, deadline=None)
@given(definitions())
def test_a_definition_of_any_kinds_keeps_its_word(document: dict[str, Any]) -> None:
    """It round trips, every question is asked, and no drawing spends more than its epsilon."""
    survey = compile_survey(document)
    assert PublishedSurvey.from_bytes(survey.document, digest=survey.digest) == survey
    taken = [weights for block in survey.worst_blocks for weights in block.mechanism.spends]
    assert is_within(taken, survey.epsilon)
    assert not is_within(taken, survey.epsilon - Fraction(1, 10**9))
    asked = [question.id for block in survey.blocks for question in block.questions]
    assert sorted(asked) == sorted(question["id"] for question in document["questions"])
    for block in survey.blocks:
        assert block.mechanism.fits(block.domain)


@settings(max_examples=150, deadline=None)
@given(answered())
def test_any_answers_make_a_legal_report(case: tuple[PublishedSurvey, dict[str, Any]]) -> None:
    """The report is legal and round trips, and asks only what was drawn."""
    survey, answers = case
    blocks = draw_blocks(survey)
    report = randomize(survey, answers, blocks)
    check_report(Report.from_bytes(report.to_bytes()), survey)
    assert tuple(report.values) == blocks
    shown = {question.id for question in questions_to_show(survey, blocks)}
    drawn = {q.id for block in survey.blocks if block.id in blocks for q in block.questions}
    assert drawn <= shown
    reached = reached_questions(survey, answers)
    unreached = dict.fromkeys(answers.keys() - reached, "canary")
    assert reached_questions(survey, answers | unreached) == reached
    randomize(survey, answers | unreached, blocks)


@settings(max_examples=300, deadline=None)
@given(answered(), st.data())
def test_a_mutated_report_is_legal_or_refused(
    case: tuple[PublishedSurvey, dict[str, Any]], data: st.DataObject
) -> None:
    """Whatever is changed in it, it is accepted or refused with a reason, never anything else."""
    survey, answers = case
    tape = Recorder(str(data.draw(st.integers(0, 2**32))))
    document = json.loads(randomize(survey, answers, read_bytes=tape).to_bytes())
    _mutate(document, data)
    with contextlib.suppress(InvalidReport):
        report = Report.from_document(document)
        check_report(report, survey)
        assert Report.from_bytes(report.to_bytes()) == report


@settings(max_examples=300, deadline=None)
@given(definitions(), st.data())
def test_a_mutated_survey_is_legal_or_refused(
    document: dict[str, Any], data: st.DataObject
) -> None:
    """Whatever is changed in it, it is read as a survey or refused with a reason."""
    published = json.loads(compile_survey(document).document)
    _mutate(published, data)
    with contextlib.suppress(InvalidSurvey, BudgetExceeded):
        survey = PublishedSurvey.from_document(published)
        assert PublishedSurvey.from_bytes(survey.document) == survey


def _mutate(document: Any, data: st.DataObject) -> None:
    *steps, last = data.draw(st.sampled_from(paths(document)))
    place = document
    for step in steps:
        place = place[step]
    if data.draw(st.booleans()):
        place[last] = data.draw(st.sampled_from(ODD))
    else:
        del place[last]


def test_a_survey_without_its_format_is_refused() -> None:
    """The mutations above do reach refusals."""
    document = json.loads(compile_survey(definition()).document)
    del document["format"]
    with pytest.raises(InvalidSurvey, match="got the format null"):
        PublishedSurvey.from_document(document)
