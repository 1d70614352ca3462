"""How fast regressions are: printed, never asserted."""

import time
from collections.abc import Callable
from fractions import Fraction
from functools import partial
from itertools import product

import numpy as np
import pandas as pd
import pytest

from analysis.known.studies import needs_studies, study
from analysis.regressions import DESIGNS, people, randomized
from deniable_analysis import Regression, regress
from deniable_analysis.designs import forced_response
from deniable_analysis.simulation import simulate_survey
from sample_definitions import choice, survey, yes_no

pytestmark = pytest.mark.bench

ROWS = 20_000
COVARIATES = (
    "cov.asset.index + cov.married + I(cov.age/10) + I((cov.age/10)**2) + cov.education "
    "+ cov.female"
)


def printed(label: str, run: Callable[[], Regression], times: int = 5) -> str:
    """Wall and processor seconds of the fastest of some runs."""
    run()
    wall, cpu = [], []
    for _ in range(times):
        begin, busy = time.perf_counter(), time.process_time()
        found = run()
        wall.append(time.perf_counter() - begin)
        cpu.append(time.process_time() - busy)
    return f"  {label:58} {min(wall):8.3f} {min(cpu):8.3f} {found.rows:9}"


def show(capsys: pytest.CaptureFixture[str], *lines: str) -> None:
    """Print lines below a head."""
    head = f"\n  {'regression':58} {'seconds':>8} {'cpu':>8} {'rows':>9}"
    with capsys.disabled():
        print("\n".join((head, *lines)))  # noqa: T201 - the result


def test_speed_of_many_rows(capsys: pytest.CaptureFixture[str]) -> None:
    """Three randomized columns on 20,000 rows, with and without clear ones."""
    table = randomized(people(ROWS))
    formulas = {
        "three randomized columns": "yes ~ habit + group",
        "and a clear number": "yes ~ habit + group + age",
        "that the hidden answers depend on, and products": "yes ~ habit * group + age * habit",
        "three categories explained by two randomized columns": "level ~ habit + group",
        "a number explained by two randomized columns": "income ~ habit + group",
    }
    lines = [
        printed(label, lambda: regress(formula, table, designs=DESIGNS))  # noqa: B023 - run at once
        for label, formula in formulas.items()
    ]
    show(capsys, *lines)


def test_speed_of_a_study(capsys: pytest.CaptureFixture[str]) -> None:
    """A joint block of three questions with a million reports, once they are counted."""
    required = {"required": True}
    published = survey(
        yes_no("a", **required),
        choice("b", 4, **required),
        yes_no("c", **required),
        crosstabs=[["a", "b", "c"]],
    )
    generator = np.random.default_rng(1)
    given = {
        question.id: generator.integers(len(question.names), size=1_000_000)
        for question in published.questions
    }
    simulated = simulate_survey(published, given, generator)
    counted = simulated.joint_counts(published.blocks)
    fixed = type(simulated)(published, 1, simulated.count, lambda _: counted)
    show(capsys, printed("a study: one crosstab of 16 cells", lambda: fixed.regress("a ~ b + c")))


def test_speed_of_wide_crosstabs(capsys: pytest.CaptureFixture[str]) -> None:
    """Crosstabs of 50 and of 500 cells at small and large epsilon, with 20,000 reports."""
    lines = []
    for (rows, columns), epsilon in product(((2, 25), (2, 250), (4, 125)), (0.1, 0.5, 2, 6)):
        asked = [choice("a", rows, required=True), choice("b", columns, required=True)]
        published = survey(*asked, crosstabs=[["a", "b"]], epsilon=epsilon)
        generator = np.random.default_rng(2)
        given = {
            question.id: generator.integers(len(question.names), size=ROWS)
            for question in published.questions
        }
        study = simulate_survey(published, given, generator)
        label = f"a ~ 1, {rows} x {columns} cells at epsilon {epsilon}"
        lines.append(printed(label, partial(study.regress, "a ~ 1"), 1))
    show(capsys, *lines)


@needs_studies
def test_speed_of_a_published_study(capsys: pytest.CaptureFixture[str]) -> None:
    """The survey on armed groups, beside 0.06 and 0.9 seconds of the R packages."""
    table: pd.DataFrame = study("nigeria")
    sixth = Fraction(1, 6)
    designs = {"rr.q1": forced_response(yes=sixth, no=sixth)}
    outcome, predictor = f"rr.q1 ~ {COVARIATES}", f"civic ~ {COVARIATES} + rr.q1"
    show(
        capsys,
        printed("nigeria, logistic", lambda: regress(outcome, table, designs=designs), 20),
        printed(
            "nigeria, randomized predictor", lambda: regress(predictor, table, designs=designs)
        ),
    )
