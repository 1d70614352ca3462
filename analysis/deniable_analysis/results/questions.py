"""The estimates of a question: among all respondents, and among those who were asked it."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from deniable_analysis.charts import Chart
from deniable_analysis.forms import asked_of, document_of
from deniable_analysis.parts import Line, Part, Table, warning_lines
from deniable_analysis.presentation import Named, Presented
from deniable_analysis.results.answers import NOT_ASKED
from deniable_analysis.results.numbers import DistributionEstimate, MeanEstimate
from deniable_analysis.results.shares import (
    OptionEstimate,
    forgery_note,
    option_table,
)


class Untold(StrEnum):
    """Why the shares among those who were asked are not identified."""

    NO_REPORT = "no_report"
    SEVERAL = "several"
    MEAN_ONLY = "mean_only"
    NOT_REPORTED = "not_reported"


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class AmongAsked(Presented, Named[OptionEstimate]):
    """The answers of respondents who were led to a question.

    Args:
        router: question whose answers lead to it.
        leading: options of the router that lead to it.
        design: "joint" if both questions were randomized as one answer, "same"
            if the same respondents were asked both separately, otherwise
            "different".
        untold: reason why nothing can be estimated; None if everything can. It depends on
            the design and on whether there are reports, never on what they say.
        tells_refusals: whether "not asked" and "no answer" are two shares of all
            respondents. It depends on the design and the number of reports.
        can_join: whether a crosstab of both questions would identify more.
        asked: share of those who were asked, among all respondents.
        refused: share of those who were asked and preferred not to say, among
            all respondents.
        options: shares of the answers among those who were asked; all numbers are None if
            untold. Intervals for one look invert score tests. If the reports do not even
            show that anybody was asked, they are up to 0 to 1, and there are no variances;
            otherwise they may reach outside 0 to 1.
    """

    question: str
    router: str
    leading: tuple[str, ...]
    design: str
    untold: Untold | None
    tells_refusals: bool
    can_join: bool
    asked: OptionEstimate
    refused: OptionEstimate
    options: tuple[OptionEstimate, ...]

    @property
    def is_open(self) -> bool:
        """Whether the reports leave all shares from 0 to 1 possible, for each answer."""
        return self.untold is None and all(
            each.low is not None and each.low <= 0 and each.high is not None and each.high >= 1
            for each in self.options
        )

    @property
    def why(self) -> str:
        """Why the shares are unknown or wide open, and what to declare; "" if they are neither."""
        if self.untold is None and not self.is_open:
            return ""
        path = f"{self.router} leads to {self.question}"
        joined = f"declare crosstabs: [[{self.router}, {self.question}]]"
        if self.untold is Untold.NOT_REPORTED:
            return (
                f"{path}, and is never reported; let a score or a reported question lead there, "
                "or report this one too"
            )
        if self.untold is Untold.SEVERAL:
            return (
                f"{path} by any of several options, and how many chose at least one of them "
                f"cannot be estimated; let one option lead there, or ask {self.router} as a "
                "choice"
            )
        if self.untold is Untold.MEAN_ONLY:
            return f"{path}, and its reports estimate only its mean; " + (
                joined if self.can_join else f"declare target: shares for {self.router}"
            )
        if self.untold is Untold.NO_REPORT:
            return f"{path}, and one of the two has no report yet; wait for reports"
        wait = f"wait for more, or {joined} before the next edition"
        return (
            f"{path}, and by the reports every share from 0 to 1 is possible for those who came "
            f"there; {wait if self.can_join else 'wait for more'}"
        )

    def of_all(self, options: tuple[OptionEstimate, ...]) -> tuple[OptionEstimate, ...]:
        """The shares among all respondents, with a share of those who were not asked.

        Args:
            options: shares of the question's options, "no_answer" last.
        """
        *answers, none = options
        if not self.tells_refusals or none.valid_share is None:
            return options
        valid = min(max(self.refused.share or 0.0, 0.0), none.valid_share)
        not_asked = _rest(self.asked, none.valid_share - valid)
        return (*answers, not_asked, replace(self.refused, valid_share=valid))

    def to_document(self) -> dict[str, Any]:
        """The shares as plain JSON values."""
        totals = {
            name: document_of(share, "option")
            for name, share in (("asked", self.asked), ("refused", self.refused))
        }
        options = [option.to_document() for option in self.options]
        plain = document_of(self, "tells_refusals", "can_join", "asked", "refused", "options")
        return {**plain, "why": self.why, **totals, "options": options}

    def table(self) -> Table:
        """A row for each answer."""
        return option_table(self.options, question=self.question)

    def _named(self) -> Mapping[str, OptionEstimate]:
        return {each.option: each for each in self.options}

    def parts(self) -> Iterable[Part]:
        """The share of respondents who were asked, and the shares among them."""
        leading = " or ".join(self.leading)
        yield Line(f"among those who were asked {self.question} ({self.router}: {leading})")
        if self.untold:
            yield Line(f"cannot be estimated: {self.why}")
            return
        yield self.table()
        if self.why:
            yield Line(self.why, is_warning=True)

    def charts(self) -> Iterable[Chart]:
        """The shares among those who were asked."""
        if not self.untold:
            title = f"{self.question}, among those who were asked"
            yield Chart(title, "share of those asked", self.table().marks("share"))


def _rest(asked: OptionEstimate, valid: float) -> OptionEstimate:
    """The share of those who were not asked: 1 minus the share who were."""
    ends = (asked.share, asked.high, asked.low)
    share, low, high = (None if end is None else 1 - end for end in ends)
    return replace(asked, option=NOT_ASKED, share=share, low=low, high=high, valid_share=valid)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class QuestionEstimate(Presented, Named[OptionEstimate]):
    """All estimates of one question that its reports identify.

    Args:
        blocks: blocks that contain the question. If it is in several crosstabs,
            their estimates are pooled.
        reports: total number of reports of these blocks.
        epsilon: largest privacy loss of a report on one of these blocks.
        interval: kind of the options' intervals: "wilson", "clopper-pearson" or
            "normal". The interval of a mean is always normal.
        options: shares in the question's order, "no_answer" last if it is an
            option. For a number only "no_answer"; empty if everybody must
            answer.
        mean: mean of a number or scale; None for other questions.
        distribution: distribution of a number or scale randomized by
            `piecewise` without rounding; otherwise None.
        among: shares among those who were asked, if the question has `show_if`;
            None if everybody is asked.
    """

    question: str
    type: str
    blocks: tuple[str, ...]
    reports: int
    epsilon: float
    interval: str
    options: tuple[OptionEstimate, ...]
    mean: MeanEstimate | None = None
    distribution: DistributionEstimate | None = None
    among: AmongAsked | None = None
    warnings: tuple[str, ...] = ()

    def to_document(self) -> dict[str, Any]:
        """The estimates as plain JSON values."""
        among = self.among.to_document() if self.among else None
        return {**document_of(self, "among", "warnings"), "among_asked": among}

    @property
    def of_all(self) -> tuple[OptionEstimate, ...]:
        """The shares among all respondents, with names for people.

        If not all respondents are asked, "no_answer" is renamed to "not asked
        or no_answer", or becomes two shares if the reports distinguish the two.
        """
        return self.among.of_all(self.options) if self.among else self.options

    def table(self) -> Table:
        """A row for each option, with the shares among all respondents."""
        names: dict[str, Any] = {
            "question": self.question,
            "type": self.type,
            "epsilon": self.epsilon,
        }
        return option_table(self.of_all, **names)

    def _named(self) -> Mapping[str, OptionEstimate]:
        return {each.option: each for each in self.of_all}

    @property
    def title(self) -> str:
        """The question with the number of reports and epsilon."""
        return f"{self.question} ({self.type}): {asked_of(self.reports, self.epsilon)}"

    def parts(self) -> Iterable[Part]:
        """The shares, the shares among those asked, the mean, the distribution, and warnings."""
        if not self.reports:
            yield Line(self.title)
            yield Line("no report carries this question yet, so there is no estimate")
            return
        is_plain = self.blocks == (self.question,)
        source = "" if is_plain else f", from {', '.join(self.blocks)}; {self.interval} intervals"
        yield Line(self.title + source)
        if self.options:
            yield self.table()
            yield Line(forgery_note(self.options))
        for part in (self.among, self.mean, self.distribution):
            if part is not None:
                yield from part.parts()
        yield from warning_lines(self.warnings)

    def charts(self) -> Iterable[Chart]:
        """The shares, the shares among those asked, the mean, and the distribution."""
        if not self.reports:
            return
        if self.options:
            unit = "share of those asked" if self.among is None else "share of all respondents"
            yield Chart(self.title, unit, self.table().marks("share"))
        for part in (self.among, self.mean, self.distribution):
            for chart in part.charts() if part is not None else ():
                yield replace(chart, title=f"{self.title}; {chart.title}")
