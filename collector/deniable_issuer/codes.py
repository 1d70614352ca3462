"""Codes: what invited people hold until their device has a token.

A store keeps a code's SHA-256 and never the code. A slow or salted hash would add nothing:
nobody can guess 80 random bits, even from their hash.
"""

import base64
import re
from hashlib import sha256

from deniable_sdk.invitation import read_code
from deniable_sdk.randomness import ReadBytes, system_bytes

CODE_BYTES = 10

_PRINTED = re.compile(r"(?<![A-Z2-7])[A-Z2-7]{4}(?:-[A-Z2-7]{4}){3}(?![A-Z2-7])", re.ASCII)


def make_code(read_bytes: ReadBytes = system_bytes) -> str:
    """A new random code, as it is printed: ABCD-EFGH-IJKL-MNOP."""
    return read_code(base64.b32encode(read_bytes(CODE_BYTES)).decode())


def code_digest(code: str) -> bytes:
    """(32,) bytes that identify a code in a store.

    Args:
        code: as it is printed; see `deniable_sdk.invitation.read_code`.
    """
    return sha256(code.encode()).digest()


def codes_in(text: str) -> list[str]:
    """All codes in a text."""
    return _PRINTED.findall(text)


def link_of(collector: str, slug: str, code: str) -> str:
    """The address of a survey's form, with a code where no server sees it.

    Browsers do not send what follows the #.
    """
    return f"{collector}/s/{slug}#code={code}"
