"""The studies of a survey: of one edition, of several sites, or of all editions."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from pathlib import Path

from deniable_analysis.sources import Location, named_locations, open_source, opened_sites
from deniable_analysis.sources.base import ListedSurvey, Source, groups_of, select_survey
from deniable_analysis.sources.engines import EngineTable, engine_source
from deniable_analysis.sources.federation import about_sites, read_without
from deniable_analysis.sources.releases import ReleaseSource, released
from deniable_analysis.sources.sites import Sites, naming
from deniable_analysis.study import Study
from deniable_sdk.survey.block import Block
from deniable_sdk.survey.published import PublishedSurvey
from deniable_storage.counts import SurveyCounts


def open_study(
    location: Location, survey: str | None = None, *, token: str | None = None
) -> Study:
    """The study of a survey in a store, an export or a release, or at a collector.

    Args:
        location: the path of a collector's SQLite file, or sqlite:///PATH; the
            URL of its PostgreSQL database, postgresql://USER@HOST/DATABASE; the
            path of an export (.ndjson, .csv, .json, .parquet), or of a release; the folder of
            an export in parts, or s3://BUCKET/FOLDER; or the address of the
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
        PackageMissing: the package for PostgreSQL, or for
            parts, is not installed.
        UnsafeAddress: a token must not be sent to the address.
        SurveyNotFound: the survey is not there, or there are several and none
            is named.
        InvalidSurvey: the stored document is not a valid published survey.
    """
    source = open_source(location, token)
    return _study(source, select_survey(source.surveys(), survey))


def open_table(table: EngineTable, survey: str | Path | PublishedSurvey) -> Study:
    """The study of a survey whose reports are a table of Ibis, which its engine counts.

    Args:
        table: a column for each block, as an export has them; and _group, if there are groups.
        survey: the path of the _survey.json of an export, or a PublishedSurvey.
    Raises:
        StudyNotFound: it is no table of Ibis, or the file is not there.
        UnreadableStudy: the table is not one of the survey.
        SurveyNotFound: the survey is neither a file nor a PublishedSurvey.
    """
    source = engine_source(table, survey)
    return _study(source, source.surveys()[0])


def open_sites(
    locations: Sequence[Location] | Mapping[str, Location],
    survey: str | None = None,
    *,
    token: str | Mapping[str, str] | None = None,
    without: Sequence[str] | Mapping[str, str] = (),
) -> Study:
    """The study of a survey at several sites, whose counts add up.

    No report may be at two of them. The study has those of all sites, by name.

    Args:
        locations: as for open_study, in a list or by the name of the site. If the groups of
            a survey by invitation name their sites, these are the names.
        survey: as for open_study, at the first site; the others must have the same document.
        token: as for open_study, or one for each site by its name.
        without: names of sites that are left out, because they do not answer
            or have withdrawn, or a mapping from their names to why. All
            results then name them.
    Raises:
        SurveyNotFound: a site has not published the same document.
        InvalidArgument: no site, two with the same name or location, or other
            names than those in the survey; and errors of open_study.
    """
    missing = read_without(without)
    places = named_locations(locations)
    present = opened_sites(places, survey, token, missing)
    whole = _study(Sites(present), present[0].stored)
    sites = {}
    for each in present:
        with naming(each.name):
            study = _study(each.source, each.stored)
        sites[each.name] = replace(study, name=each.name, of_sites=(each.name,))
    noisy = [sentence for each in sites.values() for sentence in each.about_sites]
    are_given = isinstance(locations, Mapping)
    about = about_sites(whole.survey, present, places, missing, are_given=are_given)
    return replace(
        whole,
        of_sites=tuple(each.name for each in present) if missing else None,
        about_sites=(*about, *noisy),
        sites=sites,
    )


def _study(source: Source, stored: ListedSurvey) -> Study:
    published = source.published(stored)
    count = partial(source.count, stored)
    return Study(
        published,
        stored.edition,
        partial(_count_alone, count, stored.slug) if source.has_noise else count,
        partial(source.joint_counts, stored),
        groups_of(source, stored, published),
        fieldwork=partial(source.fieldwork, stored),
        about_sites=(source.in_words,) if isinstance(source, ReleaseSource) else (),
        with_noise=count if source.has_noise else None,
    )


def _count_alone(
    count: Callable[[Sequence[Block]], SurveyCounts], slug: str, blocks: Sequence[Block]
) -> SurveyCounts:
    """How many reports there are, which no noise is added to; ReleasedCounts for blocks."""
    if blocks:
        raise released(slug)
    return count(blocks)


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
