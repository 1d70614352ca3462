"""What deniable results and deniable report share: which estimates, and in which language."""

from collections.abc import Sequence

import click

from deniable_analysis import Interval
from deniable_analysis.arguments import named
from deniable_analysis.codebook.texts import language_of
from deniable_analysis.errors import LanguageNotFound
from deniable_sdk import PublishedSurvey
from deniable_sdk.wording import near_names
from deniable_web.commands.confidence import confidence_option
from deniable_web.commands.options import together
from deniable_web.pages.languages import CODES, DEFAULT, best
from deniable_web.results.findings import ResultChoices
from deniable_web.results.labels import Labels

language_option = click.option(
    "--language",
    metavar="CODE",
    help="The language of labels and explanations; by default that of the survey's title.",
)


merge_option = click.option(
    "--merge",
    multiple=True,
    metavar="GROUP,GROUP",
    help="Groups that count as one; may be repeated.",
)


# Which intervals.
interval_options = together(
    confidence_option,
    click.option(
        "--interval",
        type=click.Choice([member.value for member in Interval]),
        help="The interval method: clopper-pearson never covers less than its confidence "
        "level; anytime holds at every look.  [default: wilson if the survey ended as "
        "planned, otherwise anytime]",
    ),
)


def choices_of(confidence: float, interval: str | None) -> ResultChoices:
    """The values of interval_options."""
    return ResultChoices(confidence, Interval(interval) if interval else None)


def merged_groups(merge: Sequence[str]) -> list[list[str]]:
    """The groups of each --merge."""
    return [groups.split(",") for groups in merge]


def labels_in(survey: PublishedSurvey, wanted: str | None) -> Labels:
    """The labels of a survey in the wanted language, or in that of its title.

    Raises:
        LanguageNotFound: neither the survey nor the interface has the language.
    """
    if wanted is None:
        return Labels.of(survey, language_of(survey, None) or DEFAULT)
    offered = sorted({*survey.languages, *CODES})
    if best((wanted,), offered) is None:
        near = near_names(wanted, offered, "the texts of the survey and of this program are in")
        raise LanguageNotFound(f"got the language {named(wanted)}; {near}")
    return Labels.of(survey, wanted)
