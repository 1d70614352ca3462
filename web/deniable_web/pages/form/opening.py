"""What stands before the first question: who asks, and how to reach them."""

import re
from typing import Final

_NO_DIGIT: Final = re.compile(r"[^0-9+]")
# So that Start stands on the first screen of a phone.
_MOST_CHARACTERS: Final = 140


def contact_url(contact: str) -> str:
    """The address of a link to a contact: a page's, or one for e-mails or for calls."""
    if contact.startswith("https://"):
        return contact
    return f"mailto:{contact}" if "@" in contact else f"tel:{_NO_DIGIT.sub('', contact)}"


def is_short(text: str) -> bool:
    """Whether a text stands above Start; a longer one stands below it."""
    return len(text) <= _MOST_CHARACTERS
