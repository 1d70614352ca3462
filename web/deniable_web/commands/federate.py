"""deniable federate: one survey at several institutions."""

import json
from collections.abc import Mapping, Sequence
from fractions import Fraction
from pathlib import Path
from shutil import rmtree

import click

from deniable_analysis.errors import UnsafeAddress
from deniable_analysis.sources.addresses import Address
from deniable_collector.clock import utc_now
from deniable_collector.settings import ADDRESS, SITE
from deniable_collector.store import open_store
from deniable_collector.tokens import AccessToken, Role, digest_of, make_token
from deniable_sdk import PublishedSurvey
from deniable_sdk.addresses import InvalidAddress, read_address
from deniable_sdk.errors import quote
from deniable_sdk.survey.reading import ID_PATTERN, ID_RULE
from deniable_web.commands.options import definition_argument, output_option, yearly_cap_option
from deniable_web.commands.output_files import replace_file
from deniable_web.commands.program import NotDone
from deniable_web.commands.tables import say
from deniable_web.definition.file import read_definition
from deniable_web.stores.publication import publish

# The name of the analyst's token in each store.
ANALYST = "federation"
# Everything that opens the sites; only its owner may read it.
ANALYST_FILE = "analyst.json"
STORE_FILE = "deniable.sqlite"
SETTINGS_FILE = "site.env"
SURVEY_FILE = "survey.json"
GUIDE_FILE = "README.txt"
_STORE = "DENIABLE_STORE"
_FEWEST = 2


def read_sites(survey: PublishedSurvey, given: Sequence[str]) -> dict[str, str]:
    """The address of each site's collector by its name, from texts like north=https://a.org.

    Raises:
        NotDone: a text is not that, a site occurs twice, or the survey names others.
    """
    found: dict[str, str] = {}
    for text in given:
        name, separator, address = text.partition("=")
        if not (separator and ID_PATTERN.fullmatch(name)):
            raise NotDone(
                f"got the site {quote(text)}; allowed is NAME=ADDRESS, like "
                f"north=https://survey.example.org; a name is {ID_RULE}"
            )
        if name in found:
            raise NotDone(f"got the site {quote(name)} twice; name each site once")
        try:
            found[name] = read_address(address)
            # Results are read there with a token.
            Address.of(location_of(survey, found[name]))
        except (InvalidAddress, UnsafeAddress) as error:
            raise NotDone(f"the address of the site {quote(name)}: {error}") from None
    if len(found) < _FEWEST:
        raise NotDone(f"got {len(found)} of at least {_FEWEST} sites; repeat --site")
    if len(set(found.values())) < len(found):
        raise NotDone("two sites have the same address; each needs a collector")
    known = survey.sites
    if known and set(known) != set(found):
        raise NotDone(
            f"got the sites {', '.join(found)}, and the groups of the survey name: "
            f"{', '.join(known)}; pass exactly these"
        )
    return found


def location_of(survey: PublishedSurvey, address: str) -> str:
    """Where respondents and the analyst find the survey at a collector."""
    return f"{address}/s/{survey.slug}"


def write_federation(survey: PublishedSurvey, sites: Mapping[str, str], folder: Path) -> None:
    """Write a folder for each site, and a file for the analyst, into a new folder.

    Raises:
        NotDone: the folder exists or cannot be made.
        UnusableKeys: a group of invited people has no key.
    """
    try:
        folder.mkdir(mode=0o700)
    except OSError as error:
        raise NotDone(
            f"{quote(str(folder))} cannot be made ({error.strerror}); "
            "name a new folder with --output"
        ) from None
    try:
        _write_into(survey, sites, folder)
    except BaseException:
        # Half of a federation is none, and nobody else has written here.
        rmtree(folder)
        raise


def _write_into(survey: PublishedSurvey, sites: Mapping[str, str], folder: Path) -> None:
    tokens = {name: _write_site(survey, folder / name, name, sites[name]) for name in sites}
    document = {
        "survey": survey.slug,
        "digest": survey.digest,
        "locations": {name: location_of(survey, each) for name, each in sites.items()},
        "tokens": tokens,
    }
    replace_file(folder / ANALYST_FILE, json.dumps(document, indent=2) + "\n")


def _write_site(survey: PublishedSurvey, folder: Path, name: str, address: str) -> str:
    """The analyst's token for a site, whose folder is written."""
    folder.mkdir(mode=0o700)
    (folder / SURVEY_FILE).write_bytes(survey.document)
    settings = {SITE: name, ADDRESS: address, _STORE: STORE_FILE}
    lines = [f"{variable}={value}\n" for variable, value in settings.items()]
    (folder / SETTINGS_FILE).write_text("".join(lines), encoding="utf-8")
    token = make_token(Role.ANALYST)
    access = AccessToken(ANALYST, Role.ANALYST, frozenset({survey.slug}))
    with open_store(folder / STORE_FILE) as store:
        publish(store, survey, utc_now())
        store.add_token(access, digest_of(token))
    (folder / GUIDE_FILE).write_text(_guide(survey, name, address), encoding="utf-8")
    return token


def _guide(survey: PublishedSurvey, name: str, address: str) -> str:
    return f"""This folder is for the site {name} of the survey {survey.slug}.

1. Compare the survey's digest with that which the other sites have:
   sha256sum {SURVEY_FILE}
   {survey.digest}
2. Start the collector in this folder, behind a web server at {address}:
   set -a; . ./{SETTINGS_FILE}; set +a; deniable serve
3. Give your respondents the link of this site and no other: {location_of(survey, address)}

The store {STORE_FILE} has the hash of one token, called {ANALYST}. Whoever has the token can read
counts of this survey, and never a report. To withdraw, close the survey, revoke the token, and say
since when:
   deniable close {survey.slug} --store {STORE_FILE}
   deniable token revoke {ANALYST} --store {STORE_FILE}
"""


@click.command("federate")
@definition_argument
@click.option(
    "--site",
    "sites",
    metavar="NAME=ADDRESS",
    multiple=True,
    help="The name of a site and the address of its collector; repeat it for each site.",
)
@output_option(
    "A new folder for what each site needs.",
    metavar="FOLDER",
    is_required=True,
    kind=click.Path(path_type=Path),
)
@yearly_cap_option
def command(file: Path, sites: tuple[str, ...], output: Path, yearly_cap: Fraction) -> None:
    """Compile FILE and write a folder for each site of a federation.

    Each folder has the published survey, a store with it, and the settings of
    the collector. A file for the analyst has the locations of all sites, and
    for each a new token that opens counts of this survey and nothing else.
    """
    survey = read_definition(file).compile(yearly_cap)
    addresses = read_sites(survey, sites)
    write_federation(survey, addresses, output)
    for name in addresses:
        say(f"For the site {name}: {output / name}; its README.txt says how to start.")
    say(f"For the analyst alone: {output / ANALYST_FILE}, with the tokens of all sites.")
    say("Pass on each folder and the file over a secure channel, and remove them here.")
    click.echo(survey.digest)
