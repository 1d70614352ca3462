"""The studies of a survey: of one edition, or of all, for pooled estimates and trends."""

from functools import partial
from pathlib import Path

from deniable_analysis.sources import ExportSource, open_source
from deniable_analysis.sources.base import select_survey
from deniable_analysis.sources.groups import ClosedGroups
from deniable_analysis.study import Study
from deniable_sdk.survey.published import PublishedSurvey


def open_study(
    location: str | Path, survey: str | None = None, *, token: str | None = None
) -> Study:
    """The study of a survey in a store, an export or at a collector.

    Args:
        location: the path of a collector's SQLite file, or sqlite:///PATH; the
            URL of its PostgreSQL database, postgresql://USER@HOST/DATABASE; the
            path of an export (.ndjson, .csv, .json, .parquet); or the address of the
            survey's page at a collector, like https://example.org/s/SLUG.
        survey: a slug (its newest edition), slug@edition or a digest; not
            needed if the location has a single slug.
        token: token of the analyst, for a collector; by default the environment
            variable DENIABLE_ANALYST_TOKEN.
    Raises:
        StudyNotFound: there is no store or survey at the location.
        UnreadableStudy: the location does not contain a valid store of surveys.
        StudyRefused: a collector does not accept the token.
        StudyUnavailable: a collector or a database does not answer at present.
        PsycopgMissing: the package for PostgreSQL is not installed.
        UnsafeAddress: a token must not be sent to the address.
        SurveyNotFound: the survey is not there, or there are several and none
            is named.
        InvalidSurvey: the stored document is not a valid published survey.
    """
    source = open_source(location, token)
    stored = select_survey(source.surveys(), survey)
    published = PublishedSurvey.from_bytes(source.document(stored), digest=stored.digest)
    by_group = None
    if published.invited is not None and not isinstance(source, ExportSource):
        by_group = ClosedGroups(source, stored, published)
    return Study(
        published,
        stored.edition,
        partial(source.count, stored),
        partial(source.joint_counts, stored),
        by_group,
        fieldwork=partial(source.fieldwork, stored),
    )


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
