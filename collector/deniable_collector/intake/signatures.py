"""Tokens of invited respondents in reports: whose group they name, and whether they are genuine.

A signature and a nonce are checked here and kept nowhere: a row has only the group.
"""

from collections.abc import Callable
from functools import lru_cache, partial
from importlib.util import find_spec
from typing import Final

from deniable_sdk import PublishedSurvey
from deniable_sdk.survey.groups import Group
from deniable_sdk.survey.invited import input_of
from deniable_sdk.survey.reading import ID_PATTERN
from deniable_sdk.tokens import (
    EXPONENT,
    NONCE_BYTES,
    TokenKey,
    from_base64url,
    report_id,
    verify,
)

# Whether a token's input has this signature.
Check = Callable[[bytes, bytes], bool]

# A token as devices write it, with its group, nonce and signature. The last characters are
# those that base64url has for so many bytes.
TOKEN_FORM: Final = (
    rf'"token":\{{"group":"({ID_PATTERN.pattern})",'
    r'"nonce":"([A-Za-z0-9_-]{42}[AEIMQUYcgkosw048])",'
    r'"signature":"([A-Za-z0-9_-]{341}[AQgw])"\}'
)

_MOST_KEYS: Final = 1_000
_SALT_BYTES: Final = 48
_TYPE_BYTES: Final = 2


class GroupTokens:
    """Reads the tokens in the reports of one survey by invitation.

    Args:
        survey: the survey.
        site: of the collector, which knows no groups of other sites; empty if it has no name.
    """

    def __init__(self, survey: PublishedSurvey, site: str = "") -> None:
        self._groups = {
            group.id.encode("ascii"): _GroupReader(survey.digest, group)
            for group in survey.groups
            if group.is_at(site)
        }

    def group_of(self, report: bytes, group: bytes, nonce: bytes, signature: bytes) -> str | None:
        """The group of a report whose token is genuine; None for any other.

        Args:
            report: (16,) bytes, the report's id.
            group: the group's id, as ASCII.
            nonce: in base64url.
            signature: in base64url.
        """
        reader = self._groups.get(group)
        return reader.id if reader and reader.is_genuine(report, nonce, signature) else None


class _GroupReader:
    def __init__(self, digest: str, group: Group) -> None:
        self.id = group.id
        self._check = check_of(group.modulus)
        # Only the nonce differs from one input to the next.
        whole = input_of(digest, group, bytes(NONCE_BYTES))
        self._before, self._after = whole[:_TYPE_BYTES], whole[_TYPE_BYTES + NONCE_BYTES :]

    def is_genuine(self, report: bytes, nonce: bytes, signature: bytes) -> bool:
        signed = self._before + _decoded(nonce) + self._after
        return report_id(signed) == report and self._check(signed, _decoded(signature))


def has_signed(key: TokenKey, token_input: bytes, signature: bytes) -> bool:
    """Whether a key's owner signed this input; agrees with deniable_sdk.tokens.verify."""
    return check_of(key.modulus)(token_input, signature)


@lru_cache(maxsize=_MOST_KEYS)
def check_of(modulus: bytes) -> Check:
    """The check of the signatures of one key, in the fastest way that is installed.

    It is that of `cryptography` if this is installed, or else the SDK's, which takes longer.

    Args:
        modulus: (256,) bytes.
    """
    key = TokenKey(modulus)
    return partial(verify, key) if find_spec("cryptography") is None else _fast_check(key)


def _fast_check(key: TokenKey) -> Check:
    # Only surveys by invitation need this package, and it need not be installed.
    from cryptography.exceptions import InvalidSignature  # noqa: PLC0415 - see above
    from cryptography.hazmat.primitives.asymmetric import padding, rsa  # noqa: PLC0415
    from cryptography.hazmat.primitives.hashes import SHA384  # noqa: PLC0415

    public = rsa.RSAPublicNumbers(EXPONENT, key.number).public_key()
    scheme, digest = padding.PSS(padding.MGF1(SHA384()), _SALT_BYTES), SHA384()

    def check(token_input: bytes, signature: bytes) -> bool:
        try:
            public.verify(signature, token_input, scheme, digest)
        except InvalidSignature:
            return False
        return True

    return check


def _decoded(text: bytes) -> bytes:
    return from_base64url(text.decode("ascii"))
