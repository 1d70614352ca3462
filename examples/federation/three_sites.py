"""Three collectors, one survey, one study: python three_sites.py [FOLDER].

Every step is real: `deniable federate` prepares the sites, three `deniable serve` collect over
HTTP, and the analyst opens them as one study. Then a site is stopped, and the study goes on
without it. The people are rows of examples/health/answers.csv.
"""

import csv
import json
import os
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from itertools import islice
from pathlib import Path
from urllib.request import Request, urlopen

from deniable_analysis import open_sites
from deniable_analysis.errors import StudyUnavailable
from deniable_sdk import PublishedSurvey, randomize

HERE = Path(__file__).parent
ANSWERS = HERE.parent / "health" / "answers.csv"
DENIABLE = (sys.executable, "-m", "deniable_web")
PEOPLE = {"north": 2000, "east": 1500, "south": 1000}
STOPPED = "south"


def free_port() -> int:
    """A port of this machine on which nobody listens."""
    with socket.create_server(("127.0.0.1", 0)) as listening:
        port: int = listening.getsockname()[1]
        return port


def prepare(folder: Path) -> None:
    """Write what each site and the analyst need."""
    sites = [f"--site={name}=http://127.0.0.1:{free_port()}" for name in PEOPLE]
    command = [*DENIABLE, "federate", str(HERE / "survey.yaml"), *sites, "--output", str(folder)]
    subprocess.run(command, check=True)


@contextmanager
def collector(folder: Path) -> Iterator[subprocess.Popen[str]]:
    """The collector of a site, started with the settings in its folder."""
    lines = (folder / "site.env").read_text(encoding="utf-8").splitlines()
    settings = dict(line.split("=", 1) for line in lines)
    port = settings["DENIABLE_ADDRESS"].rpartition(":")[2]
    with subprocess.Popen(
        [*DENIABLE, "serve", "--port", port],
        cwd=folder,
        env={**os.environ, **settings},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    ) as process:
        # It prints its address once it can be reached.
        if not (process.stdout and process.stdout.readline()):
            raise SystemExit(f"the collector of {folder.name} did not start")
        try:
            yield process
        finally:
            process.terminate()


def answer(folder: Path, people: Iterator[dict[str, str]], count: int) -> None:
    """Let so many people answer: each answer is randomized before it is sent."""
    survey = PublishedSurvey.from_bytes((folder / "survey.json").read_bytes())
    asked = [question.id for question in survey.questions]
    reports = [
        randomize(survey, {name: row[name] for name in asked}).to_bytes()
        for row in islice(people, count)
    ]
    address = (folder / "site.env").read_text(encoding="utf-8")
    (collects,) = [each for each in address.splitlines() if each.startswith("DENIABLE_ADDRESS=")]
    request = Request(  # noqa: S310 - an address of this machine
        collects.partition("=")[2] + "/api/reports",
        data=b"\n".join(reports),
        headers={"Content-Type": "application/x-ndjson"},
    )
    with urlopen(request) as response:  # noqa: S310 - see above
        stored = json.loads(response.read())["stored"]
    print(f"{folder.name}: {stored} reports")


def main(folder: Path) -> None:
    """Run the example in a new folder."""
    prepare(folder)
    analyst = json.loads((folder / "analyst.json").read_text(encoding="utf-8"))
    with ExitStack() as running, ANSWERS.open(encoding="utf-8", newline="") as file:
        people = csv.DictReader(file)
        processes = {}
        for name, count in PEOPLE.items():
            processes[name] = running.enter_context(collector(folder / name))
            answer(folder / name, people, count)
        study = open_sites(analyst["locations"], token=analyst["tokens"])
        print(study.estimate("limitation", by_site=True))
        processes[STOPPED].terminate()
        processes[STOPPED].wait()
        try:
            study.estimate()
        except StudyUnavailable as error:
            print(f"\n{error}\n")
        without = open_sites(
            analyst["locations"], token=analyst["tokens"], without={STOPPED: "it does not answer"}
        )
        print(without.estimate("limitation"))


if __name__ == "__main__":
    if sys.argv[1:]:
        main(Path(sys.argv[1]))
    else:
        with tempfile.TemporaryDirectory() as temporary:
            main(Path(temporary) / "federation")
