"""Stores with real reports for the pages of results, and what their tables say."""

import csv
import random
from collections.abc import Iterator
from contextlib import closing
from html.parser import HTMLParser
from itertools import islice
from pathlib import Path
from typing import Any

from deniable_collector.store import Store, add_reports, open_store
from deniable_collector.tokens import AccessToken, Role, digest_of, make_token
from deniable_sdk import PublishedSurvey, compile_survey, randomize
from deniable_web.definition.file import read_definition
from deniable_web.packaged_files import example_folder
from sample_definitions import scale, yes_no

HEALTH, STRESS, EMPTY, FEW = "health", "stress", "empty", "few"
HEALTH_REPORTS, FIRST_REPORTS, SECOND_REPORTS, FEW_REPORTS = 3000, 800, 1200, 5

_TOLD = ["a colleague", "the works council", "the police"]


def health() -> PublishedSurvey:
    """The example's survey: a crosstab, two numbers and a yes or no."""
    return read_definition(example_folder("health") / "survey.yaml").compile()


def stress(introduction: str, slug: str = STRESS) -> PublishedSurvey:
    """A survey in two languages with a scale, a choice of several and an only mean."""
    return compile_survey(
        {
            "title": {"en": "Stress at work", "ar": "الضغط في العمل"},
            "introduction": introduction,
            "slug": slug,
            "epsilon": 6,
            "ask": "all",
            "questions": [
                yes_no("harassed", text={"en": "Were you harassed?", "ar": "هل تعرضت للمضايقة؟"}),
                scale("stress", labels={1: "none", 5: "unbearable"}),
                {"id": "told", "type": "multiple", "options": _TOLD, "text": "Whom did you tell?"},
                scale("mood", levels=9, target="mean", mechanism="piecewise"),
            ],
        }
    )


def fill(location: str | Path) -> str:
    """Publish all surveys with their reports; an owner's token."""
    source = random.Random("results")
    token = make_token(Role.OWNER)
    with closing(open_store(location)) as store:
        store.add_token(AccessToken("owner", Role.OWNER), digest_of(token))
        _fill_health(store, source)
        _fill_stress(store, stress("First"), FIRST_REPORTS, 0.1, source)
        store.close_survey(STRESS)
        _fill_stress(store, stress("Second"), SECOND_REPORTS, 0.7, source)
        store.publish(stress("Nobody yet", EMPTY))
        _fill_stress(store, stress("A handful", FEW), FEW_REPORTS, 0.5, source)
    return token


def add_stress(store: Store, survey: PublishedSurvey, count: int, source: random.Random) -> None:
    """So many more reports of a survey like stress."""
    reports = [
        randomize(
            survey,
            {
                "harassed": source.random() < 0.5,
                "stress": source.randint(1, 5),
                "told": [_TOLD[0]],
                "mood": source.randint(1, 9),
            },
            read_bytes=source.randbytes,
        )
        for _ in range(count)
    ]
    add_reports(store, reports)


def _fill_stress(
    store: Store, survey: PublishedSurvey, count: int, harassed: float, source: random.Random
) -> None:
    store.publish(survey)
    reports = []
    for _ in range(count):
        answers: dict[str, Any] = {
            "harassed": source.random() < harassed,
            "stress": min(5, 1 + int(source.expovariate(0.5))),
            "told": [option for option in _TOLD if source.random() < 0.3],
            "mood": source.randint(3, 9),
        }
        reports.append(randomize(survey, answers, read_bytes=source.randbytes))
    add_reports(store, reports)


def _fill_health(store: Store, source: random.Random) -> None:
    survey = health()
    store.publish(survey)
    rows = islice(_real_answers(survey), HEALTH_REPORTS)
    add_reports(store, [randomize(survey, row, read_bytes=source.randbytes) for row in rows])


def _real_answers(survey: PublishedSurvey) -> Iterator[dict[str, object]]:
    with (example_folder("health") / "answers.csv").open(encoding="utf-8", newline="") as file:
        for row in csv.DictReader(file):
            yield {question.id: row[question.id] for question in survey.questions}


class Tables(HTMLParser):
    """The tables of a page by the id of the fold or section they stand in, as texts."""

    def __init__(self, page: str) -> None:
        super().__init__()
        self.found: dict[str, list[list[list[str]]]] = {}
        self._within: list[tuple[str, str]] = []
        self._cell: list[str] | None = None
        self.feed(page)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        """Note where a table, a row or a cell begins."""
        name = dict(attrs).get("id") or ""
        if tag in ("section", "article", "details"):
            self._within.append((tag, name))
        here = self.found.setdefault(self._within[-1][1], []) if self._within else []
        if tag == "table":
            here.append([])
        elif tag == "tr":
            here[-1].append([])
        elif tag in ("td", "th"):
            self._cell = []

    def handle_endtag(self, tag: str) -> None:
        """Keep the cell that ends."""
        if tag in ("td", "th") and self._cell is not None:
            text = " ".join("".join(self._cell).split())
            self.found[self._within[-1][1]][-1][-1].append(text)
            self._cell = None
        elif self._within and tag == self._within[-1][0]:
            self._within.pop()

    def handle_data(self, data: str) -> None:
        """Add to the cell."""
        if self._cell is not None:
            self._cell.append(data)
