"""A device's client of one collector."""

from __future__ import annotations

import weakref
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Self

from deniable_sdk.client.collecting import TokenCount, collect_token
from deniable_sdk.client.entry import Entry, entry_of, reported, waiting_for
from deniable_sdk.client.errors import ClientShutDown, ConsentRequired, StorageUnavailable
from deniable_sdk.client.ledger import Spending, spent_in
from deniable_sdk.client.loading import load_survey
from deniable_sdk.client.options import Options
from deniable_sdk.client.outcomes import DrawnBlocks, FlushResult, ReportPreview, ReportStatus
from deniable_sdk.client.sender import Sender
from deniable_sdk.client.submitting import (
    Again,
    Submission,
    decide,
    keep_blocks,
    keep_report,
    require_survey,
)
from deniable_sdk.client.transport import REQUEST_TIMEOUT_S
from deniable_sdk.errors import quote
from deniable_sdk.report import Report
from deniable_sdk.survey.published import PublishedSurvey
from deniable_sdk.survey.routing import questions_to_show


class Client:
    """Opened by open_client; any thread may use it, at any time.

    Only `get_survey` and `flush` wait for the network, and only so long. The
    sending itself is done in a thread that is there while something waits,
    and that never holds up the end of the program.
    """

    def __init__(self, options: Options) -> None:
        self._options = options
        self._surveys: dict[str, PublishedSurvey] = {}
        self._ended: ClientShutDown | ConsentRequired | None = None
        self._token_count = TokenCount(options)
        self._sender = Sender(options)
        weakref.finalize(self, Sender.let_go, self._sender).atexit = False
        # What waits from before goes out; a storage that cannot be read says so later.
        with suppress(StorageUnavailable), options.storage.transaction() as stored:
            if waiting_for(stored.entries(), options.collector):
                self._sender.flush_soon()

    @property
    def is_durable(self) -> bool:
        """Whether reports, and what was answered, outlive the process."""
        return not self._options.storage.problem

    @property
    def storage_problem(self) -> str:
        """Why storage is not durable; "" if it is."""
        return self._options.storage.problem

    def get_survey(
        self, slug: str, *, digest: str | None = None, timeout_s: float = REQUEST_TIMEOUT_S
    ) -> PublishedSurvey:
        """The survey of this slug, with all its claims verified.

        Args:
            slug: of the survey.
            digest: which it must have, where it is known in advance.
            timeout_s: how long to wait for the collector.
        Raises:
            CollectorUnreachable: no answer came in time.
            CollectorRefused: there is no such survey.
            InvalidSurvey: the document is no published survey, another one, or
                spends more than it claims or than the epsilon_cap.
            NotInLog: the survey is not in the public log, which the log_key
                requires.
            InvalidLog: that log is damaged, or another key signed it.
        """
        self._check()
        survey = load_survey(self._options, slug, digest, timeout_s)
        self._surveys[survey.digest] = survey
        return survey

    def collect_token(self, survey: PublishedSurvey, code: str, *, site: str | None = None) -> str:
        """The group of an invited person, once this device has their token.

        The token is kept on the device until `submit` spends it. After a
        failure, call it again with the same code.

        Args:
            survey: a survey by invitation.
            code: of the invitation, as it was typed or scanned.
            site: of the collector, if the survey has several sites.
        Raises:
            InvalidCode: the text is no code.
            CollectorUnreachable: no answer came from the issuer.
            CollectorRefused: the issuer does not know the code, has signed
                another token for it, or signs no more.
            InvalidToken: the issuer's signature does not fit, and was not kept.
            OtherSite: the code is for another site, and can still be used.
            AlreadyAnswered: this device has answered the survey.
            StorageUnavailable: nothing was kept.
        """
        self._check()
        return collect_token(self._options, survey, code, self._check, site)

    def token_count(self, survey: PublishedSurvey) -> int | None:
        """How many people of this person's group have collected a token.

        None while that is not known. Once collecting is over the issuer is
        asked, for at most 5 seconds.
        """
        self._check()
        return self._token_count.count(survey)

    def draw(self, survey: PublishedSurvey) -> DrawnBlocks:
        """The blocks that this respondent is asked, and the questions to show.

        They are drawn once and stored: the same survey returns the same blocks
        again. Fixed questions that this device has reported of in an earlier
        edition are not shown again, unless they lead to others.

        Raises:
            BudgetExceeded: it spends more than the epsilon_cap.
            YearlyCapExceeded: it could spend more than is left of the yearly_cap.
            StorageUnavailable: nothing was kept.
        """
        require_survey(survey)
        blocks, kept = keep_blocks(self._options, survey, self._check)
        fresh = [block for block in blocks if block not in kept]
        return DrawnBlocks(blocks, questions_to_show(survey, fresh))

    def submit(  # noqa: PLR0913 - an app names the few that it needs
        self,
        survey: PublishedSurvey,
        answers: Mapping[str, object],
        blocks: Sequence[str] | None = None,
        *,
        again: Again | None = None,
        hold: bool = False,
        collected: int | None = None,
        group: str | None = None,
    ) -> Report:
        """The report of these answers, stored on the device and on its way.

        It is randomized once; its bytes are stored and sent. Sending needs no
        further call, now or when the collector can be reached. Values of fixed
        questions from an earlier edition are reported again, without a new draw
        and whatever their answers are.

        Args:
            survey: what is answered.
            answers: question id to answer.
            blocks: from `draw`; drawn here if left out.
            again: what to do if the survey was answered before: "first" gives
                the first report, "edition" allows another edition of it, which
                the waves of one panel need not be allowed.
            hold: keep the report and send nothing, until the person decides:
                `send` or `decline`.
            collected: the number that the person was shown after FewCollected.
            group: that the person's link gave, in a survey with groups by link; show it
                before the first question.
        Raises:
            AlreadyAnswered: this survey was answered on this device.
            BudgetExceeded: it spends more than the epsilon_cap, or than its
                panel has promised.
            YearlyCapExceeded: it could spend more than is left of the yearly_cap.
            InvalidAnswer: nothing was drawn or stored.
            FewCollected: nothing was drawn or stored; show its count, and ask
                the person again.
            InvalidToken: the survey is by invitation, and this device has no
                token.
            InvalidGroup: no link of the survey gives this group; nothing was drawn.
            StorageUnavailable: nothing was kept, and nothing will be sent.
        """
        self._check()
        require_survey(survey)
        if again not in {None, "first", "edition"}:
            raise ValueError(f'again: got {quote(again)}; allowed are None, "first" and "edition"')
        submission = Submission(survey, answers, blocks, again, hold, group)
        if not hold:
            self._token_count.refuse_few(survey, collected, "asked")
        report = keep_report(self._options, submission, self._check)
        self._surveys[survey.digest] = survey
        # A held report starts no thread: there is nothing new to send.
        if not hold:
            self._sender.flush_soon()
        return report

    def held_report(self, survey: PublishedSurvey) -> Report | None:
        """The report that is held until the person decides."""
        require_survey(survey)
        entry = entry_of(self._entries(), survey.digest)
        if entry is None or entry.state != "held" or entry.body is None:
            return None
        return Report.from_bytes(entry.body)

    def send(self, survey: PublishedSurvey, *, collected: int | None = None) -> bool:
        """Send the report that was held; returns False if none is.

        Args:
            survey: that the report answers.
            collected: as for `submit`.
        Raises:
            FewCollected: as from `submit`; the report is still held.
        """
        self._check()
        self._token_count.refuse_few(survey, collected, "held")
        is_done = decide(self._options, survey, "waiting", self._check)
        self._sender.flush_soon()
        return is_done

    def decline(self, survey: PublishedSurvey) -> bool:
        """Wipe the report that was held; returns False if none is.

        It counts as spent, and the survey is not answered again on this device.
        """
        return decide(self._options, survey, "declined", self._check)

    def flush(self, timeout_s: float | None = None) -> FlushResult:
        """Try to send waiting reports now, and return the outcome.

        Reports that the collector has asked to come back with later still
        wait.

        Args:
            timeout_s: how long to wait for it; as long as it takes if left
                out, which is half a minute if nobody answers.
        Raises:
            StorageUnavailable: what is kept cannot be read or written.
        """
        self._check()
        request = self._sender.flush(timeout_s)
        mine = self._mine()
        return FlushResult(
            sent=request.sent,
            waiting=len(waiting_for(mine, self._options.collector)),
            refused=request.refused,
            dropped=sum(entry.state == "dropped" for entry in mine),
        )

    def reports(self) -> tuple[ReportStatus, ...]:
        """The state of every report to this collector, in order."""
        return tuple(map(ReportStatus.of, self._mine()))

    def inspect(self, report: Report, *, language: str = "en") -> ReportPreview:
        """What will be sent, in words and in bytes."""
        return ReportPreview.of(report, self._surveys.get(report.survey), language)

    def spent(self) -> Spending:
        """What the person has spent on this device, at all collectors."""
        return spent_in(self._entries(), self._options)

    def opt_out(self) -> None:
        """Forget everything on the device: reports that wait, and what was spent.

        Reports that were sent cannot be found again by anybody.

        Raises:
            StorageUnavailable: it could not be wiped; try again.
        """
        self._end(
            ConsentRequired(
                "the person has opted out; open a client again once they have agreed again"
            )
        )
        self._options.storage.clear()

    def shut_down(self) -> None:
        """Stop sending; waiting reports stay on the device for the next client."""
        self._end(ClientShutDown("the client was shut down; open another one"))

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.shut_down()

    def _entries(self) -> list[Entry]:
        """The reports of this device."""
        self._check()
        with self._options.storage.transaction() as stored:
            return reported(stored.entries())

    def _mine(self) -> list[Entry]:
        """Those to this collector."""
        collector = self._options.collector
        return [entry for entry in self._entries() if entry.collector == collector]

    def _end(self, error: ClientShutDown | ConsentRequired) -> None:
        self._ended = self._ended or error
        self._sender.end()

    def _check(self) -> None:
        if self._ended is not None:
            raise type(self._ended)(*self._ended.args)
