"""The examples for apps, as somebody who follows their READMEs has them."""

import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from sample_definitions import multiple, number, scale, survey, yes_no

ROOT = Path(__file__).parents[2]
# The address that the examples' own files and READMEs name.
COLLECTOR = "http://127.0.0.1:8000"
CANARY = "zebrafinch"
# What the examples ask, of every kind; the second question comes only with a yes to the first.
PUBLISHED = survey(
    yes_no("harassed", text="Were you harassed?", required=True),
    scale("stress", text="How stressed are you?", show_if={"question": "harassed", "is": "yes"}),
    {
        "id": "region",
        "type": "choice",
        "text": "Where do you work?",
        "options": [CANARY, "quicksilver", "marmalade"],
    },
    multiple("told", text="Whom did you tell?"),
    number("days", text="How many days were you ill?", unit="days"),
    title="Stress at work",
    slug="stress",
    ask="all",
)


def installed(example: str, folder: Path, collector: str) -> Path:
    """A copy of an example for this collector, with what `npm install` gives it."""
    copy = folder / example
    shutil.copytree(
        ROOT / "examples" / example, copy, ignore=shutil.ignore_patterns("node_modules", "build")
    )
    for page in copy.glob("*/index.html"):
        page.write_text(page.read_text().replace(COLLECTOR, collector))
    modules = copy / "node_modules"
    modules.mkdir()
    (modules / "deniable").symlink_to(ROOT / "client_sdk/javascript")
    for name in ("esbuild", ".bin"):
        (modules / name).symlink_to(ROOT / "node_modules" / name)
    return copy


def commands(example: Path) -> list[str]:
    """What the README says to type after `npm install`, in its order."""
    block = re.search(
        r"^```\n(.*?)\n```$", (example / "README.md").read_text(), re.MULTILINE | re.DOTALL
    )
    assert block is not None
    install, *others = block[1].splitlines()
    assert install == "npm install"
    return others


@contextmanager
def started(command: str, folder: Path) -> Iterator[str]:
    """The address that a server of an example prints; it ends when the block is left."""
    program, *arguments = command.split()
    programs = {"python3": sys.executable}
    with subprocess.Popen(
        [programs.get(program, program), *arguments],
        cwd=folder,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
        env={**os.environ, "PYTHONUNBUFFERED": "1"},
    ) as process:
        try:
            assert process.stdout is not None
            said = process.stdout.readline()
            address = re.search(r"http://127\.0\.0\.1:\d+", said)
            assert address is not None, said
            yield address[0]
        finally:
            process.terminate()


@contextmanager
def served_app(example: str, folder: Path, collector: str) -> Iterator[str]:
    """A web app, built and served by the commands of its README."""
    copy = installed(example, folder, collector)
    build, serve = commands(copy)
    subprocess.run(build.split(), cwd=copy, check=True, capture_output=True, timeout=120)
    assert " 8080 " in serve
    with started(serve.replace(" 8080 ", " 0 "), copy) as address:
        yield address
