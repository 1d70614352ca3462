"""Surveys by invitation with real keys, and tokens that are signed at once.

An issuer signs blinded messages; what comes out is the signature of the token's input, as
whoever has the key can make it directly.
"""

import os
import random
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.asymmetric.padding import MGF1, PSS
from cryptography.hazmat.primitives.hashes import SHA384

from deniable_sdk import PublishedSurvey, Report, randomize
from deniable_sdk.survey.groups import Group
from deniable_sdk.survey.invited import input_of
from deniable_sdk.tokens import (
    EXPONENT,
    KEY_BYTES,
    NONCE_BYTES,
    Token,
    base64url,
)
from sample_definitions import Document, survey

ISSUER = "https://council.example.org"
GROUPS = ("nurses", "doctors")
_SCHEME = PSS(MGF1(SHA384()), 48)
ReadBytes = Callable[[int], bytes]


@dataclass(frozen=True)
class InvitedSurvey:
    """A published survey by invitation, and the private keys of its groups."""

    published: PublishedSurvey
    keys: Mapping[str, rsa.RSAPrivateKey]

    def group(self, name: str) -> Group:
        """One of the survey's groups."""
        assert self.published.invited
        (found,) = (group for group in self.published.invited.groups if group.id == name)
        return found

    def token(self, group: str = GROUPS[0], read_bytes: ReadBytes = os.urandom) -> Token:
        """A new token for a person of a group."""
        nonce = read_bytes(NONCE_BYTES)
        signed = input_of(self.published.digest, self.group(group), nonce)
        return Token(group, nonce, self.keys[group].sign(signed, _SCHEME, SHA384()))

    def report(self, token: Token | None = None, read_bytes: ReadBytes = os.urandom) -> Report:
        """The report of a person who did not answer, on this token or on a new one."""
        spent = token or self.token(read_bytes=read_bytes)
        return randomize(self.published, {}, read_bytes=read_bytes, token=spent)

    def two_on_one_token(self) -> tuple[Report, Report]:
        """Two reports with other answers, on the same token."""
        first = self.report()
        while (second := self.report(first.token)).values == first.values:
            pass
        return first, second


@cache
def key(number: int) -> rsa.RSAPrivateKey:  # noqa: ARG001 - it is what tells keys apart
    """One of any number of keys; the same number is the same key in this process."""
    return rsa.generate_private_key(EXPONENT, 8 * KEY_BYTES)


def modulus(private: rsa.RSAPrivateKey) -> str:
    """The modulus of a key, as a definition has it."""
    number = private.public_key().public_numbers().n
    return base64url(number.to_bytes(KEY_BYTES, "big"))


def invitation(
    keys: Mapping[str, rsa.RSAPrivateKey],
    invited: int = 100,
    sites: Mapping[str, str] | None = None,
) -> Document:
    """What a definition says of who is invited, and at which sites."""
    groups = {
        name: {
            "invited": invited,
            "modulus": modulus(keys[name]),
            **({"site": sites[name]} if sites else {}),
        }
        for name in keys
    }
    return {"issuer": ISSUER, "groups": groups}


def invited_survey(
    *questions: Document,
    first_key: int = 0,
    **keys: object,
) -> InvitedSurvey:
    """A survey of nurses and doctors.

    Args:
        questions: of the definition; one if there is none.
        first_key: the number of the first group's key; the other one has the next.
        keys: of the definition, replaced or added.
    """
    private = {name: key(first_key + place) for place, name in enumerate(GROUPS)}
    made = survey(*questions, **{"invited": invitation(private), **keys})
    return InvitedSurvey(made, private)


def survey_at_sites(
    sites: Mapping[str, str], *questions: Document, first_key: int = 0, **keys: object
) -> InvitedSurvey:
    """A survey of nurses and doctors, each of which has a site."""
    private = {name: key(first_key + place) for place, name in enumerate(GROUPS)}
    invited = invitation(private, sites=sites)
    return invited_survey(*questions, first_key=first_key, invited=invited, **keys)


def many_reports(
    invited: InvitedSurvey, count: int, source: random.Random, groups: Sequence[str] = GROUPS
) -> list[Report]:
    """Reports of so many people, of the groups in turn."""
    return [
        invited.report(
            invited.token(groups[number % len(groups)], source.randbytes), source.randbytes
        )
        for number in range(count)
    ]
