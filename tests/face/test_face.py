"""`import deniable`: the few names that most programs need, and nothing of its own."""

import ast
import inspect
import re
import subprocess
import sys
from pathlib import Path

import pytest

import deniable
import deniable_analysis
import deniable_sdk

FACE = Path(deniable.__file__)


def test_every_name_is_one_of_another_package() -> None:
    """Each name is the object of the same name in the SDK or the analysis."""
    for name in deniable.__all__:
        if name != "__version__":
            home = deniable_sdk if hasattr(deniable_sdk, name) else deniable_analysis
            assert getattr(deniable, name) is getattr(home, name)
    assert dir(deniable) == deniable.__all__ == sorted(deniable.__all__)


def test_checkers_of_types_read_the_same_names() -> None:
    """What type checkers are shown is what the package has when it runs."""
    (block,) = (node for node in ast.parse(FACE.read_text()).body if isinstance(node, ast.If))
    imported = {
        alias.name
        for node in block.body
        if isinstance(node, ast.ImportFrom)
        for alias in node.names
    }
    assert imported | {"__version__"} == set(deniable.__all__)


def test_it_defines_nothing() -> None:
    """The package has one short file, without functions or classes for users."""
    assert [path.name for path in FACE.parent.glob("*.py")] == ["__init__.py"]
    defined = [
        node.name
        for node in ast.parse(FACE.read_text()).body
        if isinstance(node, ast.FunctionDef | ast.ClassDef)
    ]
    assert defined == ["__getattr__", "__dir__"]


def test_importing_it_loads_no_part() -> None:
    """An app that needs one name does not wait for the others."""
    program = "import sys, deniable; print([n for n in sys.modules if n.startswith('deniable_')])"
    command = [sys.executable, "-c", program]
    ran = subprocess.run(command, capture_output=True, check=True, text=True, timeout=60)
    assert ran.stdout == "[]\n"


def test_an_unknown_name_is_answered_with_those_there_are() -> None:
    """A misspelt name is an AttributeError that lists the names."""
    with pytest.raises(
        AttributeError,
        match=r"module 'deniable' has no attribute 'open_studies'; it has Client, .*, open_study, "
        r".*, and deniable_sdk and deniable_analysis have more$",
    ):
        deniable.open_studies  # noqa: B018 - asking is the test


@pytest.mark.parametrize("missing", ["lazy_loader", "numpy"])
def test_a_missing_package_is_named_with_its_extra(missing: str) -> None:
    """Without a package of the analysis, its names raise an error that says what to install."""
    program = (
        f"import sys; sys.modules['{missing}'] = None\n"
        "import deniable\n"
        "assert 'randomize' in dir(deniable)\n"
        "try:\n    deniable.open_study\n"
        "except deniable.DeniableError as error:\n"
        "    print(type(error).__name__, isinstance(error, ImportError), error)\n"
    )
    command = [sys.executable, "-c", program]
    ran = subprocess.run(command, capture_output=True, check=True, text=True, timeout=60)
    assert ran.stdout == (
        f"AnalysisMissing True deniable_analysis needs the package {missing}, which is not "
        "installed; run: pip install 'deniable[analysis]'\n"
    )


def test_the_docstring_shows_first_steps_that_work() -> None:
    """Each name of the package that the docstring uses is one that it has."""
    used = re.findall(r"\bdeniable\.(\w+)\(", inspect.getdoc(deniable) or "")
    assert used == ["open_client", "open_study"]
    assert set(used) <= set(deniable.__all__)
