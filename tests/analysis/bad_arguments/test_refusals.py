"""What is no study, no list, no generator or no place is told what would be one."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest

from analysis.odd_arguments import CHANNEL, OTHER, STUDY
from deniable_analysis import compare, open_study, pool_studies, trend
from deniable_analysis.designs import (
    ByGroup,
    UnknownDesign,
    compare_with_direct,
    direct,
    prevalence,
    warner,
)
from deniable_analysis.errors import (
    InvalidArgument,
    NameNotFound,
    NotAStudy,
    QuestionNotFound,
    StudyNotFound,
    SurveyNotFound,
    UnsupportedMechanism,
)
from deniable_analysis.presentation import Named
from deniable_analysis.simulation import simulate_block, simulate_survey, synthetic_records
from deniable_analysis.sources.base import ListedSurvey, select_survey
from deniable_sdk import DeniableError

ANY: Any = None
HALVES: Any = (((0.75, 0.25), (0.25, 0.75)),)
TABLE = {"answer": ["yes", "no", "no", "yes", "no"], "mode": [1, 1, 2, 2, 2]}

Case = tuple[Callable[[], object], type[DeniableError], str]


def unknown(**changed: Any) -> UnknownDesign:
    """A design of one group, with some parts changed."""
    plain: dict[str, Any] = {"name": "d", "groups": (1,), "unknown": (), "slopes": ()}
    names = {"observed": ("a", "b"), "true": ("a", "b")}
    return UnknownDesign(**{**plain, **names, "constants": HALVES, **changed})


STUDIES: list[Case] = [
    (
        lambda: compare(STUDY, ANY, "asthma"),
        NotAStudy,
        "got something of the type NoneType where a study belongs; allowed is what open_study or",
    ),
    (
        lambda: pool_studies(STUDY),  # type: ignore[arg-type]
        NotAStudy,
        "studies: got something of the type Study; allowed is a list of studies, like those of",
    ),
    (lambda: trend([STUDY, "b"], "asthma"), NotAStudy, "got something of the type str where a"),  # type: ignore[list-item]
    (
        lambda: trend([STUDY, OTHER], "asthma", times=["2020", "2021"]),  # type: ignore[list-item]
        InvalidArgument,
        "times: got something of the type list, or one that contains something other than finite",
    ),
    (
        lambda: trend([STUDY, OTHER], "asthma", times=[1, 1]),
        InvalidArgument,
        "got 2 studies and 2 times; a trend requires at least two studies, and a time for each",
    ),
    (
        lambda: STUDY.estimate("regoin"),
        QuestionNotFound,
        "got the question 'regoin'; did you mean region? survey 'health' has: asthma, region, st",
    ),
    (lambda: STUDY.winner(ANY), QuestionNotFound, "got the question something of the type None"),
    (
        lambda: STUDY.compare_groups("region", "asthma", ("yes",)),  # type: ignore[arg-type]
        QuestionNotFound,
        "groups: got something of the type tuple, or not two of them; allowed are two diff",
    ),
    (
        lambda: STUDY.compare_groups("region", "asthma", ("yes", "yes")),
        QuestionNotFound,
        "groups: got 'yes' twice; allowed are two different answers to question 'asthma': yes, n",
    ),
    (
        lambda: STUDY.estimate(simultaneous="yes"),  # type: ignore[arg-type]
        InvalidArgument,
        "simultaneous: got something of the type str; allowed are True (all intervals",
    ),
    (
        lambda: open_study(5),  # type: ignore[arg-type]
        StudyNotFound,
        "location: got something of the type int; allowed is a text or a pathlib.Path",
    ),
]
SIMULATIONS: list[Case] = [
    (
        lambda: synthetic_records(STUDY.crosstab("region", "stress"), 3, ANY),
        InvalidArgument,
        "generator: got something of the type NoneType; allowed is one of numpy's, such as",
    ),
    (
        lambda: synthetic_records(pd.DataFrame(), 3, np.random.default_rng(1)),
        InvalidArgument,
        "crosstab: got something of the type DataFrame; allowed is what study.crosstab(...) ret",
    ),
    (
        lambda: simulate_survey(ANY, {}, np.random.default_rng(1)),
        InvalidArgument,
        "survey: got something of the type NoneType; allowed is a published one, such as",
    ),
    (
        lambda: simulate_survey(STUDY.survey, [1], np.random.default_rng(1)),  # type: ignore[arg-type]
        InvalidArgument,
        "answers: got something of the type list; allowed is a mapping from each question to",
    ),
    (
        lambda: simulate_block(CHANNEL, [1], np.random.default_rng(1)),  # type: ignore[arg-type]
        UnsupportedMechanism,
        "mechanism: got something of the type Channel; allowed is the mechanism of a block",
    ),
    (
        lambda: simulate_block(STUDY.survey.blocks[0].mechanism, [[1], [1, 0]], ANY),
        InvalidArgument,
        "generator: got something",
    ),
    (
        lambda: simulate_block(
            STUDY.survey.blocks[0].mechanism,
            [[1], [1, 0]],
            np.random.default_rng(1),
        ),
        InvalidArgument,
        "answers to subset: got an array of object of shape (), or one that is out of range; all",
    ),
]
DESIGNS: list[Case] = [
    (
        lambda: unknown(groups=5),
        InvalidArgument,
        "groups: got something of the type int, or one th",
    ),
    (
        lambda: unknown(groups=[[1]]),
        InvalidArgument,
        "groups: got something of the type list, or o",
    ),
    (
        lambda: unknown(groups=(1, 1)),
        InvalidArgument,
        "got two groups of the same name; allowed ar",
    ),
    (
        lambda: unknown(constants=[1]),
        InvalidArgument,
        "got no matrices for 1 groups, 2 observed and 2 true categories; allowed are constants",
    ),
    (lambda: unknown(unknown=("t",)), InvalidArgument, "got no matrices for 1 groups, 2 observed"),
]


@pytest.mark.parametrize(("call", "error", "message"), [*STUDIES, *SIMULATIONS, *DESIGNS])
def test_each_is_refused_with_what_is_allowed(
    call: Callable[[], object], error: type[DeniableError], message: str
) -> None:
    """The message begins with what was got, and no other error stands behind it."""
    with pytest.raises(error) as caught:
        call()
    assert str(caught.value).startswith(message)
    assert caught.value.__context__ is None


def test_categories_are_looked_up_by_name() -> None:
    """A share or difference of no such category is answered with those there are."""
    design = ByGroup("mode", {1: direct(), 2: warner(0.7)})
    shares = prevalence(TABLE, "answer", design=design)
    differences = compare_with_direct(TABLE, "answer", design=design)
    assert shares["yes"] is shares.options[1]
    assert differences["no"] is differences.differences[0]
    results: list[Named[Any]] = [shares, differences]
    for result in results:
        assert list(result) == ["no", "yes"]
        with pytest.raises(NameNotFound) as caught:
            result["yess"]
        message = "got the name 'yess'; did you mean yes? there is: no, yes"
        assert str(caught.value) == message
        assert isinstance(caught.value, KeyError)


def test_near_editions_are_named() -> None:
    """A slug or edition that is not there is answered with those that are."""
    stored = [ListedSurvey("d" * 64, "health", edition, False, "x") for edition in (1, 2)]
    with pytest.raises(SurveyNotFound) as caught:
        select_survey(stored, "health@3")
    assert str(caught.value) == (
        "got the survey 'health@3'; did you mean health@2 or health@1? the store contains: "
        "health@1, health@2; name one of them, or its slug for the newest edition"
    )
    with pytest.raises(SurveyNotFound, match=r"^got the survey something of the type PosixPath; "):
        select_survey(stored, Path("health"))  # type: ignore[arg-type]
