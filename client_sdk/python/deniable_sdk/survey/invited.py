"""Who is invited to a survey: groups of people, and the key of each group.

Each invited person may send one report. An issuer, who knows who is invited,
signs a token for each person without seeing it (`deniable_sdk.tokens`).
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence
from datetime import datetime

from deniable_sdk import canonical
from deniable_sdk.canonical import JSON
from deniable_sdk.errors import few, quote
from deniable_sdk.survey.reading import ID_PATTERN, ID_RULE, Section
from deniable_sdk.survey.text import (
    Text,
    in_language,
    languages,
    read_optional_text,
    skeleton,
)
from deniable_sdk.survey.window import Window, read_moment
from deniable_sdk.survey.writing import SurveyPart
from deniable_sdk.tokens import (
    KEY_BYTES,
    InvalidToken,
    TokenKey,
    base64url,
    from_base64url,
    token_input,
)

MAX_GROUPS = 100
MAX_INVITED = 10_000_000
# The fewest people among whom a report with the name of its group is hidden.
SMALL_GROUP = 20

# Base64url of an odd number of 2048 bits, written in the one way it can be.
_MODULUS = re.compile(r"[g-z0-9_-][A-Za-z0-9_-]{340}[Qw]", re.ASCII)
_ISSUER = re.compile(
    r"(?:https://[a-z0-9][a-z0-9.-]{0,200}|http://localhost|http://127\.0\.0\.1)"
    r"(?::[0-9]{1,5})?(?:/[a-z0-9._~-]{1,100}){0,5}",
    re.ASCII,
)
_ISSUER_RULE = "an address like https://example.org, in lower case and without a slash at the end"
_MODULUS_RULE = "an odd modulus of 2048 bits in base64url, as deniable issuer keys writes it"
_KEYS = ("issuer", "collect_until", "small_groups", "groups")
_GROUP_KEYS = ("text", "invited", "modulus", "site")


class Group(SurveyPart, hidden="modulus"):
    """Some of the invited people. Their reports carry its id.

    Args:
        id: of the group.
        text: its name for respondents, which no other group has; the id if None.
        invited: how many people.
        modulus: (256,) bytes of the key that signs their tokens.
        site: the name of the site whose collector accepts their reports; "" if
            any collector of the survey does.
    """

    id: str
    text: Text | None
    invited: int
    modulus: bytes
    site: str = ""

    @property
    def name(self) -> Text:
        """Its name for respondents."""
        return self.text or self.id

    @property
    def key(self) -> TokenKey:
        """The key that signs the tokens of this group."""
        return TokenKey(self.modulus)

    def is_at(self, site: str) -> bool:
        """Whether a collector with this name accepts its reports; "" is one without a name."""
        return not site or not self.site or self.site == site

    @property
    def has_key(self) -> bool:
        """Whether an issuer made its key; a placeholder is nobody's key."""
        return self.modulus != placeholder_modulus(self.id)

    def to_document(self) -> dict[str, JSON]:
        """The group as a published survey contains it."""
        return {**super().to_document(), "modulus": base64url(self.modulus)}


class Invited(SurveyPart):
    """Who may answer, and who signs their tokens.

    Args:
        issuer: the address of the issuer.
        collect_until: until when tokens are signed, in UTC; as long as the
            issuer is there if None.
        small_groups: whether groups of fewer than 20 people are allowed.
        groups: at least one.
    """

    issuer: str
    collect_until: datetime | None
    small_groups: bool
    groups: tuple[Group, ...]

    @property
    def sites(self) -> tuple[str, ...]:
        """The names of the sites of all groups, each once; none if groups name none."""
        return tuple(dict.fromkeys(group.site for group in self.groups if group.site))


def read_invited(survey: Section, window: Window | None) -> Invited | None:
    """Who is invited, or None where everybody may answer; problems go to the section.

    A published survey has a list of groups that have keys, and a definition a map
    of groups.
    """
    if "invited" not in survey:
        return None
    section = survey.within("invited")
    section.refuse_unknown(_KEYS)
    invited = Invited(
        issuer=section.identifier("issuer", _ISSUER, _ISSUER_RULE),
        collect_until=read_moment(section, "collect_until"),
        small_groups=section.flag("small_groups"),
        groups=tuple(_read_groups(section)),
    )
    if survey.is_published and "small_groups" in section and not invited.small_groups:
        section.refuse("got false; it is left out where it is not true", "small_groups")
    closes, until = window and window.closes, invited.collect_until
    if closes and until and closes <= until:
        section.refuse("is not before the survey closes", "collect_until")
    _check_groups(invited, section)
    return invited


def _read_groups(section: Section) -> Iterator[Group]:
    if section.is_published:
        for inner in section.sections("groups", 1, MAX_GROUPS, "groups"):
            inner.refuse_unknown(("id", *_GROUP_KEYS))
            yield _read_group(inner, inner.identifier("id", ID_PATTERN, ID_RULE))
        return
    rule = f"1 to {MAX_GROUPS} groups with their ids as keys"
    groups = section.inner(section.require("groups", rule), "groups")
    if groups.is_object and not 1 <= len(groups.values) <= MAX_GROUPS:
        groups.refuse(f"got {len(groups.values)} groups; allowed are {rule}")
    for name, member in [*groups.values.items()][:MAX_GROUPS]:
        if not (isinstance(name, str) and ID_PATTERN.fullmatch(name)):
            groups.refuse(f"got the group {quote(name)}; allowed is {ID_RULE}", str(name))
            continue
        inner = groups.inner(member, name)
        inner.refuse_unknown(_GROUP_KEYS)
        yield _read_group(inner, name, placeholder_modulus(name))


def _read_group(section: Section, group_id: str, modulus: bytes = b"") -> Group:
    """A group; problems go to the section."""
    if "modulus" in section or not modulus:
        text = section.identifier("modulus", _MODULUS, _MODULUS_RULE)
        modulus = from_base64url(text) if text else b""
    return Group(
        group_id,
        read_optional_text(section, "text"),
        section.integer("invited", 1, MAX_INVITED),
        modulus,
        section.identifier("site", ID_PATTERN, ID_RULE) if "site" in section else "",
    )


def _check_groups(invited: Invited, section: Section) -> None:
    if section.problems.found:
        return
    groups = invited.groups
    if len({group.id for group in groups}) < len(groups):
        section.refuse("an id is repeated", "groups")
    if len({group.modulus for group in groups}) < len(groups):
        section.refuse(
            "two groups have the same modulus: people of one could send reports as the other; "
            "make a key for each with deniable issuer keys",
            "groups",
        )
    _check_names(groups, section)
    without = [group.id for group in groups if not group.site]
    if 0 < len(without) < len(groups):
        section.refuse(
            f"these have no site, and others have one: {', '.join(without)}; name a site for each "
            "group, so that each person can report at one site only, or for none",
            "groups",
        )
    small = [group.id for group in groups if group.invited < SMALL_GROUP]
    if small and not invited.small_groups:
        section.refuse(
            f"fewer than {SMALL_GROUP} people are invited in: {', '.join(small)}; their reports "
            "carry the group and are hidden among few; merge groups, or write small_groups: true, "
            "which the form shows",
            "groups",
        )


def _check_names(groups: Sequence[Group], section: Section) -> None:
    """Refuse names that look the same to the readers of a language."""
    # A published survey has its languages in this order, and others read the first.
    names = {
        group.id: group.name if isinstance(group.name, str) else dict(sorted(group.name.items()))
        for group in groups
    }
    spoken = {language for name in names.values() for language in languages(name)}
    for language in ("", *sorted(spoken)):
        named = {"": ""}
        for group, name in names.items():
            other = named.setdefault(skeleton(in_language(name, language)), group)
            if other != group:
                fault = f"the names of {other} and {group} look the same"
                if not other:
                    fault = f"the name of {group} has no letter or digit"
                section.refuse(
                    f"{fault}; a group made for one person could pass for another; give each "
                    "group a name that differs in letters or digits, in every language",
                    "groups",
                )
                return


def placeholder_modulus(group_id: str) -> bytes:
    """(256,) bytes in place of a modulus that no issuer has made yet.

    A definition can be checked and previewed with it. Nobody can sign for it,
    and no collector publishes it.
    """
    drawn = hashlib.shake_256(f"deniable-placeholder/1 {group_id}".encode()).digest(KEY_BYTES)
    return bytes([drawn[0] | 128, *drawn[1:-1], drawn[-1] | 1])


def group_of(invited: Invited | None, group_id: str) -> Group:
    """The group of this id.

    Raises:
        InvalidToken: there is none.
    """
    groups = invited.groups if invited else ()
    for group in groups:
        if group.id == group_id:
            return group
    if not groups:
        raise InvalidToken("everybody may answer this survey, without a token")
    allowed = few([group.id for group in groups])
    raise InvalidToken(f"the survey has no such group; allowed are: {allowed}")


def input_of(digest: str, group: Group, nonce: bytes) -> bytes:
    """(98,) bytes that a token of this survey and group signs."""
    challenge = canonical.encode({"group": group.id, "survey": digest})
    return token_input(group.key, nonce, challenge)
