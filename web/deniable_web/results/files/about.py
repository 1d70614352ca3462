"""What a file is about: the survey, its intervals, and how to read the numbers."""

from importlib.metadata import version

from deniable_analysis.codebook import one_line
from deniable_web.results.fieldwork_words import FieldworkWords
from deniable_web.results.findings import EditionFindings
from deniable_web.results.labels import Labels

Fact = str | int | float


def facts(findings: EditionFindings, labels: Labels) -> dict[str, Fact]:
    """The facts by their ids; languages/CODE/files.yaml has their names."""
    estimates = findings.estimates
    words = FieldworkWords.of(labels.numbers.language)
    response, end = estimates.response, estimates.fieldwork
    return {
        "survey": estimates.survey,
        "title": one_line(labels.text(findings.survey.title)),
        "edition": estimates.edition,
        "digest": estimates.digest,
        "epsilon": float(findings.survey.epsilon),
        "reports": estimates.reports,
        **({"invited": response.invited, "response_rate": response.rate} if response else {}),
        "confidence": estimates.confidence,
        "interval": f"{estimates.interval.value}: {words.intervals(estimates)}",
        "why": words.why(estimates),
        "ended_by": words.state(end),
        "language": labels.language,
        "version": version("deniable"),
        "reading": words.texts["about"]["reading_text"],
    }
