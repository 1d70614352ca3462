"""docs/FEDERATION.md: its commands and its program run as they are written."""

import os
import re
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path

import pytest

from deniable_sdk import PublishedSurvey, Report, randomize
from deniable_sdk.transport import CollectorConnection
from free_ports import free_port

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "FEDERATION.md").read_text()
PORTS = {"north": "8101", "south": "8102"}


def blocks(language: str) -> list[str]:
    """The blocks of a language in the page."""
    return re.findall(rf"```{language}\n(.*?)```", PAGE, re.DOTALL)


def send(url: str, report: Report) -> None:
    """Send a report as a device does."""
    with CollectorConnection(url) as connection:
        body = report.to_bytes()
        answer = connection.ask("POST", "/api/reports", body, "application/json")
        assert answer.status == 201


class Shell:
    """Runs the blocks of the page in a folder, on free ports."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.ports = {port: str(free_port()) for port in PORTS.values()}
        path = f"{Path(sys.executable).parent}{os.pathsep}{os.environ['PATH']}"
        self.environment = {**os.environ, "PATH": path}

    def on_free_ports(self, text: str) -> str:
        """A block, with other ports."""
        return re.sub("|".join(self.ports), lambda found: self.ports[found[0]], text)

    def run(self, *command: str) -> subprocess.CompletedProcess[str]:
        """How a command ended."""
        return subprocess.run(
            command,
            cwd=self.folder,
            env=self.environment,
            capture_output=True,
            text=True,
            check=False,
            timeout=120,
        )

    def sh(self, text: str) -> str:
        """What a block prints, without an error."""
        done = self.run("bash", "-ec", self.on_free_ports(text))
        assert done.returncode == 0, done.stderr
        return done.stdout

    @contextmanager
    def serving(self, text: str) -> Iterator[str]:
        """What a block prints up to its server's address, while the server runs."""
        # So that the signal reaches the server.
        server = self.on_free_ports(text).replace("deniable serve", "exec deniable serve")
        with subprocess.Popen(
            ["bash", "-ec", server],
            cwd=self.folder,
            env=self.environment,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
        ) as process:
            assert process.stdout is not None
            said = ""
            for line in process.stdout:
                said += line
                if line.startswith("http://"):
                    break
            yield said
            process.send_signal(signal.SIGTERM)


@pytest.fixture
def shell(tmp_path: Path) -> Shell:
    """A folder with the survey of the page."""
    (tmp_path / "survey.yaml").write_text(blocks("yaml")[0])
    return Shell(tmp_path)


@pytest.mark.deep
def test_an_engineer_can_follow_the_page(shell: Shell) -> None:
    """From the definition to the results of two sites; one withdraws, and gives out a release."""
    check, federate, start, end, release = blocks("sh")
    program, of_releases = blocks("python")
    assert "3,000" in shell.sh(check)
    digest = shell.sh(federate).strip()
    with ExitStack() as running:
        for name, port in PORTS.items():
            block = start.replace("north", name).replace(PORTS["north"], port)
            said = running.enter_context(shell.serving(block)).split()
            assert said[0] == digest
            assert said[-1].endswith(f":{shell.ports[port]}")
            document = (shell.folder / "federation" / name / "survey.json").read_bytes()
            survey = PublishedSurvey.from_bytes(document, digest=digest)
            send(said[-1], randomize(survey, {"harassed": True, "stress": 4}))
        results = shell.run(sys.executable, "-c", program)
        assert results.returncode == 0, results.stderr
        assert "survey stress, edition 1: 2 reports" in results.stdout
        assert re.search(r"north\W+1\nsouth\W+1\n", results.stdout)
        shell.sh(end)
        refused = shell.run(sys.executable, "-c", program)
        assert "StudyRefused: site 'north': " in refused.stderr
        without = program.replace('["tokens"])', '["tokens"], without={"north": "withdrew"})')
        left = shell.run(sys.executable, "-c", without)
        assert "this result is without the site 'north', which is missing: withdrew" in left.stdout
        assert "survey stress, edition 1: 1 report" in left.stdout
    shell.sh(release)
    shell.sh(end.replace("north", "south"))
    found = shell.run(sys.executable, "-c", of_releases)
    assert found.returncode == 0, found.stderr
    assert "survey stress, edition 1: 2 reports; 0.95 anytime intervals" in found.stdout
    assert "the counts of north.json have noise" in found.stdout
    assert "sd release" in found.stdout
    again = shell.run("bash", "-ec", release)
    assert again.returncode == 1
    assert "north.json already exists" in again.stderr
