"""The list of surveys, ready to be rendered."""

from collections.abc import Sequence
from dataclasses import dataclass

from deniable_collector.store.base import StoredSurvey
from deniable_sdk.survey.text import in_language
from deniable_web.results.labels import nearest
from deniable_web.results.results_cache import ResultsCache


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
