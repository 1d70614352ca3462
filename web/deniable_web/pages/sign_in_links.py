"""Links that sign somebody in: a link hands over a token once, within an hour.

To the store, the secret of a link is the secret of a token: the store has its digest. Whoever
sends it in time gets a token, whose digest replaces the link's. So a link works once in all
processes and on all machines of a store, and the store contains no time. What stays in the
history of a browser opens nothing.
"""

import re
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final
from urllib.parse import quote

from deniable_collector.clock import Moment
from deniable_collector.errors import Refused
from deniable_collector.store import Registry
from deniable_collector.tokens import AccessToken, Role, digest_of, draw_secret, make_token

LASTS: Final = timedelta(hours=1)

_FRAGMENT: Final = "#link="
# The second since 1970 from which on it is over, 256 random bits, and the name of the token.
_SECRET: Final = re.compile(r"([0-9]{1,12})\.[A-Za-z0-9_-]{43}\.[A-Za-z0-9._~%-]+", re.ASCII)


@dataclass(frozen=True, slots=True)
class SignInLink:
    """A new link.

    Args:
        path: of the page that it opens, with the secret in the fragment, which browsers never
            send.
        digest: of its secret, for the store.
    """

    path: str = field(repr=False)
    digest: str


def make_link(rights: AccessToken, now: Moment) -> SignInLink:
    """A new link to the first page of a token; the store must get its digest."""
    until = int((now + LASTS).timestamp())
    secret = f"{until}.{draw_secret()}.{quote(rights.name, safe='')}"
    return SignInLink(f"{_first_page(rights)}{_FRAGMENT}{secret}", digest_of(secret))


def exchange(registry: Registry, secret: str, now: Moment) -> tuple[AccessToken, str]:
    """The rights and the new token of whoever sends the secret of a link first, and in time.

    Raises:
        Refused: it is not such a secret, or was sent before or too late.
    """
    found = _SECRET.fullmatch(secret)
    if found and now.timestamp() < int(found[1]):
        rights = registry.find_token(digest_of(secret))
        token = make_token(rights.role) if rights else ""
        if rights and registry.change_secret(rights.name, digest_of(token), digest_of(secret)):
            return rights, token
    raise Refused.because(
        "link-over",
        "This link works once, within an hour, and it was used, is too old or was replaced; make "
        "another one with `deniable token link NAME`, or ask whoever gave it to you.",
    )


def _first_page(rights: AccessToken) -> str:
    if rights.role is Role.READER:
        (slug,) = rights.surveys or ("",)
        return f"/surveys/{slug}/results"
    return "/drafts" if rights.role is Role.EDITOR else "/surveys"
