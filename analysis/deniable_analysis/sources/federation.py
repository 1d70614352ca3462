"""What is known of the sites of a study besides their counts: names, groups, who is missing."""

from collections.abc import Collection, Mapping, Sequence

from deniable_analysis.arguments import as_list, kind_of, named
from deniable_analysis.errors import InvalidArgument, UnreadableStudy
from deniable_analysis.sources.collector import CollectorSource
from deniable_analysis.sources.releases import ReleaseSource
from deniable_analysis.sources.sites import Site, naming
from deniable_sdk.survey.groups import Group
from deniable_sdk.survey.published import PublishedSurvey
from deniable_sdk.wording import counted, near_names

_TWICE = (
    "the survey does not say which site collects whose reports: a report that somebody sent to "
    "two sites counts twice, and cannot be told apart"
)


def read_without(without: object) -> dict[str, str]:
    """Why each of the sites that are left out is missing, by its name.

    Args:
        without: a list of their names, or a mapping from their names to reasons.
    Raises:
        InvalidArgument: it is neither.
    """
    names = as_list(list(without) if isinstance(without, Mapping) else without)
    if names is None or not all(isinstance(name, str) for name in names):
        raise InvalidArgument(
            f"without: got {kind_of(without)}; allowed is a list of the names of sites that are "
            'left out, or their names and why, like {"south": "withdrew on 1 December"}'
        )
    if not isinstance(without, Mapping):
        return dict.fromkeys(names, "")
    if not all(isinstance(why, str) for why in without.values()):
        raise InvalidArgument("without: got a reason that is not a text; allowed is a text")
    return dict(without)


def about_sites(
    survey: PublishedSurvey,
    present: Sequence[Site],
    places: Collection[str],
    without: Mapping[str, str],
    *,
    are_given: bool,
) -> tuple[str, ...]:
    """Check the sites that are open; the sentences that belong to every result of them.

    Args:
        survey: the survey.
        present: the sites that are open.
        places: names of all sites that have a location.
        without: why each of the sites that are left out is missing.
        are_given: whether the caller has named the sites.
    Raises:
        InvalidArgument: a name is missing, or is not one of the survey's; or a collector has the
            name of another site.
        UnreadableStudy: there are reports of other sites' groups; and errors of sources.
    """
    known, groups = survey.sites, survey.groups
    every = list(dict.fromkeys([*places, *known]))
    for name in without:
        if name not in every:
            listed = near_names(name, every, "the sites are")
            raise InvalidArgument(f"without: got {named(name)}; {listed}")
    names = list(dict.fromkeys([*places, *without]))
    if known:
        _check_names(known, names, are_given=are_given)
    own = _own_names(present, are_given=are_given)
    unchecked = [
        site.name for site in present if known and not _is_alone(groups, site, own.get(site.name))
    ]
    found = [_TWICE] if len(names) > 1 and not known else []
    found += [
        f"this result is without the site {name!r}" + (f", which is missing: {why}" if why else "")
        for name, why in without.items()
    ]
    found += [
        f"site {name!r}: nobody has checked that it has no reports of other sites' groups, which "
        "would count twice; its collector does not say the name of its site, or these are a file"
        for name in unchecked
    ]
    return tuple(found)


def _check_names(known: Sequence[str], names: Sequence[str], *, are_given: bool) -> None:
    """Refuse names of sites unless they are exactly those that the survey names."""
    if not are_given:
        raise InvalidArgument(
            f"the survey names its sites: {', '.join(known)}; pass their locations by "
            f'these names, as in {{"{known[0]}": ...}}'
        )
    for name in names:
        if name not in known:
            listed = near_names(name, known, "the survey has")
            raise InvalidArgument(f"got the site {named(name)}; {listed}")
    missing = [name for name in known if name not in names]
    if missing:
        raise InvalidArgument(
            f"the survey also has {counted(len(missing), 'site')}: {', '.join(missing)}; pass the "
            f'location, or without=["{missing[0]}"], and the results say so'
        )


def _is_alone(groups: Sequence[Group], site: Site, own: str | None) -> bool:
    """Whether a site, which may say its own name, surely has no reports of others' groups."""
    with naming(site.name):
        if not site.source.has_groups:
            return False
        # A collector counts groups only once the survey is closed.
        if isinstance(site.source, CollectorSource) and not site.stored.is_closed:
            return bool(own)
        for group in groups:
            if group.site != site.name:
                found = site.source.count(site.stored, (), group.id).report_count
                if found:
                    raise UnreadableStudy(
                        f"it has {counted(found, 'report')} of the group {group.id!r}, which "
                        f"belongs to the site {group.site!r}; start its collector with the name "
                        "of the site (deniable serve --site)"
                    )
    return True


def _own_names(present: Sequence[Site], *, are_given: bool) -> dict[str, str]:
    """What collectors and releases say of their names, by those of the sites.

    Raises:
        InvalidArgument: a site has been given another name, or two say the same; and errors of
            sources.
    """
    found: dict[str, str] = {}
    for site in present:
        if not isinstance(site.source, (CollectorSource, ReleaseSource)):
            continue
        with naming(site.name):
            own = site.source.site_name()
        what = "release" if isinstance(site.source, ReleaseSource) else "collector"
        if own and are_given and own != site.name:
            raise InvalidArgument(
                f"site {site.name!r}: the {what} at its location is that of the site {own!r}; "
                "check which location belongs to which name"
            )
        found[site.name] = own or ""
    _refuse_twice(present, found)
    return found


def _refuse_twice(present: Sequence[Site], own: Mapping[str, str]) -> None:
    """Refuse two sites that say one name, and two addresses of one running collector."""
    known: dict[str, str] = {}
    for site in present:
        said = {own.get(site.name)}
        if isinstance(site.source, CollectorSource):
            with naming(site.name):
                said.add(site.source.started())
        for each in filter(None, said):
            first = known.setdefault(each, site.name)
            if first != site.name:
                raise InvalidArgument(
                    f"site {site.name!r}: what is at its location says that it is the same as "
                    f"that of {first!r}, and its reports would count twice; name it once"
                )
