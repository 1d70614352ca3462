"""Reads the list of people to invite: a CSV file with the columns group and contact."""

from collections import Counter
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from email.errors import MessageError
from email.headerregistry import Address
from pathlib import Path

from deniable_issuer.errors import InvalidPeople
from deniable_storage.csv_tables import CsvTable, open_table
from deniable_storage.errors import UnreadableTable

LONGEST_CONTACT = 200

_COLUMNS = ("contact", "group")
_MOST_PROBLEMS = 20


@dataclass(frozen=True, slots=True)
class Invitee:
    """A line of the list.

    Args:
        line: its number, from 1.
        group: the id of the person's group.
        contact: an address or a name; None if the list has none.
    """

    line: int
    group: str
    contact: str | None = field(repr=False)


def read_people(
    path: Path,
    groups: Collection[str],
    say: Callable[[str], None],
    *,
    must_be_addresses: bool = False,
) -> list[Invitee]:
    """The people in a list.

    Args:
        path: of a CSV file. Its first line names the columns: group, and contact if people are
            to be reached or reminded.
        groups: the ids of the groups of the survey, or of a site.
        say: called with what people should check about a list that can be used.
        must_be_addresses: whether each contact must be an e-mail address.
    Raises:
        InvalidPeople: the message has every problem with its line, and no contact.
    """
    problems: list[str] = []
    people: list[Invitee] = []
    try:
        with open_table(path) as table:
            if _are_columns(table, problems):
                people.extend(_read(table, groups, must_be_addresses, problems))
            if not people and not problems:
                problems.append(
                    f"{path}:1: it has no people; write one on each line below the columns' names"
                )
            if table.doubt:
                say(table.doubt)
    except UnreadableTable as error:
        problems.append(str(error))
    if problems:
        left = len(problems) - _MOST_PROBLEMS
        more = [f"and {left} more"] if left > 0 else []
        raise InvalidPeople("\n".join([*problems[:_MOST_PROBLEMS], *more]))
    return people


def count_without_contact(people: Collection[Invitee]) -> Counter[str]:
    """How many people have no contact, by group."""
    return Counter(each.group for each in people if each.contact is None)


def is_address(contact: str) -> bool:
    """Whether a contact is one e-mail address that every mail server accepts."""
    try:
        address = Address(addr_spec=contact)
    except (MessageError, ValueError, IndexError):
        return False
    return contact.isascii() and bool(address.domain) and address.addr_spec == contact


def contact_key(contact: str) -> str:
    """Contacts with the same key are the same person's."""
    return contact.casefold()


def _read(
    table: CsvTable, groups: Collection[str], must_be_addresses: bool, problems: list[str]
) -> Iterator[Invitee]:
    found: dict[str, int] = {}
    for record in table.records():
        row = {name: cell.strip() for name, cell in record.items()}
        if not any(row.values()):
            continue
        invitee = Invitee(table.line, row["group"], row.get("contact") or None)
        wrong = list(_problems_of(invitee, groups, must_be_addresses, found))
        problems += (f"{table.path}:{invitee.line}: {each}" for each in wrong)
        if not wrong:
            yield invitee
        if invitee.contact:
            found.setdefault(contact_key(invitee.contact), invitee.line)


def _are_columns(table: CsvTable, problems: list[str]) -> bool:
    # No cell is repeated: without a line of names, it may be somebody's contact.
    names = table.names
    unknown = [number for number, name in enumerate(names, 1) if name not in _COLUMNS]
    if unknown:
        problems.append(
            f"{table.path}:1: column {unknown[0]} has another name than contact or group; remove "
            "it, because an issuer needs to know nothing else, or add the missing line of names; "
            "allowed between cells are commas, semicolons and tabs"
        )
    elif "group" not in names or len(set(names)) < len(names):
        problems.append(
            f"{table.path}:1: the first line must name the columns: group, and contact if there is"
        )
    return not problems


def _problems_of(
    invitee: Invitee, groups: Collection[str], must_be_addresses: bool, found: Mapping[str, int]
) -> Iterator[str]:
    """Why a line cannot be used; without its number."""
    contact = invitee.contact
    if invitee.group not in groups:
        yield (
            "group: it is not a group of the survey, or of this site; allowed are: "
            f"{', '.join(groups)}"
        )
    if contact is None:
        return
    if len(contact) > LONGEST_CONTACT or not contact.isprintable():
        yield f"contact: allowed are at most {LONGEST_CONTACT} characters on one line"
    elif must_be_addresses and not is_address(contact):
        yield (
            "contact: it is not an e-mail address like name@example.org; correct it, or leave it "
            "empty and hand this person a slip"
        )
    elif contact_key(contact) in found:
        yield (
            f"contact: it is the same as in line {found[contact_key(contact)]}; each person is "
            "invited once, so remove one of the two lines"
        )
