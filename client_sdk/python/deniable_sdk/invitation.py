"""An invited person's way from a code to a token, which the issuer never sees.

A device makes a request, keeps it, sends its blinded message with the code to
the issuer, and finishes the token with the signature that comes back. Whoever
has the request can match the message and the token: keep it on the device, and
wipe it once the token is finished.
"""

from __future__ import annotations

import re

from deniable_sdk import canonical
from deniable_sdk.errors import DeniableError
from deniable_sdk.randomness import ReadBytes, system_bytes
from deniable_sdk.records import Record
from deniable_sdk.survey.invited import input_of, invited_group
from deniable_sdk.survey.published import PublishedSurvey
from deniable_sdk.tokens import (
    NONCE_BYTES,
    Blinded,
    InvalidToken,
    Token,
    base64url,
    blind,
    finalize,
    from_base64url,
)

# 80 bits in base32.
_CODE = re.compile(r"[A-Z2-7]{16}", re.ASCII)
_CODE_GROUP = 4
_GAPS = re.compile(r"[\s\u2010-\u2015-]+")


class InvalidCode(DeniableError, ValueError):
    """A text is not the code of an invitation; the message does not repeat it."""


class TokenRequest(Record, hidden="nonce message inverse code"):
    """What a device keeps until it has its token.

    Args:
        group: of the invited person.
        nonce: (32,) random bytes of the token.
        message: (256,) bytes for the issuer, blinded.
        inverse: takes the blinding off.
        code: the digest of the code that it is sent with; "" if not kept yet.
    """

    group: str
    nonce: bytes
    message: bytes
    inverse: int
    code: str = ""

    def to_text(self) -> str:
        """The request as a device keeps it."""
        return canonical.encode(
            {
                "group": self.group,
                "nonce": base64url(self.nonce),
                "message": base64url(self.message),
                "inverse": f"{self.inverse:x}",
                "code": self.code,
            }
        ).decode()


def read_code(text: str) -> str:
    """A code as it is printed, from what a person has typed or scanned.

    Raises:
        InvalidCode: it is no code.
    """
    code = _GAPS.sub("", text).upper()
    if not _CODE.fullmatch(code):
        raise InvalidCode(
            f"got a text of {len(code)} characters that is no code; allowed are 16 letters from A "
            "to Z and digits from 2 to 7, as the invitation shows them"
        )
    return "-".join(code[at : at + _CODE_GROUP] for at in range(0, len(code), _CODE_GROUP))


def request_token(
    survey: PublishedSurvey, group_id: str, read_bytes: ReadBytes = system_bytes
) -> TokenRequest:
    """A request for a token of this survey and group, to be kept before it is sent.

    Raises:
        InvalidToken: the survey has no such group, or its key is not usable.
    """
    group = invited_group(survey.groups, group_id)
    nonce = read_bytes(NONCE_BYTES)
    blinded = blind(group.key, input_of(survey.digest, group, nonce), read_bytes)
    return TokenRequest(group.id, nonce, blinded.message, blinded.inverse)


def finish_token(survey: PublishedSurvey, request: TokenRequest, signature: bytes) -> Token:
    """The token, from the issuer's signature of the request's message.

    Raises:
        InvalidToken: the signature does not fit: keep nothing, and send nothing.
    """
    group = invited_group(survey.groups, request.group)
    signed = input_of(survey.digest, group, request.nonce)
    blinded = Blinded(group.key, signed, request.message, request.inverse)
    return Token(group.id, request.nonce, finalize(blinded, signature))


def token_text(token: Token) -> str:
    """A token as a device keeps it."""
    return canonical.encode(token.to_document()).decode()


def read_kept(text: str) -> Token | TokenRequest:
    """What a device has kept: the token, or the request for it.

    Raises:
        InvalidToken: it is neither.
    """
    try:
        document = canonical.decode(text.encode())
        if isinstance(document, dict) and "inverse" in document:
            members = {key: str(value) for key, value in document.items()}
            return TokenRequest(
                members["group"],
                from_base64url(members["nonce"]),
                from_base64url(members["message"]),
                int(members["inverse"], 16),
                members["code"],
            )
        return Token.from_document(document)
    except (canonical.NotCanonical, KeyError, ValueError) as error:
        raise InvalidToken("what was kept of the invitation cannot be read") from error
