"""Reads the list of people to invite: a CSV file with the columns group and contact."""

import csv
import io
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from email.errors import MessageError
from email.headerregistry import Address
from pathlib import Path

from deniable_issuer.errors import InvalidPeople

LONGEST_CONTACT = 200

_COLUMNS = ("contact", "group")
_SEPARATORS = ",;\t"
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
    path: Path, groups: Collection[str], *, must_be_addresses: bool = False
) -> list[Invitee]:
    """The people in a list.

    Args:
        path: of a CSV file in UTF-8. Its first line names the columns: group, and contact if
            people are to be reached or reminded. Commas, semicolons or tabs separate them.
        groups: the ids of the groups of the survey, or of a site.
        must_be_addresses: whether each contact must be an e-mail address.
    Raises:
        InvalidPeople: the message has every problem with its line, and no contact.
    """
    try:
        text = path.read_text(encoding="utf-8-sig")
    except UnicodeDecodeError:
        raise InvalidPeople(f"{path}: not text in UTF-8; save it in that encoding") from None
    except OSError as error:
        raise InvalidPeople(f"{path}: {error.strerror or 'cannot be read'}") from None
    problems: list[str] = []
    people = list(_read(text, groups, must_be_addresses, problems))
    if not people and not problems:
        problems.append("1: it has no people; write one on each line below the names of columns")
    if problems:
        left = len(problems) - _MOST_PROBLEMS
        more = [f"and {left} more"] if left > 0 else []
        raise InvalidPeople(
            "\n".join([*(f"{path}:{each}" for each in problems[:_MOST_PROBLEMS]), *more])
        )
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
    text: str, groups: Collection[str], must_be_addresses: bool, problems: list[str]
) -> Iterator[Invitee]:
    first, _, _ = text.partition("\n")
    separator = next((sign for sign in _SEPARATORS if sign in first), ",")
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=separator, strict=True)
    found: dict[str, int] = {}
    try:
        names = [name.strip().lower() for name in next(rows, [])]
        if not _are_columns(names, problems):
            return
        for cells in rows:
            if not any(cell.strip() for cell in cells):
                continue
            if len(cells) != len(names):
                problems.append(
                    f"{rows.line_num}: got {len(cells)} cells; the first line has {len(names)}"
                )
                continue
            row = dict(zip(names, map(str.strip, cells), strict=True))
            invitee = Invitee(rows.line_num, row["group"], row.get("contact") or None)
            wrong = list(_problems_of(invitee, groups, must_be_addresses, found))
            problems += (f"{invitee.line}: {each}" for each in wrong)
            if not wrong:
                yield invitee
            if invitee.contact:
                found.setdefault(contact_key(invitee.contact), invitee.line)
    except csv.Error as error:
        problems.append(f"{rows.line_num}: not CSV: {error}")


def _are_columns(names: list[str], problems: list[str]) -> bool:
    # No cell is repeated: without a line of names, it may be somebody's contact.
    unknown = [number for number, name in enumerate(names, 1) if name not in _COLUMNS]
    if unknown:
        problems.append(
            f"1: column {unknown[0]} has another name than contact or group; remove it, because "
            "an issuer needs to know nothing else, or add the missing line of names"
        )
    elif "group" not in names or len(set(names)) < len(names):
        problems.append("1: the first line must name the columns: group, and contact if there is")
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
