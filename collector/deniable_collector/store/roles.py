"""The three roles of a store: registry, intake and counts.

A part that needs only one role names that one as its type. An engine may fulfil each role
with an object of its own, for example the intake in another database than the registry. All
engines of this package fulfil all three; tests/support/apart_store.py is a store of three objects.

Every method may be called from any thread. Every method raises StoreUnavailable if the
engine cannot answer now. Then either nothing has changed or, if the engine fell silent at
the end, everything.
"""

from abc import abstractmethod
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Protocol

from deniable_collector.clock import Moment
from deniable_collector.store.base import Outcomes, Publication, Refusal, Row, Rows, StoredSurvey
from deniable_collector.tokens import AccessToken
from deniable_sdk import Block, PublishedSurvey
from deniable_storage.closed_at_exit import ClosedAtExit
from deniable_storage.ends import Ending, Fieldwork

if TYPE_CHECKING:
    from deniable_storage.counts import JointCounts, SurveyCounts
    from deniable_storage.tallies import Recount

Progress = Callable[[int, int], None]


def no_progress(_done: int, _all: int) -> None:
    """Tell nobody how many reports were read."""


class Registry(Protocol):
    """The published surveys, how each ends, and the tokens."""

    @abstractmethod
    def publish(self, survey: PublishedSurvey) -> Publication:
        """Publish a survey under its slug; it is durable before this returns.

        Publishing the same document again changes nothing. Another document becomes the
        next edition if the newest edition is closed; if it is open, the result is a
        conflict.

        Raises:
            UnusableKeys: a group has no key, or one that another survey has; nothing changed.
        """

    @abstractmethod
    def extend(
        self,
        slug: str,
        now: Moment,
        *,
        closes: Moment | None = None,
        at_most_reports: int | None = None,
    ) -> StoredSurvey | None:
        """Move the end of the newest edition under a slug, and return it.

        Args:
            slug: of the survey.
            now: the present moment.
            closes: the later moment until which it accepts reports.
            at_most_reports: the larger number of reports that it accepts.
        Raises:
            ExtensionRefused: it has ended for good, or has no such end, or the new end is
                not beyond the present one; nothing changed.
        """

    @abstractmethod
    def close_survey(self, slug: str, now: Moment | None = None) -> StoredSurvey | None:
        """Close the newest edition under a slug, and return it; closing again is harmless.

        It is recorded how the survey ended. Without the present moment its end counts as
        its owner's decision, unless an end is recorded already.

        Afterwards nothing in the store reveals the order of its reports. After
        StoreUnavailable the survey may already be closed: close it again.

        Raises:
            ErasingUnfinished: it is closed, and the order of its reports is not erased yet.
        """

    @abstractmethod
    def end_by_margin(self, digest: str, now: Moment) -> bool:
        """Whether a survey ends now because its estimates reached its margin; this is recorded.

        A survey that has ended already, in whatever way, stays as it is.
        """

    @abstractmethod
    def adopt_ending(self, digest: str, ending: Ending) -> None:
        """Record of a survey what another store has recorded of it."""

    @abstractmethod
    def find_survey(self, slug: str) -> StoredSurvey | None:
        """The newest edition under a slug."""

    @abstractmethod
    def find_edition(self, digest: str) -> StoredSurvey | None:
        """The survey with a digest, whether or not it is the newest edition."""

    @abstractmethod
    def list_surveys(self) -> tuple[StoredSurvey, ...]:
        """All editions of all surveys, by slug and edition."""

    @abstractmethod
    def read_log(self) -> tuple[str, ...]:
        """The digests of all editions of all surveys, in the order of publishing."""

    @abstractmethod
    def add_token(self, token: AccessToken, digest: str) -> bool:
        """Whether a token was added, and is durable; False if its name is in use.

        The store receives only the digest of the secret.
        """

    @abstractmethod
    def change_rights(self, token: AccessToken) -> bool:
        """Whether a token with this name existed that is no reader's; it gets these rights.

        Durably and at once; its secret stays.
        """

    @abstractmethod
    def change_secret(self, name: str, digest: str, present: str | None = None) -> bool:
        """Whether a token with this name existed; only the secret with this digest is accepted.

        Durably and at once; its rights stay. If the digest of its `present` secret is given,
        the token must have that one: of several who change it at once, one succeeds.
        """

    @abstractmethod
    def remove_token(self, name: str) -> bool:
        """Whether a token with this name existed; removes it."""

    @abstractmethod
    def find_token(self, digest: str) -> AccessToken | None:
        """The token with this digest, at this moment."""

    @abstractmethod
    def list_tokens(self) -> tuple[AccessToken, ...]:
        """All tokens, by name."""


class Intake(Protocol):
    """The reports: added durably, an outcome for each, read by id and removed."""

    @abstractmethod
    def add_rows(self, rows: Rows, now: Moment | None = None) -> Outcomes:
        """The outcome of each row, by the digests of surveys; stored rows are durable.

        All rows are added in one transaction. Each must be the row of a report that passed
        check_report: the store does not check values again. Without the present moment the
        windows of surveys are ignored, as when reports move from one store to another.
        """

    @abstractmethod
    def latest(self, digest: str) -> StoredSurvey | None:
        """A survey as it was last read here; the engine is not asked."""

    @abstractmethod
    def read_rows(self, stored: StoredSurvey, after: bytes | None, limit: int) -> Sequence[Row]:
        """At most `limit` rows after an id, in the order of the ids.

        Fewer than `limit` rows are the last ones. Rows may be added between two calls.
        """

    @abstractmethod
    def purge_reports(self, digest: str) -> int:
        """Remove a closed survey's reports permanently, and return their number; 0 if unknown.

        The survey stays, closed and purged. Afterwards the store contains no byte of the
        reports. After StoreUnavailable they may be removed already, but bytes of them may
        still be on disk: purge the survey again.

        Raises:
            StillOpen: the survey accepts reports; none was removed.
            ErasingUnfinished: they are removed, and bytes of them are still in the store.
        """

    @abstractmethod
    def finish_erasing(self, stored: StoredSurvey) -> None:
        """Finish the closing or purging of a survey that was interrupted.

        Raises:
            ErasingUnfinished: another program is using the store.
        """

    @abstractmethod
    def check(self) -> None:
        """Raise an error unless a report could be stored now."""


class Counts(Protocol):
    """How many reports there are, and with which values; never a report."""

    @abstractmethod
    def count_reports(self, digest: str) -> int:
        """How many reports the survey with this digest has; 0 if it is unknown."""

    @abstractmethod
    def fieldwork(self, stored: StoredSurvey, now: Moment) -> Fieldwork:
        """The state of a survey's fieldwork at a moment."""

    @abstractmethod
    def refusal(self, stored: StoredSurvey, now: Moment) -> Refusal:
        """Why a survey accepts no new reports at a moment; None if it accepts them."""

    @abstractmethod
    def give_out(self, stored: StoredSurvey, now: Moment) -> None:
        """Record that results are given out, unless the survey ended before.

        The other methods call it. Whoever gives out what was counted earlier calls it again.

        Raises:
            ResultsSealed: nobody may read results of the survey yet.
        """

    @abstractmethod
    def look(
        self, stored: StoredSurvey, blocks: Sequence[Block], group: str | None = None
    ) -> "SurveyCounts":
        """As count_values, for the collector itself, which gives nothing of it to anybody."""

    @abstractmethod
    def count_values(
        self,
        stored: StoredSurvey,
        blocks: Sequence[Block],
        group: str | None = None,
        *,
        now: Moment,
    ) -> "SurveyCounts":
        """The counts of these blocks, all at one moment, from the survey's tally.

        In a survey by invitation, only reports of the group are counted, if there is one.

        Raises:
            InconsistentTally: the tally is not one that any reports have.
            ResultsSealed: as for give_out; anybody may know the number of all reports.
        """

    @abstractmethod
    def count_tuples(
        self,
        stored: StoredSurvey,
        blocks: Sequence[Block],
        most: int,
        group: str | None = None,
        *,
        now: Moment,
    ) -> "JointCounts":
        """The different tuples of values, from reports that contain all of the blocks.

        Memory grows with the different tuples, not with the number of reports.

        Raises:
            StrangeValue: a value is stored that its block cannot produce.
            TooManyTuples: there are more than `most` different tuples.
            ResultsSealed: as for give_out.
        """

    @abstractmethod
    def recount(self, stored: StoredSurvey, on_progress: Progress = no_progress) -> "Recount":
        """The tally of a survey, compared with its reports at one moment.

        Args:
            stored: the survey.
            on_progress: called with the number of reports read so far, and of all.
        Raises:
            StrangeValue: a block cannot produce a stored value, or there is no such group.
        """

    @abstractmethod
    def repair_tally(self, stored: StoredSurvey, on_progress: Progress = no_progress) -> "Recount":
        """The same comparison; if they differ, the tally is made that of the reports.

        Meanwhile no report of the survey is stored. Arguments and errors are those of recount.
        """


class Store(Registry, Intake, Counts, ClosedAtExit, Protocol):
    """All three roles of an open store."""
