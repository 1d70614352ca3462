"""deniable check: is this definition right, and what will it give?"""

from pathlib import Path

import click

from deniable_web.commands.options import Format, definition_argument, format_option
from deniable_web.commands.tables import print_csv, print_json, print_table, say
from deniable_web.definition_file import read_definition
from deniable_web.forecast import forecast


@click.command("check", short_help="Check a definition and say what it will give.")
@definition_argument
@click.option("--respondents", type=click.IntRange(1, 10**12), help="Forecast margins for these.")
@click.option(
    "--margin",
    type=click.FloatRange(0, 1, min_open=True, max_open=True),
    help="Forecast the respondents this margin takes.",
)
@format_option
def command(file: Path, respondents: int | None, margin: float | None, output_format: str) -> None:
    """Check FILE; name every mistake with its line, or forecast the survey.

    Margins are half widths of 95% intervals at the share that is hardest to
    estimate, for respondents of the whole survey.
    """
    survey = read_definition(file).compile()
    result = forecast(survey, respondents, margin)
    blocks = result["blocks"]
    assert isinstance(blocks, list)  # noqa: S101 - forecast's own document
    if output_format == Format.JSON:
        print_json(result)
    elif output_format == Format.CSV:
        print_csv([{**row, "questions": " ".join(row["questions"])} for row in blocks])
    else:
        print_table(f"{survey.slug}: epsilon {result['epsilon']} in all", _rows(blocks))
        say(
            f"Each respondent is asked {survey.asked} of {len(survey.blocks)} blocks, drawn by "
            "their own device.\nguess: how often somebody who knew nothing would guess the "
            "answer right, without and with the report."
        )


def _rows(blocks: list[dict[str, object]]) -> list[dict[str, object]]:
    names = {
        "block": "block",
        "in_words": "the device",
        "epsilon": "epsilon",
        "guess_without_report": "guess without",
        "guess_with_report": "guess with",
        "margin": "margin",
        "respondents_for_margin": "respondents",
    }
    return [{names[key]: row[key] for key in names if key in row} for row in blocks]
