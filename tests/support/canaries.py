"""Clients that carry marks wherever a request has room for one, and the search for them."""

import base64
import hashlib
import ipaddress
import os
import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from http.client import HTTPConnection
from pathlib import Path

from live_server import Answer, exchange
from served import Served

CANARY = "qanary5309"
CLIENTS = 6
JSON_HEADERS = {"Content-Type": "application/json"}
_HASHES = ("md5", "sha1", "sha256", "sha512", "blake2b", "blake2s")


@dataclass(frozen=True)
class MarkedClient:
    """A respondent whom every header, address and query would give away."""

    number: int

    @property
    def source(self) -> str:
        """The address of this machine that it connects from."""
        return f"127.53.9.{self.number + 11}"

    @property
    def addresses(self) -> tuple[str, str, str]:
        """Where it says, or its proxy says, that it is."""
        number = self.number
        return (
            self.source,
            f"198.51.100.{number + 101}",
            f"2001:db8:5309:{number + 0x77A1:x}:1234:5678:9abc:def0",
        )

    @property
    def agent(self) -> str:
        """The browser that it says it is."""
        return f"{CANARY}-agent/{self.number}"

    @property
    def headers(self) -> Mapping[str, str]:
        """What a request of it carries."""
        _, address, proxied = self.addresses
        mark = f"{CANARY}-{self.number}"
        return {
            "User-Agent": self.agent,
            "Referer": f"https://{mark}.example/page?{CANARY}",
            "Cookie": f"session={mark}; theme={CANARY}",
            "Accept-Language": f"tlh-{CANARY}, en;q=0.5",
            "Origin": f"https://{mark}.example",
            "X-Forwarded-For": f"{address}, {proxied}",
            "Forwarded": f'for="[{proxied}]";host={mark}.example',
            "X-Real-IP": address,
            "X-Request-ID": mark,
            "X-Forwarded-Host": f"{mark}.example",
            "If-None-Match": f'"{mark}"',
            f"X-{CANARY}-{self.number}": "1",
        }

    def connect(self, site: Served) -> HTTPConnection:
        """A connection from its own address; close it after use."""
        return site.connect(self.source)

    def send(
        self,
        connection: HTTPConnection,
        method: str,
        path: str,
        body: bytes | None = None,
        headers: Mapping[str, str] = JSON_HEADERS,
    ) -> Answer:
        """The answer to a request with all marks, one in the query too."""
        query = f"?from={CANARY}-{self.number}&utm_source={CANARY}"
        return exchange(connection, method, path + query, body, {**self.headers, **headers})


def needles(*, are_disguised: bool = True) -> dict[str, bytes]:
    """What would give a client away, in lower case, also in the usual disguises."""
    texts = [CANARY, "tlh-"]
    addresses = []
    for client in map(MarkedClient, range(CLIENTS)):
        texts += client.addresses
        addresses += [*client.addresses, client.agent]
    found = {text: text.encode() for text in texts}
    if not are_disguised:
        return found
    found |= {f"{text} as UTF-16": text.encode("utf-16-le") for text in texts}
    found |= {f"{text} as hex": text.encode().hex().encode() for text in texts if len(text) > 5}
    for shift in range(3):
        # Without the signs at the ends, which depend on what stands beside.
        coded = base64.b64encode(b"\0" * shift + CANARY.encode())[4:-4]
        found[f"base64 of the canary, {shift}"] = coded.lower()
    for text in addresses:
        for name in _HASHES:
            digest = hashlib.new(name, text.encode()).digest()
            found[f"{name} of {text}"] = digest[:8].lower()
            found[f"{name} of {text} in hex"] = digest.hex()[:16].encode()
    for client in map(MarkedClient, range(CLIENTS)):
        packed = ipaddress.ip_address(client.addresses[-1]).packed
        found[f"{client.addresses[-1]} packed"] = packed[:8].lower()
    return found


def assert_no_marks(contents: Iterable[tuple[str, bytes]], *, are_disguised: bool = True) -> None:
    """Nothing, if none of the contents, each with its name, holds a mark."""
    wanted = needles(are_disguised=are_disguised)
    found = [
        f"{mark} in {name}"
        for name, content in contents
        for lowered in [content.lower()]
        for mark, needle in wanted.items()
        if needle in lowered
    ]
    assert not found, found


def files_below(folder: Path, changed_after: float = 0) -> Iterator[tuple[str, bytes]]:
    """Every file in a folder and those in it that was written after a time, with its name."""
    for path in sorted(folder.rglob("*")):
        if path.is_file() and not path.is_symlink() and path.stat().st_mtime > changed_after:
            yield str(path), path.read_bytes()


def _is_written(information: Path) -> bool:
    try:
        flags = re.search(r"flags:\s*(\d+)", information.read_text())
    except FileNotFoundError:  # it was closed a moment ago
        return False
    return flags is not None and bool(int(flags[1], 8) & (os.O_WRONLY | os.O_RDWR))


def files_written_by(site: Served) -> list[tuple[str, bytes]]:
    """Every file that a process of the site has open for writing, or shares in memory."""
    paths: dict[str, Path] = {}
    for number in (site.process.pid, *site.workers()):
        folder = Path(f"/proc/{number}")
        for descriptor in (folder / "fd").iterdir():
            if _is_written(folder / "fdinfo" / descriptor.name) and descriptor.is_file():
                # Read through the descriptor, also a file that has no name any more.
                paths[str(descriptor.readlink())] = descriptor
        for line in (folder / "maps").read_text().splitlines():
            _, rights, _, _, inode, *name = line.split(maxsplit=5)
            if rights[1] == "w" and rights[3] == "s" and inode != "0" and Path(name[0]).is_file():
                paths[name[0]] = Path(name[0])
    return [(name, path.read_bytes()) for name, path in sorted(paths.items())]
