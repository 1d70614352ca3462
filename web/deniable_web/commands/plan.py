"""deniable plan: respondents, accuracy, power or epsilon, before fielding."""

import re
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import fields
from fractions import Fraction
from pathlib import Path
from typing import Any

import click

from deniable_analysis.designs import Design
from deniable_analysis.planning import Share
from deniable_sdk.mechanisms.base import Target
from deniable_sdk.survey.definition import Definition
from deniable_web.commands.confidence import confidence_option
from deniable_web.commands.options import FILE, Command, Parsed, format_option
from deniable_web.commands.tables import format_cell, print_result, print_table, say
from deniable_web.definition.file import read_definition
from deniable_web.forecast.blocks import margin_in_unit
from deniable_web.forecast.disclosure import percent
from deniable_web.planning.questionnaire import QuestionnairePlan, Wishes
from deniable_web.planning.request import Document, PlanRequest, UnclearRequest
from deniable_web.planning.words import epsilon_in_words, plan_in_words

_PROBABILITY = re.compile(r"[0-9]{0,15}(\.[0-9]{0,15}|/[0-9]{1,15})?", re.ASCII)


def readable(answer: Document) -> list[dict[str, str]]:
    """A line for each number that a plan has."""
    return [
        {"plan": key.replace("_", " "), "value": format_cell(value)}
        for key, value in answer.items()
        if value is not None and (key, value) != ("weighting_effect", 1)
    ]


def _read_share(value: object) -> Share | float:
    """worst, equal, or a share from 0 to 1."""
    for read in (Share, float):
        with suppress(ValueError):
            found: Share | float = read(str(value))
            return found
    raise ValueError(f"got {value}; allowed is worst, equal, or a share from 0 to 1")


def _read_design(keep: str, flip: str) -> Design:
    """The yes-or-no design with these P(yes | true yes) and P(yes | true no)."""
    yes = no = Fraction(0)
    # The pattern limits the length: 1e999999999 as a fraction would fill memory.
    if _PROBABILITY.fullmatch(keep) and _PROBABILITY.fullmatch(flip):
        with suppress(ValueError, ZeroDivisionError):
            yes, no = Fraction(keep), Fraction(flip)
    if not (0 <= yes <= 1 and 0 <= no <= 1) or yes == no:
        raise UnclearRequest(
            f"--design: got {keep} and {flip}; allowed are P(yes | true yes) and P(yes | true "
            "no), two different numbers from 0 to 1, like 5/6 1/6 or 0.75 0.25"
        )
    name = f"P(yes | true yes) = {yes}, P(yes | true no) = {no}"
    return Design(name, ("no", "yes"), ("no", "yes"), ((1 - no, 1 - yes), (no, yes)))


EXAMPLES = """\b
Give two of epsilon, respondents and the wanted accuracy; the third is computed:
  deniable plan --epsilon 1 --margin 0.03            respondents
  deniable plan --epsilon 1 --respondents 5000       margin
  deniable plan --margin 0.03 --respondents 5000     epsilon
\b
All options of a question at once, a standard error, a declared design:
  deniable plan --epsilon 1 --options 5 --all-options --margin 0.05
  deniable plan --epsilon 1 --options 5 --share equal --sd 0.01
  deniable plan --design 5/6 1/6 --margin 0.03
\b
Until a survey that is watched reaches a margin (stop_when):
  deniable plan --epsilon 1 --margin 0.05 --watch
\b
A whole questionnaire:
  deniable plan survey.yaml --margin 0.05            respondents
  deniable plan survey.yaml --respondents 4000       margins
  deniable plan survey.yaml --margin 0.05 --respondents 10000   epsilon
\b
A firm of 400 people, where nearly all are asked:
  deniable plan --epsilon 2 --respondents 350 --population 400
\b
Is a share more than 5 %? Do two groups differ? Which of two options leads?
  deniable plan --epsilon 1 --detect 0.1 --against 0.05 --power 0.8
  deniable plan --epsilon 1 --compare 0.3 0.4 --respondents 1802
  deniable plan --epsilon 1 --options 5 --order 0.3 0.25 --power 0.95
\b
The mean of a number from 0 to 30:
  deniable plan --epsilon 1 --mean 0 30 --margin 1.5
"""


def _flag(name: str, help_text: str) -> Callable[[Command], Command]:
    return click.option(name, is_flag=True, default=None, help=help_text)


def _two_numbers(name: str, metavar: str, help_text: str) -> Callable[[Command], Command]:
    return click.option(name, type=float, nargs=2, metavar=metavar, help=help_text)


@click.command("plan", epilog=EXAMPLES)
@click.argument("file", type=FILE, metavar="[FILE]", required=False)
@click.option("--epsilon", metavar="E", help="How much one report may reveal, like 1.")
@click.option(
    "--respondents",
    type=int,
    help="How many people are asked this question (per group), or answer the survey of FILE.",
)
@click.option("--margin", type=float, help="The margin to reach, like 0.03.")
@_flag("--watch", "You watch the results and stop at the margin: count until then.")
@click.option("--sd", type=float, help="The standard error to reach, like 0.01.")
@click.option("--power", type=float, help="The probability of finding the difference, like 0.8.")
@click.option(
    "--options", type=int, help="Possible answers, including 'prefer not to say'.  [default: 2]"
)
@click.option(
    "--share",
    type=Parsed("share", _read_share),
    metavar="SHARE",
    help="The share to plan for: worst, equal, or a share like 0.1.  [default: worst]",
)
@_flag("--all-options", "Apply the margin to all options at once (Bonferroni), not to one.")
@click.option(
    "--population", type=int, help="The size of the population, if you ask a large part of it."
)
@click.option(
    "--weighting-effect",
    type=float,
    help="The design effect of weights: how many times more respondents they require, like 1.4.",
)
@click.option("--detect", type=float, metavar="SHARE", help="The true share to detect.")
@click.option("--against", type=float, metavar="SHARE", help="With --detect: the fixed value.")
@_two_numbers(
    "--compare",
    "SHARE SHARE",
    "Distinguish these shares of two groups; respondents are per group.",
)
@_flag(
    "--one-sided", "With --detect and --compare: test for a difference in the true direction only."
)
@_two_numbers(
    "--order", "SHARE SHARE", "Put these two options of one question in the right order."
)
@_two_numbers("--mean", "LOW HIGH", "The mean of a number in this range.")
@click.option(
    "--places",
    type=int,
    help="With --mean: the number of possible values.  [default: whole numbers]",
)
@click.option(
    "--target",
    type=click.Choice([member.value for member in Target]),
    help="With --mean: publish the number for its mean, or for all its shares.  [default: mean]",
)
@click.option(
    "--design",
    nargs=2,
    metavar="YES NO",
    help="Instead of --epsilon: P(yes | true yes) and P(yes | true no), like 5/6 1/6.",
)
@confidence_option
@format_option
def command(
    file: Path | None,
    output_format: str,
    target: str | None,
    design: tuple[str, str] | None,
    **options: Any,
) -> None:
    """Compute the respondents for an accuracy, or the accuracy for a number of them.

    Without FILE it is for one question. With FILE, a definition, it is for all of its
    questions together: --margin for respondents, --respondents for the margin, both for
    the least epsilon. --epsilon then takes the place of the definition's own.

    Epsilon limits how much one report may reveal about an answer: it changes the odds
    of a guess by a factor of at most 1.65 at 0.5, 2.72 at 1, and 7.39 at 2. The smaller
    epsilon is, the more respondents a survey needs. A margin is how far an estimate may
    be off in either direction: 0.03 is 3 percentage points. A power is the probability
    of finding a difference that exists. Tests have the level 1 - confidence.
    """
    if file is not None:
        _plan_questionnaire(file, output_format, {"target": target, "design": design, **options})
        return
    request = PlanRequest(
        target=None if target is None else Target(target),
        design=None if design is None else _read_design(*design),
        **options,
    )
    answer, others = request.document(), request.others()

    def print_tables() -> None:
        print_table("Plan", readable(answer))
        print_table("At other epsilons", others)
        epsilon = answer["epsilon"]
        say(plan_in_words(answer))
        say(epsilon_in_words(None if epsilon is None else float(str(epsilon))))
        say("Respondents are those asked this question; name a definition to plan all of its own.")

    print_result(output_format, {**answer, "others": others}, [answer], print_tables)


def _plan_questionnaire(file: Path, output_format: str, options: Mapping[str, Any]) -> None:
    allowed = [each.name for each in fields(Wishes)]
    others = [name for name, value in options.items() if value is not None and name not in allowed]
    if others:
        raise UnclearRequest(
            f"--{others[0].replace('_', '-')} does not go with a definition: drop it, or leave "
            f"{file} out; beside a definition go --epsilon, --respondents, --margin and "
            "--confidence"
        )
    source = read_definition(file)
    source.compile()  # its errors contain the line numbers
    definition = Definition.from_document(source.document)
    plan = QuestionnairePlan.of(definition, Wishes(**{name: options[name] for name in allowed}))

    def print_tables() -> None:
        print_table(f"Plan of {definition.slug}", [_shown(row) for row in plan.rows])
        say(plan.in_words())
        say(epsilon_in_words(float(plan.definition.whole_epsilon)))

    print_result(output_format, plan.document(), plan.rows, print_tables)


def _shown(row: Mapping[str, Any]) -> dict[str, object]:
    """A row for people: what it is about, and its numbers in words."""
    shown = {
        "question": row["question"],
        "estimate": row["estimate"],
        "asked of": percent(row["part"]),
        "margin": margin_in_unit(row["margin"], row["unit"]),
    }
    needed = row["respondents"]
    return shown if needed is None else {**shown, "respondents": needed}
