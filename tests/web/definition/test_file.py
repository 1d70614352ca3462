"""Definitions in files: every error names the file, the line and the place."""

from pathlib import Path

import pytest

from deniable_web.definition.file import UnreadableDefinition, read_definition

GOOD = """\
title: A title
slug: good
epsilon: 1
questions:
  - {id: well, type: yes_no, text: Are you well?}
"""


def write(folder: Path, text: str, name: str = "survey.yaml") -> Path:
    """A definition's file."""
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def message_of(path: Path) -> str:
    """What is said about a file that cannot be used."""
    with pytest.raises(UnreadableDefinition) as caught:
        read_definition(path).compile()
    return str(caught.value).replace(str(path), "FILE")


def test_yaml_and_json_give_the_same_survey(tmp_path: Path) -> None:
    """The digest does not depend on how the definition was written down."""
    yaml_file = write(tmp_path, GOOD)
    json_file = write(
        tmp_path,
        '{"epsilon": 1,\t"slug": "good", "title": "A title", "questions": '
        '[{"id": "well", "type": "yes_no", "text": "Are you well?"}]}',
        "survey.json",
    )
    assert read_definition(yaml_file).compile() == read_definition(json_file).compile()


@pytest.mark.parametrize(
    ("old", "new", "expected"),
    [
        ("epsilon: 1", "epsilon: .nan", "FILE:3: epsilon: got nan; allowed is a number from 0.01"),
        ("epsilon: 1", "epsilon: ∞", "FILE:3: epsilon: got '∞'; allowed is a number from 0.01"),
        ("epsilon: 1", "epsilon: 0", "FILE:3: epsilon: got 0; allowed is a number from 0.01"),
        ("epsilon: 1", "epsilon: -1", "FILE:3: epsilon: got -1; allowed is a number from 0.01"),
        ("yes_no", "yesno", "FILE:5: questions[0].type: got 'yesno'; allowed: yes_no, choice"),
        ("slug", "slog", "FILE:2: slog: unknown key; did you mean 'slug'?"),
        ("title: A title\n", "", "FILE:1: the whole document: the key 'title' is missing"),
        ("slug: good", "slug: good\nslug: bad", "FILE:3: the key 'slug' is repeated"),
        ("{id", "[id", "FILE:5: not YAML: "),
        ("title: A title", "title: \x07", "FILE: not YAML: unacceptable character"),
        (GOOD, "", "FILE: the whole document: got null; allowed is an object"),
        ("title: A title", "title: !!bool maybe", "FILE: not YAML: a value does not fit its tag"),
        ("title: A title", "<<: {a: b}", "FILE:1: <<: unknown key"),
        (GOOD, "&a [*a]", "FILE:1: the whole document: got [[[...]]]; allowed is an object"),
    ],
)
def test_errors_name_the_line(tmp_path: Path, old: str, new: str, expected: str) -> None:
    """What is wrong is said with its line, its place, what was got and what is allowed."""
    assert old in GOOD
    assert message_of(write(tmp_path, GOOD.replace(old, new))).startswith(expected)


def test_all_problems_at_once(tmp_path: Path) -> None:
    """An author gets every problem in one go."""
    text = GOOD.replace("epsilon: 1", "epsilon: 99").replace("id: well", "id: Well")
    assert len(message_of(write(tmp_path, text)).splitlines()) == 2


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{", "FILE:1: not JSON: "),
        ('{"title": 1,\t"title": 2}', "FILE:1: the key 'title' is repeated"),
        ('{"title": "\\ud83d\\ude00", "title": 2}', "FILE: an object has the same key twice"),
        ("[" * 100_000, "FILE: nested deeper than 32 levels"),
        ('{"epsilon": ' + "9" * 5000 + "}", "FILE: a number is too large"),
    ],
)
def test_json_errors(tmp_path: Path, text: str, expected: str) -> None:
    """A broken JSON file is described like a broken YAML file."""
    assert message_of(write(tmp_path, text, "survey.json")).startswith(expected)


def test_not_a_text(tmp_path: Path) -> None:
    """A file in another encoding is named as such."""
    path = tmp_path / "survey.yaml"
    path.write_bytes("title: Größe".encode("latin-1"))
    assert message_of(path) == "FILE: not a text in UTF-8; save it in that encoding"


def test_missing_file_and_folder(tmp_path: Path) -> None:
    """A path that cannot be read is named, with the reason."""
    message = message_of(tmp_path / "none.yaml")
    assert message.startswith("FILE: No such file or directory; name a file that exists")
    assert "deniable init" in message
    assert message_of(tmp_path) == "FILE: Is a directory"


def test_a_bomb_of_aliases_is_refused_at_once(tmp_path: Path) -> None:
    """A few lines that name billions of values get a short answer."""
    lines = ["a0: &a0 [x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 9)}]" for n in range(1, 12)]
    message = message_of(write(tmp_path, "\n".join([*lines, "title: *a11", GOOD[15:]])))
    assert "title: got [[[...]" in message
    assert len(message) < 4_000
