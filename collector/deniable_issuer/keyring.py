"""The keys of a store, and the survey that each of them signs for.

A key signs for one group of one published survey. If it signed for two, a code of one could
buy a token of the other, and both groups' respondents would be hidden among fewer people.
"""

from collections.abc import Iterable, Mapping
from sqlite3 import Connection

from deniable_collector.signing import SigningKey as SigningKey  # noqa: PLC0414 - our face has it
from deniable_issuer.errors import KeyMissing, KeyServesTwice, NotByInvitation
from deniable_issuer.store import IssuerStore
from deniable_sdk import PublishedSurvey
from deniable_sdk.survey.groups import Group
from deniable_sdk.survey.invited import Invited


def add_keys(store: IssuerStore, keys: Iterable[SigningKey]) -> None:
    """Keep new keys, which sign for no survey yet."""
    rows = [(key.modulus, key.private_bytes()) for key in keys]
    with store.writing() as connection:
        connection.executemany("INSERT INTO keys (modulus, private) VALUES (?, ?)", rows)


def check_keys(store: IssuerStore, survey: PublishedSurvey) -> None:
    """Raise an error unless the keys of a survey's groups may sign for it.

    Groups that have no key yet are left out.

    Raises:
        NotByInvitation: the survey invites nobody.
        KeyMissing: the store does not have one of the keys.
        KeyServesTwice: one of the keys signs for another survey.
    """
    with store.reading() as connection:
        _check(connection, survey, [group for group in invited_of(survey).groups if group.has_key])


def add_survey(connection: Connection, survey: PublishedSurvey) -> None:
    """Keep a published survey, and bind its keys to it; call it in a transaction.

    Raises:
        NotByInvitation, KeyMissing, KeyServesTwice: as for check_keys; every group must have
            a key.
    """
    groups = invited_of(survey).groups
    _check(connection, survey, groups)
    connection.execute(
        "INSERT INTO surveys (digest, document) VALUES (?, ?) ON CONFLICT DO NOTHING",
        (survey.digest, survey.document.decode()),
    )
    connection.executemany(
        "UPDATE keys SET survey = ? WHERE modulus = ?",
        [(survey.digest, group.modulus) for group in groups],
    )


def find_survey(connection: Connection, digest: str) -> PublishedSurvey | None:
    """The survey of this digest, if codes were made for it."""
    row = connection.execute("SELECT document FROM surveys WHERE digest = ?", (digest,)).fetchone()
    return PublishedSurvey.from_bytes(row[0].encode(), digest=digest) if row else None


def find_key(connection: Connection, digest: str, group: Group) -> SigningKey:
    """The key that signs for a group of a survey.

    Raises:
        KeyMissing: no key signs for it.
    """
    row = connection.execute(
        "SELECT private FROM keys WHERE modulus = ? AND survey = ?", (group.modulus, digest)
    ).fetchone()
    if row is None:
        raise _missing([group.id])
    return SigningKey(row[0])


def invited_of(survey: PublishedSurvey) -> Invited:
    """Who is invited.

    Raises:
        NotByInvitation: the survey invites nobody.
    """
    if survey.invited is None:
        raise NotByInvitation(
            f"the survey {survey.slug!r} has no key `invited`, so everybody may answer and nobody "
            "needs a code; add it to the definition, or leave the issuer out"
        )
    return survey.invited


def _check(connection: Connection, survey: PublishedSurvey, groups: Iterable[Group]) -> None:
    known: Mapping[bytes, str | None] = dict(
        connection.execute("SELECT modulus, survey FROM keys").fetchall()
    )
    wanted = list(groups)
    missing = [group.id for group in wanted if group.modulus not in known]
    if missing:
        raise _missing(missing)
    busy = [group.id for group in wanted if known[group.modulus] not in (None, survey.digest)]
    if busy:
        raise KeyServesTwice(
            f"a key that serves twice lets a code of one survey buy a token of another, and the "
            f"keys of {', '.join(busy)} already sign for another survey or edition; remove these "
            "moduli from the definition, and run deniable issuer keys again before publishing"
        )


def _missing(groups: Iterable[str]) -> KeyMissing:
    return KeyMissing(
        f"this store does not have the keys of {', '.join(groups)}; use the store that deniable "
        "issuer keys wrote them to, or remove these moduli from the definition, run deniable "
        "issuer keys again, and publish the new edition"
    )
