"""Signatures: the vectors of RFC 9578, an oracle, files of keys, and what is never signed."""

import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest
from cryptography.exceptions import InvalidSignature
from cryptography.hazmat.primitives import hashes, serialization
from cryptography.hazmat.primitives.asymmetric import ec, padding, rsa

from deniable_collector import signing
from deniable_collector.errors import DamagedKey, SigningFailed, UnsignableMessage
from deniable_collector.signing import SigningKey, read_key_file, write_key_file
from deniable_sdk.tokens import EXPONENT, TokenKey, blind, finalize, token_input, verify
from live_issuer import signing_key

FOLDER = Path(__file__).parent
POWERS = {
    "python": pow,
    "gmpy2": signing._secret_power,
}


@pytest.fixture(params=POWERS)
def power(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> str:
    """Both ways to compute a power: Python's own, and the one of gmpy2."""
    name = str(request.param)
    monkeypatch.setattr(signing, "_secret_power", POWERS[name])
    return name


def key_of(p: int, q: int) -> SigningKey:
    """The key with these primes."""
    d = pow(EXPONENT, -1, (p - 1) * (q - 1))
    halves = rsa.rsa_crt_dmp1(d, p), rsa.rsa_crt_dmq1(d, q), rsa.rsa_crt_iqmp(p, q)
    numbers = rsa.RSAPrivateNumbers(p, q, d, *halves, rsa.RSAPublicNumbers(EXPONENT, p * q))
    return SigningKey(private_bytes(numbers.private_key()))


def private_bytes(key: rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey) -> bytes:
    """A key as the store keeps it."""
    return key.private_bytes(
        serialization.Encoding.DER,
        serialization.PrivateFormat.PKCS8,
        serialization.NoEncryption(),
    )


@pytest.mark.usefixtures("power")
def test_privacy_pass_vectors() -> None:
    """RFC 9578, appendix A.2: each request gets the response that the RFC prints."""
    own = json.loads((FOLDER / "rfc9578_key.json").read_text())
    key = key_of(int(own["p"], 16), int(own["q"], 16))
    vectors = json.loads(
        (FOLDER.parent / "client_sdk" / "token_vectors.json").read_text(encoding="utf-8")
    )["rfc9578"]
    assert len(vectors) == 5
    for vector in vectors:
        assert key.modulus.hex() == vector["modulus"]
        message = bytes.fromhex(vector["token_request"])[-256:]
        assert key.sign(message).hex() == vector["token_response"]


@pytest.mark.usefixtures("power")
def test_round_trips(random_source: random.Random) -> None:
    """A device accepts each signature, which is the message to the private exponent."""
    key = signing_key("nurses")
    loaded = serialization.load_der_private_key(key.private_bytes(), None)
    assert isinstance(loaded, rsa.RSAPrivateKey)
    public = TokenKey.from_bytes(key.modulus)
    for _ in range(20):
        given = token_input(public, random_source.randbytes(32), b"challenge")
        blinded = blind(public, given)
        signature = key.sign(blinded.message)
        finalize(blinded, signature)
        plain = pow(
            int.from_bytes(blinded.message, "big"), loaded.private_numbers().d, public.number
        )
        assert signature == plain.to_bytes(256, "big")
        assert key.sign(blinded.message) == signature


def test_the_fast_power_is_really_used() -> None:
    """With gmpy2 installed, as for the tests, Python's own power is not what signs."""
    assert signing._secret_power is not pow


def test_messages_that_cannot_be_signed() -> None:
    """Zero, the modulus and more, and other lengths: refused, and not repeated."""
    key = signing_key("nurses")
    larger = (int.from_bytes(key.modulus, "big") + 1).to_bytes(256, "big")
    for message in (b"", bytes(256), key.modulus, larger, bytes(255) + b"\1" * 2, b"\1" * 255):
        with pytest.raises(UnsignableMessage, match="allowed are 256 bytes whose number"):
            key.sign(message)
    one = bytes(255) + b"\1"
    assert key.sign(one) == one


@pytest.mark.usefixtures("power")
@pytest.mark.parametrize("half", [0, 1])
def test_a_wrong_signature_never_leaves(half: int) -> None:
    """A fault in one half would reveal a prime; it is found before anything is returned."""
    key = SigningKey(signing_key("nurses").private_bytes())
    exponents = list(key._exponents)
    exponents[half] ^= 1 << 500
    key._exponents = exponents[0], exponents[1]
    with pytest.raises(SigningFailed, match="was not sent; check this machine's memory"):
        key.sign(b"\1" * 256)


def test_a_damaged_key_is_not_used() -> None:
    """What is read must be a whole key of ours, or nothing is signed with it."""
    whole = signing_key("nurses").private_bytes()
    of_others: list[rsa.RSAPrivateKey | ec.EllipticCurvePrivateKey] = [
        ec.generate_private_key(ec.SECP256R1()),
        rsa.generate_private_key(3, 2048),
    ]
    with_password = serialization.load_der_private_key(whole, None).private_bytes(
        serialization.Encoding.DER,
        serialization.PrivateFormat.PKCS8,
        serialization.BestAvailableEncryption(b"password"),
    )
    damaged = (whole[:-1], whole[:600] + bytes([whole[600] ^ 1]) + whole[601:], b"", with_password)
    for each in (*damaged, *map(private_bytes, of_others)):
        with pytest.raises(DamagedKey, match="damaged, or not one of ours; restore it from a"):
            SigningKey(each)


@pytest.mark.usefixtures("power")
def test_a_signed_text_verifies_here_and_in_another_library(random_source: random.Random) -> None:
    """RSASSA-PSS with SHA-384 and a salt of 48 bytes; another text or signature does not."""
    key = signing_key("nurses")
    loaded = serialization.load_der_private_key(key.private_bytes(), None)
    assert isinstance(loaded, rsa.RSAPrivateKey)
    public, pss = loaded.public_key(), padding.PSS(padding.MGF1(hashes.SHA384()), 48)
    for length in (0, 1, 90, 5_000):
        text = random_source.randbytes(length)
        signature = key.sign_text(text)
        assert verify(TokenKey.from_bytes(key.modulus), text, signature)
        public.verify(signature, text, pss, hashes.SHA384())
        assert not verify(TokenKey.from_bytes(key.modulus), text + b"\0", signature)
        with pytest.raises(InvalidSignature):
            public.verify(signature, text + b"\0", pss, hashes.SHA384())
    # The salt is new each time.
    assert key.sign_text(b"") != key.sign_text(b"")


def test_a_file_of_a_key_is_for_its_owner_alone_and_never_replaced(tmp_path: Path) -> None:
    """What is written is read again; a key of another length is refused."""
    path = tmp_path / "log.key"
    key = signing_key("nurses")
    write_key_file(path, key)
    assert path.stat().st_mode & 0o777 == 0o600
    assert read_key_file(path).modulus == key.modulus
    with pytest.raises(FileExistsError):
        write_key_file(path, signing_key("doctors"))
    assert read_key_file(path).modulus == key.modulus
    path.write_bytes(private_bytes(rsa.generate_private_key(EXPONENT, 3072)))
    with pytest.raises(
        DamagedKey, match="got a private key of 3072 bits; allowed are keys of 2048"
    ):
        read_key_file(path)


def test_each_signature_hides_its_message_from_the_clock(
    read_bytes: Callable[[int], bytes],
) -> None:
    """The private exponent is applied to a new random number each time."""
    seen: list[int] = []
    key = signing_key("nurses")
    original = SigningKey._power

    class Watched(SigningKey):
        """Notes what the private exponent is applied to."""

        def _power(self, value: int) -> int:
            seen.append(value)
            return original(self, value)

    watched = Watched(key.private_bytes())
    message = b"\1" * 256
    assert {watched.sign(message, read_bytes) for _ in range(10)} == {key.sign(message)}
    assert len({*seen, int.from_bytes(message, "big")}) == 11


def test_a_new_key_is_one_that_devices_accept() -> None:
    """2048 bits, the exponent 65537; its repr and its file round trip reveal nothing."""
    key = SigningKey.generate()
    assert TokenKey.from_bytes(key.modulus).size == 256
    assert SigningKey(key.private_bytes()).modulus == key.modulus
    loaded = serialization.load_der_private_key(key.private_bytes(), None)
    assert isinstance(loaded, rsa.RSAPrivateKey)
    assert loaded.public_key().public_numbers().e == EXPONENT
    assert repr(key) == "SigningKey(2048 bits)"
