"""A real mail server (aiosmtpd) on this machine, which can refuse, fall silent, or kill.

`with mail_server() as box:` has its port and the mails that it has accepted.
"""

import os
import signal
import socket
import ssl
from asyncio import Transport
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from email import message_from_bytes
from email.message import EmailMessage
from email.policy import default
from typing import Any

from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, AuthResult, Envelope, LoginPassword, Session

Hook = Callable[[str, str], str | None]


@dataclass
class MailBox:
    """What a mail server has accepted, and how it answers.

    Args:
        hook: called with a stage (MAIL, RCPT, DATA) and an address; returns a refusal, or
            None to accept.
    """

    port: int
    hook: Hook = lambda _stage, _address: None
    mails: list[tuple[str, EmailMessage]] = field(default_factory=list)
    logins: list[tuple[bytes, bytes]] = field(default_factory=list)
    tls: list[bool] = field(default_factory=list)

    @property
    def name(self) -> str:
        """The server, as the option --smtp names it."""
        return f"127.0.0.1:{self.port}"

    def counts(self) -> Counter[str]:
        """How many mails each address has received."""
        return Counter(address for address, _ in self.mails)

    def texts(self) -> dict[str, str]:
        """The text of the last mail to each address."""
        return {address: text_of(message) for address, message in self.mails}

    async def handle_MAIL(  # noqa: N802 - the library's name
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Accept or refuse a sender."""
        del server, session
        refusal = self.hook("MAIL", address)
        if refusal is None:
            envelope.mail_from = address
            envelope.mail_options.extend(options)
        return refusal or "250 OK"

    async def handle_RCPT(  # noqa: N802 - the library's name
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Accept or refuse a recipient."""
        del server, session, options
        refusal = self.hook("RCPT", address)
        if refusal is None:
            envelope.rcpt_tos.append(address)
        return refusal or "250 OK"

    async def handle_DATA(  # noqa: N802 - the library's name
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        """Keep a mail, or refuse it, or lose the connection before the answer."""
        (address,) = envelope.rcpt_tos
        refusal = self.hook("DATA", address)
        if refusal in (None, "lost"):
            content = envelope.content
            assert isinstance(content, bytes)
            message = message_from_bytes(content, policy=default)
            assert isinstance(message, EmailMessage)
            self.mails.append((address, message))
            self.tls.append(session.ssl is not None)
        if refusal == "lost":
            assert isinstance(server.transport, Transport)
            server.transport.abort()
        return refusal or "250 OK"

    def authenticate(
        self, server: SMTP, session: Session, envelope: Envelope, mechanism: str, data: Any
    ) -> AuthResult:
        """Let in whoever knows the password."""
        del server, session, envelope, mechanism
        assert isinstance(data, LoginPassword)
        self.logins.append((data.login, data.password))
        return AuthResult(success=data.password == b"right", handled=False)


def text_of(message: EmailMessage) -> str:
    """The text of a mail, as its reader sees it."""
    return str(message.get_content()).replace("\r\n", "\n")


def kill(number: int) -> None:
    """End a process as a power cut would."""
    os.kill(number, signal.SIGKILL)


@contextmanager
def mail_server(context: ssl.SSLContext | None = None, **options: Any) -> Iterator[MailBox]:
    """A mail server on a free port of this machine, ended when the block is left.

    Args:
        context: for STARTTLS; the server offers none without it.
        options: of aiosmtpd's SMTP.
    """
    with socket.create_server(("127.0.0.1", 0)) as free:
        port = free.getsockname()[1]
    box = MailBox(port)
    controller = Controller(
        box,
        hostname="127.0.0.1",
        port=port,
        tls_context=context,
        authenticator=box.authenticate,
        **options,
    )
    controller.start()
    try:
        yield box
    finally:
        controller.stop()
