"""Asks an OpenID Connect provider who a person is (authorization code flow with PKCE).

Authlib builds and reads the messages. Nothing that a provider sends is logged or kept. This
module is imported only where people sign in, so that others need no Authlib.
"""

import threading
from collections.abc import Iterator, Mapping
from contextlib import contextmanager, suppress
from datetime import datetime
from typing import Any

from authlib.integrations.base_client import OAuthError
from authlib.integrations.requests_client import OAuth2Session
from authlib.oidc.core import CodeIDToken
from authlib.oidc.discovery import get_well_known_url
from joserfc import jwt
from joserfc.errors import JoseError
from joserfc.jwk import KeySet
from joserfc.jws import JWSRegistry
from requests import RequestException

from deniable_issuer.errors import NotSignedIn
from deniable_issuer.sign_in.attempts import Attempt
from deniable_issuer.sign_in.clients import ProviderClient, is_safe
from deniable_sdk.foreign import NotJson, read_object
from deniable_sdk.tokens import from_base64url

TIMEOUT_S = 10.0
# So that a slow provider leaves threads to those who collect tokens.
MOST_AT_ONCE = 8

_LEEWAY_S = 60
# Longer than every description, and every set of keys or claims.
_MOST_BYTES = 1 << 20
_PIECE_BYTES = 1 << 16
# Signatures that only the provider can make; "none" and shared secrets are not among them.
_ALGORITHMS = (
    *("RS256", "RS384", "RS512", "PS256", "PS384", "PS512"),
    *("ES256", "ES384", "ES512", "EdDSA", "Ed25519"),
)
_BASIC, _POST = "client_secret_basic", "client_secret_post"

_free = threading.BoundedSemaphore(MOST_AT_ONCE)


class Provider:
    """The provider of a client."""

    def __init__(self, client: ProviderClient) -> None:
        self._client = client

    def address(self, attempt: Attempt) -> str:
        """Where a person signs in.

        Raises:
            NotSignedIn: the provider cannot be reached, or does not describe itself.
        """
        with self._session() as session:
            endpoint = self._endpoint(self._describe(session), "authorization_endpoint")
            address, _ = session.create_authorization_url(
                endpoint,
                state=attempt.state,
                nonce=attempt.nonce,
                code_verifier=attempt.verifier,
            )
        return str(address)

    def claims(self, attempt: Attempt, code: str, now: datetime) -> Mapping[str, object]:
        """What the provider says about the person who comes back.

        The provider is asked for more than its ID token only if that lacks a claim which the
        settings name.

        Raises:
            NotSignedIn: the provider cannot be reached, refuses, or cannot be trusted.
        """
        with self._session() as session:
            described = self._describe(session)
            token = self._exchange(session, described, attempt, code)
            keys = self._fetch(session, self._endpoint(described, "jwks_uri"))
            claims = self._read_id_token(token, keys, attempt.nonce, now)
            missing = [name for name in self._client.claims if name not in claims]
            if missing and "userinfo_endpoint" in described:
                address = self._endpoint(described, "userinfo_endpoint")
                more = self._fetch(session, address, withhold_token=False)
                if more.get("sub") != claims["sub"]:
                    raise _untrusted("the user info is about somebody else")
                claims.update({name: more[name] for name in missing if name in more})
        return claims

    @contextmanager
    def _session(self) -> Iterator[Any]:
        """A session with the provider; one of a few at once."""
        if not _free.acquire(blocking=False):
            raise NotSignedIn("busy", "too many people sign in at once")
        try:
            with OAuth2Session(
                self._client.client_id,
                self._client.client_secret,
                scope=" ".join(self._client.scopes),
                redirect_uri=self._client.callback,
                code_challenge_method="S256",
                default_timeout=TIMEOUT_S,
            ) as session:
                # The secret and the code go to the address that was asked, or nowhere.
                session.max_redirects = 0
                session.hooks["response"].append(_read_all)
                yield session
        except RequestException:
            raise NotSignedIn("unreachable", "the provider cannot be reached") from None
        finally:
            _free.release()

    def _describe(self, session: Any) -> Mapping[str, object]:
        """The provider's description of itself (OpenID Connect Discovery 1.0)."""
        found = self._fetch(session, get_well_known_url(self._client.provider, external=True))
        if found.get("issuer") != self._client.provider:
            raise _untrusted("the provider describes itself under another name")
        return found

    def _fetch(self, session: Any, address: str, *, withhold_token: bool = True) -> dict[str, Any]:
        """A JSON object at an address."""
        response = session.get(address, withhold_token=withhold_token)
        response.raise_for_status()
        try:
            return read_object(response.content)
        except NotJson:
            raise _untrusted("the provider sends no JSON object") from None

    def _endpoint(self, described: Mapping[str, object], name: str) -> str:
        found = described.get(name)
        if not isinstance(found, str) or not is_safe(found.partition("?")[0]):
            raise _untrusted(f"the provider names no safe {name}")
        return found

    def _exchange(
        self, session: Any, described: Mapping[str, object], attempt: Attempt, code: str
    ) -> Mapping[str, Any]:
        """The provider's tokens for a code."""
        known = described.get("token_endpoint_auth_methods_supported")
        if self._client.client_secret and isinstance(known, list) and _BASIC not in known:
            session.token_endpoint_auth_method = _POST
        try:
            token: Mapping[str, Any] = session.fetch_token(
                self._endpoint(described, "token_endpoint"),
                grant_type="authorization_code",
                code=code,
                code_verifier=attempt.verifier,
            )
        except OAuthError as error:
            # Nobody but the client itself can mend the others.
            if error.error == "invalid_grant":
                raise NotSignedIn("expired") from None
            raise NotSignedIn(
                "unreachable", "the provider refuses the client; check its id and secret"
            ) from None
        except (ValueError, TypeError, OverflowError):
            raise _untrusted("the provider sends no tokens") from None
        return token

    def _read_id_token(
        self, token: Mapping[str, Any], keys: Any, nonce: str, now: datetime
    ) -> dict[str, object]:
        """The claims of a valid ID token (OpenID Connect Core 1.0, 3.1.3.7)."""
        client_id = self._client.client_id
        try:
            # Authlib would take its numbers as they are, finite or not.
            for part in token["id_token"].split(".")[:2]:
                read_object(from_base64url(part))
            read = jwt.decode(
                token["id_token"],
                KeySet.import_key_set(keys),
                registry=JWSRegistry(algorithms=list(_ALGORITHMS), strict_check_header=False),
            )
            claims = CodeIDToken(
                read.claims,
                read.header,
                {
                    "iss": {"essential": True, "value": self._client.provider},
                    "aud": {"essential": True, "value": client_id},
                    "nonce": {"essential": True, "value": nonce},
                },
                {"nonce": nonce, "client_id": client_id},
            )
            claims.validate(now=int(now.timestamp()), leeway=_LEEWAY_S)
        except (JoseError, ValueError, TypeError, KeyError, AttributeError):
            raise _untrusted("the ID token of the provider is not valid") from None
        return dict(claims)


def _read_all(response: Any, *_: object, **__: object) -> None:
    """Read an answer, which a hostile provider could make long enough to fill the memory."""
    content = b""
    for piece in response.iter_content(_PIECE_BYTES):
        content += piece
        if len(content) > _MOST_BYTES:
            raise _untrusted("the provider sends too much")
    # Authlib would read any JSON, and break at some: for it no other object was sent.
    with suppress(NotJson):
        read_object(content)
        response._content = content  # noqa: SLF001 - requests itself reads all or nothing
        return
    response._content = b""  # noqa: SLF001 - as above


def _untrusted(cause: str) -> NotSignedIn:
    return NotSignedIn("untrusted", cause)
