"""Which of a store's surveys is meant."""

from collections.abc import Sequence

from deniable_analysis.arguments import named, near_names
from deniable_analysis.errors import SurveyNotFound
from deniable_analysis.sources import StoredSurvey


def select_survey(surveys: Sequence[StoredSurvey], wanted: str | None) -> StoredSurvey:
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
        if len({survey.slug for survey in surveys}) == 1:
            return _newest(surveys)
        raise SurveyNotFound(f"no survey was named; {_listed(surveys)}")
    # A digest can look like a slug; a digest names only one survey.
    exact = [
        survey
        for survey in surveys
        if wanted in (survey.digest, f"{survey.slug}@{survey.edition}")
    ]
    matching = exact or [survey for survey in surveys if survey.slug == wanted]
    if not matching:
        raise SurveyNotFound(f"got the survey {named(wanted)}; {_listed(surveys, wanted)}")
    return _newest(matching)


def _newest(surveys: Sequence[StoredSurvey]) -> StoredSurvey:
    return max(surveys, key=lambda survey: survey.edition)


def _listed(surveys: Sequence[StoredSurvey], wanted: str = "") -> str:
    if not surveys:
        return "the store holds none yet; publish one first"
    names = [f"{survey.slug}@{survey.edition}" for survey in surveys]
    listed = near_names(wanted, names, "the store holds")
    return f"{listed}; name one of them, or its slug for the newest edition"
