"""A survey by invitation, and the issuer that signs blinded messages for its groups."""

from functools import cache
from typing import Any

from cryptography.hazmat.primitives.asymmetric import rsa

from deniable_sdk import PublishedSurvey, compile_survey
from deniable_sdk.tokens import EXPONENT, KEY_BYTES, base64url
from sample_definitions import definition, yes_no

GROUPS = ("nurses", "doctors")


@cache
def private_key(name: str) -> rsa.RSAPrivateNumbers:
    """The issuer's key of a group."""
    del name
    return rsa.generate_private_key(EXPONENT, 8 * KEY_BYTES).private_numbers()


def modulus(name: str) -> bytes:
    """The public half of a group's key."""
    return private_key(name).public_numbers.n.to_bytes(KEY_BYTES, "big")


def group(name: str) -> dict[str, Any]:
    """A group with this one's key."""
    return {"invited": 40, "modulus": base64url(modulus(name))}


def invited(**changed: Any) -> dict[str, Any]:
    """Two groups with keys."""
    groups = {name: group(name) for name in GROUPS}
    return {"issuer": "https://council.example.org", "groups": groups, **changed}


def published(**changed: Any) -> PublishedSurvey:
    """A survey by invitation."""
    return compile_survey(definition(yes_no(required=True), invited=invited(), **changed))


def sign(group: str, message: bytes) -> bytes:
    """The issuer's response to a blinded message."""
    own = private_key(group)
    signed = pow(int.from_bytes(message, "big"), own.d, own.public_numbers.n)
    return signed.to_bytes(KEY_BYTES, "big")
