"""deniable check: find mistakes in a definition and forecast the survey."""

import textwrap
from fractions import Fraction
from pathlib import Path

import click

from deniable_collector.clock import past_ends, utc_now
from deniable_sdk.errors import printable
from deniable_sdk.survey.definition import Definition
from deniable_web.commands.options import (
    Format,
    between,
    definition_argument,
    format_option,
    yearly_cap_option,
)
from deniable_web.commands.tables import print_result, print_table, say, warn
from deniable_web.definition.file import read_definition
from deniable_web.forecast.blocks import BlockForecast, EstimateForecast, margin_in_unit
from deniable_web.forecast.disclosure import percent
from deniable_web.forecast.survey import SurveyForecast, forecast
from deniable_web.pages.languages import DEFAULT
from deniable_web.pages.numbers import Numbers
from deniable_web.planning.forecast_words import design_in_words

_ESTIMATES = {
    "option": "share of an option",
    "above": "share at or above a cut-off",
    "cell": "share of a cell",
    "marginal": "share of an option of {question}",
    "mean": "mean",
}


@click.command("check")
@definition_argument
@click.option(
    "--respondents",
    type=click.IntRange(1, 10**12),
    help="Forecast the margins for this number.  [default: respondents of FILE]",
)
@click.option(
    "--margin",
    type=between("margin", 0, 1, ", like 0.05"),
    help="Forecast the respondents needed for this margin; for a mean, as a part of its range.",
)
@yearly_cap_option
@format_option
def command(
    file: Path,
    respondents: int | None,
    margin: float | None,
    yearly_cap: Fraction,
    output_format: str,
) -> None:
    """Check FILE; name every mistake with its line, or forecast the survey.

    Margins are half widths of 95% intervals at the share that is hardest to
    estimate, for respondents of the whole survey. docs/CHECK.md explains every
    number and warning.
    """
    source = read_definition(file)
    source.compile(yearly_cap)  # its errors contain the line numbers
    definition = Definition.from_document(source.document)
    if ended := past_ends(definition, utc_now()):
        warn(f"Warning: {source.refusal(ended)}")
    result = forecast(definition, respondents, margin)
    print_result(
        output_format,
        result.to_document(),
        [row for block in result.blocks for row in block.to_rows()],
        lambda: _print_for_people(result, definition),
    )
    if output_format == Format.CSV:
        for line in _warning_lines(result):
            warn(line)


def _print_for_people(result: SurveyForecast, definition: Definition) -> None:
    is_panel = definition.waves > 1
    accuracy = [
        _accuracy_row(block, estimate, result.respondents)
        for block in result.blocks
        for estimate in block.estimates
    ]
    if result.respondents is not None or result.margin is not None:
        print_table(f"{result.slug}: expected accuracy", accuracy)
        click.echo()
    spent = "in this wave" if is_panel else "in all"
    privacy = [_privacy_row(block) for block in result.blocks]
    print_table(f"{result.slug}: epsilon {result.epsilon} {spent}", privacy)
    for line in (
        "",
        _summary(result),
        *_design_lines(result),
        *_file_lines(result),
        *_end_lines(result),
        *_warning_lines(result),
    ):
        click.echo(printable(line))
    if result.respondents is None:
        say("\nAdd --respondents N to see the margins for N respondents.")
    if is_panel:
        click.echo(
            f"wave {definition.wave} of {definition.waves}: epsilon {float(definition.epsilon):g} "
            f"in each, at most {float(definition.whole_epsilon):g} over all waves; the numbers "
            "above are for one wave."
        )


def _accuracy_row(
    block: BlockForecast, estimate: EstimateForecast, respondents: int | None
) -> dict[str, object]:
    row: dict[str, object] = {
        "block": block.block,
        "estimate": _ESTIMATES[estimate.estimated.value].format(question=estimate.question),
    }
    if estimate.margin is not None:
        row[f"margin of {respondents:,}"] = margin_in_unit(estimate.margin, estimate.unit)
    if estimate.wanted_margin is not None:
        row["wanted"] = margin_in_unit(estimate.wanted_margin, estimate.unit)
        row["respondents"] = estimate.respondents_for_margin
    return row


def _privacy_row(block: BlockForecast) -> dict[str, object]:
    told = block.disclosure.told
    return {
        "block": block.block,
        "the device": block.in_words,
        "epsilon": block.epsilon,
        "guess without": percent(block.guess_without_report),
        "guess with": percent(block.guess_with_report),
        f"{percent(told.prior)} becomes": f"{percent(told.low)} to {percent(told.high)}",
    }


def _summary(result: SurveyForecast) -> str:
    told, asking = result.disclosure.told, result.asking
    prior, error = percent(told.prior), percent(result.disclosure.tell_apart_error)
    accuracy = (
        "the design that needs the fewest respondents"
        if asking.is_best
        else f"it needs {asking.factor:.2f} times the respondents of the best design"
    )
    return (
        f"Each respondent is asked {asking.asked} of {asking.blocks} blocks, drawn by their own "
        f"device: {accuracy}.\n"
        "guess: how often somebody who knew nothing guesses the whole answer right, without and "
        "with the report.\n"
        f"{prior} becomes: how likely somebody who thought an answer {prior} likely may think it "
        "after the report;\n"
        f"after all that one respondent sends, {percent(told.low)} to {percent(told.high)}. The "
        f"best test of two answers is then wrong in at least {error}\n"
        "of the cases, a coin in 50%."
    )


def _design_lines(result: SurveyForecast) -> list[str]:
    """What each respondent sees, what travels together, what that saves, and what costs."""
    sentences = (sentence for _, sentence in design_in_words(result, Numbers(DEFAULT)))
    return [part for sentence in sentences for part in textwrap.wrap(sentence, 95)]


def _file_lines(result: SurveyForecast) -> list[str]:
    return textwrap.wrap(result.closed_file.in_words, 95) if result.closed_file else []


def _end_lines(result: SurveyForecast) -> list[str]:
    """What it costs if somebody sees results before the end, where that is possible."""
    first = [block.estimates[0] for block in result.blocks]
    times = [
        each.margin_at_every_look / each.margin
        for each in first
        if each.margin_at_every_look is not None and each.margin
    ]
    rule = result.stop_when
    if rule is None and (result.has_own_end or not times):
        return []
    wider = f"{max(times):.2g} times as wide" if times else "about 1.6 times as wide"
    said = (
        f"This survey has no end of its own. If anybody sees results before it is closed, margins "
        f"are {wider}. closes, at_most_reports or results: at_end keeps them narrow."
    )
    if rule is not None:
        named, margin = ", ".join(rule.questions), float(rule.margin)
        said = (
            f"The survey closes early when every share of {named} has a margin of at most "
            f"{margin:g}. Such a margin holds at every look, and is {wider}."
        )
    return textwrap.wrap(said, 95)


def _warning_lines(result: SurveyForecast) -> list[str]:
    return [f"Warning: {advice.message}." for advice in result.warnings]
