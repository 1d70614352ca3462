"""The page's content for one question, also of one that only some are asked."""

from dataclasses import dataclass

from babel.lists import format_list

from deniable_analysis.results import AmongAsked, QuestionEstimate
from deniable_analysis.results.questions import Untold
from deniable_sdk.survey.questions import Question
from deniable_web.pages.languages import catalog
from deniable_web.results.certainty import SplitView, forged_points, mean_split, share_split
from deniable_web.results.charts import ChartView, Row
from deniable_web.results.estimate_charts import (
    DistributionView,
    distribution_view,
    ends_of,
    mean_chart,
    quartile_rows,
    share_chart,
)
from deniable_web.results.findings import EditionFindings
from deniable_web.results.labels import Labels, isolated
from deniable_web.results.summary import headline_of

# The key of the sentence that every share is possible.
_TOO_FEW = "too_few"


@dataclass(frozen=True, slots=True)
class AskedView:
    """The respondents who were asked a question, and the shares among them.

    Args:
        found: the estimates.
        leading: the answers that lead to the question, in words.
        router: the text of the question that they answer.
        part: the share of those who were asked; None if it cannot be estimated.
        chart: the shares among them; None if none can be estimated.
        remarks: keys of the sentences on why nothing can be estimated, or all is possible, and
            what to declare.
    """

    found: AmongAsked
    leading: str
    router: str
    part: Row | None
    chart: ChartView[Row] | None
    remarks: tuple[str, ...]


def asked_view(found: AmongAsked, labels: Labels) -> AskedView:
    """The shares among those who were asked, in words and as a chart."""
    named = [(labels.answer(found.question, each.option), each) for each in found.options]
    (part,) = share_chart([("", found.asked)], labels.numbers).rows
    return AskedView(
        found=found,
        leading=format_list(
            [labels.quoted(labels.option(found.router, name)) for name in found.leading],
            "or",
            labels.numbers.locale,
        ),
        router=isolated(labels.question(found.router)),
        part=part if part.point is not None and part.interval else None,
        chart=None if found.untold else share_chart(named, labels.numbers),
        remarks=_remarks(found),
    )


def _remarks(found: AmongAsked) -> tuple[str, ...]:
    """Why nothing can be estimated, or that everything is possible; then what to declare."""
    if not found.why:
        return ()
    why = found.untold.value if found.untold else _TOO_FEW
    if found.can_join and found.untold is not Untold.SEVERAL:
        return (why, "join")
    return (why, "shares") if found.untold is Untold.MEAN_ONLY else (why,)


@dataclass(frozen=True, slots=True)
class QuestionView:
    """One question: its chart, its numbers and their margins.

    Args:
        asks: the question.
        found: its estimates.
        of_all: the shares of its options among all respondents; None without any.
        asked: who was asked, and the shares among them; None if all were asked.
        mean: the mean, the only row of its chart; None if there is none.
        split: the causes of the margin of the shares.
        mean_split: the causes of the margin of the mean.
        forged: by how many points made-up reports can change a share; "" without shares.
        distribution: the distribution of a number, if its mechanism allows one.
        quartiles: the rows of the quartiles; empty if there are none.
        is_blind: whether the intervals are too wide to distinguish anything.
    """

    asks: Question
    found: QuestionEstimate
    of_all: ChartView[Row] | None
    asked: AskedView | None
    mean: ChartView[Row] | None
    split: SplitView | None
    mean_split: SplitView | None
    forged: str
    distribution: DistributionView | None
    quartiles: tuple[tuple[str, ...], ...]
    is_blind: bool

    @property
    def chart(self) -> ChartView[Row] | None:
        """The shares that answer the question: those among the people who were asked."""
        return self.asked.chart if self.asked and self.asked.chart else self.of_all


def question_view(
    found: QuestionEstimate, findings: EditionFindings, labels: Labels
) -> QuestionView:
    """The page's content for a question's estimates."""
    numbers, question = labels.numbers, labels.find(found.question)
    confidence = findings.estimates.confidence
    named = [(labels.answer(question.id, each.option), each) for each in found.of_all]
    mean = found.mean if found.mean and found.mean.value is not None else None
    spread, quartiles = found.distribution, findings.quantiles.get(question.id)
    return QuestionView(
        asks=question,
        found=found,
        of_all=share_chart(named, numbers) if found.reports and named else None,
        asked=asked_view(found.among, labels) if found.among and found.reports else None,
        mean=mean_chart(question, [(_mean_name(question, labels), mean)], numbers)
        if mean
        else None,
        split=share_split(found.options, confidence, numbers),
        mean_split=mean_split(found.mean, confidence, numbers),
        forged=forged_points(found.options, numbers),
        distribution=distribution_view(spread, numbers) if spread else None,
        quartiles=quartile_rows(quartiles, numbers) if quartiles else (),
        is_blind=headline_of(question, found, findings).is_blind,
    )


def _mean_name(question: Question, labels: Labels) -> str:
    least, most = map(labels.numbers.short, ends_of(question))
    text = catalog("results", labels.numbers.language)["content"]["mean_from"]
    return text.format(least=least, most=most)
