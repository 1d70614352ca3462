"""What the issuer answers: the group of a code, a signature, and the state of a survey."""

from collections.abc import Mapping
from datetime import datetime
from sqlite3 import Connection
from types import MappingProxyType

from deniable_collector.clock import Clock, utc_now
from deniable_collector.errors import Refused, UnsignableMessage
from deniable_collector.signing import SigningKey
from deniable_issuer import problems
from deniable_issuer.codes import code_digest
from deniable_issuer.keyring import find_key, find_survey, invited_of
from deniable_issuer.store import IssuerStore
from deniable_sdk import PublishedSurvey
from deniable_sdk.canonical import JSON
from deniable_sdk.survey.groups import group_of
from deniable_sdk.survey.writing import moment_text


def is_over(survey: PublishedSurvey, now: datetime) -> bool:
    """Whether tokens are no longer signed."""
    until = invited_of(survey).collect_until
    return until is not None and now >= until


class Issuer:
    """Answers devices from a store.

    Args:
        store: with keys and codes.
        clock: returns the present moment, in UTC.
        sign_in: the addresses at which people sign in, by the digests of surveys.
    """

    def __init__(
        self,
        store: IssuerStore,
        clock: Clock = utc_now,
        sign_in: Mapping[str, str] = MappingProxyType({}),
    ) -> None:
        self.store = store
        self._clock = clock
        self._sign_in = sign_in
        # A digest always names the same document, and a modulus the same key.
        self._surveys: dict[str, PublishedSurvey] = {}
        self._keys: dict[tuple[str, str], SigningKey] = {}
        self._final: dict[str, Mapping[str, int]] = {}

    def group_of(self, digest: str, code: str) -> str:
        """The id of the group of a code.

        Raises:
            Refused: the survey has no such code.
        """
        with self.store.reading() as connection:
            return _find(connection, digest, code)[0]

    def sign(self, digest: str, code: str, blinded: bytes) -> bytes:
        """(256,) bytes: the signature of the one blinded message of a code.

        The message is on disk before this returns. The same message gets the same signature,
        at any time.

        Args:
            digest: of the survey.
            code: as it is printed.
            blinded: (256,) bytes from a device.
        Raises:
            Refused: the code is unknown or was used for another message, collecting is over,
                or no device makes such a message.
        """
        with self.store.reading() as connection:
            group_id, signed_before = _find(connection, digest, code)
            survey = self._survey(connection, digest)
            key = self._key(connection, survey, group_id)
        self._check(survey, signed_before, blinded)
        # Before anything is stored: a message that cannot be signed uses up no code.
        try:
            signature = key.sign(blinded)
        except UnsignableMessage:
            raise Refused(problems.invalid_request("survey, code and blinded")) from None
        if signed_before is None:
            self._record(survey, code, blinded)
        return signature

    def status(self, digest: str) -> dict[str, JSON]:
        """The public state of a survey: how many are invited and, after the end, have collected.

        Raises:
            Refused: no codes were made for such a survey.
        """
        with self.store.reading() as connection:
            survey = self._survey(connection, digest)
        invited, over = invited_of(survey), is_over(survey, self._clock())
        collected: Mapping[str, int] = self._final_counts(digest) if over else {}
        return {
            "survey": digest,
            "slug": survey.slug,
            "collect_until": moment_text(invited.collect_until) if invited.collect_until else None,
            "is_over": over,
            "sign_in": self._sign_in.get(digest),
            "groups": [
                {
                    "id": group.id,
                    "invited": group.people,
                    "collected": collected.get(group.id, 0) if over else None,
                }
                for group in invited.groups
            ],
        }

    def _record(self, survey: PublishedSurvey, code: str, blinded: bytes) -> None:
        """Store a code's first message, unless the code was used or replaced in between."""
        with self.store.writing() as connection:
            _, signed_before = _find(connection, survey.digest, code)
            self._check(survey, signed_before, blinded)
            connection.execute(
                "UPDATE codes SET blinded = ? WHERE code_digest = ?", (blinded, code_digest(code))
            )

    def _check(self, survey: PublishedSurvey, signed_before: bytes | None, blinded: bytes) -> None:
        if signed_before is not None:
            if signed_before != blinded:
                raise Refused(problems.CODE_USED)
        elif is_over(survey, self._clock()):
            until = invited_of(survey).collect_until
            raise Refused(problems.collecting_over(moment_text(until) if until else "then"))

    def _final_counts(self, digest: str) -> Mapping[str, int]:
        """How many have collected, by group; called after the end of collecting only.

        The transaction waits for a token that is being recorded by another process, so the
        counts never change once they are published.
        """
        if digest not in self._final:
            with self.store.writing() as connection:
                rows = connection.execute(
                    "SELECT group_id, count(*) FROM codes "
                    "WHERE survey = ? AND blinded IS NOT NULL GROUP BY group_id",
                    (digest,),
                ).fetchall()
            self.store.forget_order()
            self._final[digest] = dict(rows)
        return self._final[digest]

    def _survey(self, connection: Connection, digest: str) -> PublishedSurvey:
        survey = self._surveys.get(digest) or find_survey(connection, digest)
        if survey is None:
            raise Refused(problems.UNKNOWN_SURVEY)
        self._surveys[digest] = survey
        return survey

    def _key(self, connection: Connection, survey: PublishedSurvey, group_id: str) -> SigningKey:
        at = survey.digest, group_id
        if at not in self._keys:
            group = group_of(invited_of(survey).groups, group_id)
            self._keys[at] = find_key(connection, survey.digest, group)
        return self._keys[at]


def _find(connection: Connection, digest: str, code: str) -> tuple[str, bytes | None]:
    """The group of a code, and its message if it was used.

    Raises:
        Refused: the survey has no such code.
    """
    row: tuple[str, bytes | None] | None = connection.execute(
        "SELECT group_id, blinded FROM codes WHERE code_digest = ? AND survey = ?",
        (code_digest(code), digest),
    ).fetchone()
    if row is None:
        raise Refused(problems.UNKNOWN_CODE)
    return row
