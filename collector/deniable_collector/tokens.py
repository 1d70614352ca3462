"""What a token is: a random secret that opens the routes of one role.

A store keeps a token's SHA-256 and never the token. A slow or salted hash
would add nothing: those are for secrets that people choose, and nobody can
guess 256 random bits, whether or not they see the hash. A token is looked up
by its hash, so that the time it takes tells nothing of any token either.
"""

import os
import re
from base64 import urlsafe_b64encode
from dataclasses import dataclass
from enum import StrEnum
from hashlib import sha256

from deniable_collector.errors import InvalidTokenName
from deniable_sdk.errors import quote

TOKEN_BYTES = 32
LONGEST_NAME = 64

_PREFIX = "deniable_"
_TOKEN = re.compile(rf"{_PREFIX}(?:owner|analyst)_[A-Za-z0-9_-]{{43}}", re.ASCII)
_NAME = re.compile(rf"[A-Za-z0-9][A-Za-z0-9._@-]{{0,{LONGEST_NAME - 1}}}", re.ASCII)


class Role(StrEnum):
    """Whose routes a token opens; no role opens another's."""

    OWNER = "owner"
    ANALYST = "analyst"


@dataclass(frozen=True, slots=True)
class Token:
    """A token as a store knows it: what the operator calls it, and its role."""

    name: str
    role: Role


def make_token(role: Role) -> str:
    """A new token of a role, which nobody else has."""
    drawn = urlsafe_b64encode(os.urandom(TOKEN_BYTES)).rstrip(b"=").decode()
    return f"{_PREFIX}{role}_{drawn}"


def digest_of(token: str) -> str:
    """What a store keeps of a token: 64 hex digits."""
    return sha256(token.encode()).hexdigest()


def is_token(text: str) -> bool:
    """Whether a text could be a token at all."""
    return _TOKEN.fullmatch(text) is not None


def check_name(name: str) -> None:
    """Nothing, if a token may be called so.

    Raises:
        InvalidTokenName: it may not; a token in the place of a name is not
            repeated.
    """
    if name.startswith(_PREFIX):
        raise InvalidTokenName(
            f"got a name that begins with {_PREFIX}, as tokens do; give the name of a token, "
            "never the token"
        )
    if not _NAME.fullmatch(name):
        raise InvalidTokenName(
            f"got the name {quote(name)}; allowed are at most {LONGEST_NAME} letters from a to z, "
            "digits and . _ @ -, the first a letter or digit"
        )
