"""Results by group of a closed survey by invitation, ready to be rendered."""

from dataclasses import dataclass, replace

from deniable_analysis import Estimates, GroupDifference, GroupedQuestion, QuestionEstimate
from deniable_web.group_rows import mean_rows, option_rows
from deniable_web.results.differences import (
    DifferenceRow,
    mean_difference,
    share_difference,
    share_scale,
)
from deniable_web.results.labels import Labels, PageLocale
from deniable_web.results.means import MeanView, mean_views
from deniable_web.results.response import isolated, listed
from deniable_web.results.shares import ShareChart, ShareRow, Tick, share_charts

# More rows than this are shown as a table only.
MOST_CHARTED = 60


@dataclass(frozen=True, slots=True)
class OptionView:
    """An option, and its share in each group, among all invited people and in all reports.

    Args:
        name: the label of the option.
        rows: its shares; some may be unknown.
        chart: the shares that are known.
    """

    name: str
    rows: tuple[ShareRow, ...]
    chart: ShareChart


@dataclass(frozen=True, slots=True)
class PairRow:
    """A difference between two groups.

    Args:
        names: the names of the first and the second group.
        numbers: the difference, with the name of the pair and the option for the chart.
    """

    names: tuple[str, str]
    option: str
    numbers: DifferenceRow


@dataclass(frozen=True, slots=True)
class DifferencesView:
    """The differences between groups that are shown: all, or those with the smallest p-values.

    Args:
        rows: the differences of shares, for a chart.
        ticks: the marks on its axis.
        zero: the position of a difference of 0.
        pairs: the same differences, and those of means, for a table.
        shown: how many these are, in words.
        all: how many differences there are, in words.
        is_cut: whether these are more.
        clear: how many of those shown are clear, in words; "" if none is.
    """

    rows: tuple[DifferenceRow, ...]
    ticks: tuple[Tick, ...]
    zero: float
    pairs: tuple[PairRow, ...]
    shown: str
    all: str
    is_cut: bool
    clear: str


@dataclass(frozen=True, slots=True)
class GroupedQuestionView:
    """One question by group.

    Args:
        id: the id of the question.
        text: the text of the question.
        unit: the unit of its numbers; "" if it has none.
        options: the shares of each option, all on one axis.
        means: the name of each group and its mean, all on one line.
        is_charted: whether there are few enough rows for charts.
        missing: the groups without a report on the question, in words; "" if there are none.
        differences: the differences between groups; None if there are none.
        warnings: the warnings about the reports of a group, in English.
    """

    id: str
    text: str
    unit: str
    options: tuple[OptionView, ...]
    means: tuple[tuple[str, MeanView], ...]
    is_charted: bool
    missing: str
    differences: DifferencesView | None
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class GroupsView:
    """All questions by group.

    Args:
        confidence: the confidence of the intervals, in percent.
        groups: the id and the name of each invited group, and whether it is merged with others.
        merged: the groups that count as one, in words; "" if none do.
        questions: the questions in their order.
    """

    confidence: str
    groups: tuple[tuple[str, str, bool], ...]
    merged: str
    questions: tuple[GroupedQuestionView, ...]


def groups_view(found: Estimates, locale: PageLocale) -> GroupsView:
    """The page's content for estimates by group."""
    grouped, labels = found.by_group, locale.labels
    responses, questions = (grouped.responses, grouped.questions) if grouped else ((), ())
    strata = [each.name for each in responses if " + " in each.name]
    merged = {name for stratum in strata for name in stratum.split(" + ")}
    invited = labels.survey.invited
    return GroupsView(
        confidence=locale.numbers.percent(found.confidence, 0),
        groups=tuple(
            (each.id, labels.group(each.id), each.id in merged)
            for each in (invited.groups if invited else ())
        ),
        merged=listed([labels.group(name) for name in strata], locale.numbers),
        questions=tuple(
            _question_view(each, plain, found.confidence, locale)
            for each, plain in zip(questions, found.questions, strict=True)
        ),
    )


def _question_view(
    found: GroupedQuestion, plain: QuestionEstimate, confidence: float, locale: PageLocale
) -> GroupedQuestionView:
    labels, numbers, is_mirrored = locale.labels, locale.numbers, locale.is_mirrored
    options = option_rows(found, plain)
    named = [[(labels.group(name), share) for name, share in each.shares] for each in options]
    charts = share_charts(named, numbers, is_mirrored=is_mirrored)
    means = mean_rows(found, plain)
    views = mean_views(
        labels.find(found.question),
        [mean for _, mean in means],
        numbers,
        is_mirrored=is_mirrored,
    )
    return GroupedQuestionView(
        id=found.question,
        text=labels.question(found.question),
        unit=labels.unit(found.question),
        options=tuple(
            _option_view(labels.option(found.question, each.option), chart)
            for each, chart in zip(options, charts, strict=True)
        ),
        means=tuple(
            (labels.group(name), view) for (name, _), view in zip(means, views, strict=True)
        ),
        is_charted=sum(map(len, named)) + len(means) <= MOST_CHARTED,
        missing=listed(
            [_missing(each, found.question, labels) for each in found.missing], numbers
        ),
        differences=_differences_view(found, confidence, locale),
        warnings=tuple(f"{name}: {text}" for name, text in found.named_warnings),
    )


def _option_view(name: str, chart: ShareChart) -> OptionView:
    known = tuple(each for each in chart.rows if each.point is not None)
    return OptionView(name, chart.rows, replace(chart, rows=known))


def _missing(named: str, question_id: str, labels: Labels) -> str:
    """The name of a group, with the options that none of its reports shows if it has reports."""
    name, _, options = named.removesuffix(")").partition(" (")
    unknown = [labels.option(question_id, each) for each in options.split(", ") if each]
    return labels.group(name) + (f" ({', '.join(unknown)})" if unknown else "")


def _differences_view(
    found: GroupedQuestion, confidence: float, locale: PageLocale
) -> DifferencesView | None:
    if not found.differences:
        return None
    names = {option.option for option in found.options}
    shares = [each for each in found.clearest if each.name in names]
    scale = share_scale(shares, locale, confidence)
    pairs = []
    for each in found.clearest:
        groups = _pair(each, locale.labels)
        if each.name in names:
            option = locale.labels.option(found.question, each.name)
            row = share_difference(each, f"{option}: {' − '.join(map(isolated, groups))}", scale)
        else:
            option, row = "", mean_difference(each, locale, confidence)
        pairs.append(PairRow(groups, option, row))
    clear = sum(each.numbers.is_clear for each in pairs)
    return DifferencesView(
        rows=tuple(each.numbers for each in pairs if each.option),
        ticks=scale.ticks,
        zero=scale.zero,
        pairs=tuple(pairs),
        shown=locale.numbers.count(len(pairs)),
        all=locale.numbers.count(len(found.differences)),
        is_cut=len(pairs) < len(found.differences),
        clear=locale.numbers.count(clear) if clear else "",
    )


def _pair(found: GroupDifference, labels: Labels) -> tuple[str, str]:
    first, second = found.groups
    return labels.group(first), labels.group(second)
