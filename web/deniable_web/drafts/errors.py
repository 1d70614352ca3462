"""Why drafts are refused; each error has the name of its problem in responses."""

from typing import ClassVar

from deniable_sdk import DeniableError


class DraftError(DeniableError):
    """A draft cannot be read or kept."""

    problem_name: ClassVar[str]


class UnknownDraft(DraftError):
    """There is no such draft, or no such version of it."""

    problem_name = "unknown-draft"

    def __init__(self) -> None:
        super().__init__("There is no draft at this address; it may have been removed.")


class TooManyDrafts(DraftError):
    """The store has as many drafts as it can have."""

    problem_name = "too-many-drafts"

    def __init__(self, most: int) -> None:
        super().__init__(f"There are {most:,} drafts already; remove some that nobody needs.")


class DraftChanged(DraftError):
    """There is a newer version than the one that the author changed."""

    problem_name = "draft-changed"

    def __init__(self) -> None:
        super().__init__(
            "Somebody saved a newer version of this draft; get it, merge the changes, and save "
            "them with its number."
        )
