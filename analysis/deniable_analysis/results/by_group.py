"""Estimates of each group and of the people of all of them, and how many reported."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

from deniable_analysis.charts import Chart
from deniable_analysis.forms import DataFrame, document_of
from deniable_analysis.parts import Line, Part, Table, joined, text_column, warning_lines
from deniable_analysis.presentation import OfQuestions, Presented, sections
from deniable_analysis.results.comparison import DIFFERENCES, Difference
from deniable_analysis.results.numbers import MEANS, MeanEstimate
from deniable_analysis.results.questions import QuestionEstimate
from deniable_analysis.results.responses import ALL_INVITED, RESPONSES, ResponseRate
from deniable_analysis.results.shares import OptionEstimate, share_table
from deniable_sdk.wording import counted

# People see a row's names as one text, and data have a column for each.
_NAMES = (text_column("question"), text_column("group"))
# More differences than a person reads; those with the smallest p-values are shown.
_MOST_SHOWN = 30


@dataclass(frozen=True, slots=True, kw_only=True)
class GroupDifference(Difference):
    """The difference of a share, or of the mean, between two groups.

    Args:
        groups: names of the first and the second group.
    """

    groups: tuple[str, str]

    def to_document(self) -> dict[str, Any]:
        """The difference as plain JSON values."""
        return {"groups": list(self.groups), **super(GroupDifference, self).to_document()}


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class GroupedQuestion(Presented):
    """The estimates of a question for each group, and for all invited people.

    Args:
        groups: name of each group, and its estimates.
        missing: names of the groups without a report on the question.
        interval: kind of the intervals of `options`: "score" or "normal".
        options: shares among all invited people: the sums of the groups'
            shares, weighted by their numbers of invited people. All numbers are
            None if a group is missing.
        mean: mean among all invited people who answered; None if the question
            has no mean.
        correction: correction of the p-values over all differences.
        differences: differences of each pair of groups with reports, for each
            option and then for the mean.
    """

    question: str
    type: str
    groups: tuple[tuple[str, QuestionEstimate], ...]
    missing: tuple[str, ...]
    interval: str
    options: tuple[OptionEstimate, ...]
    mean: MeanEstimate | None
    correction: str
    differences: tuple[GroupDifference, ...]

    @property
    def why(self) -> str:
        """Why there is no estimate for all invited people; empty if there is one."""
        if not self.missing:
            return ""
        if len(self.missing) == len(self.groups):
            return f"no estimate for {ALL_INVITED}: no report yet"
        some = " of some shares" if any(each.share is not None for each in self.options) else ""
        return (
            f"no estimate{some} for {ALL_INVITED}: no report from {', '.join(self.missing)}; "
            "merge it with a group of similar people (merge)"
        )

    def to_document(self) -> dict[str, Any]:
        """The estimates as plain JSON values."""
        return {
            "question": self.question,
            "type": self.type,
            "groups": [
                {"group": name, **estimate.to_document()} for name, estimate in self.groups
            ],
            "missing": list(self.missing),
            "all_invited": {
                "interval": self.interval,
                "options": [option.to_document() for option in self.options],
                "mean": self.mean.to_document() if self.mean else None,
            },
            "correction": self.correction,
            "differences": [each.to_document() for each in self.differences],
        }

    @property
    def named_warnings(self) -> tuple[tuple[str, str], ...]:
        """The warnings as pairs: the group, and the sentence."""
        return tuple((name, text) for name, estimate in self.groups for text in estimate.warnings)

    def shares(self) -> Iterator[tuple[str, OptionEstimate]]:
        """The name of each group with its share, and then all invited people; option by option."""
        for index, option in enumerate(self.options):
            for name, estimate in self.groups:
                yield name, estimate.options[index]
            reports = sum(estimate.options[index].reports for _, estimate in self.groups)
            yield ALL_INVITED, replace(option, reports=reports)

    def means(self) -> Iterator[tuple[str, MeanEstimate]]:
        """The name of each group with its mean, and then all invited people."""
        for name, estimate in self.groups:
            if estimate.mean:
                yield name, estimate.mean
        if self.mean:
            yield ALL_INVITED, self.mean

    def parts(self) -> Iterable[Part]:
        """The shares and means of all groups, and the differences between groups."""
        yield Line(f"{self.question} ({self.type}) by group")
        if self.options:
            yield self.table()
        means = self.mean_table()
        if means.rows:
            yield means
        yield Line(
            self.why or f"{ALL_INVITED}: groups weighted by their numbers of invited people"
        )
        yield from self._difference_parts()
        yield from warning_lines(f"{name}: {text}" for name, text in self.named_warnings)

    def table(self) -> Table:
        """A row for each option of each group, and of all invited people."""
        names = (text_column("", "share"), *_NAMES, text_column("option"))
        rows = [
            (f"{share.option}: {name}", self.question, name, share.option, share)
            for name, share in self.shares()
        ]
        return share_table(names, rows)

    def mean_table(self) -> Table:
        """A row for the mean of each group, and of all invited people."""
        rows = ((name, self.question, name, mean) for name, mean in self.means())
        return Table.of((text_column("", "mean"), *_NAMES), MEANS, rows)

    def difference_table(self, differences: Iterable[GroupDifference]) -> Table:
        """A row for each of some differences."""
        groups = (text_column("first_group"), text_column("second_group"))
        head = text_column("", f"difference ({self.correction})")
        rows = (
            (
                f"{each.name}: {' - '.join(each.groups)}",
                self.question,
                *each.groups,
                each.name,
                each,
            )
            for each in differences
        )
        names = (head, _NAMES[0], *groups, text_column("option"))
        return Table.of(names, DIFFERENCES, rows)

    def charts(self) -> Iterable[Chart]:
        """The shares of each group, and the means."""
        title = f"{self.question}, by group"
        shares = self.table().marks("share")
        if any(mark.value is not None for mark in shares):
            yield Chart(title, "share", shares)
        means = self.mean_table().marks("value")
        if any(mark.value is not None for mark in means):
            yield Chart(title, "mean of those who answered", means)

    @property
    def clearest(self) -> tuple[GroupDifference, ...]:
        """The differences that tables show: all, or those with the smallest p-values."""
        if len(self.differences) <= _MOST_SHOWN:
            return self.differences
        by_p = sorted(
            self.differences, key=lambda each: 2.0 if each.p_value is None else each.p_value
        )
        return tuple(by_p[:_MOST_SHOWN])

    def _difference_parts(self) -> Iterable[Part]:
        shown = self.clearest
        if not shown:
            return
        yield self.difference_table(shown)
        if len(shown) < len(self.differences):
            more = counted(len(self.differences) - len(shown), "difference", commas=True)
            yield Line(f"{more} with larger p-values: see differences_to_frame()")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class GroupedEstimates(OfQuestions):
    """The estimates of a survey by group.

    Args:
        responses: response of each group, in the survey's order.
        without_group: number of reports that no link gave a group; they are left out here.
    """

    responses: tuple[ResponseRate, ...]
    questions: tuple[GroupedQuestion, ...]
    without_group: int = 0

    @property
    def named_warnings(self) -> tuple[tuple[str, str], ...]:
        """The warnings as pairs: the group, or the question and the group, and the sentence."""
        return (
            *self._of_responses,
            *(
                (f"{question.question}, {name}", text)
                for question in self.questions
                for name, text in question.named_warnings
            ),
        )

    @property
    def _of_responses(self) -> tuple[tuple[str, str], ...]:
        warnings = [(each.name, text) for each in self.responses for text in each.warnings]
        if self.without_group:
            reports = counted(self.without_group, "report", commas=True)
            warnings.append((ALL_INVITED, f"left out here, without a group: {reports}"))
        return tuple(warnings)

    def to_document(self) -> dict[str, Any]:
        """The estimates as plain JSON values."""
        groups = [each.to_document() for each in self.responses]
        return {"groups": groups, **document_of(self, "responses")}

    def response_table(self) -> Table:
        """A row for each group: how many people were invited, and how many reported."""
        return Table.of((), RESPONSES, [(each,) for each in self.responses])

    def means_to_frame(self) -> DataFrame:
        """One row for each group of each question that has a mean, as a pandas data frame."""
        return joined(question.mean_table() for question in self.questions).to_frame()

    def differences_to_frame(self) -> DataFrame:
        """One row for each difference between two groups, as a pandas data frame."""
        tables = (each.difference_table(each.differences) for each in self.questions)
        return joined(tables).to_frame()

    def parts(self) -> Iterable[Part]:
        """The response of each group, then every question."""
        yield self.response_table()
        yield from warning_lines(f"{name}: {text}" for name, text in self._of_responses)
        yield from sections(self.questions)
