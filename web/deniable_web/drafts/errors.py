"""Why drafts are refused."""

from deniable_collector.errors import Refused
from deniable_collector.problems import problem


class UnknownDraft(Refused):
    """There is no such draft, or no such version of it."""

    def __init__(self) -> None:
        detail = "There is no draft at this address; it may have been removed."
        super().__init__(problem("unknown-draft", detail))


class TooManyDrafts(Refused):
    """The store has as many drafts as it can have."""

    def __init__(self, most: int) -> None:
        detail = f"There are {most:,} drafts already; remove some that nobody needs."
        super().__init__(problem("too-many-drafts", detail))


class DraftChanged(Refused):
    """There is a newer version than the one that the author changed."""

    def __init__(self) -> None:
        detail = (
            "Somebody saved a newer version of this draft; get it, merge the changes, and save "
            "them with its number."
        )
        super().__init__(problem("draft-changed", detail))
