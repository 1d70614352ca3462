"""How long a link works that signs somebody in, in words."""

import shlex

from deniable_web.commands.options import store_words
from deniable_web.pages.sign_in_links import LASTS


def how_long(name: str, store: str) -> str:
    """What somebody needs to know who gets a link, or passes it on."""
    minutes = int(LASTS.total_seconds() // 60)
    return (
        f"This link works once, in the next {minutes} minutes. The page then shows a token for "
        f"signing in later. For another link: deniable token link {shlex.quote(name)}"
        f"{store_words(store)}"
    )
