"""docs/RESULTS.md names every route and limit, docs/EXPORT.md every column."""

import re

import pytest
from flask import Flask

from deniable_analysis import Interval
from deniable_collector.store import open_store
from deniable_web.forecast.advice import BLIND_MARGIN, USEFUL_MARGIN
from deniable_web.packaged_files import STATIC
from deniable_web.pages.languages import CODES
from deniable_web.results import crosstabs, estimate_charts, studies
from deniable_web.results.files import DATA, FIGURES
from deniable_web.results.files.rows import COLUMNS, RowKind
from deniable_web.results.outlook import GOALS, TIMES
from deniable_web.results.query import CONFIDENCES
from deniable_web.results.report.page import REPORTS
from deniable_web.results.routes import create_results
from doc_pages import DOCS

PAGE = (DOCS / "RESULTS.md").read_text(encoding="utf-8")
EXPORT_PAGE = (DOCS / "EXPORT.md").read_text(encoding="utf-8")
FLOWING = " ".join(PAGE.split())


def test_the_page_names_every_route(tmp_path_factory: pytest.TempPathFactory) -> None:
    """Pages and data, each kind of file among them; reports are on the page about files."""
    store = open_store(tmp_path_factory.mktemp("docs") / "store.sqlite")
    app = Flask(__name__, static_folder=None)
    app.register_blueprint(create_results(store))
    store.close()
    routes = {rule.rule for rule in app.url_map.iter_rules()}
    named = set(re.findall(r"^\| `(?:GET )?(/[^`]+)`", PAGE + EXPORT_PAGE, re.MULTILINE))
    assert {rule.replace("<slug>", "SLUG").replace("<name>", "NAME") for rule in routes} == {
        re.sub(r"\.(csv|svg|pdf)$", ".<suffix>", name) for name in named
    }
    for suffix in (*DATA, *FIGURES):
        assert f".{suffix}`" in PAGE
    for suffix in REPORTS:
        assert f".{suffix}`" in EXPORT_PAGE


def test_the_page_names_every_column_and_choice() -> None:
    """Columns of files on the page about files; confidences, intervals and languages."""
    for name in (*COLUMNS, *RowKind):
        assert f"`{name}`" in EXPORT_PAGE
    low, middle, high = CONFIDENCES
    assert f"`confidence` ({low}, {middle} or {high})" in FLOWING
    first, second, third = (f"`{each.value}`" for each in Interval)
    assert f"`interval` ({first}, {second} or {third})" in FLOWING
    assert f"`lang` is one of {', '.join(CODES)}" in FLOWING


def test_the_page_has_the_numbers_of_the_code() -> None:
    """Limits stand in one place in the code, and rightly on the page."""
    every_ms = re.findall(r"EVERY_MS = (\d)_000", (STATIC / "results/results.js").read_text())
    assert f"looks for new reports every {every_ms[0]} seconds" in FLOWING
    assert f"taken a second, {studies.REST} seconds pass" in FLOWING
    assert f"at most {estimate_charts._MOST_BARS} bars" in FLOWING
    assert f"below {crosstabs._CLEAR} the answers" in FLOWING
    assert f"below {crosstabs._VERY_CLEAR} they" in FLOWING
    goals = [f"{100 * goal:.0f}" for goal in map(float, GOALS)]
    assert f"±{goals[0]}, ±{goals[1]} and ±{goals[2]} points" in FLOWING
    assert TIMES == (1, 2, 4)
    assert f"margin is above {100 * float(USEFUL_MARGIN):.0f} points" in FLOWING
    assert f"Above {100 * float(BLIND_MARGIN):.0f} points" in FLOWING
