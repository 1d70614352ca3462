"""A survey with a block of every kind, in two languages, and 3,000 reports of it."""

import json
import random
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

from analysis.study_files import add_reports, reports_table, write_store
from deniable_analysis.results.estimates import Estimates
from deniable_analysis.results.shares import ShareEstimate
from deniable_sdk import PublishedSurvey, draw_blocks, randomize
from sample_definitions import choice, multiple, number, scale, survey, yes_no
from there import there

REPORTS = 3000
HARASSED = {"de": "Wurden Sie belästigt?", "en": "Were you harassed?"}
# For how many options the blocks of sets have variables.
_OPTIONS = {"seen": 7, "region": 13}
COLLEAGUE = {"id": "o0", "text": {"de": "Eine Kollegin", "en": "A colleague"}}


def work_survey() -> PublishedSurvey:
    """Blocks of one answer, of sets, of bits, of places, and of two questions."""
    told = {**multiple("told"), "options": [COLLEAGUE, "o1", "o2"], "mechanism": "sampled_bits"}
    return survey(
        yes_no("harassed", required=True, text=HARASSED),
        scale("stress"),
        told,
        multiple("seen", 6, mechanism="privset", at_most=2),
        number("sick_days", 60, unit="days"),
        number("if", 3, required=True),
        choice("region", 12),
        yes_no("insured", required=True),
        choice("area", 2, required=True),
        crosstabs=[["insured", "area"]],
        title={"de": "Arbeit & Druck", "en": "Work"},
        slug="work",
        epsilon=9,
        ask=6,
    )


def write_work(path: Path) -> PublishedSurvey:
    """Write a store of the survey and its reports; always the same ones."""
    published, source = work_survey(), random.Random("work")
    answers = [
        {
            "harassed": "yes" if source.random() < 0.2 else "no",
            "stress": source.choice([1, 2, 2, 5, None]),
            "told": [option for option in ("o0", "o1") if source.random() < 0.3],
            "seen": source.sample(["o1", "o3", "o5"], 2),
            "sick_days": source.choice([0, 0, 3, 10, 60, None]),
            "if": source.choice([0, 1, 1]),
            "region": f"o{source.randrange(9)}",
            "insured": "yes" if source.random() < 0.7 else "no",
            "area": source.choice(["o0", "o1"]),
        }
        for _ in range(REPORTS)
    ]
    reports = [
        randomize(published, each, draw_blocks(published, source.randbytes), source.randbytes)
        for each in answers
    ]
    write_store(path, published)
    add_reports(path, published, [report.values for report in reports])
    return published


def expected_rows(path: Path) -> list[dict[str, int]]:
    """The variables of the reports in such a store, from the reported values one by one."""
    with closing(sqlite3.connect(path)) as database:
        cursor = database.execute(
            f'SELECT * FROM "{reports_table(work_survey())}" ORDER BY _report'  # noqa: S608 - our own name
        )
        names = [name for name, *_ in cursor.description]
        stored = [dict(zip(names, row, strict=True)) for row in cursor]
    return [
        {
            name: code
            for block, value in report.items()
            if block != "_report" and value is not None
            for name, code in _variables(block, json.loads(str(value)))
        }
        for report in stored
    ]


def _variables(block: str, value: Any) -> list[tuple[str, int]]:
    if block == "told":
        return [(f"told_{option + 1}", bit) for option, bit in value]
    if block in _OPTIONS:
        return [(f"{block}_{each + 1}", int(each in value)) for each in range(_OPTIONS[block])]
    # Numbers of the block "if" are their own codes, and its name is not free.
    return [("if_2", value)] if block == "if" else [(block, value + 1)]


def shares_by_name(estimates: Estimates) -> dict[tuple[str, str], ShareEstimate]:
    """The shares of all options by question, and of all cells by block, as scripts name them."""
    options = {
        (question.question, option.option): option
        for question in estimates.questions
        for option in question.options
    }
    cells = {
        (crosstab.block, ", ".join(cell.options)): cell
        for crosstab in estimates.crosstabs
        for cell in crosstab.cells
    }
    return {**options, **cells}


def total_variance(share: ShareEstimate) -> float:
    """Both parts of a share's variance."""
    return there(share.mechanism_variance) + there(share.sampling_variance)
