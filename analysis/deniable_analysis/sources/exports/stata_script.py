"""Stata: a do-file that reads the Stata file, estimates shares and means, and calls rrreg."""

from collections.abc import Iterable
from pathlib import Path

from deniable_analysis.codebook.formulas import (
    MeanFormula,
    ShareFormula,
    means_of,
    shares_of,
    single_answers,
)
from deniable_analysis.codebook.records import CodebookBlock
from deniable_analysis.sources.exports.survey_file import Heading
from deniable_analysis.sources.exports.words import check_name, digits
from deniable_storage.chunks import Cells

_BEGINNING = """\
* Estimates from {stem}.dta, the randomized reports of the survey {edition}.
* Digest of the survey: {digest}
*
* Every value in the file is randomized, and a share of these values is not a share of answers.
* This do-file corrects for that, with the probabilities of the published survey. Run it in the
* folder of the file, with Stata 14 or later. It replaces the data in memory.

version 14
use "{stem}.dta", clear
"""

_SHARES = """
* Shares. Of some merged answers to a block, the number that a report supports is in how many of
* the variables it has one of the values. It is merged * flip on average if the answer is none of
* them, and larger by keep - flip if it is one. So the mean of
* (number - merged * flip) / (keep - flip) is an unbiased estimate of the share. With one answer,
* and s the share of the n reports that support it, this is (s - flip) / (keep - flip), with the
* variance s (1 - s) / (n (keep - flip)^2).

capture program drop rr_share
program define rr_share, rclass
    args question variables values merged keep flip
    tempvar marks
    local first : word 1 of `variables'
    quietly generate double `marks' = 0 if !missing(`first')
    foreach variable of local variables {
        foreach value of local values {
            quietly replace `marks' = `marks' + 1 if `variable' == `value'
        }
    }
    quietly replace `marks' = (`marks' - `merged' * `flip') / (`keep' - `flip')
    quietly summarize `marks'
    local reports = r(N)
    local share = r(mean)
    local se = sqrt(r(Var) * (r(N) - 1)) / r(N)
    display as text "`question' (`first': `values')" _column(50) as result %9.0f `reports' ///
        %10.4f `share' %10.4f `se'
    return scalar N = `reports'
    return scalar share = `share'
    return scalar se = `se'
end

* Question (variables: values), reports, share, standard error.
"""

_MEANS = """
* Means among those who answered. Each report has two numbers, which are unbiased for the answer
* (0 without one) and for whether there is one (1 or 0). The estimate is the ratio of their means,
* with the variance of the delta method (Cochran 1977, equation 6.13).

capture program drop rr_begin
program define rr_begin
    args first number answered
    capture drop rr_number rr_answered
    quietly generate double rr_number = `number' if !missing(`first')
    quietly generate double rr_answered = `answered' if !missing(`first')
end

capture program drop rr_term
program define rr_term
    args variable value number answered
    quietly replace rr_number = rr_number + (`number') if `variable' == `value'
    quietly replace rr_answered = rr_answered + (`answered') if `variable' == `value'
end

capture program drop rr_mean
program define rr_mean, rclass
    args question
    tempvar squares
    quietly summarize rr_number
    local number = r(mean)
    quietly summarize rr_answered
    local reports = r(N)
    local answered = r(mean)
    local mean = `number' / `answered'
    quietly generate double `squares' = ((rr_number - (`mean') * rr_answered) / `answered')^2
    quietly summarize `squares'
    local se = sqrt(r(mean) / (`reports' - 1))
    display as text "`question'" _column(50) as result %9.0f `reports' %10.4f `mean' %10.4f `se'
    drop rr_number rr_answered
    return scalar N = `reports'
    return scalar mean = `mean'
    return scalar se = `se'
end

* Question, reports, mean, standard error.
"""

_MODELS = """
* The commands rrreg and rrlogit (ssc install rrreg, ssc install rrlogit), if they are installed.
* All variables are randomized, so none can be a plain predictor; for regressions with randomized
* predictors, see regress in Python.
"""

_MODEL = """
* {block}, value {code} against all others.
quietly generate byte rr_y = {name} == {code} if !missing({name})
capture which rrreg
if _rc == 0 rrreg rr_y, {options}
capture which rrlogit
if _rc == 0 rrlogit rr_y, {options}
drop rr_y
"""


def write_script(path: Path, heading: Heading, rows: Iterable[Cells]) -> None:  # noqa: ARG001 - it has none
    """Make a do-file for the Stata file of the same name."""
    check_name(path, heading.stem)
    codebook = heading.codebook()
    beginning = _BEGINNING.format(
        stem=heading.stem, edition=heading.edition, digest=codebook.survey.digest
    )
    parts = [beginning, _SHARES, *map(_share, shares_of(codebook))]
    if means := means_of(codebook):
        parts += [_MEANS, *map(_mean, means)]
    parts.append(_MODELS)
    parts.extend(_model(block) for block in single_answers(codebook))
    path.write_text("".join(parts), encoding="utf-8", newline="\n")


def _share(formula: ShareFormula) -> str:
    """A line without texts from authors: Stata replaces what it takes for a macro in them."""
    variables, codes = " ".join(formula.variables), " ".join(map(str, formula.codes))
    numbers = f"{formula.merged} {digits(formula.keep)} {digits(formula.flip)}"
    return f'rr_share {formula.question} "{variables}" "{codes}" {numbers}\n'


def _mean(formula: MeanFormula) -> str:
    begin = f"rr_begin {formula.first} {digits(formula.number)} {digits(formula.answered)}\n"
    terms = (
        f"rr_term {term.variable} {term.code} {digits(term.number)} {digits(term.answered)}\n"
        for term in formula.terms
    )
    return f"{begin}{''.join(terms)}rr_mean {formula.question}\n"


def _model(block: CodebookBlock) -> str:
    (variable,) = block.variables
    values, keep = variable.values, block.keep
    assert keep is not None  # noqa: S101 - reports are single answers
    options = f"pyes({digits(block.flip)}) pno({digits(1 - keep)})"
    if len(values) == 2:
        values, options = values[:1], f"pwarner({digits(keep)})"
    return "".join(
        _MODEL.format(
            block=block.published.id, code=value.code, name=variable.name, options=options
        )
        for value in values
    )
