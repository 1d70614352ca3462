"""What a browser keeps between leaving for a provider and coming back: a signed cookie."""

import hmac
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from hashlib import sha256

from itsdangerous import BadData, URLSafeSerializer

from deniable_issuer.errors import NotSignedIn
from deniable_sdk.randomness import system_bytes
from deniable_sdk.tokens import base64url

LASTS_S = 600

_LABEL = b"deniable-sign-in/1 cookie"
_SECRET_BYTES = 32


@dataclass(frozen=True, slots=True)
class Attempt:
    """One try of one browser to sign in.

    Args:
        purpose: the digest of a survey, or the page on which it began.
        until: the second since 1970 in which it expires.
        state: what the provider returns with the browser.
        nonce: what the provider repeats in the ID token.
        verifier: what only this browser's code is exchanged with (PKCE, RFC 7636).
    """

    purpose: str
    until: int
    state: str = field(repr=False)
    nonce: str = field(repr=False)
    verifier: str = field(repr=False)


def begin_attempt(purpose: str, now: datetime) -> Attempt:
    """A new attempt with random secrets."""
    secrets = (base64url(system_bytes(_SECRET_BYTES)) for _ in range(3))
    return Attempt(purpose, int(now.timestamp()) + LASTS_S, *secrets)


def returned_code(said: Mapping[str, str], provider: str) -> str:
    """The code with which a provider sends a browser back.

    Args:
        said: the parameters of the address.
        provider: the name of the provider that the browser was sent to.
    Raises:
        NotSignedIn: another provider sends it, or the person was not signed in.
    """
    # Another provider may have sent the browser here (RFC 9207).
    if said.get("iss", provider) != provider:
        raise NotSignedIn("untrusted", "another provider sends people back")
    if "code" not in said:
        raise NotSignedIn("denied")
    return said["code"]


class Attempts:
    """Writes attempts into cookies, and reads them in any process of one server.

    Args:
        secret: what all these processes know, and nobody else does.
    """

    def __init__(self, secret: bytes) -> None:
        key = hmac.digest(secret, _LABEL, "sha256")
        self._serializer = URLSafeSerializer(
            key, signer_kwargs={"digest_method": sha256, "key_derivation": "hmac"}
        )

    def write(self, attempt: Attempt) -> str:
        """The value of a cookie."""
        return str(self._serializer.dumps(asdict(attempt)))

    def read(self, cookie: str) -> Attempt | None:
        """The attempt in a cookie; None if the cookie is missing or forged."""
        try:
            return Attempt(**self._serializer.loads(cookie))
        except BadData:
            return None

    def returned(self, cookie: str, state: str, now: datetime) -> Attempt:
        """The attempt of a browser that comes back now with a state.

        Raises:
            NotSignedIn: it made no such attempt, or the attempt has expired.
        """
        attempt = self.read(cookie)
        if attempt is None or now.timestamp() >= attempt.until:
            raise NotSignedIn("expired")
        if not hmac.compare_digest(attempt.state.encode(), state.encode()):
            raise NotSignedIn("expired")
        return attempt
