"""deniable issuer keys: moduli in the definition, private halves in the store."""

import json
import re
import sqlite3
from contextlib import closing
from pathlib import Path

import pytest

from deniable_issuer import open_issuer_store
from deniable_issuer.errors import KeyMissing, KeyServesTwice
from deniable_issuer.inviting import enrol
from deniable_web.commands import run
from deniable_web.definition.file import read_definition

BLOCK = """\
# Asked in December.
title: Work on our wards
slug: wards
epsilon: 2
invited:
  issuer: https://council.example.org
  groups:
    nurses:            # all wards
      # counted in November
      invited: 412     # with trainees
      text: Nurses
    doctors: {invited: 118, text: Doctors}   # and dentists
    "others":
      text: |
        Everybody
        else
      invited: 30
questions:
  - {id: harassed, type: yes_no, text: Harassed?}   # the only one
"""
DOCUMENT = {
    "title": "Work",
    "slug": "work",
    "epsilon": 2,
    "invited": {
        "issuer": "https://council.example.org",
        "groups": {
            "nurses": {"invited": 40, "text": "Nurses \U0001f600"},
            "doctors": {"invited": 30},
        },
    },
    "questions": [{"id": "harassed", "type": "yes_no", "text": "Harassed?"}],
}
ADDED = re.compile(r'(?:,\s*"modulus"|, modulus|\r?\n +modulus): "[\w-]{342}"', re.ASCII)
SPELLINGS = {
    "block.yaml": BLOCK,
    "crlf.yaml": BLOCK.replace("\n", "\r\n"),
    "no-end.yaml": "questions: [{id: a, type: yes_no, text: A?}]\ntitle: T\nslug: t\nepsilon: 2\n"
    "invited:\n  issuer: https://a.example\n  groups:\n    all:\n      invited: 50",
    "beyond.yaml": BLOCK.replace("all wards", "\U0001f600 alle Stationen"),
    "indented.json": json.dumps(DOCUMENT, indent=2),
    "tabs.json": json.dumps(DOCUMENT, indent="\t", ensure_ascii=False),
    "line.json": json.dumps(DOCUMENT),
    "compact.json": json.dumps(DOCUMENT, separators=(",", ":"), ensure_ascii=False),
}


def keys(capsys: pytest.CaptureFixture[str], file: Path, store: Path) -> tuple[int, str]:
    """How `deniable issuer keys` ended, and what it said."""
    code = run(["issuer", "keys", str(file), "--store", str(store)])
    captured = capsys.readouterr()
    assert captured.out == ""
    assert "Traceback" not in captured.err
    return code, captured.err


def rows(store: Path) -> list[tuple[bytes, bytes, str | None]]:
    """The keys in the store, as any program reads them."""
    with closing(sqlite3.connect(store)) as connection:
        return connection.execute("SELECT modulus, private, survey FROM keys").fetchall()


@pytest.mark.sweep
@pytest.mark.parametrize("name", SPELLINGS)
def test_each_group_gets_a_key_and_nothing_else_changes(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, name: str
) -> None:
    """Without the moduli, the definition is what it was, in every byte; again changes nothing."""
    file, store = tmp_path / name, tmp_path / "issuer.sqlite"
    file.write_bytes(SPELLINGS[name].encode())
    file.chmod(0o640)
    code, said = keys(capsys, file, store)
    assert code == 0, said
    assert "Wrote into" in said
    survey = read_definition(file).compile()
    assert survey.invited
    assert all(group.has_key for group in survey.invited.groups)
    assert sorted(row[0] for row in rows(store)) == sorted(
        group.modulus for group in survey.invited.groups
    )
    written = file.read_bytes()
    assert file.stat().st_mode & 0o777 == 0o640
    assert without_moduli(written.decode()) == SPELLINGS[name]
    assert b"\n" not in written.replace(b"\r\n", b"") or b"\r\n" not in written
    assert keys(capsys, file, store) == (0, said_again(file, store))
    assert (file.read_bytes(), len(rows(store))) == (written, len(survey.invited.groups))
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([name, "issuer.sqlite"])


def without_moduli(text: str) -> str:
    """A definition without what the command has added."""
    return ADDED.sub("", text)


def said_again(file: Path, store: Path) -> str:
    """What the command says if there is nothing to do."""
    return (
        f"Every group of {file} has its key already.\n"
        f"Back up {store}, and keep it secret: whoever has it can sign tokens.\n"
    )


def test_a_new_group_gets_a_key_and_others_keep_theirs(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Only the group without a modulus is changed."""
    file, store = tmp_path / "survey.yaml", tmp_path / "issuer.sqlite"
    file.write_text(BLOCK)
    assert keys(capsys, file, store)[0] == 0
    before = rows(store)
    changed = file.read_text().replace("questions:", "    cleaners: {invited: 50}\nquestions:")
    file.write_text(changed)
    code, said = keys(capsys, file, store)
    assert (code, "the moduli of: cleaners." in said) == (0, True)
    assert len(rows(store)) == 4
    assert set(before) < set(rows(store))
    assert without_moduli(file.read_text()) == without_moduli(changed)


def test_the_store_is_the_operators_alone(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """Its file has the mode 0600, and the definition has no private half."""
    file, store = tmp_path / "survey.yaml", tmp_path / "issuer.sqlite"
    file.write_text(BLOCK)
    keys(capsys, file, store)
    assert store.stat().st_mode & 0o777 == 0o600
    assert {survey for _, _, survey in rows(store)} == {None}
    for _, private, _ in rows(store):
        assert private[:4].hex() == "308204b" + private[:4].hex()[7]
        assert private.hex() not in file.read_text()


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        (
            BLOCK.replace("{invited: 118, text: Doctors}", "*one")
            .replace("nurses:            ", "nurses: &one ")
            .replace("      text: Nurses\n", ""),
            "write each of these groups by itself, without & * or ?",
        ),
        (
            BLOCK.replace("\n      invited: 412 ", "\n      ? invited\n      : 412 "),
            "or ?, and with",
        ),
        (BLOCK.replace("  groups:", "  group:"), "survey.yaml:5: invited.group"),
        (
            BLOCK[: BLOCK.index("invited:")] + BLOCK[BLOCK.index("questions:") :],
            "no key `invited`",
        ),
        ("title: [", "not YAML"),
    ],
)
def test_what_cannot_be_written_is_refused_before_anything_is_made(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str, expected: str
) -> None:
    """Neither file changes, and the message says what to do."""
    file, store = tmp_path / "survey.yaml", tmp_path / "issuer.sqlite"
    file.write_text(text)
    code, said = keys(capsys, file, store)
    assert code == 1
    assert expected in said
    assert file.read_text() == text
    assert not store.exists()


def test_another_store_does_not_have_the_key(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """A definition whose keys were made elsewhere is refused, and not changed."""
    file = tmp_path / "survey.yaml"
    file.write_text(BLOCK)
    keys(capsys, file, tmp_path / "one.sqlite")
    written = file.read_bytes()
    code, said = keys(capsys, file, tmp_path / "other.sqlite")
    assert code == 1
    assert "does not have the keys of nurses, doctors, others; use the store" in said
    assert file.read_bytes() == written


def test_a_key_serves_one_edition(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    """Moduli that were copied to another edition are refused, whoever notices first."""
    file, path = tmp_path / "survey.yaml", tmp_path / "issuer.sqlite"
    file.write_text(BLOCK)
    keys(capsys, file, path)
    first = read_definition(file).compile()
    with closing(open_issuer_store(path)) as store:
        enrol(store, first, [])
        enrol(store, first, [])
    assert {survey for _, _, survey in rows(path)} == {first.digest}
    assert keys(capsys, file, path)[0] == 0
    file.write_text(file.read_text().replace("Harassed?", "Were you harassed?"))
    written = file.read_bytes()
    code, said = keys(capsys, file, path)
    assert code == 1
    assert "a key that serves twice lets a code of one survey buy a token of another" in said
    second = read_definition(file).compile()
    with closing(open_issuer_store(path)) as store:
        with pytest.raises(KeyServesTwice, match="nurses, doctors, others already sign for"):
            enrol(store, second, [])
        assert rows(path) == [(*row[:2], first.digest) for row in rows(path)]
    assert file.read_bytes() == written


def test_no_codes_without_keys(tmp_path: Path) -> None:
    """A survey that still has placeholders, or keys of others, gets no codes."""
    file = tmp_path / "survey.yaml"
    file.write_text(BLOCK)
    survey = read_definition(file).compile()
    with closing(open_issuer_store(tmp_path / "issuer.sqlite")) as store:
        with pytest.raises(KeyMissing, match="publish the new edition"):
            enrol(store, survey, [])
        with store.reading() as connection:
            assert connection.execute("SELECT * FROM surveys").fetchall() == []
