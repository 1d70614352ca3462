"""What reports can tell, whatever the number of cells and the epsilon."""

from itertools import product

import numpy as np
import pytest
from scipy import stats

from analysis.related import MUST
from deniable_analysis.designs import from_matrix, from_mechanism
from deniable_analysis.errors import NotIdentified
from deniable_analysis.regression.assembly import check_reports
from deniable_analysis.regression.channels import Reports
from deniable_analysis.regression.observations import reports_of
from deniable_analysis.regression.regress import reports_of_block
from deniable_analysis.simulation import simulate_survey
from deniable_sdk import PublishedSurvey
from deniable_sdk.mechanisms import Subset
from deniable_sdk.survey.questions import Question
from deniable_sdk.weights import Weights
from sample_definitions import choice, survey
from sampling_checks import ALPHA, count_check

SIZES = ((2, 2), (2, 25), (2, 50), (5, 50), (4, 125), (2, 250))
EPSILONS = (0.1, 0.5, 1, 2, 4, 6)


def crosstab_of(rows: int, columns: int, epsilon: float) -> PublishedSurvey:
    """A survey of one crosstab, with as many options for each of its questions."""
    asked = [choice("a", rows, **MUST), choice("b", columns, **MUST)]
    return survey(*asked, crosstabs=[["a", "b"]], epsilon=epsilon)


def reported(published: PublishedSurvey, questions: tuple[Question, ...], count: int) -> Reports:
    """What so many respondents report of some questions of a survey's one block."""
    generator = np.random.default_rng(5)
    given = {
        each.id: generator.integers(len(each.names), size=count) for each in published.questions
    }
    study = simulate_survey(published, given, generator)
    found = study.joint_counts(published.blocks)
    (block,) = published.blocks
    return reports_of_block(block, questions, found.values[0], found.indexes[:, 0])


@pytest.mark.sweep
@pytest.mark.parametrize(("size", "epsilon"), list(product(SIZES, EPSILONS)))
def test_a_crosstab_tells_its_cells(size: tuple[int, int], epsilon: float) -> None:
    """Up to 500 cells, epsilon 0.1 to 6: both questions and each alone are identified.

    A report is one of up to C(500, 238) sets, so that its probability is as
    small as 1e-149 under every answer.
    """
    published = crosstab_of(*size, epsilon)
    for questions in (published.questions, published.questions[:1], published.questions[1:]):
        check_reports(reported(published, questions, 300))


def test_a_wide_crosstab_at_a_small_epsilon_is_regressed() -> None:
    """Two by 25 options at epsilon 0.5 give the share of the first question, within chance."""
    published = crosstab_of(2, 25, 0.5)
    generator = np.random.default_rng(6)
    answers = (generator.random(4000) < 0.4).astype(int)
    given = {"a": answers, "b": generator.integers(25, size=4000)}
    study = simulate_survey(published, given, generator)
    (intercept,) = study.regress("a ~ 1").coefficients
    count_check()
    apart = abs(intercept.estimate - np.log(0.4 / 0.6)) / intercept.standard_error
    assert 2 * stats.norm.sf(apart) > ALPHA


@pytest.mark.deep
@pytest.mark.parametrize("epsilon", [0.1, 0.5, 2.0])
def test_a_design_of_thousands_of_reports_is_identified(epsilon: float) -> None:
    """Subset selection of 16 options has 8,008 reports, each with a probability of about 1e-4."""
    design = from_mechanism(Subset(16, 6, Weights(round(np.exp(epsilon) * 2**20), 2**20)))
    check_reports(reports_of({"report": list(design.observed)}, "report", design))


@pytest.mark.parametrize("rare", [1e-4, 1e-11])
def test_rare_reports_do_not_hide_what_they_cannot_tell(rare: float) -> None:
    """A report that is rare under every answer alike tells none of them apart."""
    half = (1 - rare) / 2
    blind = from_matrix([[half, half, half], [half, half, half], [rare, rare, rare]])
    with pytest.raises(NotIdentified, match="1 possible values, which cannot distinguish 3"):
        check_reports(reports_of({"report": ["0", "1", "2"]}, "report", blind))
