"""Groups of respondents that an organizer gives: by a link, or by an invitation.

A group is the same for all who got the same link, or belong together in an invitation. Nobody
answers it: it is declared, shown before the first question, and travels in clear beside the
report.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Iterator, Sequence

from deniable_sdk.canonical import JSON
from deniable_sdk.errors import Code, InvalidGroup, few, quote
from deniable_sdk.survey.reading import ID_PATTERN, ID_RULE, Section
from deniable_sdk.survey.text import (
    Text,
    in_language,
    languages,
    read_optional_text,
    skeleton,
)
from deniable_sdk.survey.writing import SurveyPart
from deniable_sdk.tokens import KEY_BYTES, TokenKey, base64url, from_base64url

MAX_GROUPS = 24
# In place of an id, of reports that no link gave a group.
NO_GROUP = ""
MAX_PEOPLE = 10_000_000
# The fewest people among whom a report with the name of its group is hidden.
SMALL_GROUP = 20

# Base64url of an odd number of 2048 bits, written in the one way it can be.
_MODULUS = re.compile(r"[g-z0-9_-][A-Za-z0-9_-]{340}[Qw]", re.ASCII)
_MODULUS_RULE = "an odd modulus of 2048 bits in base64url, as deniable issuer keys writes it"
_KEYS_BY_LINK = ("text", "number")
_KEYS_BY_INVITATION = ("text", "invited", "modulus", "site")


class Group(SurveyPart, hidden="modulus"):
    """Some of the people who may answer. Their reports carry its id.

    Args:
        id: of the group.
        text: its name for respondents, which no other group has; the id if None.
        people: how many people there are in it.
        modulus: (256,) bytes of the key that signs their tokens; empty if it is given by a link.
        site: the name of the site whose collector accepts their reports; "" if
            any collector of the survey does.
    """

    id: str
    text: Text | None
    people: int
    modulus: bytes = b""
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
        document = super().to_document()
        people = document.pop("people")
        if not self.modulus:
            return {**document, "number": people}
        return {**document, "invited": people, "modulus": base64url(self.modulus)}


def read_groups(section: Section, *, by_link: bool) -> tuple[Group, ...]:
    """The groups under a section's key "groups"; problems go to the section.

    A published survey has a list of them, and a definition a map. Groups of invited people have
    keys.
    """
    return tuple(_read_groups(section, by_link))


def _read_groups(section: Section, by_link: bool) -> Iterator[Group]:
    keys = _KEYS_BY_LINK if by_link else _KEYS_BY_INVITATION
    if section.is_published:
        for inner in section.sections("groups", 1, MAX_GROUPS, "groups"):
            inner.refuse_unknown(("id", *keys))
            yield _read_group(inner, inner.identifier("id", ID_PATTERN, ID_RULE), by_link)
        return
    rule = f"1 to {MAX_GROUPS} groups with their ids as keys"
    groups = section.inner(section.require("groups", rule), "groups")
    if groups.is_object and not 1 <= len(groups.values) <= MAX_GROUPS:
        groups.refuse(
            f"got {len(groups.values)} groups; allowed are {rule}",
            code=Code.GROUP_COUNT,
            highest=MAX_GROUPS,
        )
    for name, member in [*groups.values.items()][:MAX_GROUPS]:
        if not (isinstance(name, str) and ID_PATTERN.fullmatch(name)):
            groups.refuse(
                f"got the group {quote(name)}; allowed is {ID_RULE}",
                str(name),
                code=Code.GROUP_NAME,
            )
            continue
        inner = groups.inner(member, name)
        inner.refuse_unknown(keys)
        yield _read_group(inner, name, by_link)


def _read_group(section: Section, group_id: str, by_link: bool) -> Group:
    """A group; problems go to the section."""
    text = read_optional_text(section, "text")
    if by_link:
        return Group(group_id, text, section.integer("number", 1, MAX_PEOPLE))
    modulus = placeholder_modulus(group_id)
    if "modulus" in section or section.is_published:
        encoded = section.identifier("modulus", _MODULUS, _MODULUS_RULE)
        modulus = from_base64url(encoded) if encoded else modulus
    return Group(
        group_id,
        text,
        section.integer("invited", 1, MAX_PEOPLE),
        modulus,
        section.identifier("site", ID_PATTERN, ID_RULE) if "site" in section else "",
    )


def check_groups(groups: Sequence[Group], section: Section, *, are_small: bool = False) -> None:
    """Refuse groups that hide their people badly; `are_small` allows those of few people."""
    if section.problems.found:
        return
    if len({group.id for group in groups}) < len(groups):
        section.refuse("an id is repeated", "groups")
    _check_names(groups, section)
    small = [group.id for group in groups if group.people < SMALL_GROUP]
    if small and not are_small:
        by_link = not groups[0].modulus
        section.refuse(
            f"fewer than {SMALL_GROUP} people are {'' if by_link else 'invited '}in: "
            f"{', '.join(small)}; their reports carry the group and are hidden among few; merge "
            f"groups{'' if by_link else ', or write small_groups: true, which the form shows'}",
            "groups",
            code=Code.SMALL_GROUPS,
            least=SMALL_GROUP,
            groups=", ".join(small),
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
                    code=Code.GROUPS_LOOK_ALIKE,
                )
                return


def placeholder_modulus(group_id: str) -> bytes:
    """(256,) bytes in place of a modulus that no issuer has made yet.

    A definition can be checked and previewed with it. Nobody can sign for it,
    and no collector publishes it.
    """
    drawn = hashlib.shake_256(f"deniable-placeholder/1 {group_id}".encode()).digest(KEY_BYTES)
    return bytes([drawn[0] | 128, *drawn[1:-1], drawn[-1] | 1])


def group_of(groups: Sequence[Group], group_id: str) -> Group:
    """The group of this id.

    Raises:
        InvalidGroup: there is none; the message does not repeat the id.
    """
    for group in groups:
        if group.id == group_id:
            return group
    allowed = few([group.id for group in groups])
    raise InvalidGroup(
        f"the survey has no such group; allowed are: {allowed}"
        if groups
        else "the survey has no groups; leave the group out"
    )
