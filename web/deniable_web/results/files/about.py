"""What a file is about, and what its columns, kinds, questions and answers mean."""

from collections.abc import Iterator
from importlib.metadata import version

from deniable_analysis.codebook.texts import one_line
from deniable_analysis.results import CrosstabEstimate, QuestionEstimate
from deniable_web.pages.languages import Catalog, catalog
from deniable_web.planning.forecast_words import file_in_words
from deniable_web.results.ending import ended_in_words, reason_in_words
from deniable_web.results.files.rows import COLUMNS, RowKind
from deniable_web.results.findings import EditionFindings
from deniable_web.results.labels import Labels

Fact = str | int | float

# What is explained (a column, a kind, a question or an answer), the id of the question of an
# answer, its id as in the rows, its label, and what else there is to know.
Line = tuple[str, str, str, str, str]


def facts(findings: EditionFindings, labels: Labels) -> dict[str, Fact]:
    """The facts by their ids; languages/CODE/files.yaml has their names."""
    estimates = findings.estimates
    response, language = estimates.response, labels.numbers.language
    texts, kind = catalog("files", language), estimates.interval.value
    of_file = file_in_words(findings.closed_file, labels.numbers)
    return {
        "survey": estimates.survey,
        "title": one_line(labels.text(findings.survey.title)),
        "edition": estimates.edition,
        "digest": estimates.digest,
        "epsilon": float(findings.survey.epsilon),
        **({"closed_file": of_file} if of_file else {}),
        "reports": estimates.reports,
        **({"least": findings.least} if findings.least else {}),
        **({"invited": response.invited, "response_rate": response.rate} if response else {}),
        "confidence": estimates.confidence,
        "interval": f"{kind}: {texts['intervals'][kind]}",
        "why": reason_in_words(estimates, language),
        "ended_by": ended_in_words(estimates.fieldwork, language),
        "language": labels.language,
        "version": version("deniable"),
        "reading": texts["about"]["reading_text"],
    }


def codebook_lines(findings: EditionFindings, labels: Labels) -> Iterator[Line]:
    """All lines of a survey's codebook."""
    texts = catalog("files", labels.numbers.language)
    own = texts["codebook"]
    for name in COLUMNS:
        text, why = texts["columns"][name], texts["explained"][name]
        yield own["a_column"], "", name, text, why
    for kind in RowKind:
        yield own["a_kind"], "", kind.value, "", texts["kinds"][kind.value]
    for question in findings.estimates.questions:
        yield from _of_question(question, labels, texts)
    for crosstab in findings.estimates.crosstabs:
        yield _of_crosstab(crosstab, labels, texts)
    for group in findings.survey.groups:
        count = own["invited"].format(count=labels.numbers.count(group.people))
        yield own["a_group"], "", group.id, labels.group(group.id), count


def _of_question(estimate: QuestionEstimate, labels: Labels, texts: Catalog) -> Iterator[Line]:
    own, asked = texts["codebook"], labels.find(estimate.question)
    types = catalog("results", labels.numbers.language)["types"]
    unit = labels.unit(asked.id)
    text = f"{labels.question(asked.id)} ({unit})" if unit else labels.question(asked.id)
    explained = [_design(estimate, types[asked.type], labels, texts)]
    if asked.show_if:
        leading = (labels.option(asked.show_if.question, each) for each in asked.show_if.options)
        explained.append(
            own["only_if"].format(question=asked.show_if.question, options=", ".join(leading))
        )
    yield own["a_question"], "", asked.id, text, " ".join(explained)
    among = estimate.among.options if estimate.among else ()
    for name in dict.fromkeys(each.option for each in (*estimate.of_all, *among)):
        yield own["an_answer"], asked.id, name, labels.answer(asked.id, name), ""


def _of_crosstab(crosstab: CrosstabEstimate, labels: Labels, texts: Catalog) -> Line:
    own, types = texts["codebook"], catalog("results", labels.numbers.language)["kinds"]
    text = " × ".join(map(labels.question, crosstab.questions))
    explained = _design(crosstab, types["cell"], labels, texts)
    return own["a_crosstab"], "", crosstab.block, text, explained


def _design(
    estimate: QuestionEstimate | CrosstabEstimate, kind: str, labels: Labels, texts: Catalog
) -> str:
    return texts["codebook"]["design"].format(
        type=kind,
        reports=labels.numbers.count(estimate.reports),
        epsilon=labels.numbers.short(estimate.epsilon),
    )
