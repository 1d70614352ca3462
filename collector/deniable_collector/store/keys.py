"""Refuses surveys by invitation whose groups have no keys of their own."""

from collections.abc import Callable

from deniable_collector.errors import UnusableKeys
from deniable_sdk import PublishedSurvey
from deniable_sdk.tokens import base64url


def refuse_unusable_keys(survey: PublishedSurvey, is_published: Callable[[str], bool]) -> None:
    """Raise UnusableKeys unless each group has a key that no published survey has.

    Args:
        survey: a survey that is not published yet.
        is_published: whether a published document contains a text.
    Raises:
        UnusableKeys: the message names the groups, and no other survey.
    """
    groups = survey.invited.groups if survey.invited else ()
    missing = [group.id for group in groups if not group.has_key]
    if missing:
        raise UnusableKeys(
            f"got no key for {', '.join(missing)}, so nobody could sign their tokens; write keys "
            "into the definition with: deniable issuer keys FILE"
        )
    used = [
        group.id for group in groups if is_published(f'"modulus":"{base64url(group.modulus)}"')
    ]
    if used:
        raise UnusableKeys(
            f"got keys for {', '.join(used)} that a survey in this store has already, so tokens "
            "for one would be good for the other; remove their moduli from the definition, and "
            "write new ones with: deniable issuer keys FILE"
        )
