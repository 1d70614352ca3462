"""`deniable doctor URL` finds each fault of an installation behind a real TLS endpoint."""

import json
import ssl
import warnings
from collections.abc import Iterator
from email.utils import formatdate
from pathlib import Path

import pytest

from certificates import trusted
from deniable_web.commands import run
from free_ports import free_port
from live_site import LiveSite, live_site
from sample_definitions import survey, yes_no
from tampering_proxy import Exchange, Tamper, tampering_proxy

PUBLISHED = survey(yes_no(), slug="examined")
ALLOWED = "65536"
HSTS = "strict-transport-security"
Check = dict[str, str]


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveSite]:
    """The real site with a survey, which a proxy of the tests is put in front of."""
    store = tmp_path_factory.mktemp("site") / "store.sqlite"
    with live_site(store, PUBLISHED, environment={"DENIABLE_MAX_BODY_BYTES": ALLOWED}) as running:
        yield running


def as_it_should(exchange: Exchange) -> None:
    """Do what the configurations of docs/OPERATING.md do."""
    exchange.headers[HSTS] = "max-age=31536000"
    exchange.headers["date"] = formatdate(usegmt=True)
    if exchange.path == "/metrics":
        exchange.status = 404


def redirect(exchange: Exchange) -> None:
    """Lead to https."""
    exchange.status = 301
    exchange.headers["location"] = f"https://localhost{exchange.path}"


class Doctor:
    """Examines a proxy in front of the site."""

    def __init__(
        self,
        site: LiveSite,
        folder: Path,
        monkeypatch: pytest.MonkeyPatch,
        capsys: pytest.CaptureFixture[str],
    ) -> None:
        self._site, self._folder = site, folder
        self._monkeypatch, self._capsys = monkeypatch, capsys
        monkeypatch.setenv("DENIABLE_MAX_BODY_BYTES", ALLOWED)
        monkeypatch.delenv("DENIABLE_STORE", raising=False)

    def context(self, days: int = 90) -> ssl.SSLContext:
        """The certificate of a proxy, which this process trusts."""
        return trusted("localhost", self._folder, self._monkeypatch, days=days)

    def examine(
        self,
        *tampers: Tamper,
        tls: ssl.SSLContext | None = None,
        http: Tamper = redirect,
        below: str = "",
        address: str | None = None,
    ) -> tuple[int, list[Check]]:
        """The exit code, and all that is not ok."""

        def tamper(exchange: Exchange) -> None:
            for each in (as_it_should, *tampers):
                each(exchange)

        with (
            tampering_proxy(self._site.url, tamper, tls or self.context(), below) as front,
            tampering_proxy(self._site.url, http, below=below) as plain,
        ):
            url = front.url("https", "localhost") + (below if address is None else address)
            options = ("--http-port", str(plain.port), "--format", "json")
            code = run(["doctor", url, *options])
        document = json.loads(self._capsys.readouterr().out)
        worst = {0: "ok", 1: "warning", 2: "problem"}[code]
        assert document["result"] == worst
        for check in document["checks"]:
            assert bool(check["remedy"]) == (check["result"] != "ok")
        return code, [check for check in document["checks"] if check["result"] != "ok"]


@pytest.fixture
def doctor(
    site: LiveSite,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> Doctor:
    """A doctor for the site."""
    return Doctor(site, tmp_path, monkeypatch, capsys)


def test_an_installation_as_it_should_be_is_well(doctor: Doctor) -> None:
    """Nothing is to be changed, and the exit code is 0."""
    assert doctor.examine() == (0, [])


def test_an_installation_below_a_path_is_well_there(doctor: Doctor) -> None:
    """The form, its headers, the cookie and the bodies are asked below the path."""
    assert doctor.examine(below="/survey") == (0, [])


@pytest.mark.parametrize(("below", "address"), [("/survey", ""), ("", "/survey")])
def test_where_no_collector_answers_the_path_is_the_first_suspect(
    doctor: Doctor, below: str, address: str
) -> None:
    """The address lacks the path, or the proxy does not remove it."""
    code, found = doctor.examine(below=below, address=address)
    (health,) = [each for each in found if each["subject"] == "health"]
    assert code == 2
    assert "no collector at this address" in health["found"]
    assert "below a path" in health["remedy"]


def set_cookie(exchange: Exchange) -> None:
    """Let a balancer mark browsers."""
    if exchange.path.startswith("/s/"):
        exchange.headers["set-cookie"] = "route=1"


def show_metrics(exchange: Exchange) -> None:
    """Let everybody read the counts."""
    if exchange.path == "/metrics":
        exchange.status = 200


def forget_tls(exchange: Exchange) -> None:
    """Leave the header out."""
    del exchange.headers[HSTS]


def forget_tls_soon(exchange: Exchange) -> None:
    """Let browsers forget within a minute."""
    exchange.headers[HSTS] = "max-age=60"


def be_late(exchange: Exchange) -> None:
    """Be years behind."""
    exchange.headers["date"] = formatdate(0, usegmt=True)


def be_ill(exchange: Exchange) -> None:
    """Let nobody store reports."""
    if exchange.path == "/healthz":
        exchange.status = 503


def add_a_script(exchange: Exchange) -> None:
    """Change the form."""
    if exchange.path == f"/s/{PUBLISHED.slug}":
        exchange.body = exchange.body.replace(b"</body>", b"<script src=a.js></script></body>")


def drop_the_policy(exchange: Exchange) -> None:
    """Leave out what forbids the browser to ask elsewhere."""
    exchange.headers.pop("content-security-policy", None)


def remove_the_cookie(exchange: Exchange) -> None:
    """Answer as the site does to whoever sends none."""
    if exchange.path == "/manage/session/token":
        del exchange.headers["set-cookie"]


def refuse_long_bodies(exchange: Exchange) -> None:
    """Allow less than the collector."""
    if int(exchange.asked.get("content-length", 0)) > 1024:
        exchange.status = 413


def take_all_bodies(exchange: Exchange) -> None:
    """Refuse nothing."""
    if exchange.status == 413:
        exchange.status = 200


@pytest.mark.sweep
@pytest.mark.parametrize(
    ("fault", "subject", "result", "found"),
    [
        (set_cookie, "cookies", "problem", "A cookie is set at /s/examined"),
        (show_metrics, "/metrics", "problem", "Everybody can read the counts"),
        (forget_tls, "HSTS", "warning", "it is missing"),
        (forget_tls_soon, "HSTS", "warning", "it is 'max-age=60'"),
        (be_late, "clock", "warning", "differ by"),
        (be_ill, "health", "problem", "status 503"),
        (add_a_script, "form", "problem", "its bytes differ"),
        (drop_the_policy, "form", "problem", "content-security-policy is missing"),
        (remove_the_cookie, "sign-in", "problem", "nobody can stay signed in"),
        (refuse_long_bodies, "bodies", "warning", "does not reach the collector"),
        (take_all_bodies, "bodies", "warning", "got status 200, and not 413"),
    ],
)
def test_each_fault_is_found(
    doctor: Doctor, fault: Tamper, subject: str, result: str, found: str
) -> None:
    """A check names it, with what to change, and the exit code is that of its urgency."""
    code, wrong = doctor.examine(fault)
    assert code == {"warning": 1, "problem": 2}[result]
    named = {check["subject"]: check for check in wrong}
    assert named[subject]["result"] == result
    assert found in named[subject]["found"]
    # The form with a cookie is not the form of this version either.
    assert named.keys() <= {subject, "form"}


def test_a_page_over_http_is_a_problem(doctor: Doctor) -> None:
    """Whoever types the name without https must not get the form in the clear."""
    code, wrong = doctor.examine(http=lambda _: None)
    assert (code, [check["subject"] for check in wrong]) == (2, ["http"])


@pytest.mark.deep
def test_a_redirect_to_elsewhere_is_a_problem(doctor: Doctor) -> None:
    """Only the same name over https will do."""

    def elsewhere(exchange: Exchange) -> None:
        exchange.status = 301
        exchange.headers["location"] = "https://example.org/"

    assert [check["subject"] for check in doctor.examine(http=elsewhere)[1]] == ["http"]


@pytest.mark.deep
def test_a_certificate_that_ends_soon_is_a_warning(doctor: Doctor) -> None:
    """The days that are left are said."""
    code, wrong = doctor.examine(tls=doctor.context(days=5))
    assert code == 1
    assert [check["found"] for check in wrong] == ["The certificate is valid for 4 more days."]


def test_an_old_version_of_tls_is_a_problem(doctor: Doctor) -> None:
    """Also if this client itself would agree on a newer one."""
    context = doctor.context()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", DeprecationWarning)
        context.minimum_version = ssl.TLSVersion.TLSv1
    context.set_ciphers("ALL:@SECLEVEL=0")
    code, wrong = doctor.examine(tls=context)
    assert (code, [check["subject"] for check in wrong]) == (2, ["TLS"])


def test_a_certificate_of_nobody_is_a_problem(
    doctor: Doctor, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No browser would open the page, so nothing else is examined."""
    context = doctor.context()
    monkeypatch.delenv("SSL_CERT_FILE")
    code, wrong = doctor.examine(tls=context)
    assert code == 2
    assert [check["subject"] for check in wrong] == ["connection"]
    assert "certificate is not accepted" in wrong[0]["found"]


def test_nobody_there_is_a_problem(capsys: pytest.CaptureFixture[str]) -> None:
    """Words say it, and no traceback."""
    assert run(["doctor", f"https://localhost:{free_port()}"]) == 2
    said = capsys.readouterr().out
    assert said.startswith("problem  connection: https://localhost:")
    assert "\n         -> Does the name lead to this machine" in said


@pytest.mark.deep
def test_an_address_without_tls_is_a_problem(
    site: LiveSite, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Only on this machine itself nobody is on the way."""
    monkeypatch.setenv("DENIABLE_MAX_BODY_BYTES", ALLOWED)
    assert run(["doctor", site.url]) == 0
    capsys.readouterr()
    assert run(["doctor", site.url.replace("127.0.0.1", "0.0.0.0")]) == 2  # noqa: S104  this machine
    assert "problem  TLS: The address begins with http" in capsys.readouterr().out


def test_wrong_use_says_what_is_allowed(capsys: pytest.CaptureFixture[str]) -> None:
    """An address is checked before anything is asked."""
    assert run(["doctor", "survey.example.org"]) == 2
    assert "URL: " in capsys.readouterr().err
