"""Cookies of this server that no other server can set.

Over TLS their names begin with `__Host-`: browsers accept such a cookie from this very host
only, so no site beside it can plant one. It is sent with every path; that is the price.
"""

from dataclasses import dataclass
from typing import Literal

from flask import Response, request


@dataclass(frozen=True, slots=True)
class Cookie:
    """A cookie that no script reads. `secure` is whether its way is encrypted.

    Args:
        name: its name, without what is added to it over TLS.
        lasts_s: how many seconds a browser keeps it.
        samesite: "Lax" if the page of another site may lead to the request that has it.
    """

    name: str
    lasts_s: int
    samesite: Literal["Lax", "Strict"]

    def full_name(self, *, secure: bool) -> str:
        """Its name on its way."""
        return f"__Host-{self.name}" if secure else self.name

    def sent(self, *, secure: bool) -> list[str]:
        """The values in the request; several if another server planted one."""
        return request.cookies.getlist(self.full_name(secure=secure))

    def give(self, response: Response, value: str, *, secure: bool) -> None:
        """Let the browser keep a value, or forget an empty one."""
        response.set_cookie(
            self.full_name(secure=secure),
            value,
            max_age=self.lasts_s if value else 0,
            path="/",
            secure=secure,
            httponly=True,
            samesite=self.samesite,
        )
