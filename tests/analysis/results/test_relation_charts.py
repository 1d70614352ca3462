"""Charts of tests, winners, quantiles and waves: what one would look at, with n and epsilon."""

import numpy as np
import pytest
from matplotlib.figure import Figure

from deniable_analysis import Study, compare, trend
from deniable_analysis.charts import Chart
from deniable_analysis.errors import NothingToPlot
from deniable_analysis.presentation import Presented
from deniable_analysis.results import Departure, IndependenceTest
from deniable_analysis.simulation import simulate_survey
from sample_definitions import choice, number, scale, survey, yes_no
from there import there

RESPONDENTS = 2000
PUBLISHED = survey(
    yes_no("asthma", required=True), choice("region"), scale("stress"), number("visits"),
    ask="all", epsilon=8,
)  # fmt: skip


def study(seed: int) -> Study:
    """A study in which asthma goes with stress, and the region with nothing."""
    generator = np.random.default_rng(seed)
    stress = generator.integers(5, size=RESPONDENTS)
    answers = {
        "asthma": (generator.random(RESPONDENTS) > stress / 5).astype(np.int64),
        "region": generator.choice(3, RESPONDENTS, p=[0.6, 0.3, 0.1]),
        "stress": stress,
        "visits": generator.integers(10, size=RESPONDENTS),
    }
    return simulate_survey(PUBLISHED, answers, generator)


STUDY, OTHER = study(1), study(2)


def only(result: Presented) -> Chart:
    """The one chart of a result."""
    (chart,) = result.charts()
    return chart


def test_a_winner_is_drawn_by_its_leads() -> None:
    """Each rival has the lead over it, with twice 1.96 standard errors around, beside 0."""
    found = STUDY.winner("region")
    chart = only(found)
    assert chart.reference == 0
    for mark, rival in zip(chart.marks, found.rivals, strict=True):
        assert mark.value == rival.behind
        assert mark.low == pytest.approx(rival.behind - 1.959964 * rival.standard_error)
        assert mark.high == pytest.approx(rival.behind + 1.959964 * rival.standard_error)
    told = "region: 2000 reports, epsilon 2; o0 leads, wrong with posterior probability < 0.1 %"
    assert chart.title.startswith(told)
    assert chart.marks[0].name == "o1 (ahead: < 0.1 %)"
    assert found.to_document()["epsilon"] == found.epsilon


def test_likely_rivals_are_named_with_their_probability() -> None:
    """A probability that matters is told in percent."""
    close = STUDY.winner("stress")
    assert close.rivals[0].probability_ahead > 0.001
    percent = f"{100 * close.rivals[0].probability_ahead:.1f} %"
    assert only(close).marks[0].name == f"{close.rivals[0].option} (ahead: {percent})"


def test_a_test_of_independence_is_drawn_by_its_departures() -> None:
    """The combinations furthest from independence come first; "no answer" is none of them."""
    found = STUDY.independence("asthma", "stress")
    cells = STUDY.crosstab("asthma", "stress").cells
    answered = [each for each in cells if "no_answer" not in each.options]
    table = np.array([there(each.share) for each in answered]).reshape(2, -1)
    table /= table.sum()
    apart = table - np.outer(table.sum(axis=1), table.sum(axis=0))
    assert [each.options for each in found.departures] == [each.options for each in answered]
    differences = [each.difference for each in found.departures]
    assert differences == pytest.approx(apart.ravel(), abs=1e-12)
    chart = only(found)
    sizes = [abs(each.difference) / each.standard_error for each in found.departures]
    assert abs(there(chart.marks[0].value)) == pytest.approx(
        abs(found.departures[int(np.argmax(sizes))].difference)
    )
    assert max(sizes) > 5
    assert chart.reference == 0
    assert "2000 reports, epsilon 4; independence: p = " in chart.title
    frame = found.departures_to_frame()
    assert list(frame.columns) == ["asthma", "stress", "difference", "standard_error"]
    assert frame.groupby("asthma")["difference"].sum().abs().max() < 1e-12
    assert list(found.to_frame().columns) == [
        *("questions", "design", "method", "reports", "epsilon"),
        *("statistic", "degrees_of_freedom", "p_value"),
    ]
    assert found.to_document()["departures"][0] == found.departures[0].to_document()


def test_departures_scatter_as_their_errors_say() -> None:
    """Of independent answers the departures are as large as their standard errors."""
    scores = []
    for seed in range(40):
        found = study(100 + seed).independence("region", "asthma")
        scores += [each.difference / each.standard_error for each in found.departures]
    # The mean of squares of 320 correlated scores; an error wrong by a factor of 1.5 is far out.
    assert 0.7 < float(np.mean(np.square(scores))) < 1.4


def independence_of(cells: int, *, error: float) -> IndependenceTest:
    """A test with so many departures."""
    return IndependenceTest(
        questions=("a", "b"),
        design="joint",
        method="wald",
        reports=10,
        epsilon=1.0,
        statistic=1.0,
        degrees_of_freedom=1,
        p_value=0.5,
        departures=tuple(
            Departure(options=(str(cell), "x"), difference=0.001 * cell, standard_error=error)
            for cell in range(cells)
        ),
    )


def test_only_the_furthest_of_many_departures_are_drawn() -> None:
    """A figure of hundreds of rows serves nobody, and the title says what was left out."""
    chart = only(independence_of(50, error=0.01))
    assert [mark.name for mark in chart.marks] == [f"{cell}, x" for cell in range(49, 29, -1)]
    assert chart.title.endswith("of the 20 of 50 furthest from it")


def test_departures_without_variance_are_not_drawn() -> None:
    """What has no error of its own has no interval, and then there is no chart."""
    with pytest.raises(NothingToPlot, match="no estimate has a value yet"):
        independence_of(4, error=0.0).plot()


def test_quantiles_are_drawn_at_their_levels() -> None:
    """Each part has its level and interval as numbers, and levels get whole ticks."""
    found = STUDY.quantiles("visits", (0.25, 0.5, 0.9))
    chart = only(found)
    assert [mark.name for mark in chart.marks] == ["25 %", "50 %", "90 %"]
    assert [mark.value for mark in chart.marks] == [float(each.value) for each in found.quantiles]
    assert [mark.low for mark in chart.marks] == [float(each.low) for each in found.quantiles]
    assert [mark.high for mark in chart.marks] == [float(each.high) for each in found.quantiles]
    assert chart.title == "visits: 2000 reports, epsilon 2; quantiles, 0.95 intervals"
    axes = Figure().subplots()
    found.draw(axes)
    assert len(axes.get_xticks()) > 1
    assert all(float(tick).is_integer() for tick in axes.get_xticks())
    assert found.to_document()["epsilon"] == found.epsilon


def test_comparisons_and_trends_name_every_epsilon() -> None:
    """What the waves spent stands in the titles and documents."""
    waves = compare(STUDY, OTHER, "region")
    assert only(waves).title.endswith("; epsilon 2")
    assert only(waves).reference == 0
    assert waves.to_document()["epsilons"] == pytest.approx([2, 2])
    groups = STUDY.compare_groups("region", "asthma", ("yes", "no"))
    assert only(groups).title.endswith("; epsilon 4")
    found = trend([STUDY, OTHER], "stress")
    charts = list(found.charts())
    assert charts[0].title == "stress, 1: 2000, 2000 reports, epsilon 2"
    assert [charts[0].unit, charts[-1].unit] == [
        "share of those asked",
        "mean of those who answered",
    ]
    assert found.to_document()["epsilons"] == pytest.approx([2, 2])


def test_a_line_to_compare_with_is_drawn() -> None:
    """The line stands in the figure even where every interval lies beyond it."""
    found = STUDY.winner("region")
    (axes,) = found.plot().axes
    dashed = [line for line in axes.get_lines() if line.get_linestyle() == "--"]
    assert [np.asarray(line.get_xdata()).tolist() for line in dashed] == [[0, 0]]
    low, high = axes.get_xlim()
    assert low <= 0 <= high
