"""All editions of a survey, for pooled estimates and trends."""

from pathlib import Path

from deniable_analysis.sources import open_source
from deniable_analysis.sources.base import select_survey
from deniable_analysis.study import Study, open_study


def open_editions(
    location: str | Path, slug: str | None = None, *, token: str | None = None
) -> tuple[Study, ...]:
    """The studies of all editions of a survey, from the first to the newest.

    Args:
        location: as for open_study.
        slug: slug of the survey; not needed if the store contains a single one.
        token: as for open_study.
    Raises:
        SurveyNotFound: the survey is not in the store, or several are.
        StudyNotFound, UnreadableStudy, InvalidSurvey: as for open_study, with
            all of its other errors.
    """
    surveys = open_source(location, token).surveys()
    wanted = select_survey(surveys, slug).slug
    found = sorted(stored.edition for stored in surveys if stored.slug == wanted)
    return tuple(open_study(location, f"{wanted}@{edition}", token=token) for edition in found)
