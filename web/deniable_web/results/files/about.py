"""What a file is about: the survey, its intervals, and how to read the numbers."""

from importlib.metadata import version

from deniable_analysis.codebook.texts import one_line
from deniable_web.pages.languages import catalog
from deniable_web.results.ending import ended_in_words, reason_in_words
from deniable_web.results.findings import EditionFindings
from deniable_web.results.labels import Labels

Fact = str | int | float


def facts(findings: EditionFindings, labels: Labels) -> dict[str, Fact]:
    """The facts by their ids; languages/CODE/files.yaml has their names."""
    estimates = findings.estimates
    response, language = estimates.response, labels.numbers.language
    texts, kind = catalog("files", language), estimates.interval.value
    return {
        "survey": estimates.survey,
        "title": one_line(labels.text(findings.survey.title)),
        "edition": estimates.edition,
        "digest": estimates.digest,
        "epsilon": float(findings.survey.epsilon),
        "reports": estimates.reports,
        **({"invited": response.invited, "response_rate": response.rate} if response else {}),
        "confidence": estimates.confidence,
        "interval": f"{kind}: {texts['intervals'][kind]}",
        "why": reason_in_words(estimates, language),
        "ended_by": ended_in_words(estimates.fieldwork, language),
        "language": labels.language,
        "version": version("deniable"),
        "reading": texts["about"]["reading_text"],
    }
