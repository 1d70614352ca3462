"""Odd things to give, and a good call of each public function to give them to."""

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import numpy as np
import pandas as pd

from analysis.invited_groups import grouped_study, ward
from analysis.public_names import PUBLIC
from deniable_analysis import Channel, IntervalRule, Study
from deniable_analysis.designs import ByGroup, direct, prevalence, warner
from deniable_analysis.simulation import (
    simulate_block,
    simulate_survey,
    simulate_values,
    synthetic_records,
)
from sample_definitions import choice, number, scale, survey, yes_no

HUGE = 10**400
ODD: Mapping[str, Any] = {
    "None": None,
    "5": 5,
    "-1": -1,
    "0": 0,
    "1.5": 1.5,
    "nan": math.nan,
    "infinity": math.inf,
    "True": True,
    "huge": HUGE,
    "text": "x",
    "empty text": "",
    "NUL": "\0",
    "bytes": b"x",
    "empty list": [],
    "long list": [0.1] * 7,
    "list of None": [None, None],
    "list of texts": ["x", "y"],
    "ragged list": [[1, 2], [3]],
    "list of huge": [HUGE, HUGE],
    "set": {1, 2},
    "tuple": (1,),
    "empty mapping": {},
    "mapping": {"x": 1},
    "mapping of lists": {"x": [1, 2]},
    "tuples for keys": {(1, 2): [3]},
    "empty table": pd.DataFrame(),
    "table": pd.DataFrame({"x": [1, 2]}),
    "cube": np.zeros((2, 2, 2)),
    "complex": 1j,
    "type": int,
    "function": len,
    "object": object(),
}

CHANNEL = Channel(0.75, 0.25)
MECHANISM = survey(choice(required=True)).blocks[0].mechanism
TABLE = {"answer": ["yes", "no", "no", "yes", "no"], "mode": [1, 1, 2, 2, 2]}
BY_MODE = ByGroup("mode", {1: direct(), 2: warner(0.7)})


def study(seed: int) -> Study:
    """A small study with a question for every relation."""
    asked = (
        yes_no("asthma", required=True),
        choice("region"),
        scale("stress"),
        number("visits"),
        yes_no("told", show_if={"question": "asthma", "is": ["yes"]}),
    )
    published = survey(*asked, ask="all", epsilon=8)
    generator = np.random.default_rng(seed)
    answers = {
        question.id: generator.integers(question.domain.size, size=400)
        for question in published.questions
    }
    return simulate_survey(published, answers, generator)


class EmptyTable:
    """What open_table asks of a table of Ibis, which takes seconds to load."""

    def op(self) -> Any: ...
    def schema(self) -> Any: ...
    def group_by(self, *by: Any, **key_exprs: Any) -> Any: ...
    def to_pyarrow(self) -> Any: ...


STUDY, OTHER = study(1), study(2)
INVITED = grouped_study(
    ward(yes_no(required=True)),
    {group: {"asthma": [9, 9]} for group in ("nurses", "doctors", "cleaners")},
)


def of_group(group: Any) -> Study:
    """The study of one group."""
    return INVITED.group(group)


@dataclass(frozen=True, slots=True)
class Example:
    """A function that works with these arguments."""

    function: Callable[..., object]
    arguments: Mapping[str, Any]


def public(function: str, /, **arguments: Any) -> tuple[str, Example]:
    """A public function of this name with its arguments."""
    return function, Example(PUBLIC[function], arguments)


def method(name: str, /, **arguments: Any) -> tuple[str, Example]:
    """A method of a study with its arguments."""
    return f"Study.{name}", Example(getattr(STUDY, name), arguments)


SURE = {"confidence": 0.95}
INTERVALS = {"confidence": 0.95, "simultaneous": False, "interval": "wilson"}
OF_PEOPLE = {**SURE, "interval": "wilson", "population": 500}
OF_TABLE = {"data": TABLE, "column": "answer", "design": BY_MODE, "weights": [1.0] * 5}
ALL_TOGETHER: Mapping[str, Any] = {"by_group": False, "merge": ()}
BY_GROUP: Mapping[str, Any] = {"by_group": True, "merge": [["nurses", "doctors"]]}
HALVES = ((0.75, 0.25), (0.25, 0.75))
AB = ("a", "b")
WAVES = [STUDY, OTHER]
TWO = {1: 0.2, 2: 0.8}
OF_SHARES: Mapping[str, Any] = {"shares": [0.2, 0.3], "report_count": 10}
PAIR: Mapping[str, Any] = {"first": "region", "second": "stress"}

EXAMPLES: Mapping[str, Example] = dict(
    [
        public("ByGroup", column="mode", designs={1: warner(0.7), 2: warner(0.8)}),
        public("Channel", keep=0.75, flip=0.25),
        public("Design", name="d", observed=AB, true=AB, caveat="", matrix=HALVES, estimator=None),
        public(
            "IntervalRule",
            interval="wilson",
            confidence=0.9,
            comparisons=1,
            population=None,
            planned=None,
        ),
        public(
            "UnknownDesign",
            name="d",
            groups=(1,),
            observed=AB,
            true=AB,
            unknown=(),
            constants=(HALVES,),
            slopes=(),
            meanings=(),
        ),
        public("belief_bounds", prior=0.5, ratio=Fraction(7)),
        public("cheating_detection", forced_yes=TWO),
        public("cheating_detection_symmetric", forced={1: (0.2, 0.3), 2: (0.4, 0.1)}),
        public(
            "compare",
            first=STUDY,
            second=OTHER,
            question="asthma",
            correction="holm",
            **INTERVALS,
        ),
        public(
            "compare_with_norm",
            study=STUDY,
            question="stress",
            mean=3,
            sd=1,
            population=500,
            **SURE,
        ),
        public("compare_with_direct", **OF_TABLE, method="moment", **SURE),
        public("compose", epsilons=[1, 0.5], delta=0.01),
        public("count_values", mechanism=MECHANISM, values=np.array([0, 1, 2])),
        public("covariance_matrix", shares=[0.2, 0.3, 0.5], report_count=10, mechanism=MECHANISM),
        public("crosswise", prevalence=0.3),
        public("debias", support=[1, 2], report_count=3, channel=CHANNEL),
        public("direct", categories=AB),
        public("disguised", truth=0.7),
        public(
            "export_study", location="none.db", path="none.csv", survey="health", language="de"
        ),
        public(
            "export_release",
            location="none.db",
            path="none.json",
            survey="health",
            epsilon="1",
            site="",
        ),
        public("export_parts", location="none.db", folder="none-parts", survey="health"),
        public("forced_choice", forced={"a": 0.1, "b": 0.2}),
        public("forced_response", yes=0.1, no=0.2),
        public("from_matrix", matrix=HALVES, observed=AB, true=AB, name="m"),
        public("from_mechanism", mechanism=MECHANISM, true=["a", "b", "c"]),
        public("guess_with_report", mechanism=MECHANISM),
        public("guess_without_report", domain=MECHANISM.domain),
        public("kuk", yes=0.2, no=0.6, draws=2),
        public("likelihoods", table=TABLE, column="answer", design=BY_MODE),
        public("mangat", truth=0.7),
        public(
            "manipulation_margin", channel=CHANNEL, forged=0.1, options=1, supported=1, share=0.0
        ),
        public("mechanism_variance", **OF_SHARES, channel=CHANNEL),
        public("most_detected", false_alarms=0.1, ratio=Fraction(7)),
        public("open_editions", location="none.db", slug="health", token="secret"),  # noqa: S106 - of nobody
        public(
            "open_sites",
            locations=["none.db"],
            survey="health",
            token="secret",  # noqa: S106 - of nobody
            without=["b"],
        ),
        public("open_study", location="none.db", survey="health", token="secret"),  # noqa: S106 - of nobody
        public("open_table", table=EmptyTable(), survey=STUDY.survey),
        public("pool_studies", studies=WAVES, question="asthma", **INTERVALS),
        public("prevalence", **OF_TABLE, method="moment", **INTERVALS),
        public("project_to_simplex", shares=[0.2, 0.3]),
        public("sampling_variance", **OF_SHARES),
        public(
            "share_interval",
            support=[1, 2],
            report_count=3,
            channel=CHANNEL,
            rule=IntervalRule(),
        ),
        public("stochastic_lie_detector", no=TWO),
        public("tell_apart_error", ratio=Fraction(7)),
        public("total_variance", **OF_SHARES, channel=CHANNEL),
        public(
            "screened_prevalence",
            study=STUDY,
            question="stress",
            above=4,
            below=None,
            positive=None,
            sensitivity=0.9,
            specificity=(80, 90),
            **OF_PEOPLE,
        ),
        public("shuffled_epsilon", ratio=Fraction(7), reports=1000, delta=0.01),
        public("share_above", study=STUDY, question="stress", cutoff=4, **OF_PEOPLE),
        public("share_below", study=STUDY, question="stress", cutoff=4, **OF_PEOPLE),
        public("trend", studies=WAVES, question="asthma", times=[1, 2], correction="holm", **SURE),
        public("triangular", prevalence=0.3),
        public("unrelated_question", sensitive=0.3, prevalence=0.4),
        public("unrelated_question_unknown", sensitive=TWO),
        public("valid_counts", **OF_SHARES),
        public("warner", truth=0.7),
        public(
            "weighted_shares",
            support=[[0, 1], [1, 0], [1, 0]],
            weights=[1.0, 2.0, 3.0],
            channel=CHANNEL,
            rule=IntervalRule(),
        ),
    ]
)
GENERATOR = np.random.default_rng(3)
OF_BLOCK = {"mechanism": MECHANISM, "answers": [0, 1], "generator": GENERATOR}
OF_SURVEY = {"survey": survey(yes_no(required=True)), "answers": {"asthma": [0, 1]}}
METHODS: Mapping[str, Example] = dict(
    [
        method("estimate", question="asthma", **INTERVALS, population=None, **ALL_TOGETHER),
        method("crosstab", **PAIR, **INTERVALS, population=None),
        method("independence", **PAIR),
        method(
            "compare_groups",
            question="region",
            by="stress",
            groups=("1", "2"),
            correction="holm",
            interval="wilson",
            **SURE,
        ),
        method("winner", question="region"),
        method("quantiles", question="stress", probabilities=(0.25, 0.5), **SURE),
        method("survival", question="stress", not_yet=None, **INTERVALS),
        method("among_asked", question="told", **SURE),
        ("Study.group", Example(of_group, {"group": "nurses"})),
        ("Study.counts_by_group", Example(INVITED.counts_by_group, {})),
    ]
)
OTHERS: Mapping[str, Example] = {
    "Study.estimate by group": Example(
        INVITED.estimate, {"question": "asthma", **INTERVALS, "population": None, **BY_GROUP}
    ),
    "counts": Example(prevalence, {"data": [30, 40], "column": None, "design": warner(0.7)}),
    "simulate_block": Example(simulate_block, OF_BLOCK),
    "simulate_values": Example(simulate_values, OF_BLOCK),
    "simulate_survey": Example(simulate_survey, {**OF_SURVEY, "generator": GENERATOR}),
    "synthetic_records": Example(
        synthetic_records,
        {"crosstab": STUDY.crosstab(**PAIR), "records": 3, "generator": GENERATOR},
    ),
}
