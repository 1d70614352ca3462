"""The issuer's errors."""

from collections.abc import Sequence

from deniable_sdk.errors import DefinitionProblem, DeniableError


class NotByInvitation(DeniableError, ValueError):
    """The survey invites nobody."""


class KeyMissing(DeniableError, LookupError):
    """The store does not have the private key of a group."""


class KeyServesTwice(DeniableError, ValueError):
    """A key signs for another survey, whose codes could buy tokens of this one."""


class CollectingOver(DeniableError):
    """Tokens are no longer signed, so no code can be used any more."""


class InvalidPeople(DeniableError, ValueError):
    """The list of people cannot be used; the message has line numbers and no contact."""


class TooManyPeople(DeniableError, ValueError):
    """More people have codes, or would get them, than the survey says are invited."""


class UnfinishedFile(DeniableError, OSError):
    """A file of codes exists already, or cannot be written."""


class InvalidLetter(DeniableError, ValueError):
    """The subject, the sender or the text of a mail cannot be used."""


class MailUnavailable(DeniableError, OSError):
    """The mail server cannot be used; the message does not repeat what the server said."""


class InvalidSignIn(DeniableError, ValueError):
    """The settings of signing in cannot be used.

    Args:
        problems: each with its place; none repeats a secret.
    """

    def __init__(self, problems: Sequence[DefinitionProblem]) -> None:
        super().__init__("\n".join(str(problem) for problem in problems))
        self.problems = tuple(problems)


class NotSignedIn(DeniableError):
    """A person could not be signed in.

    Args:
        page: the name of the text that says so to the person.
        cause: words for the log if the operator can do something about it; they repeat
            nothing of a request or of what a provider sent.
    """

    def __init__(self, page: str, cause: str = "") -> None:
        super().__init__(cause or page)
        self.page = page
        self.cause = cause
