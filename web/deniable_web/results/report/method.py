"""What a device does with an answer, in words of a report's language."""

from collections.abc import Iterator
from dataclasses import dataclass
from fractions import Fraction

from deniable_sdk import theory
from deniable_sdk.mechanisms import Piecewise, PrivSet, SampledBits, Subset
from deniable_sdk.mechanisms.base import Mechanism
from deniable_sdk.survey.block import Block
from deniable_sdk.weights import format_epsilon
from deniable_web.pages.form.languages import PageLanguage
from deniable_web.pages.form.privacy import privacy_words
from deniable_web.pages.languages import catalog, spoken
from deniable_web.pages.numbers import MISSING, Numbers
from deniable_web.planning.forecast_words import file_in_words
from deniable_web.results.certainty import forged_points
from deniable_web.results.files.about import facts
from deniable_web.results.findings import EditionFindings
from deniable_web.results.labels import Labels
from deniable_web.results.outlook import reports_of_blocks

_IDENTITY = ("survey", "edition", "digest", "reports", "epsilon", "confidence", "version")


def in_words(mechanism: Mechanism, numbers: Numbers) -> str:
    """What the device does; in English if there are no words of the language for it."""
    texts = catalog("report", numbers.language)["mechanisms"]
    match mechanism:
        case Subset():
            key = "one" if mechanism.size == 1 else "several"
            counts = {"size": mechanism.size, "answers": mechanism.domain_size}
        case SampledBits():
            key = "bits"
            counts = {"sampled": mechanism.sampled, "answers": mechanism.domain.options}
        case PrivSet():
            key, domain = "set", mechanism.domain
            counts = {"size": mechanism.size, "answers": domain.options, "blanks": domain.at_most}
        case Piecewise():
            return _place(mechanism, numbers)
        case _:
            return theory.describe(mechanism)
    shares = {"keep": mechanism.keep, "flip": mechanism.flip}
    return texts[key].format(
        **{name: numbers.count(count) for name, count in counts.items()},
        **{name: numbers.percent(float(share)) for name, share in shares.items()},
    )


def _place(mechanism: Piecewise, numbers: Numbers) -> str:
    texts = catalog("report", numbers.language)["mechanisms"]
    near = mechanism.window * Fraction(mechanism.weights.high, mechanism.total_weight)
    place = texts["place"].format(
        places=numbers.count(mechanism.places),
        near=numbers.percent(float(near)),
        window=numbers.count(mechanism.window),
    )
    if not mechanism.rounds:
        return place
    rounded = texts["rounded"].format(positions=numbers.count(mechanism.steps + 1))
    return f"{rounded} {place}"


@dataclass(frozen=True, slots=True)
class MethodView:
    """How the numbers of a report came about.

    Args:
        paragraphs: the method in sentences.
        parts: the questions of each block, what a device does with its answers, its epsilon
            and its reports.
    """

    paragraphs: tuple[str, ...]
    parts: tuple[tuple[tuple[str, ...], str, str, str], ...]


def method_view(findings: EditionFindings, labels: Labels) -> MethodView:
    """The method of a survey, in general and for each of its blocks."""
    reports = reports_of_blocks(findings.estimates)
    return MethodView(
        paragraphs=tuple(_paragraphs(findings, labels)),
        parts=tuple(_part(each, reports.get(each.id), labels) for each in findings.survey.blocks),
    )


def identity(findings: EditionFindings, labels: Labels) -> dict[str, str]:
    """What identifies the survey and its numbers: names, and values in words."""
    numbers, found = labels.numbers, facts(findings, labels)
    names = catalog("files", numbers.language)["about"]
    written = {
        "edition": numbers.count(findings.estimates.edition),
        "reports": numbers.count(findings.estimates.reports),
        "epsilon": format_epsilon(findings.survey.epsilon),
        "confidence": numbers.percent(findings.estimates.confidence, 0),
    }
    return {names[key]: written.get(key, str(found[key])) for key in _IDENTITY}


def _paragraphs(findings: EditionFindings, labels: Labels) -> Iterator[str]:
    numbers, survey, estimates = labels.numbers, findings.survey, findings.estimates
    texts = catalog("report", numbers.language)["method"]
    yield texts["randomized"]
    if survey.asked < len(survey.blocks):
        yield texts["asked"].format(
            asked=numbers.count(survey.asked), all=numbers.count(len(survey.blocks))
        )
    privacy = privacy_words(survey, PageLanguage(spoken(numbers.language)))
    yield texts["epsilon"].format(
        epsilon=privacy.epsilon,
        times=privacy.at_most_times,
        before=privacy.told.before,
        low=privacy.told.low,
        high=privacy.told.high,
    )
    yield from filter(None, [file_in_words(findings.closed_file, numbers)])
    yield texts["interval"].format(
        kind=catalog("files", numbers.language)["intervals"][estimates.interval.value],
        confidence=numbers.percent(estimates.confidence, 0),
    )
    yield texts["estimate"]
    shares = [option for each in estimates.questions for option in each.options]
    points = forged_points(shares, numbers)
    if points:
        yield texts["forged"].format(points=points)


def _part(
    block: Block, reports: int | None, labels: Labels
) -> tuple[tuple[str, ...], str, str, str]:
    return (
        tuple(labels.question(each.id) for each in block.questions),
        in_words(block.mechanism, labels.numbers),
        labels.numbers.short(block.epsilon),
        MISSING if reports is None else labels.numbers.count(reports),
    )
