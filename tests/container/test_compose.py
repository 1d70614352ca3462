"""Containerfile and compose.yaml keep what the project promises of an installation."""

import re
from pathlib import Path
from typing import Any

import pytest
import yaml

from deniable_web.commands import COMMANDS

ROOT = Path(__file__).parents[2]
CONTAINERFILE = (ROOT / "Containerfile").read_text()
COMPOSE: dict[str, Any] = yaml.safe_load((ROOT / "compose.yaml").read_text())
SERVICES: dict[str, dict[str, Any]] = COMPOSE["services"]
OURS = {name: each for name, each in SERVICES.items() if "build" in each}
_PINNED = re.compile(r"docker\.io/library/\w+:\d+\.\d+[\w.-]*@sha256:[0-9a-f]{64}")


def test_images_are_pinned_by_a_version_and_a_digest() -> None:
    """Nobody gets another base today than yesterday without a commit."""
    base = re.findall(r"^ARG BASE=(\S+)$", CONTAINERFILE, re.MULTILINE)
    others = [each["image"] for each in SERVICES.values() if "build" not in each]
    assert len(base + others) == 3
    assert all(_PINNED.fullmatch(image) for image in base + others)
    assert set(re.findall(r"^FROM (\S+)", CONTAINERFILE, re.MULTILINE)) == {"${BASE}"}


def test_the_image_runs_as_nobody_in_particular() -> None:
    """Not as root, with a check of its health, and with commands that exist."""
    last = CONTAINERFILE.rpartition("FROM ")[2]
    user = re.findall(r"^USER (\d+):\d+$", last, re.MULTILINE)
    assert user
    assert int(user[0]) > 0
    assert f"--uid {user[0]}" in last
    assert "HEALTHCHECK" in last
    assert 'ENTRYPOINT ["deniable"]\nCMD ["serve"]\n' in last
    assert all(each["command"][0] in COMMANDS for each in OURS.values())


def test_no_secret_gets_into_the_image() -> None:
    """All is left out but what is named; and settings of operators are not."""
    lines = (ROOT / ".dockerignore").read_text().splitlines()
    assert lines[1] == "*"
    named = [line[1:] for line in lines if line.startswith("!")]
    assert all((ROOT / name).exists() for name in named)
    assert not any(name.startswith((".", "settings")) for name in named)
    variables = re.findall(r"DENIABLE_\w+", CONTAINERFILE)
    assert not {name for name in variables if "SECRET" in name or "KEY" in name}


@pytest.mark.parametrize("name", SERVICES)
def test_each_service_may_do_little(name: str) -> None:
    """No right of root, nothing that can be changed but its volumes, and no core file."""
    service = SERVICES[name]
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service.get("cap_add", []) == (["NET_BIND_SERVICE"] if name == "proxy" else [])
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert service["ulimits"]["core"] == 0
    assert "privileged" not in service
    assert int(service["stop_grace_period"].removesuffix("s")) >= 30


def test_nobody_keeps_addresses_or_times() -> None:
    """The proxy's output goes nowhere, the others' is short, and the database says no time."""
    assert SERVICES["proxy"]["logging"] == {"driver": "none"}
    for name in ("collector", "database", "issuer"):
        assert SERVICES[name]["logging"]["driver"] == "local"
        assert SERVICES[name]["logging"]["options"] == {"max-size": "1m", "max-file": "3"}
    settings = [word.removeprefix("-c") for word in SERVICES["database"]["command"][1:]]
    assert {"log_statement=none", "log_checkpoints=off", "wal_level=minimal"} <= set(settings)
    assert "max_wal_senders=0" in settings


def test_the_database_has_no_network_and_nobody_elses_volume() -> None:
    """Only the collector has its socket, and the workplace is on another volume."""
    database = SERVICES["database"]
    assert database["network_mode"] == "none"
    assert "ports" not in database
    assert "listen_addresses=" in database["command"][1]
    volumes = {name: _volumes(each) for name, each in SERVICES.items()}
    assert {name for name, found in volumes.items() if "database-socket" in found} == {
        "collector",
        "database",
    }
    assert {name for name, found in volumes.items() if "workplace" in found} == {"collector"}
    assert {name for name, found in volumes.items() if "issuer" in found} == {"issuer"}
    named = set().union(*volumes.values())
    assert named == set(COMPOSE["volumes"])
    workplace = [
        each for each in SERVICES["collector"]["volumes"] if each.startswith("workplace:")
    ]
    assert workplace == ["workplace:/var/lib/deniable-workplace"]
    assert "DENIABLE_WORKPLACE=/var/lib/deniable-workplace/" in CONTAINERFILE


def test_commands_find_the_files_of_the_operator() -> None:
    """In the folder where they run, which no commit and no image contains."""
    for service in OURS.values():
        assert f"./files:{service['working_dir']}" in service["volumes"]
    assert "/files/" in (ROOT / ".gitignore").read_text().splitlines()


def test_only_the_proxy_can_be_reached() -> None:
    """The collector knows that one proxy is in front of it."""
    assert [name for name, each in SERVICES.items() if "ports" in each] == ["proxy"]
    for service in OURS.values():
        assert service["environment"]["DENIABLE_PROXIES"] == "1"


def _volumes(service: dict[str, Any]) -> set[str]:
    sources = {each.partition(":")[0] for each in service.get("volumes", [])}
    return {source for source in sources if not source.startswith(".")}
