"""What the configuration of a proxy keeps of people who come."""

import json
from pathlib import Path

import pytest

from deniable_web.doctor.diagnosis import Diagnosis, Urgency
from deniable_web.doctor.proxies import check_proxy
from nginx_server import fenced

PAGE = fenced("OPERATING.md", "nginx")[0]
TLS_ONLY = ["tls.obtain", "tls.renew", "tls.issuance"]


def check(folder: Path, text: str) -> list[Diagnosis]:
    """What is found in a file with this text."""
    path = folder / "proxy.conf"
    path.write_text(text)
    return list(check_proxy(path, text))


def test_the_page_keeps_nothing(tmp_path: Path) -> None:
    """The servers of docs/OPERATING.md are as they should be, also within http."""
    for text in (PAGE, f"events {{}}\nhttp {{\naccess_log /var/log/nginx/a.log;\n{PAGE}\n}}"):
        assert [each.urgency for each in check(tmp_path, text)] == [Urgency.OK]


@pytest.mark.parametrize(
    ("old", "new", "directive"),
    [
        ("access_log off;", "", "access_log"),
        ("access_log off;", "access_log /var/log/nginx/access.log;", "access_log"),
        ("access_log off;", "# access_log off;", "access_log"),
        ("location / {", "location / { access_log 'a;b' combined;", "access_log"),
        ("error_log /dev/null crit;", "", "error_log"),
        ("error_log /dev/null crit;", "error_log /var/log/nginx/error.log crit;", "error_log"),
    ],
)
def test_each_log_of_nginx_is_found(tmp_path: Path, old: str, new: str, directive: str) -> None:
    """Also one that is there because nothing is said, and one of a location."""
    assert old in PAGE
    found = check(tmp_path, PAGE.replace(old, new))
    assert {each.urgency for each in found} == {Urgency.PROBLEM}
    assert all(directive in each.found and directive in each.remedy for each in found)


def test_outer_directives_apply_and_inner_ones_come_first(tmp_path: Path) -> None:
    """As nginx itself reads them."""
    outer = "http { access_log off; error_log /dev/null; server { server_name a; %s } }"
    assert [each.urgency for each in check(tmp_path, outer % "")] == [Urgency.OK]
    found = check(tmp_path, outer % "location /x { if ($a) { access_log b; } }")
    assert [each.found for each in found] == [
        "nginx keeps the addresses of people: access_log of the server a."
    ]


def test_included_files_are_read(tmp_path: Path) -> None:
    """What is in sites-enabled is in the server that runs."""
    (tmp_path / "sites").mkdir()
    (tmp_path / "sites" / "one.conf").write_text(
        "server { server_name one; error_log /dev/null; }"
    )
    found = check(tmp_path, "http { include sites/*.conf; }")
    assert [each.found for each in found] == [
        "nginx keeps the addresses of people: access_log of the server one."
    ]


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("server { listen 80;", "does not close a block"),
        ("server { } }", "closes a block that it does not open"),
        ("server { listen 80 }", "closes"),
        ('server { log_format "a; }', "a quote that does not end"),
        ("; server", "has a ; without a name"),
        ("worker_processes 1;", "has no server"),
        ("example.org { reverse_proxy a:1 }", "is a Caddyfile"),
        ("{}", "no servers of Caddy"),
        ("[]", "ends within a directive"),
    ],
)
def test_what_cannot_be_read_is_a_warning(tmp_path: Path, text: str, said: str) -> None:
    """Nobody is told that all is well with a file that was not understood."""
    found = check(tmp_path, text)
    assert [each.urgency for each in found] == [Urgency.WARNING]
    if said != "closes":
        assert said in found[0].found


def caddy(logs: object, server: object) -> str:
    """What `caddy adapt` prints."""
    return json.dumps({"logging": {"logs": logs}, "apps": {"http": {"servers": {"srv0": server}}}})


@pytest.mark.parametrize(
    ("logs", "server", "urgency"),
    [
        ({"default": {"include": TLS_ONLY}}, {}, Urgency.OK),
        ({"default": {"writer": {"output": "discard"}}}, {"logs": {}}, Urgency.OK),
        ({"default": {"exclude": ["http"]}}, {}, Urgency.OK),
        ({}, {}, Urgency.PROBLEM),
        ({"default": {}}, {"logs": {}}, Urgency.PROBLEM),
        ({"default": {"include": [*TLS_ONLY, "http.log.error"]}}, {}, Urgency.PROBLEM),
        ({"default": {"include": TLS_ONLY}, "log0": {}}, {"logs": {}}, Urgency.PROBLEM),
    ],
)
def test_each_log_of_caddy_is_found(
    tmp_path: Path, logs: object, server: object, urgency: Urgency
) -> None:
    """Its errors name addresses as well as its access log."""
    assert [each.urgency for each in check(tmp_path, caddy(logs, server))] == [urgency]
