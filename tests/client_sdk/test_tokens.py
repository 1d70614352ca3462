"""Tokens: the vectors of both RFCs, an oracle, and both languages byte by byte."""

import json
import random
import subprocess
from functools import cache
from pathlib import Path
from typing import Any

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import padding, rsa

from deniable_sdk.testing import Tape
from deniable_sdk.tokens import (
    EXPONENT,
    KEY_BYTES,
    Blinded,
    InvalidToken,
    TokenKey,
    blind,
    finalize,
    token_input,
    verify,
)

FOLDER = Path(__file__).parent
VECTORS: dict[str, list[dict[str, str]]] = json.loads(
    (FOLDER / "token_vectors.json").read_text(encoding="utf-8")
)
PSS = padding.PSS(mgf=padding.MGF1(hashes.SHA384()), salt_length=48)
CHALLENGE = b"the digest of a survey, nurses"


@cache
def private_key(number: int = 0) -> rsa.RSAPrivateKey:
    """An issuer's key; another one for each number."""
    del number
    return rsa.generate_private_key(EXPONENT, 8 * KEY_BYTES)


def key_of(private: rsa.RSAPrivateKey) -> TokenKey:
    """Its public half."""
    modulus = private.public_key().public_numbers().n
    return TokenKey.from_bytes(modulus.to_bytes(KEY_BYTES, "big"))


def sign(private: rsa.RSAPrivateKey, message: bytes) -> bytes:
    """The issuer's response, by the Chinese remainder theorem."""
    own = private.private_numbers()
    value = int.from_bytes(message, "big")
    first, second = pow(value, own.dmp1, own.p), pow(value, own.dmq1, own.q)
    signed = second + own.q * ((first - second) * own.iqmp % own.p)
    return signed.to_bytes(KEY_BYTES, "big")


def in_node(cases: list[dict[str, str]]) -> list[dict[str, Any]]:
    """What JavaScript makes of the cases, in one process."""
    done = subprocess.run(
        ["node", FOLDER / "javascript" / "token_replay.js"],
        input="".join(f"{json.dumps(case)}\n" for case in cases),
        capture_output=True,
        encoding="utf-8",
        check=False,
    )
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def case_of(blinded: Blinded, salt: bytes, factor: bytes, response: bytes) -> dict[str, str]:
    """A case for JavaScript."""
    return {
        "modulus": blinded.key.modulus.hex(),
        "input": blinded.token_input.hex(),
        "salt": salt.hex(),
        "factor": factor.hex(),
        "response": response.hex(),
    }


def test_privacy_pass_vectors() -> None:
    """RFC 9578, appendix A.2: key, request, response and token, in both languages."""
    cases = []
    for vector in VECTORS["rfc9578"]:
        own = {name: bytes.fromhex(text) for name, text in vector.items() if name != "exponent"}
        key = TokenKey.from_bytes(own["modulus"])
        given = token_input(key, own["nonce"], own["token_challenge"])
        blinded = blind(key, given, Tape(own["salt"] + own["blind"]))
        # A request is the token's type, the last byte of the key's id, and the message.
        assert own["token_request"] == b"\x00\x02" + key.id[-1:] + blinded.message
        signature = finalize(blinded, own["token_response"])
        assert given + signature == own["token"]
        cases.append(case_of(blinded, own["salt"], own["blind"], own["token_response"]))
    found = in_node(cases)
    for vector, one in zip(VECTORS["rfc9578"], found, strict=True):
        assert vector["token_request"].endswith(one["message"])
        assert vector["token"].endswith(one["signature"])


def test_blind_signature_vectors() -> None:
    """RFC 9474, appendix A, where the salt has 48 bytes, with its longer keys."""
    cases = []
    for vector in VECTORS["rfc9474"]:
        key = TokenKey(bytes.fromhex(vector["modulus"]))
        factor = pow(int(vector["inverse"], 16), -1, key.number).to_bytes(key.size, "big")
        salt = bytes.fromhex(vector["salt"])
        blinded = blind(key, bytes.fromhex(vector["message"]), Tape(salt + factor))
        assert blinded.message.hex() == vector["blinded_message"]
        response = bytes.fromhex(vector["blind_signature"])
        assert finalize(blinded, response).hex() == vector["signature"]
        cases.append(case_of(blinded, salt, factor, response))
    assert in_node(cases) == [
        {"message": vector["blinded_message"], "signature": vector["signature"]}
        for vector in VECTORS["rfc9474"]
    ]


@pytest.mark.parametrize("count", [60, pytest.param(2_000, marks=pytest.mark.deep)])
def test_round_trips(random_source: random.Random, count: int) -> None:
    """Both languages blind and finish alike, and another library accepts the signatures."""
    private = private_key()
    key, public = key_of(private), private.public_key()
    cases, mine = [], []
    for _ in range(count):
        given = token_input(key, random_source.randbytes(32), CHALLENGE)
        salt, factor = random_source.randbytes(48), b"\0" + random_source.randbytes(255)
        blinded = blind(key, given, Tape(salt + factor))
        response = sign(private, blinded.message)
        signature = finalize(blinded, response)
        public.verify(signature, given, PSS, hashes.SHA384())
        cases.append(case_of(blinded, salt, factor, response))
        mine.append({"message": blinded.message.hex(), "signature": signature.hex()})
    assert in_node(cases) == mine


def test_signatures_of_another_library_verify() -> None:
    """Those that it makes are accepted, those of another input or key are not."""
    private, other = private_key(), private_key(1)
    key = key_of(private)
    given = token_input(key, bytes(32), CHALLENGE)
    signature = private.sign(given, PSS, hashes.SHA384())
    assert verify(key, given, signature)
    assert not verify(key, given + b"x", signature)
    assert not verify(key_of(other), given, signature)
    without_salt = padding.PSS(mgf=padding.MGF1(hashes.SHA384()), salt_length=0)
    assert not verify(key, given, private.sign(given, without_salt, hashes.SHA384()))


def test_no_changed_signature_verifies(random_source: random.Random) -> None:
    """Every bit counts, and so do the length and the range; the other library agrees."""
    private = private_key()
    key, public = key_of(private), private.public_key()
    given = token_input(key, bytes(32), CHALLENGE)
    signature = private.sign(given, PSS, hashes.SHA384())
    changed = [signature[:-1], signature + b"\0", b"", key.modulus, bytes(KEY_BYTES)]
    changed.append((int.from_bytes(signature, "big") + key.number).to_bytes(KEY_BYTES + 1, "big"))
    for _ in range(200):
        place = random_source.randrange(KEY_BYTES)
        flipped = signature[place] ^ 1 << random_source.randrange(8)
        changed.append(signature[:place] + bytes([flipped]) + signature[place + 1 :])
    for each in changed:
        assert not verify(key, given, each)
        with pytest.raises(InvalidSignature):
            public.verify(each, given, PSS, hashes.SHA384())


def test_a_malicious_issuer_gets_nothing_kept() -> None:
    """A wrong key, exponent, length or bit: both languages refuse the response."""
    private, other = private_key(), private_key(1)
    key = key_of(private)
    salt, factor = bytes(range(48)), b"\0" + bytes(range(255))
    blinded = blind(key, token_input(key, bytes(32), CHALLENGE), Tape(salt + factor))
    good = sign(private, blinded.message)
    cubed = pow(int.from_bytes(blinded.message, "big"), 3, key.number).to_bytes(KEY_BYTES, "big")
    bad = [
        sign(other, blinded.message),
        cubed,
        blinded.message,
        good[:-1] + bytes([good[-1] ^ 1]),
        good + b"\0",
        good[1:],
        key.modulus,
        bytes(KEY_BYTES),
        b"",
    ]
    for response in bad:
        with pytest.raises(InvalidToken, match=r"^the issuer's signature does not fit the key in"):
            finalize(blinded, response)
    found = in_node([case_of(blinded, salt, factor, each) for each in [good, *bad]])
    assert [each["signature"] is None for each in found] == [False, *[True] * len(bad)]


@pytest.mark.parametrize(
    "modulus",
    [b"", bytes(KEY_BYTES), b"\xff" * 255, b"\xff" * 257, b"\x7f" + b"\xff" * 255],
)
def test_other_moduli_are_refused(modulus: bytes) -> None:
    """A key has 2048 bits, and no factor 2."""
    with pytest.raises(InvalidToken, match=r"got a modulus of \d+ bytes; allowed are odd ones of"):
        TokenKey.from_bytes(modulus)


@pytest.mark.parametrize("factor", [0, 3, 2**2048 - 1], ids=["zero", "three", "too-large"])
def test_a_key_whose_factor_shows_is_refused(factor: int) -> None:
    """Three divides this modulus; a source that is faulty ends in the same way."""
    key = TokenKey.from_bytes(b"\xff" * KEY_BYTES)
    drawn = Tape(bytes(48) + 128 * factor.to_bytes(KEY_BYTES, "big"))
    with pytest.raises(InvalidToken, match=r"^the issuer's key cannot be used; nothing was sent$"):
        blind(key, token_input(key, bytes(32), CHALLENGE), drawn)


def test_nothing_secret_is_in_a_repr() -> None:
    """Whoever has the inverse can match the message and the token."""
    key = key_of(private_key())
    blinded = blind(key, token_input(key, bytes(32), CHALLENGE))
    assert repr(blinded) == f"Blinded(key=TokenKey({key.id.hex()[:16]}))"
    again = blind(key, blinded.token_input)
    assert again.message != blinded.message
    assert again.inverse != blinded.inverse


def test_any_request_may_be_that_of_any_token() -> None:
    """For each message and each token there is one blinding that explains both."""
    private = private_key()
    key = key_of(private)
    pairs = []
    for number in range(6):
        given = token_input(key, number.to_bytes(32, "big"), CHALLENGE)
        blinded = blind(key, given)
        pairs.append((blinded.message, finalize(blinded, sign(private, blinded.message))))
    for message, _ in pairs:
        for _, signature in pairs:
            # What was signed is the signature to the exponent: the factor follows from both.
            encoded = pow(int.from_bytes(signature, "big"), EXPONENT, key.number)
            quotient = int.from_bytes(message, "big") * pow(encoded, -1, key.number) % key.number
            factor = sign(private, quotient.to_bytes(KEY_BYTES, "big"))
            found = pow(int.from_bytes(factor, "big"), EXPONENT, key.number) * encoded
            assert found % key.number == int.from_bytes(message, "big")
