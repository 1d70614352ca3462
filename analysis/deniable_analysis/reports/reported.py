"""A published survey with its reports: the part of a study that relations need."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Self

from deniable_analysis.defaults import DEFAULT_INTERVAL, Interval
from deniable_analysis.errors import NoGroups
from deniable_analysis.estimate.choice import IntervalChoice, read_interval
from deniable_analysis.privacy.shuffling import FilePrivacy
from deniable_analysis.reports.closed_file import file_privacy
from deniable_analysis.reports.strata import (
    GroupCounts,
    Stratum,
    StratumCounts,
    read_stratum,
    wanted_strata,
)
from deniable_sdk.survey.block import Block
from deniable_sdk.survey.groups import Group
from deniable_sdk.survey.published import PublishedSurvey
from deniable_sdk.wording import counted
from deniable_storage.counts import JointCounts, SurveyCounts
from deniable_storage.ends import PLANNED, Fieldwork

# What other modules use, and no completion offers.
_INTERNAL = {
    *("count", "joint_counts", "counts_by_group", "released_count", "with_noise"),
    *("groups", "has", "of_sites", "stratum"),
}


@dataclass(frozen=True, slots=True, repr=False)
class ReportedSurvey:
    """A published survey, with methods that count its reports.

    Every call counts the reports in the store again. In a survey with groups
    they may be those of some groups only: of `stratum`.

    Args:
        survey: the survey.
        edition: number of the edition of its slug.
        count: function that returns the counts of some of the survey's blocks,
            from a single read of the reports; raises ReleasedCounts if they have noise.
        joint_counts: function that returns the joint values of respondents who
            were asked all of some blocks.
        groups: counts by group; None if the source does not contain groups.
        stratum: people whose reports these are; None for all.
        fieldwork: function that returns the present state of the fieldwork.
        sites: the reports of each site by its name, if these are of several sites.
        of_sites: names of the only sites whose reports these are; None for all.
        about_sites: sentences that belong to all results of these sites.
        name: the name in results; empty for slug@edition.
        with_noise: function that returns the same counts, also if releases added noise to them;
            None if there are no releases.
    """

    survey: PublishedSurvey
    edition: int
    count: Callable[[Sequence[Block]], SurveyCounts] = field(repr=False)
    joint_counts: Callable[[Sequence[Block]], JointCounts] = field(repr=False)
    groups: GroupCounts | None = field(default=None, repr=False)
    stratum: Stratum | None = None
    fieldwork: Callable[[], Fieldwork] = field(default=lambda: PLANNED, repr=False)
    sites: Mapping[str, "ReportedSurvey"] = field(default_factory=dict)
    of_sites: tuple[str, ...] | None = None
    about_sites: tuple[str, ...] = ()
    name: str = ""
    with_noise: Callable[[Sequence[Block]], SurveyCounts] | None = field(default=None, repr=False)

    def __dir__(self) -> list[str]:
        return sorted({*object.__dir__(self)} - _INTERNAL)

    def __repr__(self) -> str:
        """The name and the size of the survey, on one line; no report is counted."""
        name = self.name or f"{self.survey.slug}@{self.edition}"
        questions = counted(len(self.survey.reported), "question")
        people = f", {self.stratum.name}" if self.stratum else ""
        spent = f"epsilon {float(self.survey.epsilon):.4g}"
        return f"<{type(self).__name__}: {name}{people}, {questions}, {spent}>"

    def released_count(self, blocks: Sequence[Block]) -> SurveyCounts:
        """The counts of some blocks, for analyses that include the noise of releases."""
        return (self.with_noise or self.count)(blocks)

    @property
    def report_count(self) -> int:
        """The current number of the survey's reports."""
        return self.count(()).report_count

    @property
    def caution(self) -> tuple[str, ...]:
        """A warning about numbers for one look, unless the survey ended as planned."""
        state = self.fieldwork()
        if state.has_planned_end:
            return ()
        remedy = "look once, when it has ended as planned"
        if state.end is not None:
            remedy = "it applies if nobody decided by the results when to end the survey"
        return (f"this result is for one look, and the survey is {state.in_words}: {remedy}",)

    @property
    def invited(self) -> int | None:
        """The number of people who are invited, or got the link of a group; otherwise None.

        It is also None for some sites if the groups do not name their sites.
        """
        if self.stratum is not None:
            return self.stratum.people
        groups = self.survey.groups if self.survey.invited else ()
        return sum(group.people for group in groups if self.has(group)) or None

    @property
    def population(self) -> int | None:
        """The number of people whom the reports are a sample of, if they are invited.

        None if more reports than that came in: then more tokens were signed
        than people are invited, and nobody knows whose reports these are. None for a group by
        link, because a link can be passed on, and used twice.
        """
        invited = self.invited if self.survey.invited else None
        return invited if invited and self.report_count <= invited else None

    def closed_file(self) -> FilePrivacy | None:
        """What somebody learns about one person who sees all reports of the closed survey.

        In a survey by invitation that person is in the smallest group, and each of several
        sites is such a group. None while the survey accepts reports, if there is no report, if
        its groups cannot be counted, and if the counts have noise.
        """
        if self.with_noise is not None:
            return None
        if not self.sites:
            state = self.fieldwork()
            return file_privacy(self.survey, state, self.count, self.groups, self.of_sites)
        found = [site.closed_file() for site in self.sites.values() if site.report_count]
        known = [each for each in found if each]
        if not known or len(known) < len(found):
            return None
        least = min(known, key=lambda each: each.reports)
        return replace(least, of_smallest_group=least.of_smallest_group or len(known) > 1)

    def group(self, *groups: str) -> Self:
        """The same survey with the reports of one group, or of several.

        All analyses of a study are possible. Their population is the number of
        invited people; a group by link has none.

        Args:
            groups: ids of groups.
        Raises:
            GroupNotFound: there is no such group, or it is named twice.
            NoGroups: the survey has no groups or is not closed yet, or the
                source of the reports does not contain groups.
            UnreadableStudy: a report has a group that the survey does not have.
        """
        stratum = read_stratum(self.survey, groups)
        for each in self.survey.groups:
            if each.id in stratum.groups and each.site and not self.has(each):
                raise NoGroups(
                    f"the reports of the group {each.id!r} are at the site {each.site!r}, which "
                    "is not among these; name other groups, or open that site too"
                )
        counts = StratumCounts(self.counts_by_group(), stratum)
        return replace(
            self,
            count=counts.count,
            joint_counts=counts.joint_counts,
            groups=None,
            stratum=stratum,
            sites={},
            with_noise=None,
        )

    def _strata(self, by_group: bool, merge: Sequence[Sequence[str]]) -> tuple[Stratum, ...]:
        """As wanted_strata; raises NoGroups also if only some of merged groups report here."""
        wanted = wanted_strata(self.survey, by_group, merge)
        if self.of_sites is None or not self.survey.sites:
            return wanted
        here = {group.id for group in self.survey.groups if self.has(group)}
        for each in wanted:
            if not (here.issuperset(each.groups) or here.isdisjoint(each.groups)):
                raise NoGroups(
                    f"merge: the groups {each.name} are at several sites, and not all of these "
                    "sites are here; merge groups of the same sites"
                )
        return tuple(each for each in wanted if here.issuperset(each.groups))

    def has(self, group: Group) -> bool:
        """Whether the reports of a group are surely among these."""
        return self.of_sites is None or group.site in self.of_sites

    def counts_by_group(self) -> GroupCounts:
        """The counts by group, if they may be given out.

        Raises:
            NoGroups: as in group.
            UnreadableStudy: as in group.
        """
        if self.groups is None:
            raise NoGroups(
                f"the reports of {self.survey.slug!r} are here without their groups, as in an "
                "export, a simulation or a part of a survey; open the collector's store, or its "
                "address"
            )
        self.groups.check()
        return self.groups


def choose_intervals(  # noqa: PLR0913 - the arguments of an estimate
    studies: Sequence[ReportedSurvey],
    interval: Interval | str | None,
    confidence: float,
    simultaneous: bool = False,
    population: int | None = None,
    *,
    allowed: Iterable[Interval] = Interval,
) -> IntervalChoice:
    """The choice of intervals; without a name, those for the state of the studies.

    Intervals for one look apply only if the surveys ended as planned. Otherwise
    somebody may look at the results and end a survey because of them.

    Raises:
        InvalidArgument: there is no such interval; confidence is not between 0 and 1; the
            population is not a whole number of people.
    """
    kind = DEFAULT_INTERVAL if interval is None else read_interval(interval, allowed)
    # What a survey expects is for all of its respondents, not for some groups or sites.
    parts = [(study.stratum, study.of_sites) for study in studies]
    planned = planned_reports(studies[0].survey) if parts == [(None, None)] else None
    choice = IntervalChoice(kind, confidence, simultaneous, population, planned)
    if interval is not None or all(study.fieldwork().has_planned_end for study in studies):
        return choice
    return replace(choice, interval=Interval.ANYTIME)


def planned_reports(survey: PublishedSurvey) -> float | None:
    """The reports that are expected of each block; None if the survey expects no number."""
    expected = survey.window and survey.window.respondents
    return expected * survey.asked / len(survey.blocks) if expected else None
