"""deniable plan: respondents, margin, epsilon or power, before fielding."""

from typing import Any

import click

from deniable_analysis.planning import Share
from deniable_web.commands.options import Format, confidence_option, format_option
from deniable_web.commands.tables import print_csv, print_json, print_table, say
from deniable_web.plan_request import PlanRequest


class ShareOption(click.ParamType[Share | float]):
    """worst, equal, or a share from 0 to 1."""

    name = "share"

    def convert(
        self, value: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> Share | float:
        """The share, or a usage error that says what is allowed."""
        text = value.value if isinstance(value, Share) else str(value)
        if text in {member.value for member in Share}:
            return Share(text)
        try:
            return float(text)
        except ValueError:
            self.fail(f"got {text}; allowed is worst, equal, or a share from 0 to 1", param, ctx)


EXAMPLES = """\b
Examples:
  deniable plan --epsilon 1 --margin 0.03            respondents
  deniable plan --epsilon 1 --respondents 5000       margin
  deniable plan --margin 0.03 --respondents 5000     epsilon
  deniable plan --epsilon 1 --compare 0.3 0.4 --power 0.8
"""


@click.command("plan", short_help="Respondents for an accuracy, and the reverse.", epilog=EXAMPLES)
@click.option("--epsilon", metavar="E", help="What one respondent spends on the question.")
@click.option(
    "--options",
    type=int,
    default=2,
    show_default=True,
    help="Possible answers, 'prefer not to say' counted.",
)
@click.option("--sd", type=float, help="A wanted standard error, like 0.01.")
@click.option("--margin", type=float, help="A wanted margin, like 0.03.")
@click.option("--respondents", type=int, help="How many are asked this question.")
@click.option(
    "--share",
    type=ShareOption(),
    default="worst",
    show_default=True,
    metavar="SHARE",
    help="Where the accuracy is wanted: worst, equal, or a share like 0.1.",
)
@click.option("--all-options", is_flag=True, help="For all options at once (Bonferroni).")
@click.option(
    "--compare",
    type=float,
    nargs=2,
    metavar="SHARE SHARE",
    help="Tell these shares of two groups apart; respondents are per group.",
)
@click.option("--power", type=float, help="With --compare: how often the difference is found.")
@confidence_option
@format_option
def command(output_format: str, **request: Any) -> None:
    """Say what an accuracy takes, or what a number of respondents gives."""
    answer = PlanRequest(**request).answer()
    if output_format == Format.JSON:
        print_json(answer)
    elif output_format == Format.CSV:
        print_csv([answer])
    else:
        print_table("Plan", [answer])
        say("Respondents are those asked this question; 'deniable check' plans a whole survey.")
