"""docs/RELATIONS.md says what the code does."""

import random
from pathlib import Path

import pytest

from analysis.study_files import add_reports, write_store
from deniable_analysis import Study
from deniable_sdk import PublishedSurvey, draw_blocks, randomize
from doc_pages import DOCS, run_examples
from sample_definitions import choice, scale, survey, yes_no


def clinic(epsilon: int, people: int) -> PublishedSurvey:
    """The page's survey, at one epsilon, that ends with so many reports."""
    must = {"required": True}
    return survey(
        yes_no("smokes", **must),
        {**choice("cough", **must), "options": ["never", "often", "daily"]},
        {**choice("quit", **must), "options": ["year_1", "year_2", "year_3", "not_yet"]},
        scale("stress"),
        yes_no("insured", **must),
        {**choice("area", **must), "options": ["town", "country"]},
        crosstabs=[["insured", "area"]],
        slug="clinic",
        epsilon=epsilon,
        at_most_reports=people,
        ask="all",
    )


def answers(person: int, smokers: int) -> dict[str, str | bool | None]:
    """What the page's respondents answer: those who smoke cough more."""
    is_smoker = person % 10 < smokers
    coughs = ("daily", "often", "daily", "never") if is_smoker else ("never", "never", "often")
    return {
        "smokes": is_smoker,
        "cough": coughs[person // 10 % len(coughs)],
        "quit": ("not_yet", "year_1", "year_3", "year_2", "not_yet")[person % 5],
        "stress": None if person % 11 == 0 else str(1 + person % 13 % 5),
        "insured": person % 7 > 1,
        "area": "town" if person % 3 else "country",
    }


def write_clinic(path: Path) -> None:
    """Write both editions of the page's store."""
    surveys = [clinic(6, 4000), clinic(3, 3000)]
    write_store(path, *surveys)
    read_bytes = random.Random(1965).randbytes
    for published, people, smokers in zip(surveys, (4000, 3000), (4, 3), strict=True):
        reports = [
            randomize(
                published,
                answers(person, smokers),
                draw_blocks(published, read_bytes),
                read_bytes,
            )
            for person in range(people)
        ]
        add_reports(path, published, [report.values for report in reports])


def test_every_example_gives_what_the_page_prints(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The page's examples, run in a folder with its clinic.sqlite, give its numbers."""
    monkeypatch.chdir(tmp_path)
    write_clinic(Path("clinic.sqlite"))
    run_examples("RELATIONS.md", at_least=20)


def test_the_page_names_every_relation() -> None:
    """Whatever a study relates is on the page."""
    text = (DOCS / "RELATIONS.md").read_text()
    relations = ("crosstab", "independence", "compare_groups", "winner", "survival", "quantiles")
    assert [name for name in relations if not hasattr(Study, name)] == []
    assert [name for name in relations if f"{name}(" not in text] == []
