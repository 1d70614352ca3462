"""Estimates of each site of a study, and how much the sites differ."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from deniable_analysis.charts import Chart, Mark
from deniable_analysis.forms import (
    DataFrame,
    Documented,
    data_frame,
    decimals,
    document_of,
    names_of,
)
from deniable_analysis.presentation import Line, Part, Presented, Table, sections
from deniable_analysis.results.shares import warning_lines

MEAN = "mean"
ALL_SITES = "mean of the sites"


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

    def row(self) -> tuple[str, ...]:
        """The response as texts for a table."""
        if self.invited is None or self.rate is None:
            return self.site, "", str(self.reports), ""
        return self.site, str(self.invited), str(self.reports), f"{self.rate:.1%}"


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

    def cells(self) -> tuple[str, ...]:
        """The numbers as texts for a table."""
        return decimals(self.value, self.low, self.high)


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

    def row(self) -> tuple[str, ...]:
        """The numbers as texts for a table."""
        numbers = (self.p_value, self.i_squared, self.tau, self.mean, self.low, self.high)
        return self.name, *decimals(self.q), str(self.degrees_of_freedom), *decimals(*numbers)

    def marks(self) -> Iterator[Mark]:
        """The marks of a forest plot: each site, and the mean of the sites."""
        for each in self.sites:
            yield Mark(f"{each.site} ({each.reports:,})", each.value, each.low, each.high)
        yield Mark(ALL_SITES, self.mean, self.low, self.high)


_NUMBERS = names_of(SiteDifferences, "name", "sites", "why")


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SiteQuestion(Documented, Presented):
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
        rows = tuple(
            (f"{each.name}: {site.site}", str(site.reports), *site.cells())
            for each in self.all
            for site in each.sites
        )
        yield Table(("site", "reports", "estimate", "low", "high"), rows)
        told = [each for each in self.all if not each.why]
        if told:
            headers = ("differences", "Q", "df", "p", "I2", "tau", ALL_SITES, "low", "high")
            yield Table(headers, tuple(each.row() for each in told))
        for each in self.all:
            if each.why:
                yield Line(f"{each.name}: no differences: {each.why}")

    def charts(self) -> Iterable[Chart]:
        """A forest plot for each share, and for the mean."""
        for each in self.all:
            marks = tuple(each.marks())
            if any(mark.value is not None for mark in marks):
                unit = "mean of those who answered" if each.name == MEAN else "share"
                yield Chart(f"{self.question}: {each.name}, by site", unit, marks)


@dataclass(frozen=True, slots=True, kw_only=True, repr=False)
class SiteEstimates(Documented, Presented):
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

    def to_frame(self) -> DataFrame:
        """One row for each share and mean of each site, as a pandas data frame."""
        rows = (
            {"question": question.question, "name": each.name, **site.to_document()}
            for question in self.questions
            for each in question.all
            for site in each.sites
        )
        numbers = ("value", "low", "high")
        return data_frame(rows, ("question", "name", "site", "reports", *numbers), numbers)

    def differences_to_frame(self) -> DataFrame:
        """One row for each share and mean, with how much the sites differ."""
        rows = (
            {"question": question.question, **document_of(each, "sites")}
            for question in self.questions
            for each in question.all
        )
        return data_frame(rows, ("question", "name", *_NUMBERS, "why"), _NUMBERS)

    def parts(self) -> Iterable[Part]:
        """How many sites there are, and then every question."""
        yield Line(f"{len(self.sites)} sites, {self.confidence:.6g} intervals")
        yield from warning_lines(self.warnings)
        if any(each.invited is not None for each in self.responses):
            rows = tuple(each.row() for each in self.responses)
            yield Table(("site", "invited", "reports", "response"), rows)
        else:
            rows = tuple((each.site, str(each.reports)) for each in self.responses)
            yield Table(("site", "reports"), rows)
        yield from sections(self.questions)

    def charts(self) -> Iterable[Chart]:
        """The forest plots of every question."""
        for question in self.questions:
            yield from question.charts()
