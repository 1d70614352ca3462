"""Results by group of a closed survey, ready to be rendered."""

from collections.abc import Iterator
from dataclasses import dataclass

from deniable_analysis import Estimates
from deniable_analysis.results import GroupedQuestion, QuestionEstimate
from deniable_analysis.results.by_group import GroupDifference
from deniable_sdk.survey.questions import Question
from deniable_web.results.charts import Axis, ChartView, Row
from deniable_web.results.differences import (
    DifferenceRow,
    mean_differences,
    share_axis,
    share_differences,
)
from deniable_web.results.estimate_charts import mean_chart, share_chart
from deniable_web.results.findings import mean_rows, option_rows
from deniable_web.results.labels import Labels, isolated
from deniable_web.results.summary import by_relevance

# More rows than this are shown as a table only.
MOST_CHARTED = 60


@dataclass(frozen=True, slots=True)
class DifferencesView:
    """The differences between groups that are shown: all, or those with the smallest p-values.

    Args:
        shares: those of shares.
        means: those of means.
        total: how many differences there are.
    """

    shares: ChartView[DifferenceRow]
    means: ChartView[DifferenceRow]
    total: int

    @property
    def rows(self) -> tuple[DifferenceRow, ...]:
        """All that are shown."""
        return (*self.shares.rows, *self.means.rows)

    @property
    def clear(self) -> tuple[DifferenceRow, ...]:
        """Those that are clear."""
        return tuple(each for each in self.rows if each.is_clear)


@dataclass(frozen=True, slots=True)
class GroupedQuestionView:
    """One question by group.

    Args:
        found: the estimates.
        options: the label of each option and its shares in each group, among all invited
            people and in all reports; all on one axis, and some may be unknown. The most
            relevant option comes first.
        means: the same of the means; None if there are none.
        is_charted: whether there are few enough rows for charts.
        missing: the groups without a report on the question, or on some of its options, in
            words; "" if there are none.
        differences: the differences between groups; None if there are none.
        warnings: the warnings about the reports of a group, in English.
    """

    found: GroupedQuestion
    options: tuple[tuple[str, ChartView[Row]], ...]
    means: ChartView[Row] | None
    is_charted: bool
    missing: str
    differences: DifferencesView | None
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GroupsView:
    """All questions by group.

    Args:
        confidence: the confidence of the intervals.
        groups: the id and the name of each invited group, and whether it is merged with others.
        merged: the groups that count as one, in words; "" if none do.
        missing: the groups without a report on any question, in words; "" if questions differ.
        by_link: whether links give the groups.
        without: how many reports have no group, in words; "" if there are none.
        questions: the questions in their order.
    """

    confidence: float
    groups: tuple[tuple[str, str, bool], ...]
    merged: str
    missing: str
    by_link: bool
    without: str
    questions: tuple[GroupedQuestionView, ...]


def groups_view(found: Estimates, labels: Labels) -> GroupsView:
    """The page's content for estimates by group."""
    grouped = found.by_group
    responses, questions = (grouped.responses, grouped.questions) if grouped else ((), ())
    without = grouped.without_group if grouped else 0
    strata = [each.name for each in responses if " + " in each.name]
    merged = {name for stratum in strata for name in stratum.split(" + ")}
    axis = share_axis([one for each in questions for one in _split(each)[0]], labels.numbers)
    plain = {each.question: each for each in found.questions}
    views = tuple(
        _question_view(each, plain[each.question], found.confidence, axis, labels)
        for each in questions
    )
    missing = {each.missing for each in views}
    return GroupsView(
        confidence=found.confidence,
        groups=tuple(
            (each.id, labels.group(each.id), each.id in merged) for each in labels.survey.groups
        ),
        merged=labels.groups(strata),
        missing=missing.pop() if len(missing) == 1 else "",
        by_link=bool(labels.survey.link_groups),
        without=labels.numbers.count(without) if without else "",
        questions=views,
    )


def _question_view(
    found: GroupedQuestion, plain: QuestionEstimate, confidence: float, axis: Axis, labels: Labels
) -> GroupedQuestionView:
    question, rows = labels.find(found.question), option_rows(found, plain)
    means = [(labels.group(name), mean) for name, mean in mean_rows(found, plain)]
    _, relevant = by_relevance(question, plain.options)
    places = {each.option: place for place, each in enumerate(relevant)}
    named = {
        option: [(labels.group(name), share) for name, share in rows[option]]
        for option in sorted(rows, key=lambda option: places.get(option, len(places)))
    }
    return GroupedQuestionView(
        found=found,
        options=tuple(
            (labels.option(found.question, option), share_chart(shares, labels.numbers))
            for option, shares in named.items()
        ),
        means=mean_chart(question, means, labels.numbers) if means else None,
        is_charted=sum(map(len, named.values())) + len(means) <= MOST_CHARTED,
        missing=labels.listed(_missing(found, labels)),
        differences=_differences_view(found, question, confidence, axis, labels),
        warnings=tuple(f"{name}: {text}" for name, text in found.named_warnings),
    )


def _missing(found: GroupedQuestion, labels: Labels) -> Iterator[str]:
    """The names of groups, each with the options that none of its reports shows if it has any."""
    for name, estimate in found.groups:
        unknown = [each.option for each in estimate.options if each.share is None]
        if not estimate.reports or len(unknown) == len(estimate.options) > 0:
            yield labels.group(name)
        elif unknown:
            options = ", ".join(labels.option(found.question, each) for each in unknown)
            yield f"{labels.group(name)} ({options})"


def _differences_view(
    found: GroupedQuestion, question: Question, confidence: float, axis: Axis, labels: Labels
) -> DifferencesView | None:
    if not found.differences:
        return None

    def pair(each: GroupDifference) -> str:
        return " − ".join(isolated(labels.group(group)) for group in each.groups)

    shares, means = _split(found)
    named = [(f"{labels.option(question.id, each.name)}: {pair(each)}", each) for each in shares]
    paired = [(pair(each), each) for each in means]
    return DifferencesView(
        shares=share_differences(named, confidence, axis, labels.numbers),
        means=mean_differences(paired, confidence, question, labels.numbers),
        total=len(found.differences),
    )


def _split(found: GroupedQuestion) -> tuple[list[GroupDifference], list[GroupDifference]]:
    """The differences of shares, and those of means; an option can be called "mean" too."""
    options = {each.option for each in found.options}
    shares = [each for each in found.clearest if each.name in options]
    return shares, [each for each in found.clearest if each.name not in options]
