"""Nobody can match tokens with the requests they came from, the issuer included.

An auditor has everything in full: each request with its code, message and signature, and
each spent token. For every pair of a request and a token there is exactly one blinding that
explains it, and no blinding explains two pairs: so each pair is as likely as any other.
Broken twins of the devices and of the issuer show that the auditor can find something.
"""

import os
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from math import gcd

import pytest
from cryptography.hazmat.primitives import serialization
from cryptography.hazmat.primitives.asymmetric import rsa
from gmpy2 import invert, mpz, powmod

from deniable_issuer import SigningKey
from deniable_issuer.codes import make_code
from deniable_sdk.tokens import (
    EXPONENT,
    NONCE_BYTES,
    TokenKey,
    blind,
    finalize,
    token_input,
    verify,
)
from sampling_checks import SampleRejected, check_binomial

PEOPLE = 1_000
TWINS = 60
# Long enough for the encoding, and short enough for a million pairs.
KEY_BITS = 1_024
CHALLENGE = b"the digest of a survey, nurses"

ReadBytes = Callable[[int], bytes]


@dataclass(frozen=True)
class Request:
    """What the issuer saw of one person."""

    code: str
    message: bytes
    signature: bytes


@dataclass(frozen=True)
class Spent:
    """What the collector saw of one person, and the key under which it accepted it."""

    key: TokenKey
    nonce: bytes
    signature: bytes

    @property
    def signed(self) -> bytes:
        """What the signature is of."""
        return token_input(self.key, self.nonce, CHALLENGE)


class Device:
    """A device as it should be."""

    def nonce(self, code: str) -> bytes:
        """The nonce of a token, drawn for it alone."""
        del code
        return os.urandom(NONCE_BYTES)

    def factors(self, number: int) -> ReadBytes:
        """The source of salt and blinding of a person's device."""
        del number
        return os.urandom


class BlindingTwice(Device):
    """Two devices that have the same state of their random generator, like copied machines."""

    def factors(self, number: int) -> ReadBytes:
        """The source of the 8th person is that of the 7th."""
        return random.Random(7).randbytes if number in (7, 8) else os.urandom


class NonceOfTheCode(Device):
    """A device that makes its nonce from the code, so that it need not keep it."""

    def nonce(self, code: str) -> bytes:
        """Always the same for a code."""
        return sha256(b"nonce of " + code.encode()).digest()


class HalfANonceOfTheCode(Device):
    """A device that makes only a half of its nonce from the code."""

    def nonce(self, code: str) -> bytes:
        """Another one each time, and yet not independent of the code."""
        return os.urandom(NONCE_BYTES // 2) + sha256(code.encode()).digest()[NONCE_BYTES // 2 :]


@cache
def small_key(number: int = 0) -> SigningKey:
    """A key; another one for each number."""
    del number
    made = rsa.generate_private_key(EXPONENT, KEY_BITS)
    return SigningKey(
        made.private_bytes(
            serialization.Encoding.DER,
            serialization.PrivateFormat.PKCS8,
            serialization.NoEncryption(),
        )
    )


def take_part(
    codes: Sequence[str], device: Device, keys: Sequence[SigningKey]
) -> tuple[list[Request], list[Spent]]:
    """All requests in their order, and all tokens in another one.

    Args:
        codes: one for each person.
        device: of everybody.
        keys: with which the issuer signs, one person after another, and which the documents
            of these people name.
    """
    requests, spent = [], []
    for number, code in enumerate(codes):
        signing = keys[number % len(keys)]
        key, nonce = TokenKey(signing.modulus), device.nonce(code)
        blinded = blind(key, token_input(key, nonce, CHALLENGE), device.factors(number))
        signature = signing.sign(blinded.message)
        requests.append(Request(code, blinded.message, signature))
        spent.append(Spent(key, nonce, finalize(blinded, signature)))
    random.shuffle(spent)
    return requests, spent


def findings(requests: Sequence[Request], spent: Sequence[Spent]) -> list[str]:
    """What distinguishes some pairs of a request and a token from the others."""
    if len({token.key.modulus for token in spent}) > 1:
        return ["tokens of several keys"]
    if not all(verify(token.key, token.signed, token.signature) for token in spent):
        return ["a token that nobody accepts"]
    number = mpz(spent[0].key.number)
    responses = [mpz(int.from_bytes(each.signature, "big")) for each in requests]
    messages = [int.from_bytes(each.message, "big") for each in requests]
    signatures = [mpz(int.from_bytes(token.signature, "big")) for token in spent]
    inverses = [invert(one, number) for one in signatures]
    # The blinding of a pair is response / signature. With the public exponent it becomes
    # response^e / signature^e = message / encoded, for all pairs if for all responses.
    if [powmod(response, EXPONENT, number) for response in responses] != messages:
        return ["a pair that no blinding explains"]
    # 61 bits of each: two of a million are equal by chance once in 4 million runs.
    blindings = {
        hash(response * inverse % number) for response in responses for inverse in inverses
    }
    twice = len(requests) * len(spent) - len(blindings)
    return [f"{twice} blindings that explain two pairs"] if twice else []


def check_nonces(first: Sequence[Spent], second: Sequence[Spent]) -> None:
    """Reject nonces that depend on the codes: both lists are in the order of the same codes.

    Raises:
        SampleRejected: too many bytes are the same in both.
    """
    same = sum(
        one == other
        for token, again in zip(first, second, strict=True)
        for one, other in zip(token.nonce, again.nonce, strict=True)
    )
    check_binomial(same, NONCE_BYTES * len(first), 1 / 256)


def nonces_by_code(codes: Sequence[str], device: Device) -> list[Spent]:
    """The tokens of devices with these codes, in the order of the codes."""
    key = TokenKey(small_key().modulus)
    return [Spent(key, device.nonce(code), b"") for code in codes]


def test_any_token_may_be_anybodys() -> None:
    """A million pairs: exactly one blinding explains each of them, and no two the same."""
    codes = [make_code() for _ in range(PEOPLE)]
    requests, spent = take_part(codes, Device(), [small_key()])
    assert len({token.nonce for token in spent}) == len({each.message for each in requests})
    assert findings(requests, spent) == []


def test_exactly_one_blinding_explains_a_pair() -> None:
    """Powers with the public exponent are a permutation, so there is no second blinding."""
    loaded = serialization.load_der_private_key(small_key().private_bytes(), None)
    assert isinstance(loaded, rsa.RSAPrivateKey)
    own = loaded.private_numbers()
    assert gcd(EXPONENT, (own.p - 1) * (own.q - 1)) == 1


@pytest.mark.parametrize(
    ("device", "keys", "expected"),
    [
        (BlindingTwice(), 1, "blindings that explain two pairs"),
        (Device(), TWINS, "tokens of several keys"),
        (Device(), 2, "tokens of several keys"),
    ],
)
def test_broken_twins_are_caught(device: Device, keys: int, expected: str) -> None:
    """A blinding used twice, and keys that tell people apart, are found."""
    codes = [make_code() for _ in range(TWINS)]
    made = [small_key(number) for number in range(keys)]
    (found,) = findings(*take_part(codes, device, made))
    assert expected in found


def test_a_key_of_ones_own_is_refused_by_the_device() -> None:
    """Where all have the same document, a signature of another key is not kept."""
    key = TokenKey(small_key().modulus)
    blinded = blind(key, token_input(key, bytes(NONCE_BYTES), CHALLENGE))
    signed = pow(int.from_bytes(blinded.message, "big"), 3, key.number)
    with pytest.raises(ValueError, match="does not fit the key in the survey"):
        finalize(blinded, signed.to_bytes(key.size, "big"))


def test_a_pair_that_was_tampered_with_is_found() -> None:
    """The auditor notices a message that does not belong to its signature."""
    requests, spent = take_part([make_code() for _ in range(3)], Device(), [small_key()])
    swapped = [
        Request(requests[0].code, requests[1].message, requests[0].signature),
        *requests[1:],
    ]
    assert findings(swapped, spent) == ["a pair that no blinding explains"]


def test_nonces_do_not_depend_on_codes() -> None:
    """Two devices with the same code have nonces with no more in common than chance brings."""
    codes = [make_code() for _ in range(PEOPLE)]
    check_nonces(nonces_by_code(codes, Device()), nonces_by_code(codes, Device()))


@pytest.mark.parametrize("device", [NonceOfTheCode(), HalfANonceOfTheCode()])
def test_nonces_made_from_codes_are_caught(device: Device) -> None:
    """Whoever knows the codes could recognize them."""
    codes = [make_code() for _ in range(TWINS)]
    with pytest.raises(SampleRejected, match="hits in"):
        check_nonces(nonces_by_code(codes, device), nonces_by_code(codes, device))
