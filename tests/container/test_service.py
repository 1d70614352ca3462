"""The installation with pip, systemd and nginx: the commands of docs/OPERATING.md, as they are.

They run in a new Debian with its own systemd. Only the authority for certificates is our own.
"""

import json
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import caddy_server
from container.debian import needs
from container.system import PROGRAMS, System, install
from deniable_sdk import compile_survey, randomize
from nginx_server import DOCS, fenced
from sample_definitions import definition, yes_no

sys.path.insert(0, str(DOCS.parent / "release"))

import release

NAME = "survey.example.org"
BLOCKS = fenced("OPERATING.md", "sh")
INSTALLING, STARTING = (block for block in BLOCKS if "certbot" in block or "alias" in block)
UPGRADING, BACK = (
    block for block in BLOCKS if "systemctl stop" in block and "pg_dump" not in block
)
UNITS = fenced("OPERATING.md", "ini")
SERVERS = fenced("OPERATING.md", "nginx")[0]
(ALIAS,) = (line for line in STARTING.splitlines() if line.startswith("alias "))
# A machine of tests may have neither, and at first no survey is open.
MAY_WARN = ("warning  clock service", "warning  swap", "warning  form")
DEFINITION = definition(yes_no(), slug="installed")
AUTHORITY = """
{
    admin off
    skip_install_trust
    auto_https disable_redirects
    http_port 9080
    https_port 9443
    pki {
        ca local {
            intermediate_lifetime 90d
        }
    }
}
https://localhost:9443 {
    tls internal
    acme_server {
        lifetime 60d
    }
}
"""
TRUSTED = "/srv/authority/caddy/pki/authorities/local/root.crt"

pytestmark = needs(*PROGRAMS, packages="mmdebstrap systemd-container")


@pytest.fixture(scope="module")
def machine(folder: Path) -> Iterator[System]:
    """A new machine, on which the lines for apt and pip ran, with the package of this commit."""
    found = install(folder, NAME)
    wheels = str(found.files / "srv" / "wheels")
    build = (sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", wheels)
    subprocess.run([*build, str(DOCS.parent)], check=True, capture_output=True)
    # Those of a release; the next version has the same package here.
    for version in ("0.1.0", "0.2.0"):
        (wheel,) = Path(wheels).glob("deniable-0.1.0-*.whl")
        found.write(f"/opt/requirements-{version}.txt", release.lock_with(wheel, "0.1.0"))
    found.run("\n".join(INSTALLING.splitlines()[:3]))
    shutil.copy(str(caddy_server.PROGRAM), found.files / "usr" / "local" / "bin" / "caddy")
    found.write("/srv/Caddyfile", AUTHORITY)
    found.write("/etc/systemd/system/deniable.service", UNITS[0])
    found.write("/etc/nginx/sites-available/deniable", SERVERS)
    with found.started():
        found.run(
            "systemd-run --quiet --setenv=XDG_DATA_HOME=/srv/authority caddy run --config "
            f"/srv/Caddyfile\nuntil [ -e {TRUSTED} ]; do sleep .1; done\n"
            f"cp {TRUSTED} /usr/local/share/ca-certificates/authority.crt\n"
            "update-ca-certificates"
        )
        yield found


def check(said: str) -> None:
    """Nothing is wrong with the installation but what is wrong with a machine of tests."""
    lines = [line for line in said.splitlines() if line.startswith(("problem", "warning"))]
    assert [line for line in lines if not line.startswith(MAY_WARN)] == []
    assert "ok       sign-in" in said


def stored(machine: System) -> int:
    """How many reports there are, for whoever runs a command."""
    (row,) = json.loads(machine.run(f"{ALIAS}\ndeniable list --format json"))
    return int(row["reports"])


def test_the_page_leads_from_an_empty_system_to_https(machine: System) -> None:
    """And to an upgrade, the way back, and a socket that systemd keeps."""
    certbot = "certbot certonly --server https://localhost:9443/acme/local/directory -n "
    own = f"{certbot} --agree-tos --register-unsafely-without-email"
    rest = "\n".join(INSTALLING.splitlines()[3:])
    machine.run(rest.replace("certbot certonly", own), REQUESTS_CA_BUNDLE=TRUSTED)
    # The doctor warns with 1.
    said = machine.run(STARTING.replace("nginx.conf", "nginx.conf || test $? = 1"))
    assert "/surveys#link=" in said
    check(said)

    machine.write("/var/lib/deniable/survey.json", json.dumps(DEFINITION))
    machine.run(f"{ALIAS}\nchown deniable /var/lib/deniable/*.json\ndeniable publish survey.json")
    machine.write("/srv/report", randomize(compile_survey(DEFINITION), {}).to_bytes().decode())
    send = (
        "curl --fail-with-body --no-progress-meter --data-binary @/srv/report "
        f"--header 'Content-Type: application/json' https://{NAME}/api/reports"
    )
    machine.run(send)
    assert stored(machine) == 1

    machine.run("install -d -o deniable -g deniable -m 0700 /var/backups/deniable")
    upgraded = UPGRADING.replace("before.sqlite\n", "before.sqlite || test $? = 1\n")
    said = machine.run(f"{ALIAS}\n{upgraded} || test $? = 1", PIP_NO_INDEX="1")
    assert '"differing": []' in said
    assert stored(machine) == 1
    machine.run(BACK, PIP_NO_INDEX="1")
    assert stored(machine) == 1

    machine.write("/etc/systemd/system/deniable.socket", UNITS[1])
    unit = UNITS[0].replace("After=", "Requires=deniable.socket\nAfter=", 1)
    machine.write("/etc/systemd/system/deniable.service", unit)
    machine.run(
        "systemctl daemon-reload\nsystemctl disable --now deniable.service\n"
        f"systemctl enable --now deniable.socket\n{send}\n"
        f"systemctl restart deniable.service\n{send}"
    )
    assert stored(machine) == 1
    settings = "set -a; . /etc/deniable/settings; set +a"
    doctor = next(line for line in STARTING.splitlines() if " doctor " in line)
    said = machine.run(f"{settings}\n{doctor} || test $? = 1")
    check(said)
    assert "ok       form" in said
