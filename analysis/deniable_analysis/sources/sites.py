"""Several sites with the same published survey as one source: their counts add up.

Only counts leave a site, as for any source. A report that was sent to two sites counts twice:
nobody can see that, because reports are counted without their ids.
"""

from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, replace
from typing import TypeVar

from deniable_analysis.errors import (
    StudyNotFound,
    StudyRefused,
    StudyUnavailable,
    SurveyNotFound,
    UnreadableStudy,
)
from deniable_analysis.sources.base import ListedSurvey, Source
from deniable_sdk import InvalidSurvey
from deniable_sdk.survey.block import Block
from deniable_sdk.survey.published import PublishedSurvey
from deniable_sdk.weights import format_epsilon
from deniable_storage.counts import JointCounts, SurveyCounts, sum_of_counts
from deniable_storage.ends import End, Fieldwork
from deniable_storage.values import sum_of_tuples

Found = TypeVar("Found")
# What a site can answer instead of its counts.
_FAILURES = (
    InvalidSurvey,
    StudyNotFound,
    StudyRefused,
    StudyUnavailable,
    SurveyNotFound,
    UnreadableStudy,
)
# The first of these that a site has is the end of all: it says the least about a plan.
_ENDS = (End.HAND, End.MARGIN, End.CLOSES, End.AT_MOST_REPORTS)


@dataclass(frozen=True, slots=True)
class Site:
    """A source that has the survey.

    Args:
        name: the name of the site in results and errors.
        source: the source of its reports.
        stored: the survey in the source.
    """

    name: str
    source: Source
    stored: ListedSurvey


@dataclass(frozen=True, slots=True)
class Sites:
    """The sites of a survey, as one source.

    Every method asks all sites at the same time, and raises the error of the first site that
    has one; the message begins with the name of the site.

    Args:
        sites: at least one; all of them have published the same document.
    """

    sites: tuple[Site, ...]

    @property
    def has_groups(self) -> bool:
        return all(site.source.has_groups for site in self.sites)

    @property
    def has_noise(self) -> bool:
        return any(site.source.has_noise for site in self.sites)

    def surveys(self) -> tuple[ListedSurvey, ...]:
        """The survey; it is closed once every site has closed it."""
        now = self._ask(_listed_now)
        return (replace(self.sites[0].stored, is_closed=all(each.is_closed for each in now)),)

    def published(self, survey: ListedSurvey) -> PublishedSurvey:  # noqa: ARG002 - they have only this one
        """That of the first site; all have the same."""
        first = self.sites[0]
        with naming(first.name):
            return first.source.published(first.stored)

    def fieldwork(self, survey: ListedSurvey) -> Fieldwork:  # noqa: ARG002 - see published
        """The state of all: it has a planned end only if it has one at every site."""
        states = self._ask(lambda site: site.source.fieldwork(site.stored))
        state = fieldwork_of_all(states)
        # Who closes a site by hand may have seen the results of another that ended earlier.
        is_by_hand = len(states) > 1 and state.end is End.HAND
        return replace(state, is_given_out=True) if is_by_hand else state

    def count(
        self,
        survey: ListedSurvey,  # noqa: ARG002 - see published
        blocks: Sequence[Block],
        group: str | None = None,
    ) -> SurveyCounts:
        """The sums of the sites' counts, each of one moment of its site."""
        return sum_of_counts(self._ask(lambda site: site.source.count(site.stored, blocks, group)))

    def joint_counts(
        self,
        survey: ListedSurvey,  # noqa: ARG002 - see published
        blocks: Sequence[Block],
        group: str | None = None,
    ) -> JointCounts:
        """The tuples of all sites, in the same order as those of one store."""
        forms = tuple(block.mechanism.form for block in blocks)
        found = self._ask(lambda site: site.source.joint_counts(site.stored, blocks, group))
        return sum_of_tuples(forms, found)

    def _ask(self, ask: Callable[[Site], Found]) -> list[Found]:
        """What each site answers, in their order."""

        def answer(site: Site) -> Found:
            with naming(site.name):
                return ask(site)

        with ThreadPoolExecutor(len(self.sites), "site") as pool:
            return list(pool.map(answer, self.sites))


def same_survey(source: Source, listed: Sequence[ListedSurvey], first: Site) -> ListedSurvey:
    """The survey of the first site, in the list of another one.

    Raises:
        SurveyNotFound: it is not there; the message says what to do.
    """
    wanted = first.stored
    for each in listed:
        if each.digest == wanted.digest:
            return each
    has = ", ".join(f"{each.slug}@{each.edition}" for each in listed) or "no survey"
    raise SurveyNotFound(
        f"it has not published the document of {wanted.slug!r} with the digest {wanted.digest}, "
        f"but {has}; {_other_epsilon(source, listed, first)}publish exactly the same document "
        "there, or open each site alone and pool the estimates: pool_studies({"
        f'"{first.name}": open_study(...), ...}})'
    )


def _other_epsilon(source: Source, listed: Sequence[ListedSurvey], first: Site) -> str:
    """A sentence if the newest survey of this name differs in its epsilon alone."""
    named = [each for each in listed if each.slug == first.stored.slug]
    if not named:
        return ""
    pairs = ((source, named[-1]), (first.source, first.stored))
    here, there = (each.published(stored) for each, stored in pairs)
    asked = [[question.to_document() for question in each.questions] for each in (here, there)]
    if asked[0] != asked[1] or here.epsilon == there.epsilon:
        return ""
    spent, other = (format_epsilon(each.epsilon) for each in (here, there))
    return (
        f"it asks the same questions with epsilon {spent}, and {first.name!r} with {other}: such "
        "counts do not add up; "
    )


@contextmanager
def naming(name: str) -> Iterator[None]:
    """A block in which errors of a source begin with the name of its site."""
    try:
        yield
    except _FAILURES as error:
        raise type(error)(
            f"site {name!r}: {error}; or leave the site out with without=[{name!r}], and the "
            "results say so"
        ) from None


def _listed_now(site: Site) -> ListedSurvey:
    found = [each for each in site.source.surveys() if each.digest == site.stored.digest]
    if not found:
        raise SurveyNotFound("it no longer has the survey; ask who runs it")
    return found[0]


def fieldwork_of_all(states: Sequence[Fieldwork]) -> Fieldwork:
    """The state of several sites or stores together."""
    ends = {state.end for state in states}
    is_extended = any(state.is_extended for state in states)
    end = None if None in ends else next(each for each in _ENDS if each in ends)
    is_given_out = any(state.is_given_out for state in states)
    return Fieldwork(end, is_extended, is_given_out=is_given_out)
