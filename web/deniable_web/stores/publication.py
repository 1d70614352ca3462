"""Publishes a compiled survey in a store, with errors that say what to do."""

from collections.abc import Iterable
from dataclasses import replace

from deniable_collector.clock import Moment, past_ends
from deniable_collector.store import Registry, Store
from deniable_collector.store.base import PublishOutcome, StoredSurvey
from deniable_sdk import DeniableError, PublishedSurvey
from deniable_sdk.wording import counted, near_names


class SlugTaken(DeniableError):
    """Another survey is open under this slug."""


class RealReports(DeniableError):
    """Simulated reports would mix with reports that the store already has."""


class SurveyClosed(DeniableError):
    """A survey that was closed, or would be closed from the start, cannot be published."""


class UnknownSlug(DeniableError):
    """The store has no survey under this slug."""

    def __init__(self, slug: str, known: Iterable[StoredSurvey]) -> None:
        slugs = sorted({each.survey.slug for each in known})
        super().__init__(
            f"there is no survey {slug!r}; {near_names(slug, slugs, 'the store has')}"
        )


def edition_name(stored: StoredSurvey) -> str:
    """The name of an edition in commands."""
    return f"{stored.survey.slug}@{stored.edition}"


def editions_of(registry: Registry, slug: str | None) -> list[StoredSurvey]:
    """All editions of a survey, or of all surveys.

    Raises:
        UnknownSlug: there is none.
    """
    surveys = registry.list_surveys()
    found = [stored for stored in surveys if slug in (None, stored.survey.slug)]
    if slug is not None and not found:
        raise UnknownSlug(slug, surveys)
    return found


def has_end(survey: PublishedSurvey) -> bool:
    """Whether a survey says how it ends, or keeps its results sealed until somebody ends it."""
    window = survey.window
    return window is not None and (window.has_own_end or window.stop_when is not None)


def publish_for_simulation(store: Store, survey: PublishedSurvey) -> None:
    """Publish a survey for invented reports.

    Raises:
        RealReports: the survey already has reports.
        SlugTaken, SurveyClosed, UnusableKeys: as for publish.
    """
    _publish(store, survey)
    count = store.count_reports(survey.digest)
    if count:
        raise RealReports(
            f"the survey {survey.slug!r} has {counted(count, 'report')} in this store already, "
            "and invented ones could never be distinguished from them; name a new file with "
            "--store"
        )
    found = store.find_edition(survey.digest)
    if found:
        # Before the first report: nobody ever sees it without the mark.
        store.adopt_ending(survey.digest, replace(found.ending, is_simulated=True))


def publish(registry: Registry, survey: PublishedSurvey, now: Moment) -> bool:
    """Publish a survey, and return whether it is new to the store.

    Raises:
        SlugTaken: a different document is open under the same slug.
        SurveyClosed: this document was published before and is closed, or it is new and has
            an end before now.
        UnusableKeys: a group of invited people has no key, or one that another survey has.
    """
    ended = past_ends(survey, now)
    if ended and registry.find_edition(survey.digest) is None:
        raise SurveyClosed(f"not published: {ended[0]}")
    return _publish(registry, survey)


def _publish(registry: Registry, survey: PublishedSurvey) -> bool:
    """Publish a survey whatever the day; see publish."""
    publication = registry.publish(survey)
    if publication.outcome is PublishOutcome.CONFLICT:
        raise SlugTaken(
            f"another survey is open under the slug {survey.slug!r} (digest "
            f"{publication.stored.survey.digest}); a published survey never changes, so close "
            f"that one first (deniable close {survey.slug}) or choose another slug"
        )
    if publication.stored.is_closed:
        raise SurveyClosed(
            "this same survey was published before and stays closed; change the definition of "
            f"{survey.slug!r} for a new edition, or choose another slug"
        )
    return publication.outcome is PublishOutcome.PUBLISHED
