"""Makes codes for people, and hands each code out exactly once.

A code is never stored, so it is made in the moment in which it is handed out: in the
transaction before a mail, or in the one that ends when the files of links and slips are on
disk. Until then a person's row has the digest of nothing.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from sqlite3 import Connection

from deniable_issuer.codes import code_digest, make_code
from deniable_issuer.errors import InvalidPeople, TooManyPeople
from deniable_issuer.keyring import add_survey, invited_of
from deniable_issuer.people import Invitee, contact_key, count_without_contact
from deniable_issuer.store import IssuerStore
from deniable_sdk import PublishedSurvey
from deniable_sdk.randomness import system_bytes

_DIGEST_BYTES = 32


class MailState(StrEnum):
    """Whether a person with a contact has received a code, or made one by signing in."""

    PENDING = "pending"
    SENT = "sent"
    REMINDED = "reminded"
    UNCLEAR = "unclear"
    SIGNED_IN = "signed-in"


@dataclass(frozen=True, slots=True)
class Person:
    """A person as the store knows them.

    Args:
        digest: (32,) bytes: of the person's code.
        group: the id of the group.
        contact: an address or a name; None if the list had none.
        state: whether the person has received a code; None for those without contact who
            did not sign in.
        has_collected: whether the person's device has its token.
    """

    digest: bytes = field(repr=False)
    group: str
    contact: str | None = field(repr=False)
    state: MailState | None
    has_collected: bool


@dataclass(frozen=True, slots=True)
class Issued:
    """A code that was just made.

    Args:
        code: as it is printed; nobody can find it again.
        group: the id of the group.
        contact: of the person; None if the list has none.
    """

    code: str = field(repr=False)
    group: str
    contact: str | None = field(repr=False)


def enrol(
    store: IssuerStore, survey: PublishedSurvey, invitees: Sequence[Invitee]
) -> Mapping[str, int]:
    """Add the people who are not in the store yet; those with a contact are pending.

    Returns:
        How many people without contact still need a code, by group; they are not added yet.
    Raises:
        InvalidPeople: a person is in the store already, in another group.
        TooManyPeople: a group has more people than the survey says are invited.
        NotByInvitation, KeyMissing, KeyServesTwice: the store cannot sign for the survey.
    """
    with store.writing() as connection:
        add_survey(connection, survey)
        new, missing = _compare(connection, survey, invitees)
        connection.executemany(
            "INSERT INTO codes (code_digest, survey, group_id, contact, mail) "
            "VALUES (?, ?, ?, ?, ?)",
            [
                (system_bytes(_DIGEST_BYTES), survey.digest, each.group, each.contact, "pending")
                for each in new
            ],
        )
    return missing


def preview(
    store: IssuerStore, survey: PublishedSurvey, invitees: Sequence[Invitee]
) -> Mapping[str, int]:
    """How many people `enrol` would add or find without a code, by group; nothing is changed.

    Raises:
        InvalidPeople, TooManyPeople: as for enrol.
    """
    with store.reading() as connection:
        new, missing = _compare(connection, survey, invitees)
    return Counter(each.group for each in new) + Counter(missing)


def people_of(store: IssuerStore, digest: str) -> Sequence[Person]:
    """All people with a code of a survey, in the order of their contacts."""
    with store.reading() as connection:
        return _people(connection, digest)


def issue_together(
    store: IssuerStore,
    survey: PublishedSurvey,
    people: Sequence[Person],
    missing: Mapping[str, int],
    hand_out: Callable[[Sequence[Issued]], None],
) -> Sequence[Issued]:
    """Make codes for many people in one transaction; all of them count, or none does.

    Args:
        store: with the codes.
        survey: the published survey.
        people: who get a new code instead of the one they have, if any; those who collected
            in the meantime are left out. A pending person's state becomes sent, any other
            person's state reminded.
        missing: how many people without contact get a code, by group.
        hand_out: writes the codes durably, before the transaction ends.
    """
    with store.writing() as connection:
        issued = [
            Issued(code, each.group, each.contact)
            for each in people
            for code in [make_code()]
            if _replace(connection, each.digest, code_digest(code), _after(each))
        ]
        added = [Issued(make_code(), group, None) for group in Counter(missing).elements()]
        connection.executemany(
            "INSERT INTO codes (code_digest, survey, group_id) VALUES (?, ?, ?)",
            [(code_digest(each.code), survey.digest, each.group) for each in added],
        )
        issued += added
        if issued:
            hand_out(issued)
    return issued


def begin_mail(store: IssuerStore, person: Person) -> Issued | None:
    """A new code for one person, whose state is unclear from now on.

    If the process ends before end_mail or undo_mail, nobody knows whether a mail was sent.

    Returns:
        None if the person collected in the meantime, or another process writes to them.
    """
    code = make_code()
    with store.writing() as connection:
        if not _replace(connection, person.digest, code_digest(code), MailState.UNCLEAR):
            return None
    return Issued(code, person.group, person.contact)


def end_mail(store: IssuerStore, person: Person, issued: Issued) -> None:
    """Record that the mail server accepted the mail with a code."""
    with store.writing() as connection:
        connection.execute(
            "UPDATE codes SET mail = ? WHERE code_digest = ?",
            (_after(person), code_digest(issued.code)),
        )


def undo_mail(store: IssuerStore, person: Person, issued: Issued) -> None:
    """Make a person's former code valid again: the mail server took no mail for them."""
    with store.writing() as connection:
        _replace(connection, code_digest(issued.code), person.digest, person.state)


def forget_contacts(store: IssuerStore, digest: str) -> int:
    """How many contacts of a survey were erased; codes and tokens stay as they are."""
    with store.writing() as connection:
        forgotten = connection.execute(
            "UPDATE codes SET contact = NULL, mail = NULL "
            "WHERE survey = ? AND contact IS NOT NULL",
            (digest,),
        )
    return forgotten.rowcount


def _after(person: Person) -> MailState:
    """The state of a person who has received one more code."""
    return MailState.SENT if person.state is MailState.PENDING else MailState.REMINDED


def _replace(connection: Connection, old: bytes, new: bytes, state: MailState | None) -> bool:
    """Whether a code was replaced: it must be there, and not used."""
    replaced = connection.execute(
        "UPDATE codes SET code_digest = ?, mail = ? WHERE code_digest = ? AND blinded IS NULL",
        (new, state, old),
    )
    return replaced.rowcount == 1


def _people(connection: Connection, digest: str) -> list[Person]:
    rows = connection.execute(
        "SELECT code_digest, group_id, contact, mail, blinded IS NOT NULL FROM codes "
        "WHERE survey = ? ORDER BY contact, code_digest",
        (digest,),
    )
    return [
        Person(code, group, contact, MailState(mail) if mail else None, bool(has_collected))
        for code, group, contact, mail, has_collected in rows
    ]


def _compare(
    connection: Connection, survey: PublishedSurvey, invitees: Sequence[Invitee]
) -> tuple[list[Invitee], Mapping[str, int]]:
    """The people with a contact who are not in the store, and how many others are not."""
    people = _people(connection, survey.digest)
    known = {contact_key(each.contact): each.group for each in people if each.contact}
    moved = [
        each.line
        for each in invitees
        if each.contact and known.get(contact_key(each.contact), each.group) != each.group
    ]
    if moved:
        raise InvalidPeople(
            f"line {moved[0]}: this person has a code of another group already; a person is in "
            "one group of a survey, so write the former group again"
        )
    new = [each for each in invitees if each.contact and contact_key(each.contact) not in known]
    has_slip = Counter(each.group for each in people if not (each.contact or each.state))
    missing = count_without_contact(invitees) - has_slip
    wanted = Counter(each.group for each in people) + Counter(each.group for each in new) + missing
    _check_counts(survey, wanted)
    return new, missing


def _check_counts(survey: PublishedSurvey, wanted: Mapping[str, int]) -> None:
    beyond = [
        f"{group.id} ({wanted[group.id]} people, {group.people} invited)"
        for group in invited_of(survey).groups
        if wanted[group.id] > group.people
    ]
    if beyond:
        raise TooManyPeople(
            f"more people than the published survey says are invited: {', '.join(beyond)}; "
            "respondents rely on that number, and it never changes; correct the list, or publish "
            "another edition"
        )
