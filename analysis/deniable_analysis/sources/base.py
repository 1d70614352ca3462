"""The interface of every source of reports, which of its surveys is meant, and its groups."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Protocol, runtime_checkable

from deniable_analysis.arguments import named
from deniable_analysis.errors import NoGroups, SurveyNotFound, UnreadableStudy
from deniable_analysis.reports.strata import GroupCounts
from deniable_sdk.survey.block import Block
from deniable_sdk.survey.published import PublishedSurvey
from deniable_sdk.wording import near_names
from deniable_storage.chunks import Cells
from deniable_storage.counts import JointCounts, SurveyCounts
from deniable_storage.ends import Fieldwork
from deniable_storage.whole_rows import IdRange, Smalls, WholeRows


@dataclass(frozen=True, slots=True)
class ListedSurvey:
    """One published survey as a source lists it.

    `location` is where the source keeps its reports, for the source alone.
    """

    digest: str
    slug: str
    edition: int
    is_closed: bool
    location: str = field(repr=False)


class Source(Protocol):
    """A source that has published surveys and counts their reports.

    Only counts ever leave a source: of values and of tuples of values, never
    single reports with their ids.
    """

    @property
    def has_groups(self) -> bool:
        """Whether it can count the reports of one group."""
        ...

    @property
    def has_noise(self) -> bool:
        """Whether its counts, or those of one of its sites, have the noise of a release."""
        ...

    def surveys(self) -> tuple[ListedSurvey, ...]:
        """Every edition of every survey, by slug and edition.

        Every method raises:
            StudyNotFound: there is nothing at the location any more.
            UnreadableStudy: what is there is not a legal store.
        """
        ...

    def published(self, survey: ListedSurvey) -> PublishedSurvey:
        """The published survey; an error unless its document has the digest that is listed."""
        ...

    def fieldwork(self, survey: ListedSurvey) -> Fieldwork:
        """How the survey ended, if it has, and whether its end was moved; at this moment.

        An analysis that counts afterwards may only find more reports.
        """
        ...

    def count(
        self, survey: ListedSurvey, blocks: Sequence[Block], group: str | None = None
    ) -> SurveyCounts:
        """The counts of these blocks, all of the same moment; if wanted, of one group.

        Raises:
            UnreadableStudy: as for document, or a value is stored that its
                block cannot produce.
        """
        ...

    def joint_counts(
        self, survey: ListedSurvey, blocks: Sequence[Block], group: str | None = None
    ) -> JointCounts:
        """The values of reports that carry all of these blocks, as tuples.

        Memory grows with the different tuples, and not with the reports.
        Errors are those of count.
        """
        ...


class PartSource(Protocol):
    """A source that can be exported in parts; it counts nothing but its reports."""

    def published(self, survey: ListedSurvey) -> PublishedSurvey: ...
    def fieldwork(self, survey: ListedSurvey) -> Fieldwork: ...

    def report_count(self, survey: ListedSurvey) -> int:
        """How many reports there are, at this moment."""
        ...

    def whole_rows(
        self, survey: ListedSurvey, wanted: WholeRows, ranges: Sequence[IdRange], most: int
    ) -> Iterator[Smalls]:
        """The reports with ids in some ranges, at most so many at a time, all of one moment.

        Args:
            survey: the survey of the reports.
            wanted: what is read of each report.
            ranges: of ids.
            most: how many reports are read at a time.
        Raises:
            UnreadableStudy: as for count.
        """
        ...


@runtime_checkable
class RowSource(Source, PartSource, Protocol):
    """A source that can be exported: it returns single reports, without ids."""

    def rows(
        self, survey: ListedSurvey, blocks: Sequence[Block], rows_at_a_time: int
    ) -> Iterator[tuple[int, Cells]]:
        """How many reports there are and some of them, all of the same moment.

        A column for each block, in the order of the reports' random ids; values
        are not checked.
        """
        ...


def select_survey(surveys: Sequence[ListedSurvey], wanted: str | None) -> ListedSurvey:
    """The stored survey that a caller means.

    Args:
        surveys: all that the store contains.
        wanted: a slug (its newest edition), slug@edition or a digest; None
            where the store contains a single slug.
    Raises:
        SurveyNotFound: there is none, or several and none is named; the
            message lists them.
    """
    if wanted is None:
        if len({survey.slug for survey in surveys}) != 1:
            raise SurveyNotFound(f"no survey was named; {_listed(surveys)}")
        matching = surveys
    else:
        # A digest can look like a slug; a digest names only one survey.
        exact = [
            survey
            for survey in surveys
            if wanted in (survey.digest, f"{survey.slug}@{survey.edition}")
        ]
        matching = exact or [survey for survey in surveys if survey.slug == wanted]
        if not matching:
            raise SurveyNotFound(f"got the survey {named(wanted)}; {_listed(surveys, wanted)}")
    return max(matching, key=lambda survey: survey.edition)


def _listed(surveys: Sequence[ListedSurvey], wanted: str = "") -> str:
    if not surveys:
        return "the store contains none yet; publish one first"
    names = [f"{survey.slug}@{survey.edition}" for survey in surveys]
    listed = near_names(wanted, names, "the store contains")
    return f"{listed}; name one of them, or its slug for the newest edition"


def groups_of(source: Source, stored: ListedSurvey, survey: PublishedSurvey) -> GroupCounts | None:
    """The counts of a survey by group; None if its reports, or the source, have no groups."""
    if not (survey.groups and source.has_groups):
        return None
    return ClosedGroups(source, stored, survey)


@dataclass(frozen=True, slots=True)
class ClosedGroups:
    """The counts of a survey with groups, by group.

    While a survey accepts reports, two counts of a group show what the few
    people reported who answered in between. So groups are counted only once it
    is closed. Whoever has the store could still count them: this protects from
    mistakes, not from the operator.

    Args:
        source: source of the reports.
        stored: the survey in the source.
        survey: the published survey.
    """

    source: Source
    stored: ListedSurvey
    survey: PublishedSurvey

    def check(self) -> None:
        """As in GroupCounts."""
        now = [each for each in self.source.surveys() if each.digest == self.stored.digest]
        if not all(each.is_closed for each in now):
            raise NoGroups(
                f"survey {self.survey.slug!r} is not closed: while reports come in, counts by "
                "group would show who answered when; close it first (deniable close), or "
                "estimate without groups"
            )
        known = self.survey.kept_groups
        counted = sum(self.count(group, ()).report_count for group in known)
        if counted != self.source.count(self.stored, ()).report_count:
            raise UnreadableStudy(
                f"some reports of survey {self.survey.slug!r} have a group that is not among "
                f"the survey's ({', '.join(filter(None, known))}); the store was "
                "changed by something other than the collector; restore it"
            )

    def count(self, group: str, blocks: Sequence[Block]) -> SurveyCounts:
        """As in GroupCounts."""
        return self.source.count(self.stored, blocks, group)

    def joint_counts(self, group: str, blocks: Sequence[Block]) -> JointCounts:
        """As in GroupCounts."""
        return self.source.joint_counts(self.stored, blocks, group)
