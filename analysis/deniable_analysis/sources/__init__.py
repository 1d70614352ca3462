"""Where reports come from; each kind of place is one file here."""

from collections.abc import Collection, Hashable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import NoneType
from urllib.parse import urlsplit

from deniable_analysis.arguments import check_kind, named
from deniable_analysis.errors import InvalidArgument, StudyNotFound, SurveyNotFound
from deniable_analysis.sources.base import ListedSurvey, Source, select_survey
from deniable_analysis.sources.engines import open_parts
from deniable_analysis.sources.exports.formats import ExportSource, format_of
from deniable_analysis.sources.parts_folder import is_folder
from deniable_analysis.sources.places import check_location, place_of
from deniable_analysis.sources.releases import ReleaseSource, is_release
from deniable_analysis.sources.schemes import open_url
from deniable_analysis.sources.shares import Shares
from deniable_analysis.sources.sites import Site, naming, same_survey
from deniable_analysis.sources.stores import SqliteSource
from deniable_analysis.sources.tables import TableSource
from deniable_sdk.wording import near_names

Location = str | Path


def open_source(location: str | Path, token: str | None = None) -> Source:
    """The source at a location.

    Args:
        location: the path of an export, by its suffix, of a release, or of a SQLite file;
            sqlite:///PATH (with a fourth slash where PATH is absolute); the
            URL of a PostgreSQL database; a folder of parts, or s3://BUCKET/FOLDER;
            the address of a survey's page at a collector; or a URL whose scheme
            an installed package reads.
        token: the analyst's, for a collector.
    Raises:
        StudyNotFound: the location is of a kind this version does not read.
        UnsafeAddress: a token must not be sent to the address.
    """
    allowed = "a text or a pathlib.Path; open_sites takes several, open_table a table of Ibis"
    check_kind("location", location, (str, Path), allowed, StudyNotFound)
    check_kind("token", token, (str, NoneType), "a text; open_sites takes one for each site")
    if isinstance(location, str) and "://" in location:
        return open_url(location, token)
    path = Path(location)
    if is_folder(path):
        return open_parts(location)
    if is_release(path):
        return ReleaseSource(path)
    export = format_of(path)
    return ExportSource(path, export) if export else SqliteSource(path)


def opened_sites(
    places: Mapping[str, Location],
    survey: str | None = None,
    token: str | Mapping[str, str] | None = None,
    without: Collection[str] = (),
) -> tuple[Site, ...]:
    """The sites at some locations, all with the same published survey.

    Args:
        places: locations as for open_source, by the name of the site.
        survey: the survey at the first of them, as for select_survey.
        token: the analyst's for all collectors, or for each site by its name.
        without: names of sites that are not opened.
    Raises:
        InvalidArgument: all are left out, or a token is for none of them.
        SurveyNotFound: a site has not published the survey.
        StudyNotFound, UnsafeAddress: as for open_source; and errors of sources.
    """
    tokens = dict.fromkeys(places, token) if not isinstance(token, Mapping) else dict(token)
    for name in tokens.keys() - places.keys():
        listed = near_names(name, places, "the sites are")
        raise InvalidArgument(f"got a token for {named(name)}; {listed}")
    found: list[Site] = []
    for name, location in places.items():
        if name in without:
            continue
        with naming(name):
            source = open_source(location, tokens.get(name))
            surveys = source.surveys()
            stored = same_survey(source, surveys, found[0]) if found else None
            found.append(Site(name, source, stored or select_survey(surveys, survey)))
    if not found:
        raise InvalidArgument("without: got every site; at least one must be left")
    return tuple(found)


def open_shares(locations: Sequence[Location], survey: str | None) -> tuple[Shares, ListedSurvey]:
    """Stores that each have a share of a survey's reports, and the survey.

    It counts as closed once it is closed in all of them.

    Args:
        locations: of SQLite files or PostgreSQL databases, as for open_source.
        survey: the survey in the first of them, as for select_survey.
    Raises:
        InvalidArgument: there is none, or one is named twice.
        StudyNotFound: one is not a store.
        SurveyNotFound: one has not published the survey.
    """
    if not locations:
        raise InvalidArgument("got no store; name at least one")
    shares: list[tuple[TableSource, ListedSurvey]] = []
    places: set[Hashable] = set()
    for location in locations:
        place = place_of(location)
        if place in places:
            raise InvalidArgument(f"got the store {_name_of(location)} twice; name each once")
        places.add(place)
        shares.append(_open_share(location, survey, shares[0][1] if shares else None))
    are_closed = all(stored.is_closed for _, stored in shares)
    return Shares(tuple(shares)), replace(shares[0][1], is_closed=are_closed)


def _open_share(
    location: Location, survey: str | None, first: ListedSurvey | None
) -> tuple[TableSource, ListedSurvey]:
    """The store at a location, with the survey that the first one has, if there is one."""
    source = open_source(location)
    if not isinstance(source, TableSource):
        raise StudyNotFound(
            f"{_name_of(location)} is not a store of a collector; name SQLite files and "
            "PostgreSQL databases"
        )
    surveys = source.surveys()
    if first is None:
        return source, select_survey(surveys, survey)
    for each in surveys:
        if each.digest == first.digest:
            return source, each
    raise SurveyNotFound(
        f"{_name_of(location)} has not published the document of {first.slug!r} with the digest "
        f"{first.digest}, as the first store has; name stores with the same document only"
    )


def named_locations(locations: Sequence[Location] | Mapping[str, Location]) -> dict[str, Location]:
    """The locations by the names of the sites, which a list leaves to be made up.

    Raises:
        InvalidArgument: there is none, or two have the same name or location.
        StudyNotFound: a location is neither a text nor a path.
    """
    allowed = "a list of locations, or a mapping from the names of sites; open_study takes one"
    check_kind("locations", locations, (Mapping, list, tuple), allowed)
    if isinstance(locations, Mapping):
        places = dict(locations)
    else:
        names = [_name_of(each) for each in locations]
        twice = next((name for name in names if names.count(name) > 1), None)
        if twice is not None:
            raise InvalidArgument(
                f"two of the locations would be called {twice!r}; name the sites, as in "
                '{"north": ..., "south": ...}'
            )
        places = dict(zip(names, locations, strict=True))
    if not places:
        raise InvalidArgument("got no location; pass at least one")
    if "" in places:
        raise InvalidArgument("got a site without a name; each needs one")
    known: dict[Hashable, str] = {}
    for name, location in places.items():
        first = known.setdefault(place_of(location), name)
        if first != name:
            raise InvalidArgument(
                f"site {name!r}: its location is that of the site {first!r}, and its reports "
                "would count twice; name it once"
            )
    return places


def _name_of(location: Location) -> str:
    """The name of a location in results and errors, without a password."""
    if isinstance(location, str) and "://" in location:
        parts = urlsplit(location)
        return f"{parts.netloc.rpartition('@')[2]}{parts.path}"
    check_location(location)
    return Path(location).name
