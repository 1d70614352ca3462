"""A real provider of OpenID Connect in a process of its own, which lies if a test says so.

`with live_provider(folder, [callback]) as provider:` has its address, its accounts and what
it logged; identity_provider.mjs is the program.
"""

import json
import select
import subprocess
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from free_ports import free_port
from started import START_TIMEOUT_S

SECRET = "provided5309-secret"  # noqa: S105  of a provider that lives for a test
PROGRAM = Path(__file__).with_name("identity_provider.mjs")
# Found in no store and no log if nobody keeps what a provider says.
ACCOUNTS: Mapping[str, Mapping[str, object]] = {
    "sub-5309-anna": {"department": ["staff", "nursing"], "email": "anna@clinic5309.example"},
    "sub-5309-ben": {"department": ["nursing"], "email": "ben@clinic5309.example"},
    "sub-5309-carla": {"department": ["medicine"], "email": "carla@clinic5309.example"},
    "sub-5309-dora": {"department": ["kitchen"], "email": "dora@clinic5309.example"},
    "sub-5309-emil": {"email": "emil@clinic5309.example"},
}
ANNA, BEN, CARLA, DORA, EMIL = ACCOUNTS


@dataclass(frozen=True)
class LiveProvider:
    """A running provider."""

    url: str
    folder: Path
    process: subprocess.Popen[str]

    def lie(self, **lies: object) -> None:
        """Let it lie from now on.

        `claims` and `header` of ID tokens, `token`, `info` and `described` are members of what
        it sends, and `raw` has the whole text for a path.
        """
        replace(self.folder / "lies.json", lies)

    def change(self, accounts: Mapping[str, Mapping[str, object]]) -> None:
        """Let it have other accounts, or other ones besides, from now on."""
        replace(self.folder / "accounts.json", {**ACCOUNTS, **accounts})

    def issued(self) -> Sequence[str]:
        """Every token that it has handed out, as it was sent."""
        answers = map(json.loads, (self.folder / "issued.txt").read_text().splitlines())
        return [each[name] for each in answers for name in ("access_token", "id_token")]

    def stop(self) -> None:
        """End it."""
        self.process.terminate()
        self.process.wait(START_TIMEOUT_S)


def replace(path: Path, document: object) -> None:
    """Write a file so that it is complete at any moment."""
    written = path.with_suffix(".new")
    written.write_text(json.dumps(document))
    written.replace(path)


@contextmanager
def live_provider(
    folder: Path, callbacks: Sequence[str], *, sends_all: bool = True, client: str = "survey"
) -> Iterator[LiveProvider]:
    """A provider on a free port of this machine, ended when the block is left.

    Args:
        folder: where its accounts and lies are.
        callbacks: the addresses to which it sends people back.
        sends_all: whether ID tokens contain all claims that were asked for; otherwise they
            are in the user info.
        client: its one client: survey, posting (another way to show the secret) or public.
    """
    replace(folder / "accounts.json", ACCOUNTS)
    replace(folder / "lies.json", {})
    settings = {
        "port": free_port(),
        "accounts": str(folder / "accounts.json"),
        "lies": str(folder / "lies.json"),
        "issued": str(folder / "issued.txt"),
        "callbacks": list(callbacks),
        "secret": SECRET,
        "sends_all": sends_all,
        "client": client,
    }
    with (
        (folder / "provider.log").open("wb") as log,
        subprocess.Popen(
            ["node", str(PROGRAM), json.dumps(settings)],
            stdout=subprocess.PIPE,
            stderr=log,
            text=True,
        ) as process,
    ):
        try:
            assert process.stdout is not None
            ready, _, _ = select.select([process.stdout], [], [], START_TIMEOUT_S)
            url = process.stdout.readline().strip() if ready else ""
            assert url, (folder / "provider.log").read_text()
            yield LiveProvider(url, folder, process)
        finally:
            process.kill()
