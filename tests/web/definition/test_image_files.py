"""Images that a definition names by their files."""

from base64 import b64encode
from pathlib import Path

import pytest

from deniable_sdk.survey.appearance import MAX_IMAGE_LENGTH
from deniable_web.commands import run
from deniable_web.definition.file import UnreadableDefinition, read_definition
from pictures import png

TEXT = """\
title: A title
slug: pictured
epsilon: 1
logo: {file: logo.png, text: Our house}
questions:
  - id: well
    type: yes_no
    text: Are you well?
    image: {text: A bed, file: images/bed.png}
"""


def write(folder: Path, text: str = TEXT) -> Path:
    """A definition and its two images."""
    (folder / "images").mkdir(exist_ok=True)
    (folder / "logo.png").write_bytes(png(3, 2))
    (folder / "images" / "bed.png").write_bytes(png(4, 4))
    path = folder / "survey.yaml"
    path.write_text(text)
    return path


def message_of(path: Path) -> str:
    """What is said about a definition that cannot be read."""
    with pytest.raises(UnreadableDefinition) as caught:
        read_definition(path)
    return str(caught.value).replace(str(path), "FILE")


def test_the_bytes_of_files_are_in_the_survey(tmp_path: Path) -> None:
    """Byte for byte, with the texts, and with nothing of their names."""
    survey = read_definition(write(tmp_path)).compile()
    shown = [survey.logo, survey.questions[0].image]
    assert [each and each.text for each in shown] == ["Our house", "A bed"]
    assert [each and each.data for each in shown] == [
        f"data:image/png;base64,{b64encode(image).decode()}" for image in (png(3, 2), png(4, 4))
    ]
    assert b"logo.png" not in survey.document
    assert b"bed.png" not in survey.document


def test_the_largest_file_is_small_enough(tmp_path: Path) -> None:
    """A file of the most bytes that are allowed makes an address that is not too long."""
    path = write(tmp_path)
    most = (MAX_IMAGE_LENGTH - len("data:image/jpeg;base64,")) // 4 * 3
    beginning = b"\xff\xd8\xff"
    (tmp_path / "logo.png").write_bytes(beginning.ljust(most, b"x"))
    assert read_definition(path).compile().logo
    (tmp_path / "logo.png").write_bytes(beginning.ljust(most + 1, b"x"))
    assert f"FILE:4: logo.file: got 'logo.png' of {most + 1:,} bytes" in message_of(path)


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("other.png", "got 'other.png': No such file or directory; name a file that exists"),
        ("images", "got 'images': Is a directory; name a file that exists"),
        ("../logo.png", "got '../logo.png'; allowed is a file in the definition's folder"),
        ("/etc/hostname", "got '/etc/hostname'; allowed is a file in the definition's folder"),
        ("beyond", "got 'beyond'; allowed is a file in the definition's folder"),
        ('"a\\0b"', "got 'a\\x00b'; allowed is the name of a file"),
        ("loop", "got 'loop'; allowed is the name of a file"),
        ("logo.png, data: x", "got 'data' as well; keep either 'file' or 'data'"),
        ("survey.yaml", "got 'survey.yaml'; allowed are PNG, JPEG and WebP images"),
    ],
)
def test_other_files_are_refused_by_name_and_line(
    tmp_path: Path, name: str, expected: str
) -> None:
    """Also those that are not in the folder, through a link too."""
    (tmp_path / "inner").mkdir()
    (tmp_path / "logo.png").write_bytes(png(1, 1))
    (tmp_path / "inner" / "beyond").symlink_to(tmp_path / "logo.png")
    (tmp_path / "inner" / "loop").symlink_to("loop")
    path = write(tmp_path / "inner", TEXT.replace("logo.png", name))
    assert message_of(path) == f"FILE:4: logo.file: {expected}"


def test_a_question_is_named(tmp_path: Path) -> None:
    """The refusal has the line of the question's image."""
    path = write(tmp_path)
    (tmp_path / "images" / "bed.png").unlink()
    assert message_of(path).startswith("FILE:9: questions[0].image.file: got 'images/bed.png'")


def test_the_command_line_reads_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`deniable check` accepts the definition, and refuses it without its image."""
    path = write(tmp_path)
    assert run(["check", str(path)]) == 0
    (tmp_path / "logo.png").unlink()
    assert run(["check", str(path)]) != 0
    assert "logo.file: got 'logo.png'" in capsys.readouterr().err
