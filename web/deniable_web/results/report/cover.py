"""The first lines of a report: who asked, when, how it ended, and how many answered."""

from collections.abc import Iterator
from datetime import datetime

from deniable_storage.ends import End
from deniable_web.pages.languages import catalog
from deniable_web.results.ending import ended_in_words, reason_in_words
from deniable_web.results.findings import EditionFindings
from deniable_web.results.labels import Labels, isolated


def cover_lines(findings: EditionFindings, labels: Labels, now: datetime) -> tuple[str, ...]:
    """Sentences about the survey and its fieldwork.

    Args:
        findings: the findings of the edition.
        labels: the labels of the survey.
        now: the present moment.
    """
    return (*_who(labels), *_when(findings, labels, now), *_how_many(findings, labels))


def _who(labels: Labels) -> Iterator[str]:
    operator, texts = labels.survey.operator, catalog("report", labels.numbers.language)
    if operator:
        yield texts["cover"]["operator"].format(
            name=isolated(operator.name), contact=isolated(operator.contact)
        )


def _when(findings: EditionFindings, labels: Labels, now: datetime) -> Iterator[str]:
    """When it opened and ended, as far as that was announced: nobody records a moment."""
    texts = catalog("report", labels.numbers.language)["cover"]
    state = findings.estimates.fieldwork
    window = state.window or labels.survey.window
    moment = labels.numbers.moment
    if window and window.opens and window.opens <= now:
        yield texts["opened"].format(moment=moment(window.opens))
    if window and window.closes and state.end in (None, End.CLOSES):
        key = "planned" if state.end is None else "ended"
        yield texts[key].format(moment=moment(window.closes))
    language = labels.numbers.language
    yield f"{ended_in_words(state, language)} {reason_in_words(findings.estimates, language)}"


def _how_many(findings: EditionFindings, labels: Labels) -> Iterator[str]:
    numbers, response = labels.numbers, findings.estimates.response
    if response and findings.estimates.fieldwork.end is not None:
        yield catalog("results", numbers.language)["response"]["found"].format(
            reports=numbers.count(response.reports),
            invited=numbers.count(response.invited),
            rate=numbers.percent(response.rate, 0),
        )
