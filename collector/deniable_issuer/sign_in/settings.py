"""Reads for which surveys people sign in, at which provider, and into which groups."""

import hmac
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from sqlite3 import Connection

from deniable_issuer.codes import make_code
from deniable_issuer.errors import InvalidSignIn, KeyMissing, NotSignedIn
from deniable_issuer.keyring import find_key, find_survey, invited_of
from deniable_issuer.sign_in.clients import (
    CLIENT_KEYS,
    read_client,
    read_optional_word,
    read_safe_address,
)
from deniable_issuer.store import IssuerStore
from deniable_sdk import PublishedSurvey
from deniable_sdk.addresses import read_address
from deniable_sdk.errors import quote
from deniable_sdk.survey.reading import Problems, Section

PATH = "/sign-in"

_KEY_LABEL = b"deniable-sign-in/1"
_CODE_LABEL = "deniable-sign-in/1 code"
_LONGEST_CLAIM = 1_000
_KEYS = (*CLIENT_KEYS, "collector", "claim", "group", "group_claim", "groups")
_COLLECTOR_RULE = "an address like https://survey.example.org"
_MOST_VALUES = 1_000


@dataclass(frozen=True, slots=True)
class SignIn:
    """How people sign in for one survey.

    Args:
        survey: the published survey.
        collector: the address of its form, normalized; people are sent nowhere else.
        provider: the provider's own name: an https address.
        client_id: the name under which the provider knows the issuer.
        client_secret: what proves that; None for a public client.
        scopes: what the provider is asked for.
        claim: the name of the claim that identifies a person.
        group_claim: the name of the claim that says a person's group; None if all people are
            in one group.
        groups: the group of each value of that claim, the first one that fits being the
            person's; without a claim the one group, under the empty text.
        key: (32,) bytes that codes are made with.
    """

    survey: PublishedSurvey
    collector: str
    provider: str
    client_id: str
    client_secret: str | None = field(repr=False)
    scopes: Sequence[str]
    claim: str
    group_claim: str | None
    groups: Mapping[str, str]
    key: bytes = field(repr=False)

    @property
    def address(self) -> str:
        """The address at which people begin to sign in."""
        return f"{invited_of(self.survey).issuer}{PATH}/{self.survey.digest}"

    @property
    def callback(self) -> str:
        """The address to which the provider sends people back."""
        return f"{invited_of(self.survey).issuer}{PATH}/callback"

    @property
    def form(self) -> str:
        """The address of the survey's form."""
        return f"{self.collector}/s/{self.survey.slug}"

    @property
    def claims(self) -> Sequence[str]:
        """The names of all claims that are read."""
        return (self.claim, self.group_claim) if self.group_claim else (self.claim,)

    def group_of(self, claims: Mapping[str, object]) -> str | None:
        """The id of a person's group; None if the person is not invited."""
        if self.group_claim is None:
            return self.groups[""]
        said = claims.get(self.group_claim)
        values = said if isinstance(said, list) else [said]
        return next((group for value, group in self.groups.items() if value in values), None)

    def code_of(self, claims: Mapping[str, object]) -> str:
        """The code of a person, as it is printed: the same one again, on every device.

        It is a keyed hash of who the provider says the person is. Whoever has no key cannot
        compute it, and only its digest is kept, so the store does not say who signed in.
        Whoever has the store has the key, and can find out whether a person whom they can
        name signed in.

        Raises:
            NotSignedIn: the provider does not say who it is.
        """
        person = claims.get(self.claim)
        if not isinstance(person, str) or not 0 < len(person) <= _LONGEST_CLAIM:
            raise NotSignedIn("untrusted", f"the provider does not send the claim {self.claim}")
        said = "\0".join((_CODE_LABEL, self.survey.digest, self.provider, person))
        hashed = hmac.digest(self.key, said.encode(errors="surrogatepass"), "sha256")
        return make_code(lambda count: hashed[:count])


def read_sign_ins(
    document: object, store: IssuerStore, environment: Mapping[str, str]
) -> Sequence[SignIn]:
    """The entries of a file, checked against the store.

    Raises:
        InvalidSignIn: it has all problems with their places; none repeats a secret.
        StoreUnavailable: the store cannot be read now.
    """
    problems = Problems()
    whole = Section(document, (), problems)
    if whole.is_object and not whole.values:
        whole.refuse("it has no survey; write the settings of one under its slug")
    with store.reading() as connection:
        found = [
            _read_entry(Section(entry, (str(name),), problems), connection, environment)
            for name, entry in whole.values.items()
        ]
    read = [sign_in for sign_in in found if sign_in is not None]
    if len({sign_in.survey.digest for sign_in in read}) < len(read):
        whole.refuse("two entries are for the same survey; keep one")
    if problems.found:
        raise InvalidSignIn(problems.found)
    return read


def _read_entry(
    section: Section, connection: Connection, environment: Mapping[str, str]
) -> SignIn | None:
    """An entry; None if it has problems."""
    before = len(section.problems.found)
    section.refuse_unknown(_KEYS)
    survey = _find_survey(section, connection)
    client = read_client(section, environment)
    collector = read_safe_address(section, "collector", _COLLECTOR_RULE)
    claim = read_optional_word(section, "claim") or "sub"
    group_claim = read_optional_word(section, "group_claim")
    groups = dict(_groups(section, survey)) if survey else {}
    key = _key(section, connection, survey) if survey else b""
    if survey is None or len(section.problems.found) > before:
        return None
    return SignIn(survey, read_address(collector), *client, claim, group_claim, groups, key)


def _find_survey(section: Section, connection: Connection) -> PublishedSurvey | None:
    name = str(section.path[-1])
    rows = connection.execute("SELECT digest FROM surveys").fetchall()
    surveys = [found for (digest,) in rows if (found := find_survey(connection, digest))]
    fitting = [survey for survey in surveys if name in (survey.slug, survey.digest)]
    if len(fitting) == 1:
        return fitting[0]
    if fitting:
        digests = ", ".join(survey.digest for survey in fitting)
        section.refuse(f"the store has several editions; write one of their digests: {digests}")
    else:
        section.refuse(
            "the store has no survey of this slug or digest; run deniable issuer add first"
        )
    return None


def _key(section: Section, connection: Connection, survey: PublishedSurvey) -> bytes:
    """(32,) bytes that follow from the private keys of a survey, and say nothing about them."""
    try:
        private = [
            find_key(connection, survey.digest, group).private_bytes()
            for group in invited_of(survey).groups
        ]
    except KeyMissing as error:
        section.refuse(str(error))
        return b""
    return hmac.digest(b"".join(private), _KEY_LABEL, "sha256")


def _groups(section: Section, survey: PublishedSurvey) -> Iterator[tuple[str, str]]:
    """Each value of the claim with its group, in the order of the file."""
    known = [group.id for group in invited_of(survey).groups]
    has_claim = "group_claim" in section
    if has_claim == ("groups" in section) and not (has_claim and "group" in section):
        yield from _mapped(section, known) if has_claim else _only(section, known)
    else:
        section.refuse("write group_claim and groups, or group alone if all people are in one")


def _only(section: Section, known: Sequence[str]) -> Iterator[tuple[str, str]]:
    """The group of all people."""
    group = section.values.get("group", known[0] if len(known) == 1 else None)
    if group in known:
        yield "", str(group)
    elif "group" in section:
        section.refuse(f"got {quote(group)}; allowed are: {', '.join(known)}", "group")
    else:
        section.refuse("the survey has several groups; write group_claim and groups, or group")


def _mapped(section: Section, known: Sequence[str]) -> Iterator[tuple[str, str]]:
    groups = Section(section.values["groups"], section.at("groups"), section.problems)
    seen: set[str] = set()
    for name in map(str, groups.values):
        if name not in known:
            groups.refuse(f"it is not a group of the survey; it has: {', '.join(known)}", name)
        for value in groups.members(name, 1, _MOST_VALUES, "values of the claim"):
            if not isinstance(value, str):
                groups.refuse(f"got {quote(value)}; allowed are texts", name)
            elif value in seen:
                groups.refuse(f"got {quote(value)} twice; a value leads to one group", name)
            else:
                seen.add(value)
                yield value, name
