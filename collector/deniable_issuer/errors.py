"""The issuer's branch of the tree of errors.

DeniableError
├── NotByInvitation      the survey invites nobody, so there are no codes
├── KeyMissing           the store does not have the key of a group
├── KeyServesTwice       a key already signs for another survey
├── CollectingOver       no code can be used any more
├── InvalidPeople        the list of people cannot be used
├── TooManyPeople        there are more people than the survey says are invited
├── UnfinishedFile       a file of codes exists already, or cannot be written
├── InvalidLetter        the text of a mail cannot be used
├── MailUnavailable      the mail server cannot be used
├── AuthlibMissing       signing in needs a package
├── InvalidSignIn        the settings of signing in cannot be used
└── NotSignedIn          a person could not be signed in
"""

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


class AuthlibMissing(DeniableError, ImportError):
    """Signing in needs a package that is not installed."""


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
