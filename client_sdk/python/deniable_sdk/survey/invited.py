"""Who is invited to a survey, and the tokens of the people in its groups.

Each invited person may send one report. An issuer, who knows who is invited,
signs a token for each person without seeing it (`deniable_sdk.tokens`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from deniable_sdk import canonical
from deniable_sdk.errors import Code, InvalidGroup
from deniable_sdk.survey.groups import Group, check_groups, group_of, read_groups
from deniable_sdk.survey.reading import Section
from deniable_sdk.survey.window import Window, read_moment
from deniable_sdk.survey.writing import SurveyPart
from deniable_sdk.tokens import InvalidToken, token_input

_ISSUER = re.compile(
    r"(?:https://[a-z0-9][a-z0-9.-]{0,200}|http://localhost|http://127\.0\.0\.1)"
    r"(?::[0-9]{1,5})?(?:/[a-z0-9._~-]{1,100}){0,5}",
    re.ASCII,
)
_ISSUER_RULE = "an address like https://example.org, in lower case and without a slash at the end"
_KEYS = ("issuer", "collect_until", "small_groups", "groups")


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


def read_invited(survey: Section, window: Window | None) -> Invited | None:
    """Who is invited, or None where everybody may answer; problems go to the section."""
    if "invited" not in survey:
        return None
    section = survey.within("invited")
    section.refuse_unknown(_KEYS)
    invited = Invited(
        issuer=section.identifier("issuer", _ISSUER, _ISSUER_RULE),
        collect_until=read_moment(section, "collect_until"),
        small_groups=section.flag("small_groups"),
        groups=read_groups(section, by_link=False),
    )
    if survey.is_published and "small_groups" in section and not invited.small_groups:
        section.refuse("got false; it is left out where it is not true", "small_groups")
    closes, until = window and window.closes, invited.collect_until
    if closes and until and closes <= until:
        section.refuse(
            "is not before the survey closes", "collect_until", code=Code.COLLECTS_TOO_LATE
        )
    check_groups(invited.groups, section, are_small=invited.small_groups)
    _check_keys_and_sites(invited.groups, section)
    return invited


def read_link_groups(survey: Section) -> tuple[Group, ...]:
    """The groups that links give in a survey that everybody may answer; problems as above."""
    if "groups" not in survey:
        return ()
    if "invited" in survey:
        survey.refuse(
            "stands beside invited; groups by link are for surveys that everybody may answer; "
            "write the groups of invited people in invited.groups",
            "groups",
            code=Code.TWO_KINDS_OF_GROUPS,
        )
        return ()
    groups = read_groups(survey, by_link=True)
    check_groups(groups, survey)
    return groups


def _check_keys_and_sites(groups: Sequence[Group], section: Section) -> None:
    if section.problems.found:
        return
    if len({group.modulus for group in groups}) < len(groups):
        section.refuse(
            "two groups have the same modulus: people of one could send reports as the other; "
            "make a key for each with deniable issuer keys",
            "groups",
            code=Code.GROUPS_SHARE_A_KEY,
        )
    without = [group.id for group in groups if not group.site]
    if 0 < len(without) < len(groups):
        section.refuse(
            f"these have no site, and others have one: {', '.join(without)}; name a site for each "
            "group, so that each person can report at one site only, or for none",
            "groups",
            code=Code.GROUPS_WITHOUT_SITE,
            groups=", ".join(without),
        )


def invited_group(groups: Sequence[Group], group_id: str) -> Group:
    """The group of invited people of this id.

    Raises:
        InvalidToken: there is none.
    """
    invited = [group for group in groups if group.modulus]
    if not invited:
        raise InvalidToken("everybody may answer this survey, without a token")
    try:
        return group_of(invited, group_id)
    except InvalidGroup as error:
        raise InvalidToken(str(error)) from None


def input_of(digest: str, group: Group, nonce: bytes) -> bytes:
    """(98,) bytes that a token of this survey and group signs."""
    challenge = canonical.encode({"group": group.id, "survey": digest})
    return token_input(group.key, nonce, challenge)
