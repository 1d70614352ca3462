"""Estimates as one JSON document, with labels beside the ids."""

from collections.abc import Mapping
from typing import Any

from deniable_analysis.codebook.texts import one_line
from deniable_analysis.results.answers import NOT_ASKED_OR_NONE
from deniable_sdk.survey.options import NO_ANSWER
from deniable_sdk.survey.questions import Question
from deniable_web.pages.languages import catalog
from deniable_web.results.files.about import facts
from deniable_web.results.files.rows import NUMBERS
from deniable_web.results.findings import EditionFindings
from deniable_web.results.labels import Labels


def json_document(findings: EditionFindings, labels: Labels) -> dict[str, Any]:
    """The document of the estimates, and the texts that explain it.

    `labels` has the texts of all ids, `about` the facts of the survey, and
    `numbers` the meaning of the numbers.
    """
    return {
        **findings.estimates.to_document(),
        "closed_file": findings.closed_file and findings.closed_file.to_document(),
        "labels": _labels(findings, labels),
        "about": facts(findings, labels),
        "numbers": _numbers(catalog("files", labels.numbers.language)["explained"]),
    }


def _numbers(explained: Mapping[str, str]) -> dict[str, str]:
    own = dict.fromkeys(("share", "value", "difference"), explained["estimate"])
    return own | {name: explained[name] for name in NUMBERS}


def _labels(findings: EditionFindings, labels: Labels) -> Mapping[str, Any]:
    survey = findings.survey
    return {
        "language": labels.language,
        "title": one_line(labels.text(survey.title)),
        "questions": {each.id: _of_question(each, labels) for each in survey.reported},
        "groups": {group.id: one_line(labels.group(group.id)) for group in survey.groups},
    }


def _of_question(question: Question, labels: Labels) -> dict[str, Any]:
    """Its texts; among those who were asked it, "no answer" means less than among all."""
    names = (*question.option_ids, *([NO_ANSWER] * question.offers_no_answer))
    rows = (*names[:-1], NOT_ASKED_OR_NONE) if question.show_if else names
    texts: dict[str, Any] = {
        "text": one_line(labels.question(question.id)),
        "unit": one_line(labels.unit(question.id)) if question.unit else None,
        "options": {name: one_line(labels.answer(question.id, name)) for name in rows},
    }
    if question.show_if:
        among = {name: one_line(labels.answer(question.id, name)) for name in names}
        texts["options_among_asked"] = among
    return texts
