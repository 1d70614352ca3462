"""The data for the pages from a store: surveys, their editions, and findings."""

from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from itertools import groupby

from deniable_analysis import Estimates, Study
from deniable_collector.clock import utc_now
from deniable_collector.store import Store
from deniable_collector.store.base import ReportOutcome, StoredSurvey
from deniable_sdk.survey.text import in_language
from deniable_web.pages.cache import ComputeOnceCache
from deniable_web.results.apart import find_apart, find_by_group_apart
from deniable_web.results.findings import EditionFindings, ResultChoices
from deniable_web.results.labels import nearest
from deniable_web.results.report.pdf import Pdf, make_pdf
from deniable_web.results.small_parts import Merge, merged_with
from deniable_web.results.studies import Studies

_MOST_FINDINGS = 64
# A PDF has about 300 kB, and takes seconds.
_MOST_PDFS = 16


class ResultsCache:
    """A store's surveys and their cached findings.

    Args:
        store: the store with the surveys.
        site: the name of its site; empty if it has none.
    """

    def __init__(self, store: Store, site: str = "") -> None:
        self.store = store
        self.studies = Studies(store, site=site)
        self._findings = ComputeOnceCache[EditionFindings](_MOST_FINDINGS)
        self._grouped = ComputeOnceCache[Estimates](_MOST_FINDINGS)
        self._pdfs = ComputeOnceCache[Pdf](_MOST_PDFS)

    def surveys(self, is_wanted: Callable[[str], bool]) -> list[list[StoredSurvey]]:
        """All editions of each wanted slug, the newest first."""
        found = [each for each in self.store.list_surveys() if is_wanted(each.survey.slug)]
        by_slug = groupby(found, key=lambda each: each.survey.slug)
        return [sorted(editions, key=lambda each: -each.edition) for _, editions in by_slug]

    def editions(self, slug: str) -> list[StoredSurvey]:
        """The editions of a slug, the newest first; empty if it is unknown."""
        return next(iter(self.surveys(lambda each: each == slug)), [])

    def state(self, stored: StoredSurvey) -> str:
        """The key of the text for an edition's state now."""
        if stored.is_purged:
            return "purged"
        if stored.is_closed:
            return "closed"
        refusal = self.store.refusal(stored, utc_now())
        return {None: "open", ReportOutcome.NOT_OPEN: "not_open"}.get(refusal, "closed")

    def findings(
        self, stored: StoredSurvey, choices: ResultChoices, earlier: StoredSurvey | None = None
    ) -> EditionFindings:
        """The findings of an edition, compared with an earlier one if there is one."""
        studies = [self.studies.study(each, choices.least) for each in (stored, earlier) if each]
        key = (choices, *map(_state, studies))

        def compute() -> EditionFindings:
            begin_s = self.studies.clock()
            found = find_apart(studies[0], choices, *studies[1:])
            self.studies.charge(stored.survey.digest, self.studies.clock() - begin_s)
            return found

        return self._findings.get(key, compute)

    def grouped(
        self, stored: StoredSurvey, choices: ResultChoices, merge: Merge = ()
    ) -> Estimates:
        """The estimates of a closed survey by invitation, also by group.

        Not by group if no group is shown apart.

        Raises:
            NoGroups: the survey is not closed.
            GroupNotFound: a group to merge is not the survey's, or is named twice.
            UnreadableStudy: a report has a group that the survey does not have.
        """
        study = self.studies.grouped_study(stored, choices.least)
        merge = merged_with(merge, self.studies.merged(stored, choices.least))
        is_apart = self.studies.are_apart(stored, choices.least)
        key = (choices, merge, _state(study))
        return self._grouped.get(
            key,
            lambda: find_by_group_apart(
                study, choices, merge if is_apart else (), by_group=is_apart
            ),
        )

    def pdf(self, page: str) -> Pdf:
        """The PDF of a report, made once for all who ask for it.

        Raises:
            PdfUnavailable: this process cannot make it.
        """
        key = sha256(page.encode()).digest()
        return self._pdfs.get(key, lambda: make_pdf(page, with_browser=False))


def _state(study: Study) -> Hashable:
    """What the estimates of a study depend on."""
    return study.survey.digest, study.report_count, study.fieldwork()


def edition_named(editions: Sequence[StoredSurvey], number: str) -> StoredSurvey | None:
    """The edition with the number in a query; the newest if the query has none."""
    if not number:
        return next(iter(editions), None)
    return next((each for each in editions if str(each.edition) == number), None)


@dataclass(frozen=True, slots=True)
class EditionView:
    """An edition of a survey, the number of its reports, and the key of the text for its state."""

    stored: StoredSurvey
    reports: int
    state: str


@dataclass(frozen=True, slots=True)
class SurveyCard:
    """A survey: its title in the reader's language or its first one, and its editions.

    Args:
        title: the title.
        newest: the edition under the slug.
        earlier: the earlier editions, the newest first.
    """

    title: str
    newest: EditionView
    earlier: tuple[EditionView, ...]


def survey_cards(
    cache: ResultsCache, surveys: Sequence[Sequence[StoredSurvey]], language: str
) -> list[SurveyCard]:
    """A card for each survey, the open ones first, by title."""
    cards = []
    for editions in surveys:
        newest, *earlier = (
            EditionView(each, cache.store.count_reports(each.survey.digest), cache.state(each))
            for each in editions
        )
        survey = newest.stored.survey
        title = in_language(survey.title, nearest(survey, language))
        cards.append(SurveyCard(title, newest, tuple(earlier)))
    return sorted(cards, key=lambda card: (card.newest.stored.is_closed, card.title.casefold()))
