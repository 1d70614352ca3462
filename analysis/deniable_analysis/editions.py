"""All editions of a survey, to be pooled or followed over time."""

from pathlib import Path

from deniable_analysis.sources import open_source
from deniable_analysis.sources.base import select_survey
from deniable_analysis.study import Study, open_study


def open_editions(
    location: str | Path, slug: str | None = None, *, token: str | None = None
) -> tuple[Study, ...]:
    """The studies of all editions of a survey, from the first to the newest.

    Args:
        location: as open_study accepts it.
        slug: may be left out where the store contains a single one.
        token: as open_study accepts it.
    Raises:
        SurveyNotFound: the survey is not in the store, or several are.
        StudyNotFound, UnreadableStudy, InvalidSurvey: as open_study, and
            whatever else it raises.
    """
    surveys = open_source(location, token).surveys()
    wanted = select_survey(surveys, slug).slug
    found = sorted(stored.edition for stored in surveys if stored.slug == wanted)
    return tuple(open_study(location, f"{wanted}@{edition}", token=token) for edition in found)
