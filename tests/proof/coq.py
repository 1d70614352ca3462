"""Checking the proofs in a folder, and running the samplers that they are about."""

import re
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

SOURCES = Path(__file__).parents[2] / "proof"
TOOLS = ("coqc", "coqdep", "ocamlopt")
_DEADLINE_S = 1800


def missing() -> list[str]:
    """The programs of Coq and OCaml that this machine lacks."""
    return [tool for tool in TOOLS if shutil.which(tool) is None]


def build(folder: Path) -> subprocess.CompletedProcess[str]:
    """Check the proofs in a folder; what is there already is not replaced."""
    command = ["nice", "sh", str(SOURCES / "build.sh"), str(folder)]
    return subprocess.run(
        command, capture_output=True, text=True, check=False, timeout=_DEADLINE_S
    )


def build_twin(folder: Path, right: str, wrong: str) -> subprocess.CompletedProcess[str]:
    """Check the proofs of a sampler that is changed in one place."""
    text = (SOURCES / "Model.v").read_text("utf-8")
    assert text.count(right) == 1, right
    folder.mkdir()
    (folder / "Model.v").write_text(text.replace(right, wrong), "utf-8")
    return build(folder)


def statements() -> list[str]:
    """The names of all statements."""
    text = (SOURCES / "Statements.v").read_text("utf-8")
    return re.findall(r"^Definition (\w+) : Prop :=", text, re.MULTILINE)


def replay(folder: Path, lines: Iterable[str]) -> list[str]:
    """What the samplers of a built folder make of these cases."""
    ran = subprocess.run(
        [folder / "replay"],
        input="\n".join(lines) + "\n",
        capture_output=True,
        text=True,
        check=True,
        timeout=_DEADLINE_S,
    )
    return ran.stdout.splitlines()
