"""A survey in three languages whose texts look like formulas and markup, with real reports."""

import random
from contextlib import closing
from pathlib import Path

from deniable_analysis import Study, open_study
from deniable_collector.store import add_reports, open_store
from deniable_sdk import randomize
from deniable_web.results.findings import EditionFindings, ResultChoices, find
from sample_definitions import number, survey

FORMULA = "=1+1"
FORMULAS = ["+SUM(A1:A9)", "@cmd", "-2+3", "-1"]
# What matplotlib, TeX, format strings, patterns, rich, HTML, workbooks and Stata would obey.
MARKUP = [
    "Less than $100 a day",
    "$100 to $200 a day",
    r"$\frac{$ \textbf{x} \$5",
    "{name} {0} {} %s %(a)s $1 $& ${x} \\1 {{ 7*7 }} [red]b[/red]",
    "*y* :bell: <b>&lt;</b> _x0041_ `x'",
]
OPTIONS = [*FORMULAS, *MARKUP]
HOSTILE = survey(
    {
        "id": "told",
        "type": "choice",
        "text": {"en": f"{FORMULA} who?\nSay it.", "de": "Wem?", "ar": "من؟"},
        "options": OPTIONS,
        "required": True,
    },
    {
        "id": "was_ill",
        "type": "yes_no",
        "text": {"en": "Were you ill?", "de": "Waren Sie krank?", "ar": "هل مرضت؟"},
        "show_if": {"question": "told", "is": "@cmd"},
    },
    number("days", 10, text="How long?", unit={"en": "days", "de": "Tage", "ar": "أيام"}),
    slug="hostile",
    title={"en": "=cmd|' /C calc'!A0", "de": "-Titel", "ar": "عنوان"},
    epsilon=8,
    ask="all",
    crosstabs=[["told", "was_ill"]],
)
REPORTS = 600


def hostile_study(path: Path) -> Study:
    """A study of reports of this survey, in a new store at a path."""
    source = random.Random("hostile")
    with closing(open_store(path)) as store:
        store.publish(HOSTILE)
        reports = []
        for _ in range(REPORTS):
            told = source.choice(OPTIONS)
            answers = {"told": told, "days": source.randint(0, 10)}
            if told == "@cmd":
                answers["was_ill"] = source.random() < 0.5
            reports.append(randomize(HOSTILE, answers, read_bytes=source.randbytes))
        add_reports(store, reports)
    return open_study(path, HOSTILE.slug)


def hostile_findings(path: Path) -> EditionFindings:
    """The findings of such a study."""
    return find(hostile_study(path), ResultChoices(0.95, None))
