"""Estimates of each site of a study, and how much the sites differ."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from deniable_analysis.charts import Chart, Mark
from deniable_analysis.forms import DataFrame, Documented
from deniable_analysis.parts import (
    Column,
    ColumnKind,
    Line,
    Part,
    Table,
    text_column,
    warning_lines,
)
from deniable_analysis.presentation import OfQuestions, Presented, sections
from deniable_analysis.results.shares import ENDS, REPORTS, STANDARD_ERROR

MEAN = "mean"
ALL_SITES = "mean of the sites"
_RESPONSES = (
    text_column("site", "site"),
    Column("invited", "invited", ColumnKind.COUNT, is_optional=True),
    REPORTS,
    Column("rate", "response", ColumnKind.RATE, is_optional=True),
)
_ESTIMATES = (text_column("site"), REPORTS, Column("value", "estimate"), *ENDS)
_DIFFERENCES = (
    text_column("name", "differences"),
    Column("q", "Q"),
    Column("degrees_of_freedom", "df", ColumnKind.COUNT),
    Column("p_value", "p", ColumnKind.CHANCE),
    Column("i_squared", "I2"),
    Column("tau", "tau"),
    Column("mean", ALL_SITES),
    STANDARD_ERROR,
    *ENDS,
    text_column("why"),
)


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteResponse(Documented):
    """How many people reported at a site, and how many are invited there.

    Args:
        site: the name of the site.
        invited: how many people are in the groups that name the site; None if
            everybody may answer, or if the groups name no sites.
        reports: number of its reports, including those without a given block.
    """

    site: str
    invited: int | None
    reports: int

    @property
    def rate(self) -> float | None:
        """The part of the invited people who reported; None if nobody knows it."""
        return self.reports / self.invited if self.invited else None


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteEstimate(Documented):
    """The estimate of one share, or of the mean, at one site.

    Args:
        site: the name of the site.
        reports: how many of its reports are about the question.
        value: the unbiased estimate; None without reports.
        low: the lower end of its interval.
        high: the upper end.
    """

    site: str
    reports: int
    value: float | None
    low: float | None
    high: float | None


@dataclass(frozen=True, slots=True, kw_only=True)
class SiteDifferences(Documented):
    """One share, or the mean, at every site, and how much the sites differ.

    All numbers are None if they cannot be estimated, and `why` is the reason.

    Args:
        name: the option, or "mean".
        sites: the estimate of each site.
        q: Cochran's Q.
        degrees_of_freedom: of Q.
        p_value: the probability of so large a Q if all sites are equal.
        i_squared: the part of the variation of the estimates that is between sites. It gets
            smaller with epsilon, so it does not show how much the sites differ: tau does.
        tau: the standard deviation of the true values between sites.
        mean: the mean of the true values, in which each site counts about the same if the
            sites differ much.
        standard_error: of the mean.
        low: the lower end of its interval (Hartung and Knapp).
        high: the upper end.
        why: why there are no numbers; empty if there are.
    """

    name: str
    sites: tuple[SiteEstimate, ...]
    q: float | None = None
    degrees_of_freedom: int | None = None
    p_value: float | None = None
    i_squared: float | None = None
    tau: float | None = None
    mean: float | None = None
    standard_error: float | None = None
    low: float | None = None
    high: float | None = None
    why: str = ""

    def marks(self) -> Iterator[Mark]:
        """The marks of a forest plot: each site, and the mean of the sites."""
        for each in self.sites:
            yield Mark(f"{each.site} ({each.reports:,})", each.value, each.low, each.high)
        yield Mark(ALL_SITES, self.mean, self.low, self.high)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SiteQuestion(Presented):
    """A question at every site.

    Args:
        shares: each option; empty if the question has only a mean.
        mean: the mean; None if the question has none.
    """

    question: str
    type: str
    shares: tuple[SiteDifferences, ...]
    mean: SiteDifferences | None

    @property
    def all(self) -> tuple[SiteDifferences, ...]:
        """The shares, and then the mean."""
        return (*self.shares, self.mean) if self.mean else self.shares

    def parts(self) -> Iterable[Part]:
        """The estimates of all sites, and their differences."""
        yield Line(f"{self.question} ({self.type}) by site")
        yield self.table()
        estimable = [(each,) for each in self.all if not each.why]
        if estimable:
            yield Table.of((), _DIFFERENCES, estimable)
        for each in self.all:
            if each.why:
                yield Line(f"{each.name}: no differences: {each.why}")

    def table(self) -> Table:
        """A row for each share and mean of each site."""
        names = (text_column("", "site"), text_column("question"), text_column("name"))
        rows = (
            (f"{each.name}: {site.site}", self.question, each.name, site)
            for each in self.all
            for site in each.sites
        )
        return Table.of(names, _ESTIMATES, rows)

    def charts(self) -> Iterable[Chart]:
        """A forest plot for each share, and for the mean."""
        for each in self.all:
            marks = tuple(each.marks())
            if any(mark.value is not None for mark in marks):
                unit = "mean of those who answered" if each.name == MEAN else "share"
                yield Chart(f"{self.question}: {each.name}, by site", unit, marks)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SiteEstimates(OfQuestions):
    """The estimates of a study by site.

    Args:
        sites: the names of the sites.
        confidence: confidence of all intervals.
        questions: each question.
        responses: the response of each site.
        warnings: sentences about how far these numbers apply.
    """

    sites: tuple[str, ...]
    confidence: float
    questions: tuple[SiteQuestion, ...]
    responses: tuple[SiteResponse, ...] = ()
    warnings: tuple[str, ...] = ()

    def differences_to_frame(self) -> DataFrame:
        """One row for each share and mean, with how much the sites differ."""
        rows = [(one.question, each) for one in self.questions for each in one.all]
        return Table.of((text_column("question"),), _DIFFERENCES, rows).to_frame()

    def parts(self) -> Iterable[Part]:
        """How many sites there are, and then every question."""
        yield Line(f"{len(self.sites)} sites, {self.confidence:.6g} intervals")
        yield from warning_lines(self.warnings)
        yield Table.of((), _RESPONSES, [(each,) for each in self.responses])
        yield from sections(self.questions)
