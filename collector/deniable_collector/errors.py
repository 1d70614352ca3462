"""The collector's errors."""

from typing import Final, Self

from deniable_collector.problems import Problem, problem
from deniable_sdk.errors import DeniableError
from deniable_storage.errors import PackageMissing as PackageMissing  # noqa: PLC0414  one of these


class InvalidSettings(DeniableError, ValueError):
    """A setting cannot be used; the message never repeats a token."""


class InvalidTokenName(DeniableError, ValueError):
    """The name of a token is not allowed; the message never repeats a token."""


class InvalidTokenSurvey(DeniableError, ValueError):
    """The survey name of a token is not allowed."""


class InvalidRelease(DeniableError, ValueError):
    """The number of reports from which on a reader sees results is not allowed."""


class OpenToTheNetwork(DeniableError):
    """Other machines could connect to the collector, and it has no token."""


class UndeclaredAccess(DeniableError, RuntimeError):
    """A route does not say who may use it, so nobody may."""


class AddressUnavailable(DeniableError, OSError):
    """The address to listen on is in use, or is not this machine's."""


class WorkerFailed(DeniableError, RuntimeError):
    """A worker could not start; the message is the worker's own."""


class UnsupportedStore(DeniableError, NotImplementedError):
    """The location names a kind of store that this version does not have."""


class UnreadableStore(DeniableError, ValueError):
    """The location has no store of this version."""


class StoreUnavailable(DeniableError, RuntimeError):
    """The store cannot be read or written now; nothing was half done.

    If a database fell silent at the very end, everything may be done. `cause` is the
    storage engine's name for the error.
    """

    def __init__(self, cause: str, message: str = "") -> None:
        self.cause = cause
        super().__init__(
            message
            or f"the store cannot be used now ({cause}); nothing of this request is sure to be "
            "stored; try again, and if this persists, check the disk or the database server, and "
            "other programs that use the store"
        )


READ_BY_OTHERS: Final = "another program is reading the store"


class ErasingUnfinished(StoreUnavailable):
    """A survey is closed or purged, and the store still has what that erases."""

    def __init__(self, cause: str, *, is_purged: bool) -> None:
        act = "purge" if is_purged else "close"
        super().__init__(
            cause,
            f"{_UNFINISHED[act]} ({cause}); {act} the survey again once no other program uses the "
            "store, or restart the collector, which finishes it",
        )


_UNFINISHED: Final = {
    "close": "the survey accepts no more reports, but the stored data still reveal the order in "
    "which the reports arrived",
    "purge": "the reports are removed, but bytes of them are still in the store",
}


class StillOpen(DeniableError):
    """A survey that accepts reports cannot be purged."""

    def __init__(self, slug: str, edition: int) -> None:
        super().__init__(
            f"edition {edition} of {slug} is open, and only closed surveys are purged; close it "
            f"first: deniable close {slug}"
        )


class ExtensionRefused(DeniableError, ValueError):
    """The end of a survey cannot be moved like this; nothing changed."""


class UnusableKeys(DeniableError, ValueError):
    """A group of invited people has no key, or one that serves already; nothing was published."""


class DamagedKey(DeniableError, ValueError):
    """A private key cannot be read; the message does not repeat it."""


class UnsignableMessage(DeniableError, ValueError):
    """A blinded message is not one that a device makes; the error does not repeat it."""


class SigningFailed(DeniableError, RuntimeError):
    """A signature did not verify; it was not sent, because it could reveal the key."""


class BackupExists(DeniableError, FileExistsError):
    """A file exists at the target; a backup never overwrites a file."""


class TooBusy(DeniableError):
    """Too many reports wait to be stored; none of these will be."""


class Refused(DeniableError):
    """A request is refused; `problem` says why, and is the body of the response."""

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        super().__init__(problem.detail)

    @classmethod
    def because(cls, name: str, detail: str, wait_s: int | None = None) -> Self:
        """The refusal with the problem of this name; arguments are those of `problem`."""
        return cls(problem(name, detail, wait_s))
