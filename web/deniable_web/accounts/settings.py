"""Reads at which provider people sign in, and which rights follow from what it says."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from deniable_collector.tokens import Role
from deniable_issuer.sign_in.clients import CLIENT_KEYS, is_safe, read_client, read_optional_word
from deniable_sdk import DeniableError
from deniable_sdk.errors import DefinitionProblem, quote
from deniable_sdk.randomness import system_bytes
from deniable_sdk.survey.reading import SLUG_PATTERN, SLUG_RULE, Problems, Section

SIGN_IN: Final = "/manage/sign-in"

_KEYS: Final = (*CLIENT_KEYS, "title", "name", "claim", "rights")
# A reader's token is for a link to results, with a condition that only a command makes.
ROLES: Final = tuple(role.value for role in Role if role is not Role.READER)
MOST_SURVEYS: Final = 1_000
_SECRET_BYTES: Final = 32
_MOST_RIGHTS: Final = 1_000
_LONGEST_TITLE: Final = 60


@dataclass(frozen=True, slots=True)
class Right:
    """The rights of people whose claim has a value; of all surveys if none is named."""

    value: str
    role: Role
    surveys: frozenset[str] | None = None


@dataclass(frozen=True, slots=True)
class AccountProvider:
    """The provider at which people who run surveys sign in; see docs/OPERATING.md.

    Args:
        provider: the provider's own name: an https address.
        client_id: the name under which the provider knows this server.
        client_secret: what proves that; None for a public client.
        scopes: what the provider is asked for.
        title: what people call it.
        name: the claim with the name of an account.
        claim: the claim that rights follow from.
        rights: the first one that fits counts.
        address: of this server, as people reach it.
        secret: (32,) bytes that sign the cookies of people on their way.
    """

    provider: str
    client_id: str
    client_secret: str | None = field(repr=False)
    scopes: Sequence[str]
    title: str
    name: str
    claim: str
    rights: Sequence[Right]
    address: str
    secret: bytes = field(repr=False)

    @property
    def callback(self) -> str:
        """The address to which the provider sends people back."""
        return f"{self.address}{SIGN_IN}/callback"

    @property
    def claims(self) -> Sequence[str]:
        """The names of all claims that are read."""
        return self.name, self.claim

    def right_of(self, claims: Mapping[str, object]) -> Right | None:
        """The rights of a person; None if they have none here."""
        said = claims.get(self.claim)
        values = said if isinstance(said, list) else [said]
        return next((right for right in self.rights if right.value in values), None)


class InvalidAccounts(DeniableError, ValueError):
    """The file about accounts cannot be used; no problem repeats a secret."""

    def __init__(self, problems: Sequence[DefinitionProblem]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = tuple(problems)


def read_account_provider(
    document: object, address: str, environment: Mapping[str, str]
) -> AccountProvider:
    """What a file says.

    Args:
        document: the file's content.
        address: of this server; empty if the operator has not said it.
        environment: where the client's secret is.
    Raises:
        InvalidAccounts: it has all problems with their places.
    """
    problems = Problems()
    section = Section(document, (), problems)
    section.refuse_unknown(_KEYS)
    if not address or not is_safe(address):
        section.refuse(
            "signing in needs the https address of this server, to which the provider sends "
            "people back; set DENIABLE_ADDRESS to it"
        )
    client = read_client(section, environment)
    title = section.read("title", _TITLE_RULE, _is_title, "")
    name = read_optional_word(section, "name") or "preferred_username"
    claim = read_optional_word(section, "claim") or "groups"
    rights = tuple(_rights(section))
    if problems.found:
        raise InvalidAccounts(problems.found)
    return AccountProvider(
        *client, title, name, claim, rights, address, system_bytes(_SECRET_BYTES)
    )


_TITLE_RULE: Final = f"a text of 1 to {_LONGEST_TITLE} characters, like the name of your clinic"


def _is_title(value: object) -> bool:
    return isinstance(value, str) and value.isprintable() and 1 <= len(value) <= _LONGEST_TITLE


def _rights(section: Section) -> Iterator[Right]:
    section.require("rights", "a list of values with their role")
    if "rights" not in section:
        return
    for each in section.sections("rights", 1, _MOST_RIGHTS, "rights"):
        each.refuse_unknown(("value", "role", "surveys"))
        value = each.read("value", "a text", lambda value: isinstance(value, str) and value, "")
        each.require("role", f"one of {', '.join(ROLES)}")
        role = each.choice("role", ROLES, Role.ANALYST.value)
        surveys = frozenset(_slugs(each)) if "surveys" in each else None
        yield Right(value, Role(role), surveys)


def _slugs(section: Section) -> Iterator[str]:
    for slug in section.members("surveys", 1, MOST_SURVEYS, "surveys"):
        if isinstance(slug, str) and SLUG_PATTERN.fullmatch(slug):
            yield slug
        else:
            section.refuse(f"got {quote(slug)}; allowed is {SLUG_RULE}", "surveys")
