"""Results are computed outside the collector's process, within limits."""

from dataclasses import replace
from random import Random

import numpy as np
import pytest

from deniable_analysis.errors import InvalidArgument
from deniable_analysis.simulation import simulate_survey
from deniable_collector.errors import Refused
from deniable_sdk import compile_survey
from deniable_web.results import apart
from deniable_web.results.apart import find_apart, find_by_group_apart
from deniable_web.results.findings import ResultChoices, find, find_by_group
from deniable_web.results.studies import Studies
from results_site import HEALTH, STRESS
from sample_definitions import choice, multiple, scale
from web.results.conftest import Site

CHOICES = ResultChoices(0.95, None)


@pytest.mark.parametrize("slug", [HEALTH, STRESS])
def test_findings_are_the_same_in_another_process(site: Site, slug: str) -> None:
    """All of them, compared with an earlier edition, and without groups."""
    stored = site.store.find_survey(slug)
    assert stored is not None
    study = Studies(site.store).study(stored)
    other = replace(study, edition=9)
    assert find_apart(study, CHOICES, other) == find(study, CHOICES, other)
    alone = find_by_group_apart(study, CHOICES, (), by_group=False)
    assert alone == find_by_group(study, CHOICES, (), by_group=False)


def test_an_error_of_the_other_process_keeps_its_class(site: Site) -> None:
    """Whoever asks can tell what was wrong, as if it had been computed here."""
    stored = site.store.find_survey(STRESS)
    assert stored is not None
    with pytest.raises(InvalidArgument, match="confidence: got 2"):
        find_apart(Studies(site.store).study(stored), ResultChoices(2, None))


def test_results_beyond_the_limits_are_refused(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The refusal names the limit and the way out; the next results are computed."""
    stored = site.store.find_survey(STRESS)
    assert stored is not None
    study = Studies(site.store).study(stored)
    with monkeypatch.context() as limited:
        limited.setattr(apart, "LIMITS", replace(apart.LIMITS, cpu_s=0.001))
        with pytest.raises(Refused, match=r"more than 0\.001 s.*deniable results") as refused:
            find_apart(study, CHOICES)
        assert refused.value.problem.name == "results-too-large"
    assert find_apart(study, CHOICES).estimates.reports == study.report_count


def test_the_largest_questions_are_within_the_limits(random_source: Random) -> None:
    """One of each type with as many answers as may be, and a crosstab of as many cells."""
    must = {"required": True}
    published = compile_survey(
        {
            "title": "T",
            "slug": "t",
            "epsilon": 4,
            "questions": [
                {"id": "n", "type": "number", "text": "How many?", "min": 0, "max": 4999},
                scale("s", levels=101),
                choice("c", 999),
                multiple("m", 60, **must),
                choice("a", 31, **must),
                choice("b", 32, **must),
            ],
            "crosstabs": [["a", "b"]],
        }
    )
    generator = np.random.default_rng(random_source.getrandbits(64))
    sizes = {"n": 5000, "s": 101, "c": 999, "a": 31, "b": 32}
    answers = {name: generator.integers(0, size, 2000) for name, size in sizes.items()}
    chosen = generator.integers(0, 2, (2000, 60)) > 0
    study = simulate_survey(published, {**answers, "m": chosen}, generator)
    findings = find_apart(study, CHOICES)
    assert len(findings.estimates.questions) == 6
    assert set(findings.quantiles) == {"n", "s"}
    assert len(findings.tests) == 1
