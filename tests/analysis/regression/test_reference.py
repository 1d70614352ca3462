"""Which category the others are compared with, and what follows where it is rare."""

import numpy as np
import pandas as pd
import pytest

from analysis.regressions import CHANNEL, THREE, reported
from deniable_analysis import regress
from deniable_analysis.regression.results import Regression
from deniable_analysis.simulation import simulate_survey
from sample_definitions import choice, survey, yes_no

ROWS = 600
GROUPS = ("alone", "couple", "family")
# Nobody is alone and says yes, so that a comparison with them has no end.
SHARES = (0.1, 0.3, 0.6)


def answers(seed: int) -> tuple[list[str], list[str]]:
    """A rare first category without a yes, and two common ones."""
    generator = np.random.default_rng(seed)
    group = generator.choice(GROUPS, p=SHARES, size=ROWS).tolist()
    yes = (generator.random(ROWS) < 0.4).tolist()
    said = ["yes" if each and of != "alone" else "no" for each, of in zip(yes, group, strict=True)]
    return group, said


def infinite(found: Regression) -> list[str]:
    """The coefficients that run to infinity."""
    return [each.name for each in found.coefficients if each.is_infinite]


def names(found: Regression) -> list[str]:
    """Of all coefficients."""
    return [each.name for each in found.coefficients]


def test_a_clear_column_is_compared_with_its_most_frequent_category() -> None:
    """A rare category at an edge is infinite alone; as the reference it made all infinite."""
    group, used = answers(1)
    found = regress("used ~ group", {"group": group, "used": used})
    assert names(found) == ["Intercept", "group[T.alone]", "group[T.couple]"]
    assert infinite(found) == ["group[T.alone]"]
    assert found["group[T.couple]"].is_held
    effects = [each.name for each in found.average_marginal_effects().effects]
    assert effects == ["group: alone instead of family", "group: couple instead of family"]


def test_a_chosen_reference_and_an_order_are_kept() -> None:
    """Contrasts in the formula and pandas' Categorical decide, whatever is frequent."""
    group, used = answers(1)
    chosen = regress("used ~ C(group, contr.treatment('alone'))", {"group": group, "used": used})
    assert len(infinite(chosen)) == 3
    in_order = pd.DataFrame({"group": pd.Categorical(group, categories=GROUPS), "used": used})
    assert len(infinite(regress("used ~ group", in_order))) == 3


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("formula", "first"),
    [
        ("used ~ C(number)", "C(number)[T.0]"),
        ("used ~ C(number):age + age", "C(number)[T.0]:age"),
        ("used ~ C(number, contr.treatment(0))", "C(number, contr.treatment(0))[T.1]"),
    ],
)
def test_numbers_as_categories(formula: str, first: str) -> None:
    """A number that is only within C() has categories, also in its marginal effects."""
    group, used = answers(2)
    number = [GROUPS.index(each) for each in group]
    age = np.random.default_rng(3).integers(20, 60, size=ROWS)
    found = regress(formula, {"number": number, "used": used, "age": age})
    assert next(each for each in names(found) if "T." in each) == first
    effects = [each.name for each in found.average_marginal_effects().effects]
    assert [each for each in effects if each.startswith("number: ")] != []


def test_a_number_that_is_also_a_slope_keeps_its_order() -> None:
    """Categories and a slope of one column cannot be told apart, whichever is first."""
    group, used = answers(2)
    number = [float(GROUPS.index(each)) for each in group]
    squared = regress("used ~ number + I(number ** 2)", {"number": number, "used": used})
    assert names(squared) == ["Intercept", "number", "I(number ** 2)"]


def test_two_categories_are_compared_with_no() -> None:
    """However frequent yes is."""
    said = ["yes"] * 90 + ["no"] * 30
    found = regress("y ~ x", {"x": said, "y": (["no", "yes", "no"] * 40)})
    assert names(found) == ["Intercept", "x[T.yes]"]


@pytest.mark.parametrize("formula", ["used ~ level", "used ~ C(level)", "level ~ used"])
def test_a_randomized_column_is_compared_with_the_largest_estimated_share(formula: str) -> None:
    """The estimated share decides, not the most frequent report."""
    generator = np.random.default_rng(5)
    truth = generator.choice(3, p=[0.05, 0.15, 0.8], size=ROWS)
    used = np.where(generator.random(ROWS) < 0.4, "yes", "no")
    table = {"level": reported(CHANNEL, truth, generator), "used": used.tolist()}
    found = regress(formula, table, designs={"level": CHANNEL}, interval="wald")
    shown = " ".join(names(found))
    assert "high" not in shown
    assert THREE[0] in shown
    assert THREE[1] in shown


def test_a_crosstab_with_a_rare_first_option_has_finite_coefficients() -> None:
    """The first option of 8 has nobody; compared with it, no coefficient had an end."""
    asked = [yes_no("a", required=True), choice("b", 8, required=True)]
    published = survey(*asked, crosstabs=[["a", "b"]], epsilon=3)
    generator = np.random.default_rng(7)
    given = {"a": generator.integers(2, size=5000), "b": generator.integers(1, 8, size=5000)}
    study = simulate_survey(published, given, generator)
    found = study.regress("a ~ b", interval="wald")
    first = published.questions[1].names[0]
    rare = f"b[T.{first}]"
    assert rare in names(found)
    held = [each.name for each in found.coefficients if each.is_held]
    assert [each for each in names(found) if each not in held] in ([rare], [])
