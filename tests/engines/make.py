"""Writes what SurveyJS and ODK's evaluator of XPath say about rules and conditions.

Run in the tests folder: python -m engines.make NODE_MODULES. That folder contains
survey-core 3.1.1, openrosa-xpath-evaluator 3.1.0 and node-forge; they are not needed
to replay what is written here.
"""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from playwright.sync_api import Page, sync_playwright

from chromium import ARGUMENTS, find_headless
from engines.conditions import Case, surveyjs_cases, xlsform_cases
from engines.endings import SURVEYS, answers
from engines.forms import survey
from engines.numbers import NUMBERS, constraints, questions

HERE = Path(__file__).parent
ESBUILD = HERE.parents[1] / "node_modules" / ".bin" / "esbuild"


def write(modules: str) -> None:
    """Write every table, one case a line."""
    with _page(modules) as page:
        _write("constraints.json", constraints(), page, "metConstraints", constraints(), NUMBERS)
        _write("questions.json", questions(), page, "acceptedNumbers", questions(), NUMBERS)
        surveys, forms = surveyjs_cases(), xlsform_cases()
        conditions = [case.conditions for case in surveys]
        _write("surveyjs.json", conditions, page, "shownBySurveys", [*map(_survey, surveys)])
        conditions = [case.conditions for case in forms]
        _write("xlsform.json", conditions, page, "shownByForms", [*map(_form, forms)])
        ending = [(each, answers(each)) for each, _ in SURVEYS]
        _write("endings.json", [each for each, _ in SURVEYS], page, "seenBeforeEnd", ending)


def _survey(case: Case) -> dict[str, Any]:
    return {"survey": survey(case.bases, [case.conditions]), "answers": case.answers}


def _form(case: Case) -> dict[str, Any]:
    relevants = {base.name: base.inside for base in case.named}
    return {"relevants": relevants, "last": case.conditions, "answers": case.answers}


def _write(file: str, cases: list[Any], page: Page, function: str, *given: Any) -> None:
    results = page.evaluate(f"(given) => engines.{function}(...given)", given)
    rows = map(json.dumps, zip(cases, results, strict=True))
    (HERE / file).write_text("[\n" + ",\n".join(rows) + "\n]\n", encoding="ascii")


@contextmanager
def _page(modules: str) -> Iterator[Page]:
    """A page in which both programs are loaded."""
    bundle = subprocess.run(
        [ESBUILD, HERE / "engines.js", "--bundle", "--format=iife", "--global-name=engines"],
        env={**os.environ, "NODE_PATH": modules},
        capture_output=True,
        check=True,
        text=True,
    )
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=find_headless(), args=ARGUMENTS)
        page = browser.new_page()
        page.add_script_tag(content=bundle.stdout)
        yield page
        browser.close()


if __name__ == "__main__":
    write(sys.argv[1])
