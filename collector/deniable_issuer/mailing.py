"""Sends codes by e-mail, so that it is always known whether a mail may have been sent."""

import os
import re
import smtplib
import ssl
from collections.abc import Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import localtime
from enum import Enum
from typing import Self

from deniable_collector.addresses import is_loopback
from deniable_issuer.errors import InvalidLetter, MailUnavailable
from deniable_issuer.inviting import Issued
from deniable_issuer.people import is_address
from deniable_sdk.randomness import system_bytes

USER = "DENIABLE_SMTP_USER"
PASSWORD = "DENIABLE_SMTP_PASSWORD"  # noqa: S105 - the name of a variable

TIMEOUT_S = 60.0

_ID_BYTES = 16
_TLS_PORT = 465
_OK = 250
_PLACES = ("link", "code", "group")
_PLACE = re.compile(r"\{([^{}]*)\}")


class Delivery(Enum):
    """What is known about a mail."""

    ACCEPTED = "accepted"
    REFUSED = "refused"
    UNCLEAR = "unclear"


@dataclass(frozen=True, slots=True)
class Letter:
    """The mail that everybody receives, with a placeholder for the code.

    Args:
        sender: the address that it comes from.
        subject: of the mail; without a code, because servers log subjects.
        text: with {link} or {code}, and {group} if wanted.
    Raises:
        InvalidLetter: one of them cannot be used.
    """

    sender: str
    subject: str
    text: str

    def __post_init__(self) -> None:
        if not is_address(self.sender):
            raise InvalidLetter("the sender is no e-mail address; write one: name@example.org")
        if not self.subject.strip() or not self.subject.isprintable() or "{" in self.subject:
            raise InvalidLetter("the subject must be one line of text without { }; write one")
        places = set(_PLACE.findall(self.text))
        if not places & {"link", "code"}:
            raise InvalidLetter("the text has neither {link} nor {code}; write one of them")
        unknown = sorted(places - set(_PLACES))
        if unknown:
            raise InvalidLetter(
                f"the text has {{{unknown[0][:40]}}}; allowed are {{link}}, {{code}} and {{group}}"
            )

    def compose(self, issued: Issued, link: str, group: str) -> EmailMessage:
        """The mail for one person."""
        filled = {"link": link, "code": issued.code, "group": group}
        message = EmailMessage(policy=SMTP)
        message["From"] = Address(addr_spec=self.sender)
        message["To"] = Address(addr_spec=issued.contact or "")
        message["Subject"] = self.subject
        message["Date"] = localtime()
        domain = self.sender.rpartition("@")[2]
        message["Message-ID"] = f"<{system_bytes(_ID_BYTES).hex()}@{domain}>"
        message["Auto-Submitted"] = "auto-generated"
        text = _PLACE.sub(lambda found: filled[found[1]], self.text)
        # Every mail server passes on lines like these unchanged.
        message.set_content(text, cte="quoted-printable")
        return message


@dataclass(frozen=True, slots=True)
class MailServer:
    """Where mails are handed over.

    Args:
        host: its name or address.
        port: 465 for TLS from the first byte; on any other port TLS is begun with STARTTLS,
            except on this machine itself.
        user: to log in with; empty for no login.
        password: of the user.
    """

    host: str
    port: int
    user: str = ""
    password: str = field(default="", repr=False)

    @classmethod
    def read(cls, text: str, environment: Mapping[str, str] = os.environ) -> Self:
        """The server named as HOST:PORT, with user and password from the environment.

        Raises:
            MailUnavailable: the text is no such name.
        """
        host, _, port = text.rpartition(":")
        if not (host and port.isascii() and port.isdigit() and 0 < int(port) < 1 << 16):
            raise MailUnavailable(
                "got a mail server without a host or a port; write it as HOST:PORT, like "
                "mail.example.org:587"
            )
        user = environment.get(USER, "")
        return cls(host.strip("[]"), int(port), user, environment.get(PASSWORD, ""))


class Mailer:
    """A connection to a mail server, opened again when it breaks."""

    def __init__(self, server: MailServer, timeout_s: float = TIMEOUT_S) -> None:
        self._server = server
        self._timeout_s = timeout_s
        self._smtp: smtplib.SMTP | None = None

    def connect(self) -> None:
        """Make sure that there is a live connection; call it before each mail.

        Raises:
            MailUnavailable: there is none; no mail was sent since the last one.
        """
        if self._smtp is not None:
            with suppress(OSError, smtplib.SMTPException):
                if self._smtp.noop()[0] == _OK:
                    return
            self._drop()
        try:
            self._smtp = self._open()
        except smtplib.SMTPAuthenticationError:
            raise MailUnavailable(
                f"the mail server refused the login; check {USER} and {PASSWORD}"
            ) from None
        except (OSError, smtplib.SMTPException) as error:
            reason = getattr(error, "strerror", None) or type(error).__name__
            raise MailUnavailable(
                f"the mail server {self._server.host}, port {self._server.port}, cannot be used "
                f"({reason}); run the command again later: nobody gets a "
                "second mail"
            ) from None

    def send(self, message: EmailMessage) -> Delivery:
        """Hand over one mail, and return what is known about it."""
        smtp = self._smtp
        if smtp is None:
            return Delivery.REFUSED
        to, sender = (message[name].addresses[0].addr_spec for name in ("To", "From"))
        try:
            for code, _ in (smtp.mail(sender), smtp.rcpt(to)):
                if code != _OK:
                    smtp.rset()
                    return Delivery.REFUSED
        except (OSError, smtplib.SMTPException):
            # The text of the mail was not sent yet.
            self._drop()
            return Delivery.REFUSED
        return self._send_text(smtp, message)

    def _send_text(self, smtp: smtplib.SMTP, message: EmailMessage) -> Delivery:
        try:
            code, _ = smtp.data(message.as_bytes())
        except smtplib.SMTPDataError:
            return Delivery.REFUSED
        except (OSError, smtplib.SMTPException):
            self._drop()
            return Delivery.UNCLEAR
        return Delivery.ACCEPTED if code == _OK else Delivery.REFUSED

    def _open(self) -> smtplib.SMTP:
        server = self._server
        address = server.host, server.port
        if server.port == _TLS_PORT:
            smtp: smtplib.SMTP = smtplib.SMTP_SSL(
                *address, timeout=self._timeout_s, context=ssl.create_default_context()
            )
        else:
            smtp = smtplib.SMTP(*address, timeout=self._timeout_s)
        try:
            smtp.ehlo()
            if server.port != _TLS_PORT and not is_loopback(server.host):
                # Raises SMTPNotSupportedError where the server has no TLS: codes are secrets.
                smtp.starttls(context=ssl.create_default_context())
            if server.user:
                smtp.login(server.user, server.password)
        except BaseException:
            smtp.close()
            raise
        return smtp

    def _drop(self) -> None:
        smtp, self._smtp = self._smtp, None
        if smtp is not None:
            smtp.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._smtp is not None:
            with suppress(OSError, smtplib.SMTPException):
                self._smtp.quit()
        self._drop()
