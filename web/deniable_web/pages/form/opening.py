"""The page's content before the first question: who asks, and how to reach them."""

import re
from typing import Final

_NO_DIGIT: Final = re.compile(r"[^0-9+]")
# So that Start is on the first screen of a phone.
_MOST_CHARACTERS: Final = 140


def contact_url(contact: str) -> str:
    """The address of a link to a contact: a web page, an e-mail address or a phone number."""
    if contact.startswith("https://"):
        return contact
    return f"mailto:{contact}" if "@" in contact else f"tel:{_NO_DIGIT.sub('', contact)}"


def is_short(text: str) -> bool:
    """Whether a text is short enough to be shown above Start; longer texts are below it."""
    return len(text) <= _MOST_CHARACTERS
