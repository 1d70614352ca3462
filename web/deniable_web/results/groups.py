"""Results by group of a closed survey by invitation, ready to be rendered."""

from collections.abc import Iterator
from dataclasses import dataclass

from deniable_analysis import Estimates, GroupedQuestion, QuestionEstimate
from deniable_web.group_rows import mean_rows, option_rows
from deniable_web.results.charts import ChartView
from deniable_web.results.differences import DifferenceRow, mean_difference, share_differences
from deniable_web.results.labels import Labels, isolated
from deniable_web.results.means import mean_chart
from deniable_web.results.shares import EstimateRow, share_charts

# More rows than this are shown as a table only.
MOST_CHARTED = 60


@dataclass(frozen=True, slots=True)
class DifferencesView:
    """The differences between groups that are shown: all, or those with the smallest p-values.

    Args:
        chart: the differences of shares.
        pairs: the same differences and those of means, each after the option ("" for the
            mean) and the names of both groups.
        total: how many differences there are.
        clear: how many of those shown are clear.
    """

    chart: ChartView[DifferenceRow]
    pairs: tuple[tuple[str, tuple[str, ...], DifferenceRow], ...]
    total: int
    clear: int


@dataclass(frozen=True, slots=True)
class GroupedQuestionView:
    """One question by group.

    Args:
        found: the estimates.
        options: the label of each option and its shares in each group, among all invited
            people and in all reports; all on one axis, and some may be unknown.
        means: the same of the means; None if there are none.
        is_charted: whether there are few enough rows for charts.
        missing: the groups without a report on the question, or on some of its options, in
            words; "" if there are none.
        differences: the differences between groups; None if there are none.
        warnings: the warnings about the reports of a group, in English.
    """

    found: GroupedQuestion
    options: tuple[tuple[str, ChartView[EstimateRow]], ...]
    means: ChartView[EstimateRow] | None
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
        questions: the questions in their order.
    """

    confidence: float
    groups: tuple[tuple[str, str, bool], ...]
    merged: str
    questions: tuple[GroupedQuestionView, ...]


def groups_view(found: Estimates, labels: Labels) -> GroupsView:
    """The page's content for estimates by group."""
    grouped, invited = found.by_group, labels.survey.invited
    responses, questions = (grouped.responses, grouped.questions) if grouped else ((), ())
    strata = [each.name for each in responses if " + " in each.name]
    merged = {name for stratum in strata for name in stratum.split(" + ")}
    return GroupsView(
        confidence=found.confidence,
        groups=tuple(
            (each.id, labels.group(each.id), each.id in merged)
            for each in (invited.groups if invited else ())
        ),
        merged=labels.groups(strata),
        questions=tuple(
            _question_view(each, plain, found.confidence, labels)
            for each, plain in zip(questions, found.questions, strict=True)
        ),
    )


def _question_view(
    found: GroupedQuestion, plain: QuestionEstimate, confidence: float, labels: Labels
) -> GroupedQuestionView:
    options = option_rows(found, plain)
    named = [[(labels.group(name), share) for name, share in each.shares] for each in options]
    means = [(labels.group(name), mean) for name, mean in mean_rows(found, plain)]
    question = labels.find(found.question)
    return GroupedQuestionView(
        found=found,
        options=tuple(
            (labels.option(found.question, each.option), chart)
            for each, chart in zip(options, share_charts(named, labels.numbers), strict=True)
        ),
        means=mean_chart(question, means, labels.numbers) if means else None,
        is_charted=sum(map(len, named)) + len(means) <= MOST_CHARTED,
        missing=labels.listed(_missing(found, labels)),
        differences=_differences_view(found, confidence, labels),
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
    found: GroupedQuestion, confidence: float, labels: Labels
) -> DifferencesView | None:
    if not found.differences:
        return None
    options = {each.option for each in found.options}
    shown = [(tuple(map(labels.group, each.groups)), each) for each in found.clearest]
    named = [
        (f"{labels.option(found.question, each.name)}: {' − '.join(map(isolated, groups))}", each)
        for groups, each in shown
        if each.name in options
    ]
    chart = share_differences(named, confidence, labels.numbers)
    rows = iter(chart.rows)
    pairs = []
    for groups, each in shown:
        if each.name in options:
            pairs.append((labels.option(found.question, each.name), groups, next(rows)))
        else:
            pairs.append(("", groups, mean_difference(each, confidence, labels.numbers)))
    return DifferencesView(
        chart=chart,
        pairs=tuple(pairs),
        total=len(found.differences),
        clear=sum(row.is_clear for _, _, row in pairs),
    )
