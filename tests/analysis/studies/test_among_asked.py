"""Shares among those who were asked a question that not all respondents are asked."""

from collections.abc import Callable
from fractions import Fraction
from functools import cache
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from scipy.stats import binomtest

from analysis.known.numbers import KnownNumber, known
from analysis.related import counted_study, with_mechanisms
from deniable_analysis import Study
from deniable_analysis.errors import NotIdentified
from deniable_analysis.estimate.ratio import score_ratio
from deniable_analysis.planning import plan_mechanism
from deniable_analysis.results import OptionEstimate
from deniable_analysis.simulation import simulate_survey
from deniable_sdk import PublishedSurvey
from deniable_sdk.mechanisms import Subset
from deniable_sdk.survey.block import Block
from deniable_sdk.weights import integer_weights
from sample_definitions import choice, multiple, number, scale, survey, yes_no
from sampling_checks import SEED
from there import there

Integers = NDArray[np.int64]

# Rows are the router's options, of which the first leads on; columns are the
# answers there, "no answer" last.
CELLS = np.array([[0.15, 0.09, 0.03, 0.03], [0, 0, 0, 0.6], [0, 0, 0, 0.1]])
TRUTH = CELLS[0] / CELLS[0].sum()
# A joint block whose router comes after the question has a cell for every pair, and one whose
# router comes first has one for every path.
APART = ("same", "different")
DESIGNS = ("joint", "paths", *APART)
MANY = 10**12
NOMINAL, ALLOWANCE = 0.95, 0.015


def routed(design: str, epsilon: float = 1, **keys: Any) -> PublishedSurvey:
    """Three options of a router; the first leads to another question of three."""
    asked = choice("then", 3, show_if={"question": "first", "is": ["o0"]}, **keys)
    crosstabs = {"joint": [["then", "first"]], "paths": [["first", "then"]]}.get(design, [])
    ask = 1 if design == "different" else "all"
    router = choice("first", 3, required=True)
    return survey(router, asked, crosstabs=crosstabs, ask=ask, epsilon=epsilon)


@cache
def by_sets(design: str, epsilon: float, size: int | None = None) -> PublishedSurvey:
    """The same, by sets of a size, or of the one that leaves the smallest error."""
    each = Fraction(epsilon) / (2 if design == "same" else 1)
    domains = {"joint": [12], "paths": [6]}.get(design, [3, 4])
    sizes = [size or plan_mechanism(float(each), domain).size for domain in domains]
    mechanisms = [
        Subset(domain, size, integer_weights(each))
        for domain, size in zip(domains, sizes, strict=True)
    ]
    return with_mechanisms(routed(design, epsilon), *mechanisms)


def of_block(block: Block, cells: NDArray[Any]) -> NDArray[Any]:
    """Of each answer of a block, in the order of its domain."""
    if not block.cells:
        return np.asarray(cells.sum(axis=1 if block.id == "first" else 0))
    answers = dict(
        zip((each.id for each in block.questions), zip(*block.cells, strict=True), strict=True)
    )
    return np.asarray(cells[list(answers["first"]), list(answers["then"])])


def exact_study(published: PublishedSurvey, cells: NDArray[Any] = CELLS) -> Study:
    """A study whose reports are as many of each kind as are expected."""
    said = {}
    for block in published.blocks:
        mechanism = block.mechanism
        assert isinstance(mechanism, Subset)
        shares = of_block(block, cells)
        keep, flip = float(mechanism.keep), float(mechanism.flip)
        counts = np.rint(MANY * (flip + shares * (keep - flip))).astype(int)
        counts[-1] += mechanism.size * MANY - counts.sum()
        said[block.id] = counts.tolist()
    return counted_study(published, **said)


@pytest.mark.parametrize("design", ["joint", *APART])
@pytest.mark.parametrize("anchor", known("n.Var (delta method) of the share of option 0"))
def test_the_variance_is_the_one_that_is_known(anchor: KnownNumber, design: str) -> None:
    """Both parts together, for each way in which the two questions can be asked."""
    epsilon = anchor.inputs["eps"]
    found = exact_study(by_sets(design, epsilon)).among_asked("then")
    option = found.options[0]
    assert found.design == design
    assert option.share == pytest.approx(0.5, abs=1e-9)
    people = 2 * MANY if design == "different" else MANY
    assert there(option.standard_error) ** 2 * people == pytest.approx(
        anchor.expected[design], rel=1e-7
    )


@pytest.mark.parametrize("epsilon", [0.5, 1, 2, 4])
def test_paths_say_more_than_pairs_that_cannot_occur(epsilon: float) -> None:
    """The same epsilon is spent on half the cells."""
    joint, paths = (
        exact_study(by_sets(design, epsilon)).among_asked("then").options
        for design in ("joint", "paths")
    )
    for one, other in zip(paths, joint, strict=True):
        assert there(one.standard_error) < 0.96 * there(other.standard_error)


@pytest.mark.parametrize("anchor", known("refused and reached, n.Var"))
def test_refusals_have_the_variance_that_is_known(anchor: KnownNumber) -> None:
    """Those who were asked and preferred not to say, of all respondents."""
    for design, expected in zip(("same", "joint"), anchor.expected, strict=True):
        refused = exact_study(by_sets(design, anchor.inputs["eps"])).among_asked("then").refused
        assert refused.share == pytest.approx(0.03, abs=1e-9)
        assert there(refused.standard_error) ** 2 * MANY == pytest.approx(expected, rel=1e-7)


@pytest.mark.parametrize("anchor", known("refused and reached = P(no_answer)"))
def test_refusals_of_different_respondents(anchor: KnownNumber) -> None:
    """The same where each respondent is asked one of the two."""
    study = exact_study(by_sets("different", anchor.inputs["eps"]))
    refused = study.among_asked("then").refused
    share, variance = anchor.expected
    assert refused.share == pytest.approx(share, abs=1e-9)
    assert there(refused.standard_error) ** 2 * 2 * MANY == pytest.approx(variance, rel=1e-7)


def constant(of_whole: float, both: float, of_part: float) -> Callable[[float], float]:
    """Of the difference B - R A, where the covariances do not depend on R."""
    return lambda ratio: of_part - 2 * ratio * both + ratio**2 * of_whole


@pytest.mark.parametrize("anchor", known("fieller interval"))
def test_the_interval_is_the_one_that_is_known(anchor: KnownNumber) -> None:
    """Fieller's, by its quadratic equation."""
    given = anchor.inputs
    variance_if = constant(given["VA"], given["C"], given["VB"])
    found = score_ratio((given["A"], given["B"]), variance_if, given["z"])
    assert (found.low, found.high) == pytest.approx(anchor.expected, abs=anchor.tolerance)
    assert found.is_bounded


@pytest.mark.parametrize("whole", [-0.5, -0.02, 0.0, 0.02, 0.15])
@pytest.mark.parametrize("part", [-0.3, -0.05, 0.0, 0.05, 0.2, 0.6])
def test_an_interval_without_ends_has_all_ratios_that_the_test_does_not_reject(
    whole: float, part: float
) -> None:
    """Where nobody may have been asked, it is within 0 to 1, and never missing."""
    variance_if, reach = constant(0.01, 0.002, 0.005), 1.96
    found = score_ratio((whole, part), variance_if, reach)
    assert not found.is_bounded
    assert 0 <= found.low <= found.value <= found.high <= 1
    tried = np.linspace(0, 1, 1001)
    distances = np.abs(part - tried * whole) / np.sqrt([variance_if(each) for each in tried])
    kept = tried[distances <= reach]
    ends = (kept.min(), kept.max()) if len(kept) and whole > -0.2 else (0, 1)
    assert (found.low, found.high) == pytest.approx(ends, abs=0.002)
    least = tried[np.argmin(distances)]
    assert found.value == pytest.approx(least, abs=0.001) or whole == 0


@pytest.mark.parametrize("number", [0, 7, 59])
def test_without_noise_the_interval_is_wilsons(number: int) -> None:
    """Of 60 who were asked among 200, all of whom say the truth."""
    asked, people = 60, 200
    whole, scale = asked / people, 1 / people

    def variance_if(ratio: float) -> float:
        return whole * ratio * (1 - ratio) * scale

    found = score_ratio((whole, number / people), variance_if, 1.959963984540054)
    expected = binomtest(number, asked).proportion_ci(0.95, method="wilson")
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=1e-12)


def cells_at(reach: float) -> NDArray[Any]:
    """The cells if so many are asked; their shares among those who were asked stay the same."""
    rest = CELLS[1:] * (1 - reach) / CELLS[1:].sum()
    return np.vstack([CELLS[:1] * reach / CELLS[0].sum(), rest])


def drawn(
    generator: np.random.Generator,
    design: str,
    epsilon: float,
    people: int,
    cells: NDArray[Any] = CELLS,
) -> Study:
    """A study of so many respondents, by sets of one option."""
    published = by_sets(design, epsilon, size=1)
    groups = [people // 2, people - people // 2] if design == "different" else [people] * 2
    answers = generator.multinomial(people, cells.ravel()).reshape(cells.shape)
    said: dict[str, list[int]] = {}
    for index, block in enumerate(published.blocks):
        if design == "different":
            answers = generator.multinomial(groups[index], cells.ravel()).reshape(cells.shape)
        said[block.id] = randomized(generator, block.mechanism, of_block(block, answers))
    return counted_study(published, **said)


def randomized(generator: np.random.Generator, mechanism: Any, counts: Integers) -> list[int]:
    """How many report each option, where so many answered each."""
    keep, flip = float(mechanism.keep), float(mechanism.flip)
    law = np.full((len(counts), len(counts)), flip)
    np.fill_diagonal(law, keep)
    rows = [generator.multinomial(count, row) for count, row in zip(counts, law, strict=True)]
    found: list[int] = np.sum(rows, axis=0).tolist()
    return found


def covers(option: OptionEstimate, truth: float) -> bool:
    """Whether an interval, which is always there, holds the truth."""
    assert option.share is not None
    return there(option.low) <= truth <= there(option.high)


def check_coverage(
    design: str, epsilon: float, people: int, reach: float, times: int, *, is_first: bool = True
) -> None:
    """Every interval that is printed holds the truth as often as it says; all are printed."""
    generator, cells = np.random.default_rng([SEED, times]), cells_at(reach)
    truths = [*TRUTH, reach, cells[0, -1]]
    held = np.zeros(len(truths))
    for _ in range(times):
        found = drawn(generator, design, epsilon, people, cells).among_asked("then")
        assert found.untold is None
        shown = (*found.options, found.asked, found.refused)
        held += [covers(each, truth) for each, truth in zip(shown, truths, strict=True)]
    if is_first and (held / times < NOMINAL - ALLOWANCE).any():
        # Chance alone may do that, so a larger sample of its own decides.
        check_coverage(design, epsilon, people, reach, 8 * times, is_first=False)
        return
    setting = design, epsilon, people, reach, held / times
    assert (held / times >= NOMINAL - ALLOWANCE).all(), setting


@pytest.mark.deep
@pytest.mark.parametrize("design", DESIGNS)
def test_intervals_hold_the_truth_as_often_as_they_say(design: str) -> None:
    """A quick look at each way of asking; the deep test below looks longer."""
    check_coverage(design, 2, 1500, 0.3, 500)


@pytest.mark.deep
@pytest.mark.parametrize("reach", [0.05, 0.1, 0.3, 0.6])
@pytest.mark.parametrize("people", [200, 1500, 20_000])
@pytest.mark.parametrize("epsilon", [0.5, 1, 2, 4])
@pytest.mark.parametrize("design", DESIGNS)
def test_coverage_over_the_whole_range(
    design: str, epsilon: float, people: int, reach: float
) -> None:
    """Also where few of few respondents are asked, so that hardly anything is known."""
    check_coverage(design, epsilon, people, reach, 2000)


@pytest.mark.parametrize("design", DESIGNS)
def test_what_the_ratio_is_made_of_is_unbiased(design: str) -> None:
    """At exactly the expected reports, both shares are the true ones."""
    published = by_sets(design, 1)
    found = exact_study(published).among_asked("then")
    assert found.asked.share == pytest.approx(0.3, abs=1e-9)
    assert [there(each.share) for each in found.options] == pytest.approx(TRUTH, abs=1e-9)
    assert [there(each.valid_share) for each in found.options] == pytest.approx(TRUTH, abs=1e-9)


def test_a_chain_of_paths_is_what_its_last_question_says() -> None:
    """Whoever chose an option there was asked it, so only its own answers decide."""
    rule = {"question": "then", "is": ["o0", "o1"]}
    last = yes_no("last", show_if=rule)
    asked = choice("then", 3, show_if={"question": "first", "is": ["o0"]})
    published = survey(choice("first", 3, required=True), asked, last, epsilon=10, ask="all")
    generator = np.random.default_rng(SEED)
    people = 40_000
    cells = generator.choice(CELLS.size, size=people, p=CELLS.ravel())
    then = cells % 4
    answers = np.where(then < 2, generator.choice(3, size=people, p=[0.7, 0.2, 0.1]), 2)
    study = simulate_survey(
        published, {"first": cells // 4, "then": then, "last": answers}, generator
    )
    found = study.among_asked("last")
    assert found.leading == ("o0", "o1")
    share = there(found.options[0].share)
    assert abs(share - 0.7) < 4 * there(found.options[0].standard_error)
    assert there(found.options[0].standard_error) < 0.05


@pytest.mark.parametrize("design", DESIGNS)
def test_sets_of_several_options_are_simulated_like_the_truth(design: str) -> None:
    """The shares of a survey as it is compiled, held against what was answered."""
    generator = np.random.default_rng(SEED)
    cells = generator.choice(CELLS.size, size=20_000, p=CELLS.ravel())
    study = simulate_survey(routed(design, 2), {"first": cells // 4, "then": cells % 4}, generator)
    for option, truth in zip(study.among_asked("then").options, TRUTH, strict=True):
        assert abs(there(option.share) - truth) < 4 * there(option.standard_error)


def test_not_asked_and_refused_are_two_things() -> None:
    """They are two rows where the reports tell them apart, else one with both names."""
    apart = exact_study(by_sets("joint", 2)).estimate("then").questions[0]
    assert [each.option for each in apart.of_all][-2:] == ["not asked", "no_answer"]
    frame = exact_study(by_sets("joint", 2)).estimate("then").to_frame()
    assert frame["option"].tolist()[-2:] == ["not asked", "no_answer"]
    shares = [there(each.share) for each in apart.of_all]
    assert shares == pytest.approx([0.15, 0.09, 0.03, 0.7, 0.03], abs=1e-9)
    few = drawn(np.random.default_rng(SEED), "same", 1, 2000).estimate("then").questions[0]
    both = "not asked or no_answer"
    assert [each.option for each in few.of_all][-1] == both
    assert "no_answer" in str(few)
    assert [each["option"] for each in few.to_document()["options"]][-1] == both


def test_few_reports_leave_everything_open() -> None:
    """Every number is there, with an interval up to 0 to 1, and it is said what to declare."""
    found = drawn(np.random.default_rng(SEED), "same", 0.5, 50).among_asked("then")
    assert found.untold is None
    assert found.is_open
    assert "declare crosstabs: [[first, then]]" in found.why
    for each in found.options:
        assert each.share is not None
        assert (each.low, each.high) == (0, 1)
        assert each.standard_error is None
    assert "every share from 0 to 1 is possible" in str(found)
    joint = drawn(np.random.default_rng(SEED), "joint", 0.5, 50).among_asked("then")
    assert "crosstabs" not in joint.why


@pytest.mark.parametrize("design", DESIGNS)
def test_what_is_told_does_not_depend_on_what_is_reported(design: str) -> None:
    """For the same design and number of reports, the same rows have numbers in every survey."""
    generator, told = np.random.default_rng(SEED), set()
    for _ in range(60):
        for people in (40, 40, 400):
            study = drawn(generator, design, 0.5, people, cells_at(0.05))
            found = study.estimate("then").questions[0]
            shown = [*found.of_all, *there(found.among).options]
            told.add((people, *(each.name for each in shown if each.low is not None)))
    assert len(told) == 2


def test_nobody_has_reported_yet() -> None:
    """There are no numbers, and the question is still known to be asked of some only."""
    for design in DESIGNS:
        found = counted_study(routed(design)).among_asked("then")
        assert found.asked.share is None
        assert found.untold == "no_report"
        assert found.to_document()["options"][0]["share"] is None


def simulated(*questions: Any, epsilon: float = 10, **answers: Any) -> Study:
    """A study of 4,000 respondents, asked everything."""
    published = survey(*questions, epsilon=epsilon, ask="all")
    return simulate_survey(published, answers, np.random.default_rng(SEED))


def test_any_of_several_options_of_a_multiple_question() -> None:
    """One option that leads there has a share; how many chose one of two is not known."""
    generator = np.random.default_rng(SEED)
    chosen = generator.random((4000, 4)) < 0.5
    chosen[:, 3] = False
    said = np.where(chosen[:, 0], generator.integers(2, size=4000), 2)
    one = {"question": "drugs", "is": ["o0"]}
    study = simulated(multiple(), yes_no("then", show_if=one), drugs=chosen, then=said)
    option = study.among_asked("then").options[0]
    assert abs(there(option.share) - 0.5) < 4 * there(option.standard_error)
    two = {"question": "drugs", "is": ["o0", "o1"]}
    study = simulated(multiple(), yes_no("then", show_if=two), drugs=chosen, then=said)
    found = study.among_asked("then")
    assert (found.untold, found.asked.share) == ("several", None)
    assert "let one option lead there" in found.why


def test_a_question_that_tells_only_its_mean() -> None:
    """Its options have no shares, so what to declare is said."""
    rule = {"question": "stress", "is": ["4", "5"]}
    study = simulated(
        scale(target="mean"),
        yes_no("then", show_if=rule),
        epsilon=1,
        stress=np.tile([0, 4], 2000),
        then=np.tile([2, 0], 2000),
    )
    found = study.among_asked("then")
    assert found.untold == "mean_only"
    assert "declare crosstabs: [[stress, then]]" in found.why


def test_a_number_on_a_path_tells_who_preferred_not_to_say() -> None:
    """Its mean is of those who answered anyway."""
    generator = np.random.default_rng(SEED)
    first = generator.integers(2, size=4000)
    said = np.where(first == 0, np.where(generator.random(4000) < 0.2, 31, 7), 31)
    asked = number(show_if={"question": "asthma", "is": ["yes"]})
    study = simulated(yes_no(required=True), asked, asthma=first, visits=said)
    (refused,) = study.among_asked("visits").options
    assert refused.option == "no_answer"
    assert abs(there(refused.share) - 0.2) < 4 * there(refused.standard_error)


def test_a_question_that_everybody_is_asked() -> None:
    """There is no path to it, and the estimates are those of all."""
    study = counted_study(survey(yes_no()), asthma=[1, 2, 3])
    with pytest.raises(NotIdentified, match="is asked of everybody"):
        study.among_asked("asthma")
    assert study.estimate().questions[0].among is None
