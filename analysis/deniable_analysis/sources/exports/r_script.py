"""R: a script that reads the SPSS file, estimates shares and means, and calls RR packages."""

import csv
from collections.abc import Iterable, Sequence
from io import StringIO
from pathlib import Path

from deniable_analysis.codebook.formulas import (
    MeanFormula,
    ShareFormula,
    means_of,
    shares_of,
    single_answers,
)
from deniable_analysis.codebook.records import CodebookBlock
from deniable_analysis.codebook.texts import one_line
from deniable_analysis.sources.exports.survey_file import Heading
from deniable_analysis.sources.exports.words import check_name, digits
from deniable_storage.chunks import Cells

_BEGINNING = """\
# Estimates from {file}, the randomized reports of the survey {edition}.
# Digest of the survey: {digest}
#
# Every value in the file is randomized, and a share of these values is not a share of answers.
# This script corrects for that, with the probabilities of the published survey. Run it in the
# folder of the file, with R 4.0 or later:  Rscript "{stem}.R"

file <- "{file}"
data <- if (requireNamespace("haven", quietly = TRUE)) {{
  as.data.frame(haven::zap_labels(haven::read_sav(file)))
}} else {{
  # Comes with R; it warns about parts of the file that it does not need.
  suppressWarnings(foreign::read.spss(file, to.data.frame = TRUE, use.value.labels = FALSE))
}}
"""

_SHARES = """
# Shares. A row of this table is an option of a question, or one of the combinations that a
# crosstab asks as one answer. Of `merged` answers to a block, `marks` is the number that a
# report supports: in how many of the variables it has one of the values. It is
# merged * flip on average if the answer is none of them, and larger by keep - flip if it is one.
# So the mean of (marks - merged * flip) / (keep - flip) is an unbiased estimate of the share.
# With one answer, and s the share of the n reports that support it, this is
# (s - flip) / (keep - flip), with the variance s (1 - s) / (n (keep - flip)^2).
shares <- read.csv(text = {table}, colClasses = c(rep("character", 4), rep("numeric", 3)),
  na.strings = character(0))

corrected_marks <- function(variables, values, merged, keep, flip) {{
  columns <- data[strsplit(variables, " ")[[1]]]
  values <- as.numeric(strsplit(values, " ")[[1]])
  marks <- Reduce(`+`, lapply(columns, function(column) column %in% values))
  ((marks - merged * flip) / (keep - flip))[!is.na(columns[[1]])]
}}

share <- function(...) {{
  corrected <- corrected_marks(...)
  n <- length(corrected)
  c(reports = n, share = mean(corrected),
    se = sqrt(mean((corrected - mean(corrected))^2) / n))
}}

shares <- cbind(shares, t(mapply(
  share, shares$variables, shares$values, shares$merged, shares$keep, shares$flip,
  USE.NAMES = FALSE
)))
# Normal intervals. `deniable results` has better ones for rare options and few reports.
shares$low <- shares$share - qnorm(0.975) * shares$se
shares$high <- shares$share + qnorm(0.975) * shares$se
print(shares[c("question", "option", "reports", "share", "se", "low", "high")], digits = 4)
"""

_MEANS = """
# Means among those who answered. Each report has two numbers, which are unbiased for the answer
# (0 without one) and for whether there is one (1 or 0). The estimate is the ratio of their means,
# with the variance of the delta method (Cochran 1977, equation 6.13). A row of this table is what
# a value of a variable adds to the two numbers; every report begins with those of the row
# without a value.
terms <- read.csv(text = {table}, colClasses = c(rep("character", 2), rep("numeric", 3)))

mean_of <- function(terms) {{
  is_first <- is.na(terms$value)
  is_known <- !is.na(data[[terms$variable[is_first]]])
  number <- rep(terms$number[is_first], nrow(data))
  answered <- rep(terms$answered[is_first], nrow(data))
  for (row in which(!is_first)) {{
    is_there <- data[[terms$variable[row]]] %in% terms$value[row]
    number <- number + is_there * terms$number[row]
    answered <- answered + is_there * terms$answered[row]
  }}
  number <- number[is_known]
  answered <- answered[is_known]
  n <- length(number)
  ratio <- mean(number) / mean(answered)
  residuals <- (number - ratio * answered) / mean(answered)
  c(reports = n, mean = ratio, se = sqrt(sum(residuals^2) / (n * (n - 1))))
}}

means <- t(sapply(split(terms, terms$question), mean_of))
print(means, digits = 4)
"""

_MODELS = """
# Packages for randomized response, if they are installed: the same designs by their names. They
# estimate within 0 and 1. All variables are randomized, so none can be a plain predictor; for
# regressions with randomized predictors, see `regress` in Python.
numbers_of <- function(variable) data[[variable]][!is.na(data[[variable]])]
"""

_RRREG = """
# {block}: {what}, RRreg's model "{model}".
if (requireNamespace("RRreg", quietly = TRUE)) {{
  print(summary(RRreg::RRuni(
    response = {response}, model = "{model}", p = {p}
  )))
}}
"""

_GLMMRR = """\
# The same as an intercept of a logistic regression: plogis of it is the share of value {code}.
if (requireNamespace("GLMMRR", quietly = TRUE)) {{
  design <- data.frame(
    y = as.numeric(numbers_of("{name}") == {code}), model = "Warner", p1 = {keep}, p2 = 1
  )
  print(summary(GLMMRR::RRglm(
    y ~ 1, link = "RRlink.logit", RRmodel = model, p1 = p1, p2 = p2, data = design,
    etastart = rep(0.01, nrow(design))
  )))
}}
"""

_OTHERS = """
# Any other row of `shares` with one variable is a design with two states, too. For
# y <- as.numeric(numbers_of(variable) %in% values), p <- keep + (merged - 1) * flip and
# q <- merged * flip:
#   RRreg::RRuni(response = y, model = "FR", p = c(1 - p, q))
#   GLMMRR::RRglm(y ~ 1, link = "RRlink.logit", RRmodel = "Kuk", p1 = p, p2 = q, ...), with the
#   last three as columns of the data, as above.
# Correlations of two randomized variables: RRreg::RRcor.
"""


def write_script(path: Path, heading: Heading, rows: Iterable[Cells]) -> None:  # noqa: ARG001 - it has none
    """Make a script for the SPSS file of the same name."""
    check_name(path, heading.stem)
    codebook = heading.codebook()
    beginning = _BEGINNING.format(
        stem=heading.stem,
        file=f"{heading.stem}.sav",
        edition=heading.edition,
        digest=codebook.survey.digest,
    )
    parts = [beginning, _share_part(shares_of(codebook))]
    if means := means_of(codebook):
        parts.append(_mean_part(means))
    parts.append(_MODELS)
    parts.extend(_model(block) for block in single_answers(codebook))
    parts.append(_OTHERS)
    path.write_text("".join(parts), encoding="utf-8", newline="\n")


def _share_part(formulas: Iterable[ShareFormula]) -> str:
    header = ("question", "option", "variables", "values", "merged", "keep", "flip")
    rows = (
        (
            *(each.question, one_line(each.option), " ".join(each.variables)),
            *(" ".join(map(str, each.codes)), each.merged, digits(each.keep), digits(each.flip)),
        )
        for each in formulas
    )
    return _SHARES.format(table=_table(header, rows))


def _mean_part(formulas: Iterable[MeanFormula]) -> str:
    header = ("question", "variable", "value", "number", "answered")
    rows: list[Sequence[object]] = []
    for each in formulas:
        begin = (digits(each.number), digits(each.answered))
        rows.append((each.question, each.first, "NA", *begin))
        rows.extend(
            (each.question, term.variable, term.code, digits(term.number), digits(term.answered))
            for term in each.terms
        )
    return _MEANS.format(table=_table(header, rows))


def _model(block: CodebookBlock) -> str:
    (variable,) = block.variables
    first, *others = variable.values
    numbers = f'numbers_of("{variable.name}")'
    keep, flip = digits(block.keep), digits(block.flip)
    if len(others) == 1:
        response = f"as.numeric({numbers} == {first.code})"
        ours = _RRREG.format(
            block=block.published.id, what="two answers", model="Warner", response=response, p=keep
        )
        return ours + _GLMMRR.format(name=variable.name, code=first.code, keep=keep)
    codes = ", ".join(str(value.code) for value in variable.values)
    return _RRREG.format(
        block=block.published.id,
        what=f"{len(variable.values)} answers, numbered from 0 here",
        model="FR",
        response=f"match({numbers}, c({codes})) - 1",
        p=f"rep({flip}, {len(variable.values)})",
    )


def _table(header: Sequence[str], rows: Iterable[Sequence[object]]) -> str:
    """Rows as CSV in a raw string of R, which ends with more dashes than any in it."""
    text = StringIO()
    writer = csv.writer(text, lineterminator="\n")
    writer.writerow(header)
    writer.writerows(rows)
    table = text.getvalue()
    dashes = "-"
    while f'){dashes}"' in table:
        dashes += "-"
    return f'r"{dashes}(\n{table}){dashes}"'
