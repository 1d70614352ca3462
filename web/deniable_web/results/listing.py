"""The list of surveys, ready to be rendered."""

from collections.abc import Sequence
from dataclasses import dataclass

from deniable_collector.store.base import ReportOutcome, StoredSurvey
from deniable_sdk.survey.text import in_language
from deniable_web.results.labels import nearest
from deniable_web.results.numbers import Numbers
from deniable_web.results.results_cache import Listed


@dataclass(frozen=True, slots=True)
class EditionView:
    """An edition of a survey.

    Args:
        number: its number, for addresses.
        edition: the same in words.
        reports: the number of its reports, in words.
        is_closed: whether its owner closed it.
        state: the key of the text for its state.
        is_by_invitation: whether it has groups of invited people.
    """

    number: int
    edition: str
    reports: str
    is_closed: bool
    state: str
    is_by_invitation: bool


@dataclass(frozen=True, slots=True)
class SurveyCard:
    """A survey: its newest edition, and all earlier ones.

    Args:
        slug: its name in addresses.
        title: the title in the reader's language, or in its first language.
        newest: the edition under the slug.
        earlier: the earlier editions, the newest first.
    """

    slug: str
    title: str
    newest: EditionView
    earlier: tuple[EditionView, ...]


def survey_cards(surveys: Sequence[Sequence[Listed]], language: str) -> tuple[SurveyCard, ...]:
    """A card for each survey, the open ones first, by title."""
    numbers = Numbers(language)
    cards = []
    for newest, *earlier in surveys:
        survey = newest.stored.survey
        cards.append(
            SurveyCard(
                slug=survey.slug,
                title=in_language(survey.title, nearest(survey, language)),
                newest=_edition(newest, numbers),
                earlier=tuple(_edition(each, numbers) for each in earlier),
            )
        )
    return tuple(sorted(cards, key=lambda card: (card.newest.is_closed, card.title.casefold())))


def state_key(stored: StoredSurvey, refusal: ReportOutcome | None) -> str:
    """The key of the text for a survey's state.

    Args:
        stored: the survey.
        refusal: why it accepts no new reports now; None if it does.
    """
    if stored.is_purged:
        return "purged"
    if stored.is_closed:
        return "closed"
    return {None: "open", ReportOutcome.NOT_OPEN: "not_open"}.get(refusal, "closed")


def _edition(listed: Listed, numbers: Numbers) -> EditionView:
    stored = listed.stored
    return EditionView(
        number=stored.edition,
        edition=numbers.count(stored.edition),
        reports=numbers.count(listed.reports),
        is_closed=stored.is_closed,
        state=state_key(stored, listed.refusal),
        is_by_invitation=stored.survey.invited is not None,
    )
