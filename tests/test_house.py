"""The rules of the house that a machine can hold."""

import ast
import inspect
import re
import subprocess
from functools import cache
from pathlib import Path

import pytest

import deniable_sdk
from deniable_sdk import errors

ROOT = Path(__file__).parents[1]
MAX_FILE_LINES = 300
MAX_FUNCTION_LINES = 40
PARTS = ["client_sdk/python", "collector", "analysis", "web", "face", "release"]
MODULES = sorted(path for part in PARTS for path in (ROOT / part).rglob("*.py"))
FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef

# Joined here, so that this file does not hold them itself.
NEEDLES = [
    joint.join(parts)
    for joint, parts in (
        ("/", ["", "work", ""]),
        ("/", ["", "root", ""]),
        ("/", ["", "home", ""]),
        ("/", ["file://", "opt"]),
        (".", ["pypi", "org/simple"]),
        (".", ["files", "pythonhosted", "org"]),
        (".", ["registry", "npmjs", "org"]),
    )
]


def _name(path: Path) -> str:
    return path.relative_to(ROOT).as_posix()


@cache
def _tree(path: Path) -> ast.Module:
    return ast.parse(path.read_text())


def _lines_without_docstring(function: FUNCTIONS) -> int:
    assert function.end_lineno is not None
    lines = function.end_lineno - function.lineno + 1
    first = function.body[0]
    if ast.get_docstring(function) is not None:
        assert first.end_lineno is not None
        lines -= first.end_lineno - first.lineno + 1
    return lines


def _tracked() -> list[Path]:
    listed = subprocess.run(
        ["git", "ls-files", "-z"], cwd=ROOT, capture_output=True, check=True, timeout=60
    )
    names = listed.stdout.decode().rstrip("\0").split("\0")
    return [path for path in (ROOT / name for name in names) if path.is_file()]


def test_there_are_modules_to_look_at() -> None:
    """Each part has modules, so that the tests below do not pass on nothing."""
    for part in PARTS:
        assert any(_name(path).startswith(part) for path in MODULES), part


def test_files_are_short() -> None:
    """A file has at most 300 lines."""
    lengths = {_name(path): len(path.read_text().splitlines()) for path in MODULES}
    assert {name: lines for name, lines in lengths.items() if lines > MAX_FILE_LINES} == {}


def test_functions_are_short() -> None:
    """A function has at most 40 lines, its docstring not counted."""
    long = [
        f"{_name(path)}: {node.name}: {_lines_without_docstring(node)} lines"
        for path in MODULES
        for node in ast.walk(_tree(path))
        if isinstance(node, FUNCTIONS) and _lines_without_docstring(node) > MAX_FUNCTION_LINES
    ]
    assert long == []


def test_types_of_arrays_are_defined_once() -> None:
    """No two modules give a name to the same kind of array, or the same name to two kinds."""
    defined = [
        found
        for path in MODULES
        for found in re.findall(r"^(\w+) = NDArray\[(.+)\]$", path.read_text(), re.MULTILINE)
        if not found[0].startswith("_")
    ]
    assert len(defined) == len({name for name, _ in defined}) == len({kind for _, kind in defined})
    assert ("Floats", "np.float64") in defined


def test_a_class_name_means_one_thing() -> None:
    """No two classes that others may use have one name, whatever package they are in."""
    found: dict[str, list[str]] = {}
    for path in MODULES:
        for node in _tree(path).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found.setdefault(node.name, []).append(_name(path))
    assert len(found) > 300
    assert {name: paths for name, paths in found.items() if len(paths) > 1} == {}


def test_what_is_loose_in_the_web_part_belongs_to_no_room() -> None:
    """A new file of the web part goes into one of its folders."""
    loose = {path.stem for path in (ROOT / "web" / "deniable_web").glob("*.py")}
    entries = {"__init__", "__main__", "command_line", "site"}
    assert loose == entries | {"packaged_files", "workplace"}


def test_modules_say_what_they_are() -> None:
    """Every module has a docstring."""
    silent = [_name(path) for path in MODULES if not ast.get_docstring(_tree(path))]
    assert silent == []


def test_the_face_of_the_sdk_is_complete_and_sorted() -> None:
    """`__all__` lists what the package gives, every error included, in order."""
    given = {
        name
        for name, value in vars(deniable_sdk).items()
        if not name.startswith("_") and not inspect.ismodule(value)
    }
    lazy = {"compile_survey", *deniable_sdk._CLIENT}
    assert deniable_sdk.__all__ == sorted(given | lazy)
    assert all(getattr(deniable_sdk, name) for name in lazy)
    with pytest.raises(AttributeError, match="has no attribute 'compile_surveys'"):
        deniable_sdk.compile_surveys  # noqa: B018 - asking is the test
    raised = {
        name
        for name, value in vars(errors).items()
        if inspect.isclass(value) and issubclass(value, errors.DeniableError)
    }
    assert raised <= given


def test_every_error_is_drawn_in_the_tree() -> None:
    """The tree at the top of errors names every error under its parent."""
    tree = inspect.getdoc(errors) or ""
    for name, value in vars(errors).items():
        if inspect.isclass(value) and issubclass(value, errors.DeniableError):
            assert name in tree
            assert value is errors.DeniableError or value.__bases__[0].__name__ in tree


def test_no_tracked_file_names_a_machine() -> None:
    """No text in the repository holds a registry host or a path of one machine."""
    found = []
    for path in _tracked():
        try:
            text = path.read_text(encoding="utf-8")
        except UnicodeDecodeError:
            continue  # an image or another file that is no text
        found += [f"{_name(path)}: {needle}" for needle in NEEDLES if needle in text]
    assert found == []
