"""docs/ANALYSIS.md says what the code does."""

import random
from dataclasses import replace
from pathlib import Path

import pytest

from analysis.enumerated import multiple, number
from analysis.invited_groups import invited
from analysis.study_files import add_reports, close_survey, counted, write_store
from deniable_analysis import export_release
from deniable_analysis.sources.release_file import read_release
from deniable_sdk import PublishedSurvey, draw_blocks, randomize
from doc_pages import run_examples
from sample_definitions import choice, survey, yes_no

_EVERY = {"asthma": 4, "diabetes": 10, "depression": 7}


def write_clinic(path: Path) -> None:
    """Write the page's second store: 3,000 people who are asked one block of three each."""
    published = survey(
        number("visits", min=0, max=10, step=1),
        {**multiple(), "options": ["asthma", "diabetes", "depression"], "required": True},
        yes_no("insured", required=True),
        {**choice("area", required=True), "options": ["town", "country"]},
        crosstabs=[["insured", "area"]],
        slug="clinic",
        ask=1,
        at_most_reports=3000,
    )
    read_bytes = random.Random(1965).randbytes
    reports = [
        randomize(
            published,
            {
                "visits": None if person % 10 == 0 else (person % 3) * (person % 4),
                "conditions": [name for name, each in _EVERY.items() if person % each == 0],
                "insured": person % 5 > 0,
                "area": "country" if person % 3 else "town",
            },
            draw_blocks(published, read_bytes),
            read_bytes,
        )
        for person in range(3000)
    ]
    write_store(path, published)
    add_reports(path, published, [report.values for report in reports])


def write_ward(path: Path) -> None:
    """Write the page's third store: a closed survey by invitation, with chosen counts."""
    people = invited(nurses=412, doctors=118, cleaners=40)
    published = survey(yes_no("bullied", required=True), slug="ward", invited=people)
    said = {"nurses": (60, 140), "doctors": (57, 43), "cleaners": (14, 8)}
    write_store(path, published)
    for group, counts in said.items():
        rows = [{**row, "_group": group} for row in counted("bullied", counts)]
        add_reports(path, published, rows)
    close_survey(path, published)


def write_release(path: Path, published: PublishedSurvey, counts: list[int]) -> None:
    """Write the page's release, whose noise is chosen: that of OpenDP differs each time."""
    store = path.with_suffix(".sqlite")
    write_store(store, published)
    add_reports(store, published, counted("region", counts))
    close_survey(store, published)
    export_release(store, path, epsilon="0.5", site="north")
    release = read_release(path.read_bytes())
    noisy = tuple(count + noise for count, noise in zip(counts, (4, -4, 1, 1), strict=True))
    (block,) = release.blocks
    path.write_bytes(replace(release, blocks=(replace(block, counts=noisy),)).encode())


def test_every_example_gives_what_the_page_prints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page's examples, run in a folder with its survey.sqlite, give its numbers."""
    monkeypatch.chdir(tmp_path)
    write_clinic(Path("clinic.sqlite"))
    write_ward(Path("ward.sqlite"))
    four = choice("region", 4, required=True)
    published = survey(four, epsilon=1.0986122886681098, at_most_reports=1000)
    sites = {"survey.sqlite": [350, 270, 210, 170], "practice.sqlite": [380, 240, 220, 160]}
    for name, counts in sites.items():
        write_store(Path(name), published)
        add_reports(Path(name), published, counted("region", counts))
    write_release(Path("north.json"), published, sites["survey.sqlite"])
    run_examples("ANALYSIS.md", at_least=17)
