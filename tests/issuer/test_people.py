"""The list of people: what is read, and how mistakes are named."""

from pathlib import Path

import pytest

from deniable_issuer.errors import InvalidPeople
from deniable_issuer.people import LONGEST_CONTACT, Invitee, is_address, read_people

GROUPS = ("nurses", "doctors")


def read(path: Path, text: str, *, must_be_addresses: bool = False) -> list[Invitee]:
    """The people in a list with this text."""
    path.write_bytes(text.encode())
    return read_people(path, GROUPS, print, must_be_addresses=must_be_addresses)


@pytest.fixture
def path(tmp_path: Path) -> Path:
    """Where the list is."""
    return tmp_path / "people.csv"


@pytest.mark.parametrize(
    "text",
    [
        "contact,group\na@b.example,nurses\n,doctors\n",
        "group;contact\r\nnurses;a@b.example\r\ndoctors;\r\n",
        "\ufeffContact\tGROUP\na@b.example\tnurses\n\n\t\n  \n\tdoctors",
        'contact,group\n" a@b.example ","nurses"\n"",doctors\n',
    ],
)
def test_spreadsheets_of_all_kinds_are_read(path: Path, text: str) -> None:
    """Commas, semicolons and tabs, either order, quotes, blank lines, and what Excel adds."""
    found = [(each.group, each.contact) for each in read(path, text)]
    assert found == [("nurses", "a@b.example"), ("doctors", None)]


def test_a_list_without_contacts(path: Path) -> None:
    """One column is enough for slips that are drawn from a hat."""
    found = read(path, "group\nnurses\nnurses\ndoctors\n")
    assert [(each.line, each.group, each.contact) for each in found] == [
        (2, "nurses", None),
        (3, "nurses", None),
        (4, "doctors", None),
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", ":1: the first line must name the columns"),
        ("contact,group\n", ":1: it has no people"),
        ("contact\na@b.example\n", ":1: the first line must name the columns: group"),
        ("group,group\nnurses,nurses\n", ":1: the first line must name"),
        ("group,name\nnurses,CANARY\n", ":1: column 2 has another name than contact or group"),
        ("CANARY@b.example,nurses\n", ":1: column 1 has another name"),
        ("contact,group\nCANARY@b.example\n", ":2: got 1 cells; the first line has 2"),
        ("contact,group\nx,nurses\nnurses,CANARY\n", ":3: group: it is not a group of the survey"),
        ("contact,group\nx,Nurses\n", "allowed are: nurses, doctors"),
        (
            "contact,group\nCANARY,nurses\n,nurses\ncanary,doctors\n",
            ":4: contact: it is the same as in line 2",
        ),
        (f"contact,group\n{'x' * (LONGEST_CONTACT + 1)},nurses\n", ":2: contact: allowed are at"),
        ('contact,group\n"CANARY\nx",nurses\n', ":3: contact: allowed are at most 200 characters"),
        ("contact,group\nCANARY\x1b[0m,nurses\n", ":2: contact: allowed are at most"),
        ('contact,group\n"CANARY,nurses\n', ":2: not a CSV table: "),
        ("contact|group\nCANARY|nurses\n", "allowed between cells are commas, semicolons and ta"),
    ],
)
def test_mistakes_are_named_by_line_and_never_repeated(
    path: Path, text: str, expected: str
) -> None:
    """The message has the file, the line and what is allowed, but no contact."""
    with pytest.raises(InvalidPeople) as refused:
        read(path, text)
    message = str(refused.value)
    assert message.startswith(str(path))
    assert expected in message
    assert "canary" not in message.lower()


def test_all_mistakes_are_named_at_once_up_to_a_limit(path: Path) -> None:
    """Twenty of them, and how many more there are."""
    with pytest.raises(InvalidPeople) as refused:
        read(path, "group\n" + "cooks\n" * 30)
    lines = str(refused.value).splitlines()
    assert len(lines) == 21
    assert [line.partition(": ")[0] for line in lines[:2]] == [f"{path}:2", f"{path}:3"]
    assert lines[-1] == "and 10 more"


def test_files_that_cannot_be_read(tmp_path: Path) -> None:
    """A folder, a missing file and a workbook are refused in words."""
    book = tmp_path / "people.xlsx"
    book.write_bytes(b"PK\x03\x04")
    for file, expected in (
        (tmp_path, "Is a directory"),
        (tmp_path / "none.csv", "No such file or directory"),
        (book, "it is a workbook; save its sheet as CSV"),
    ):
        with pytest.raises(InvalidPeople, match=expected):
            read_people(file, GROUPS, print)


def test_letters_that_may_be_wrong_are_said(path: Path) -> None:
    """A list that is not in UTF-8 is read, and whoever invites should look at its names."""
    path.write_bytes("contact;group\nJürgen;nurses\n".encode("cp1252"))
    said: list[str] = []
    (invitee,) = read_people(path, GROUPS, said.append)
    assert invitee.contact == "Jürgen"
    (doubt,) = said
    assert "not in UTF-8, so it is read as Windows-1252" in doubt
    assert "Jürgen" not in doubt


@pytest.mark.parametrize(
    "contact",
    [
        "anna",
        "a@",
        "@b.example",
        "a b@c.example",
        "a@b.example,c@d.example",
        "Anna <a@b.example>",
        "ä@b.example",
    ],
)
def test_mails_need_addresses(path: Path, contact: str) -> None:
    """A name or two addresses are contacts, but nothing that a mail can be sent to."""
    text = f'contact,group\n"{contact}",nurses\n'
    assert read(path, text)[0].contact == contact
    assert not is_address(contact)
    with pytest.raises(InvalidPeople, match=r":2: contact: it is not an e-mail address like"):
        read(path, text, must_be_addresses=True)


def test_no_repr_shows_a_contact(path: Path) -> None:
    """What a log or a crash reporter would take has the group and the line."""
    (invitee,) = read(path, "contact,group\na@b.example,nurses\n")
    assert repr(invitee) == "Invitee(line=2, group='nurses')"
    assert is_address(str(invitee.contact))
