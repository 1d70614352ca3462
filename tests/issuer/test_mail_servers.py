"""Letters, and how mail servers are reached: with TLS, unless they are on this machine."""

import re
import socket
import ssl
from pathlib import Path
from typing import Any

import pytest

from certificates import trusted
from deniable_issuer.errors import InvalidLetter, MailUnavailable
from deniable_issuer.inviting import Issued
from deniable_issuer.mailing import Delivery, Letter, Mailer, MailServer
from mail_server import mail_server

HOST = "mail.example.org"
LETTER = Letter("council@example.org", "Your invitation", "{link}")
ISSUED = Issued("AAAA-AAAA-AAAA-AAAA", "nurses", "anna@example.org")
MESSAGE = LETTER.compose(ISSUED, "https://a.example/s/x#code=AAAA-AAAA-AAAA-AAAA", "Nurses")


@pytest.fixture
def certificate(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> ssl.SSLContext:
    """A certificate for mail.example.org that this process trusts; the name leads to itself."""
    real = socket.getaddrinfo
    monkeypatch.setattr(
        socket, "getaddrinfo", lambda *given, **more: real(here(given[0]), *given[1:], **more)
    )
    return trusted(HOST, tmp_path, monkeypatch)


def here(host: Any) -> Any:
    """Any name, as the name of this machine."""
    return "127.0.0.1" if isinstance(host, str) and host.endswith(".example.org") else host


def test_tls_and_login(certificate: ssl.SSLContext) -> None:
    """On another machine, the login and the code are encrypted."""
    with mail_server(certificate, auth_required=True) as box:
        with Mailer(MailServer(HOST, box.port, "council", "right")) as mailer:
            for _ in range(2):
                mailer.connect()
                assert mailer.send(MESSAGE) is Delivery.ACCEPTED
        assert box.tls == [True, True]
        assert box.logins == [(b"council", b"right")]


def test_a_wrong_password(certificate: ssl.SSLContext) -> None:
    """The message names the variables, and not the password."""
    with (
        mail_server(certificate, auth_required=True) as box,
        Mailer(MailServer(HOST, box.port, "council", "CANARY")) as mailer,
        pytest.raises(MailUnavailable, match="check DENIABLE_SMTP_USER and DENIABLE_SMTP") as told,
    ):
        mailer.connect()
    assert "CANARY" not in str(told.value)
    assert box.mails == []


@pytest.mark.usefixtures("certificate")
def test_no_code_leaves_this_machine_in_the_clear() -> None:
    """A server elsewhere without TLS gets nothing; one on this machine does."""
    with mail_server() as box:
        with (
            Mailer(MailServer(HOST, box.port)) as mailer,
            pytest.raises(MailUnavailable, match=r"cannot be used \(SMTPNotSupportedError\)"),
        ):
            mailer.connect()
        assert box.mails == []
        with Mailer(MailServer("localhost", box.port)) as mailer:
            mailer.connect()
            assert mailer.send(MESSAGE) is Delivery.ACCEPTED


def test_a_certificate_of_another_name(certificate: ssl.SSLContext) -> None:
    """A server that cannot show that it is the one that was named gets nothing."""
    with mail_server(certificate) as box:
        with (
            Mailer(MailServer("other.example.org", box.port)) as mailer,
            pytest.raises(MailUnavailable, match=r"cannot be used .*nobody gets a second mail"),
        ):
            mailer.connect()
        assert box.mails == []


def test_without_a_connection_nothing_is_sent() -> None:
    """Sending before connecting is the same as a refusal."""
    assert Mailer(MailServer("localhost", 1)).send(MESSAGE) is Delivery.REFUSED


@pytest.mark.parametrize(
    ("sender", "subject", "text", "expected"),
    [
        ("council", "x", "{link}", "the sender is no e-mail address"),
        ("a@b.example", " ", "{link}", "the subject must be one line of text"),
        ("a@b.example", "x\ny", "{link}", "the subject must be one line of text"),
        ("a@b.example", "{code}", "{link}", "the subject must be one line of text without"),
        ("a@b.example", "x", "Hello", "neither {link} nor {code}; write one of them"),
        ("a@b.example", "x", "{link} {name}", "the text has {name}; allowed are {link}, {code}"),
    ],
)
def test_letters_that_would_be_of_no_use(
    sender: str, subject: str, text: str, expected: str
) -> None:
    """A mistake in the letter is found before the first mail."""
    with pytest.raises(InvalidLetter, match=re.escape(expected)):
        Letter(sender, subject, text)


@pytest.mark.parametrize(
    "name", ["localhost", "localhost:", ":25", "localhost:0", "a:70000", "a:x"]
)
def test_names_of_servers(name: str) -> None:
    """A server is a host and a port."""
    with pytest.raises(MailUnavailable, match="write it as HOST:PORT"):
        MailServer.read(name)


def test_a_password_is_not_shown() -> None:
    """It comes from the environment, and no repr has it."""
    environment = {"DENIABLE_SMTP_USER": "council", "DENIABLE_SMTP_PASSWORD": "CANARY"}
    server = MailServer.read("[::1]:587", environment)
    assert (server.host, server.port, server.user) == ("::1", 587, "council")
    assert server.password == environment["DENIABLE_SMTP_PASSWORD"]
    assert "CANARY" not in repr(server)
