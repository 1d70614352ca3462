"""docs/OPERATING.md: its examples start, and everything it names exists."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from deniable_collector.metrics import Metrics
from deniable_sdk import randomize
from live_server import OWNER_TOKEN, live_collector
from nginx_server import DOCS, MARK, ask, fenced, nginx
from sample_definitions import survey, yes_no

PAGE = (DOCS / "OPERATING.md").read_text()
PUBLISHED = survey(yes_no(), slug="behind")


(RULES,) = (fence for fence in fenced("OPERATING.md", "yaml") if fence.startswith("groups:"))
ALERTS = {
    rule["alert"]: rule["expr"]
    for group in yaml.safe_load(RULES)["groups"]
    for rule in group["rules"]
}
# A series, and its one label with the allowed values.
SELECTED = re.compile(r'(deniable_\w+)(?:\{(\w+)=~?"([^"]+)"\})?')


def test_every_series_in_a_rule_is_counted(tmp_path: Path) -> None:
    """A running collector has the series, label and value that each rule asks for."""
    (tmp_path / "backup").touch()
    with live_collector(
        tmp_path / "store.sqlite", environment={"DENIABLE_BACKUPS": str(tmp_path)}
    ) as running:
        assert running.owner("POST", "/api/surveys", PUBLISHED.document).status == 201
        report = randomize(PUBLISHED, {}).to_bytes()
        assert running.send("POST", "/api/reports", report).status == 201
        assert running.send("GET", "/manage/nothing").status == 404
        text = running.send("GET", "/metrics").body.decode()
        (tmp_path / "store.sqlite").rename(tmp_path / "moved.sqlite")
        assert running.send("GET", "/healthz").status == 503
        text += running.send("GET", "/metrics").body.decode()
    asked = {found for expr in ALERTS.values() for found in SELECTED.findall(expr)}
    assert len(asked) > len(ALERTS) / 2
    for series, label, values in asked:
        found = re.findall(rf"^{series}(?:\{{(.*)\}})? ", text, re.MULTILINE)
        assert found, series
        if label == "status":
            assert f'{label}="503"' in "".join(found)
            assert {int(value) for value in values.split("|")} <= {401, 429, 500}
        elif label:
            missing = [v for v in values.split("|") if f'{label}="{v}"' not in found]
            assert missing == [], series


def test_each_series_has_a_rule() -> None:
    """What the collector counts is watched; a new series needs a rule."""
    text = Metrics().to_text().decode()
    counted = set(re.findall(r"^# TYPE (\w+) ", text, re.MULTILINE))
    assert len(counted) > 10
    watched = " ".join(ALERTS.values())
    assert [name for name in counted if not re.search(rf"\b{name}(_bucket)?\b", watched)] == []


def test_each_alert_is_explained() -> None:
    """The table has the alerts of the rules, in their order."""
    rows = re.findall(r"^\| `(\w+)` \|", PAGE[PAGE.index("| alert | it means |") :], re.MULTILINE)
    assert rows == list(ALERTS)


@pytest.mark.skipif(shutil.which("promtool") is None, reason="there is no Prometheus here")
def test_prometheus_takes_the_rules(tmp_path: Path) -> None:
    """Its own tool finds no fault, with an alert for each rule."""
    rules = tmp_path / "rules.yml"
    rules.write_text(RULES)
    checked = subprocess.run(
        ["promtool", "check", "rules", str(rules)], capture_output=True, text=True, check=False
    )
    assert (checked.returncode, f"{len(ALERTS)} rules" in checked.stdout) == (0, True), checked


@pytest.mark.skipif(shutil.which("systemd-analyze") is None, reason="there is no systemd here")
def test_the_units_are_such_that_systemd_takes(tmp_path: Path) -> None:
    """No key is unknown and no value wrong, of the service and of the socket that it requires."""
    service, kept = (tmp_path / f"deniable.{kind}" for kind in ("service", "socket"))
    program = Path(sys.executable).parent / "deniable"
    for unit, text in zip((service, kept), fenced("OPERATING.md", "ini"), strict=True):
        here = text.replace("/opt/deniable/bin/deniable", str(program))
        unit.write_text(here.replace("After=", "Requires=deniable.socket\nAfter=", 1))
    found = subprocess.run(
        ["systemd-analyze", "verify", str(service), str(kept)],
        capture_output=True,
        text=True,
        check=False,
    )
    said = [line for line in found.stderr.splitlines() if "deniable." in line]
    assert (found.returncode, said) == (0, [])


def test_the_user_of_the_service_is_made_before_it_is_needed() -> None:
    """A fixed one: with DynamicUser, no command can use the store on Debian 13."""
    user = re.search(r"^User=(\w+)$", fenced("OPERATING.md", "ini")[0], re.MULTILINE)
    assert user
    made = PAGE.index(
        f"useradd --system --home-dir /var/lib/deniable --shell /usr/sbin/nologin {user[1]}"
    )
    assert made < PAGE.index("systemctl enable --now") < PAGE.index(f"--uid={user[1]} ")


@pytest.mark.deep
def test_the_proxy_of_the_page_passes_on_what_it_should(tmp_path: Path) -> None:
    """Reports go through over TLS, senders are told apart, and no file says who asked."""
    environment = {"DENIABLE_PROXIES": "1", "DENIABLE_RATE_LIMIT": "12"}
    with (
        live_collector(tmp_path / "store.sqlite", environment=environment) as collector,
        nginx(tmp_path, ("127.0.0.1:8000", "{}:{}".format(*collector.address))) as port,
    ):
        owner = {"Authorization": f"Bearer {OWNER_TOKEN}"}
        assert ask(tmp_path, port, "/api/surveys", PUBLISHED.document, **owner)[0] == 201
        report = randomize(PUBLISHED, {}).to_bytes()
        assert ask(tmp_path, port, f"/api/reports?{MARK}", report, Cookie=MARK)[0] == 201
        assert ask(tmp_path, port, "/api/reports", report)[0] == 200
        long = json.dumps(["x" * (4 << 20)]).encode()
        status, refused = ask(tmp_path, port, "/api/reports", long)
        assert (status, b"body-too-large" in refused) == (413, True)
        assert ask(tmp_path, port, "/api/reports", b"x" * (6 << 20))[0] == 413
        assert ask(tmp_path, port, "/metrics")[0] == 404
        assert ask(tmp_path, port, "/healthz")[0] == 200
        # An address that a sender makes up does not help.
        found = [
            ask(tmp_path, port, "/api/surveys/behind", X_Forwarded_For=f"203.0.113.{index}")[0]
            for index in range(20)
        ]
        assert found[0] == 200
        assert found[-1] == 429
        assert collector.stop() == 0
    assert not list(tmp_path.glob("temp-*/*"))
    for file in (tmp_path / "access.log", tmp_path / "error.log", collector.log):
        assert file.read_text() == ""
