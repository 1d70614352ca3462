"""Tokens of invited respondents: signed by an issuer who cannot recognize them.

RSA blind signatures (RFC 9474, RSABSSA-SHA384-PSS-Deterministic) with keys of
2048 bits, over the token layout of Privacy Pass (RFC 9578, type 0x0002). A
device blinds what is to be signed, the issuer signs it unseen, and the device
takes the blinding off. Nobody can match a token with the request it came from.
"""

from __future__ import annotations

import base64
import hashlib
import re
from functools import cached_property
from typing import Self

from deniable_sdk.canonical import JSON
from deniable_sdk.errors import DeniableError
from deniable_sdk.randomness import REPORT_ID_BYTES, ReadBytes, system_bytes
from deniable_sdk.records import Record

KEY_BYTES = 256
NONCE_BYTES = 32
EXPONENT = 65_537

_TYPE = b"\x00\x02"
_HASH_BYTES = 48
SALT_BYTES = _HASH_BYTES
# SubjectPublicKeyInfo of RSASSA-PSS with SHA-384, MGF1 with SHA-384 and a salt of 48 bytes: the
# bytes before a modulus of 2048 bits, and those of the exponent 65537 after it.
_KEY_HEAD = bytes.fromhex(
    "30820152303d06092a864886f70d01010a3030a00d300b0609608648016503040202a11a301806092a864886f7"
    "0d010108300b0609608648016503040202a2030201300382010f003082010a0282010100"
)
_KEY_TAIL = bytes.fromhex("0203010001")
# A draw is below the modulus, which has its highest bit, at least every other time.
_MOST_TRIES = 128
_REPORT_ID_LABEL = b"deniable-invited/1"
# Base64url without padding, as the one text that stands for so many bytes.
_NONCE = re.compile(r"[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]", re.ASCII)
KEY_SIZED = re.compile(r"[A-Za-z0-9_-]{341}[AQgw]", re.ASCII)


class InvalidToken(DeniableError, ValueError):
    """An issuer's key or signature cannot be used, so the token is not kept."""


class TokenKey:
    """The public key of one edition and group.

    Args:
        modulus: big-endian bytes, with the highest bit; published ones have 256.
    """

    def __init__(self, modulus: bytes) -> None:
        self.modulus = modulus

    @classmethod
    def from_bytes(cls, modulus: bytes) -> Self:
        """The key with this modulus.

        Args:
            modulus: (256,) bytes, big-endian: odd, with the highest bit.
        Raises:
            InvalidToken: it is no such modulus.
        """
        if len(modulus) != KEY_BYTES or modulus[0] < 128 or not modulus[-1] % 2:
            raise InvalidToken(
                f"got a modulus of {len(modulus)} bytes; allowed are odd ones of 2048 bits"
            )
        return cls(modulus)

    @property
    def size(self) -> int:
        """How many bytes the modulus, a message and a signature have."""
        return len(self.modulus)

    @cached_property
    def number(self) -> int:
        """The modulus as a number."""
        return int.from_bytes(self.modulus, "big")

    @cached_property
    def id(self) -> bytes:
        """(32,) bytes: the digest of the key as RFC 9578 encodes it."""
        return hashlib.sha256(_KEY_HEAD + self.modulus + _KEY_TAIL).digest()

    def __repr__(self) -> str:
        return f"TokenKey({self.id.hex()[:16]})"


class Token(Record, hidden="nonce signature"):
    """What lets an invited person send one report.

    Args:
        group: of the invited person; public.
        nonce: (32,) random bytes.
        signature: (256,) bytes, from finalize.
    """

    group: str
    nonce: bytes
    signature: bytes

    def to_document(self) -> JSON:
        """The token as a report contains it."""
        return {
            "group": self.group,
            "nonce": base64url(self.nonce),
            "signature": base64url(self.signature),
        }

    @classmethod
    def from_document(cls, document: JSON) -> Self:
        """The token in a report, its form checked but not its signature.

        Raises:
            InvalidToken: the value is not a token.
        """
        if not isinstance(document, dict) or document.keys() != {"group", "nonce", "signature"}:
            raise InvalidToken("a token is an object with group, nonce and signature")
        group, nonce, signature = (document[key] for key in ("group", "nonce", "signature"))
        if not (isinstance(nonce, str) and _NONCE.fullmatch(nonce)):
            raise InvalidToken("nonce: allowed are 32 bytes in base64url")
        if not (isinstance(signature, str) and KEY_SIZED.fullmatch(signature)):
            raise InvalidToken(f"signature: allowed are {KEY_BYTES} bytes in base64url")
        if not isinstance(group, str):
            raise InvalidToken("group: allowed is the id of a group")
        return cls(group, from_base64url(nonce), from_base64url(signature))


class Blinded(Record, hidden="token_input message inverse"):
    """A token's input on its way to the issuer, and what only the device knows of it.

    Args:
        key: of the survey's edition and the person's group.
        token_input: from token_input.
        message: (256,) bytes for the issuer.
        inverse: takes the blinding off; whoever has it can match message and token.
    """

    key: TokenKey
    token_input: bytes
    message: bytes
    inverse: int


def token_input(key: TokenKey, nonce: bytes, challenge: bytes) -> bytes:
    """(98,) bytes that a token signs, as RFC 9578 has them for type 0x0002."""
    return _TYPE + nonce + hashlib.sha256(challenge).digest() + key.id


def report_id(token_input: bytes) -> bytes:
    """(16,) bytes: the id of the one report that a token is good for."""
    return hashlib.sha256(_REPORT_ID_LABEL + token_input).digest()[:REPORT_ID_BYTES]


def base64url(data: bytes) -> str:
    """Bytes in base64url without padding."""
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def from_base64url(text: str) -> bytes:
    """The bytes of a text in base64url without padding."""
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def blind(key: TokenKey, token_input: bytes, read_bytes: ReadBytes = system_bytes) -> Blinded:
    """A token's input, encoded and blinded (RFC 9474, section 4.2).

    Raises:
        InvalidToken: the modulus has a small factor, or the source is faulty.
    """
    salt = read_bytes(SALT_BYTES)
    encoded = int.from_bytes(pss_encoded(token_input, salt, key.size), "big")
    for _ in range(_MOST_TRIES):
        factor = int.from_bytes(read_bytes(key.size), "big")
        if factor < key.number:
            break
    else:
        factor = 0
    try:
        # The inverse of the product gives that of the factor, and there is none unless both have.
        inverse = pow(factor * encoded, -1, key.number) * encoded % key.number
    except ValueError:
        raise InvalidToken("the issuer's key cannot be used; nothing was sent") from None
    message = encoded * pow(factor, EXPONENT, key.number) % key.number
    return Blinded(key, token_input, message.to_bytes(key.size, "big"), inverse)


def finalize(blinded: Blinded, response: bytes) -> bytes:
    """(256,) bytes: the signature of a token, from the issuer's response.

    Raises:
        InvalidToken: it does not verify: keep nothing, and send nothing.
    """
    key, number = blinded.key, int.from_bytes(response, "big")
    if len(response) == key.size and number < key.number:
        signature = (number * blinded.inverse % key.number).to_bytes(key.size, "big")
        if verify(key, blinded.token_input, signature):
            return signature
    raise InvalidToken("the issuer's signature does not fit the key in the survey")


def verify(key: TokenKey, token_input: bytes, signature: bytes) -> bool:
    """Whether a key's owner signed this input (RFC 8017, section 8.1.2)."""
    number = int.from_bytes(signature, "big")
    if len(signature) != key.size or number >= key.number:
        return False
    encoded = pow(number, EXPONENT, key.number).to_bytes(key.size, "big")
    masked, digest = encoded[: -_HASH_BYTES - 1], encoded[-_HASH_BYTES - 1 : -1]
    salt = _masked(masked, digest)[-SALT_BYTES:]
    # The encoding is a function of the input and the salt, so another one with this salt is false.
    return pss_encoded(token_input, salt, key.size) == encoded


def pss_encoded(message: bytes, salt: bytes, size: int) -> bytes:
    """EMSA-PSS of a message, for one bit less than the modulus has (RFC 8017, section 9.1.1)."""
    hashed = hashlib.sha384(message).digest()
    digest = hashlib.sha384(bytes(8) + hashed + salt).digest()
    padded = bytes(size - SALT_BYTES - _HASH_BYTES - 2) + b"\x01" + salt
    return _masked(padded, digest) + digest + b"\xbc"


def _masked(data: bytes, seed: bytes) -> bytes:
    """Data under the mask of MGF1, the highest bit cleared."""
    count = -(-len(data) // _HASH_BYTES)
    mask = b"".join(
        hashlib.sha384(seed + counter.to_bytes(4, "big")).digest() for counter in range(count)
    )
    masked = bytearray(one ^ other for one, other in zip(data, mask, strict=False))
    masked[0] &= 127
    return bytes(masked)
