"""The issuer's branch of the tree of errors.

DeniableError
├── CryptographyMissing  making and reading keys needs a package
├── NotByInvitation      the survey invites nobody, so there are no codes
├── KeyMissing           the store does not have the key of a group
├── KeyServesTwice       a key already signs for another survey
├── UnsignableMessage    a blinded message is not one that a device makes
├── SigningFailed        a signature did not verify, so it was not sent
├── CollectingOver       no code can be used any more
├── InvalidPeople        the list of people cannot be used
├── TooManyPeople        there are more people than the survey says are invited
├── UnfinishedFile       a file of codes exists already, or cannot be written
├── InvalidLetter        the text of a mail cannot be used
└── MailUnavailable      the mail server cannot be used
"""

from deniable_sdk.errors import DeniableError


class CryptographyMissing(DeniableError, ImportError):
    """Making and reading keys needs a package that is not installed."""


class NotByInvitation(DeniableError, ValueError):
    """The survey invites nobody."""


class KeyMissing(DeniableError, LookupError):
    """The store does not have the private key of a group."""


class KeyServesTwice(DeniableError, ValueError):
    """A key signs for another survey, whose codes could buy tokens of this one."""


class UnsignableMessage(DeniableError, ValueError):
    """A blinded message is not one that a device makes; the error does not repeat it."""


class SigningFailed(DeniableError, RuntimeError):
    """A signature did not verify; it was not sent, because it could reveal the key."""


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
