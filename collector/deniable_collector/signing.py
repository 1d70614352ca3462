"""Signs with a private key: blinded messages for an issuer, and heads of the public log.

The signature is computed modulo each of the two primes (Chinese remainder theorem), of a
message that a random factor hides, so that the time depends on nothing that a sender
chooses. It is checked before it leaves: a single wrong one would reveal a prime (D. Boneh,
R. DeMillo, R. Lipton, 1997, On the importance of checking cryptographic protocols for
faults).
"""

import os
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from deniable_collector.errors import (
    DamagedKey,
    PackageMissing,
    SigningFailed,
    UnsignableMessage,
)
from deniable_sdk.randomness import ReadBytes, system_bytes
from deniable_sdk.tokens import EXPONENT, KEY_BYTES, SALT_BYTES, pss_encoded

# So many more bytes than a modulus has make a remainder uniform, but for 2^-128.
_SPARE_BYTES = 16


class SigningKey:
    """A private key: of one edition and group, or of the public log.

    Args:
        private: the key as PKCS #8 in DER, from `private_bytes`.
    Raises:
        PackageMissing: the package that reads it is not installed.
        DamagedKey: it is no whole key.
    """

    def __init__(self, private: bytes) -> None:
        load = _cryptography().serialization.load_der_private_key
        try:
            own = load(private, None).private_numbers()
            self._exponents: tuple[int, int] = own.dmp1, own.dmq1
            is_ours = own.public_numbers.e == EXPONENT
        except (ValueError, TypeError, AttributeError):
            # Also the key of another method, or one with a password.
            is_ours = False
        if not is_ours:
            raise DamagedKey(
                "a private key is damaged, or not one of ours; restore it from a backup"
            )
        self._private = private
        self._first: int = own.p
        self._second: int = own.q
        self._inverse: int = own.iqmp
        self._number: int = own.public_numbers.n
        self._size = (self._number.bit_length() + 7) // 8

    @classmethod
    def generate(cls) -> "SigningKey":
        """A new key of 2048 bits with the exponent 65537.

        Raises:
            PackageMissing: the package that makes it is not installed.
        """
        using = _cryptography()
        made = using.rsa.generate_private_key(EXPONENT, 8 * KEY_BYTES)
        formats = using.serialization
        return cls(
            made.private_bytes(
                formats.Encoding.DER, formats.PrivateFormat.PKCS8, formats.NoEncryption()
            )
        )

    @property
    def modulus(self) -> bytes:
        """The public half, big-endian; (256,) bytes if `generate` made the key."""
        return self._number.to_bytes(self._size, "big")

    def private_bytes(self) -> bytes:
        """The key as PKCS #8 in DER; whoever has it can sign any number of tokens."""
        return self._private

    def sign_text(self, text: bytes, read_bytes: ReadBytes = system_bytes) -> bytes:
        """(256,) bytes: the signature of a text, which `deniable_sdk.tokens.verify` accepts.

        Args:
            text: anything that begins with a label of its own.
            read_bytes: source of random bytes, the operating system's by default.
        Raises:
            SigningFailed: the processor or the memory made a mistake; nothing may leave.
        """
        return self.sign(pss_encoded(text, read_bytes(SALT_BYTES), self._size), read_bytes)

    def sign(self, message: bytes, read_bytes: ReadBytes = system_bytes) -> bytes:
        """The signature of a blinded message, as long as the message.

        Args:
            message: (256,) bytes from a device, above 0 and below the modulus.
            read_bytes: source of random bytes, the operating system's by default.
        Raises:
            UnsignableMessage: it is no such message.
            SigningFailed: the processor or the memory made a mistake; nothing may leave.
        """
        value, number = int.from_bytes(message, "big"), self._number
        if len(message) != self._size or not 0 < value < number:
            raise UnsignableMessage(
                f"got a message of {len(message)} bytes; allowed are {self._size} bytes whose "
                "number is above 0 and below the modulus"
            )
        drawn = int.from_bytes(read_bytes(self._size + _SPARE_BYTES), "big")
        factor = 1 + drawn % (number - 1)
        hidden = value * pow(factor, EXPONENT, number) % number
        signed = self._power(hidden) * pow(factor, -1, number) % number
        if pow(signed, EXPONENT, number) != value:
            raise SigningFailed(
                "a signature did not verify, and was not sent; check this machine's memory and "
                "processor before it signs again"
            )
        return signed.to_bytes(self._size, "big")

    def _power(self, value: int) -> int:
        """The message to the power of the private exponent (RFC 8017, section 5.1.2)."""
        first = _secret_power(value % self._first, self._exponents[0], self._first)
        second = _secret_power(value % self._second, self._exponents[1], self._second)
        return second + self._second * ((first - second) * self._inverse % self._first)

    def __repr__(self) -> str:
        return f"SigningKey({8 * self._size} bits)"


def write_key_file(path: Path, key: SigningKey) -> None:
    """Write a private key to a new file that only its owner may read.

    Raises:
        OSError: the file exists already, or cannot be written.
    """
    descriptor = os.open(path, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600)
    with os.fdopen(descriptor, "wb") as file:
        file.write(key.private_bytes())
        file.flush()
        os.fsync(file.fileno())


def read_key_file(path: Path) -> SigningKey:
    """The private key in a file that `write_key_file` wrote.

    Raises:
        PackageMissing: the package that reads it is not installed.
        DamagedKey: the file has no whole key of 2048 bits.
        OSError: the file cannot be read.
    """
    key = SigningKey(path.read_bytes())
    if len(key.modulus) != KEY_BYTES:
        raise DamagedKey(
            f"got a private key of {8 * len(key.modulus)} bits; allowed are keys of "
            f"{8 * KEY_BYTES} bits, as `deniable log key` makes them"
        )
    return key


def _find_secret_power() -> Callable[[int, int, int], int]:
    """The power modulo a prime; of gmpy2, whose time is constant, where it is installed."""
    if find_spec("gmpy2") is None:
        return pow
    from gmpy2 import powmod_sec  # noqa: PLC0415 - optional

    return lambda base, exponent, modulus: int(powmod_sec(base, exponent, modulus))


def _cryptography() -> Any:
    """The modules of `cryptography` that are used here."""
    if find_spec("cryptography") is None:
        raise PackageMissing(
            "keys need the package cryptography, which is not installed; "
            "run: pip install 'deniable[web,issuer]'",
            name="cryptography",
        )
    # Imported here, so that commands that need no key do not load it.
    from types import SimpleNamespace  # noqa: PLC0415 - see above

    from cryptography.hazmat.primitives import serialization  # noqa: PLC0415 - see above
    from cryptography.hazmat.primitives.asymmetric import rsa  # noqa: PLC0415 - see above

    return SimpleNamespace(rsa=rsa, serialization=serialization)


_secret_power = _find_secret_power()
