"""docs/REGRESSION.md says what the code does."""

import random
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from analysis.public_names import PUBLIC
from analysis.regressions import FORCED, WARNER, reported
from analysis.study_files import add_reports, write_store
from deniable_analysis.regression.choices import LINKS, StandardErrors
from deniable_sdk import randomize
from doc_pages import DOCS, run_examples
from sample_definitions import choice, survey, yes_no

PAGE = "REGRESSION.md"


def write_table(path: Path) -> None:
    """Write the page's table: 2,000 respondents."""
    generator = np.random.default_rng(1965)
    age = generator.integers(18, 80, size=2000) / 10
    helped = (generator.random(2000) < 0.2 + 0.06 * age).astype(int)
    chance = 1 / (1 + np.exp(2.2 - 0.3 * age - 0.9 * helped))
    used = (generator.random(2000) < chance).astype(int)
    answers = {
        "used": reported(FORCED, used, generator),
        "helped": reported(WARNER, helped, generator),
    }
    pd.DataFrame({"age": age, **answers}).to_csv(path, index=False)


def write_survey(path: Path) -> None:
    """Write the page's store: 4,000 people, the crosstab of two questions."""
    must = {"required": True}
    options = {"options": ["good", "fair", "poor"]}
    published = survey(
        yes_no("limitation", **must),
        {**choice("health", 3, **must), **options},
        epsilon=3,
        crosstabs=[["limitation", "health"]],
        at_most_reports=4000,
    )
    people = random.Random(1965)
    read_bytes = people.randbytes
    rows = []
    for person in range(4000):
        health = ("good", "good", "fair", "good", "poor")[person % 5]
        limited = people.random() < {"good": 0.1, "fair": 0.35, "poor": 0.6}[health]
        rows.append({"limitation": limited, "health": health})
    write_store(path, published)
    blocks = [block.id for block in published.blocks]
    reports = [randomize(published, row, blocks, read_bytes).values for row in rows]
    add_reports(path, published, reports)


def test_every_example_gives_what_the_page_prints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page's examples, run in a folder with its table and its store, give its numbers."""
    monkeypatch.chdir(tmp_path)
    write_table(Path("table.csv"))
    write_survey(Path("survey.sqlite"))
    run_examples(PAGE, at_least=12)


def test_the_page_names_every_choice() -> None:
    """Links, standard errors and the functions of the room are on the page."""
    text = (DOCS / PAGE).read_text()
    lower = {name: each for name, each in PUBLIC.items() if name.islower()}
    room = "deniable_analysis.regression."
    functions = [name for name, each in lower.items() if each.__module__.startswith(room)]
    named = [*LINKS, *(each.value for each in StandardErrors), *functions]
    assert len(named) >= 11
    assert [name for name in named if name not in text] == []
