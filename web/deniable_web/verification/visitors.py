"""The clients as which a form is fetched, each with the headers of a real one."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from types import MappingProxyType
from typing import Final

Headers = Mapping[str, str]


class Purpose(Enum):
    """What a browser fetches a file for, with the headers `Accept` and `Sec-Fetch-*`."""

    PAGE = (
        "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8",
        "navigate",
        "document",
    )
    SCRIPT = ("*/*", "cors", "script")
    STYLE = ("text/css,*/*;q=0.1", "no-cors", "style")
    IMAGE = ("image/avif,image/webp,image/svg+xml,*/*;q=0.8", "no-cors", "image")
    WORKER = ("*/*", "same-origin", "serviceworker")
    SURVEY = ("*/*", "cors", "empty")


@dataclass(frozen=True, slots=True)
class Visitor:
    """A client, and what it sends.

    Args:
        name: as results name it.
        always: the headers of every request.
        first: further headers of the request for the page.
        is_browser: whether it names the purpose of each request, as browsers do.
        comes_from: the value of Sec-Fetch-Site in the request for the page.
    """

    name: str
    always: Headers
    first: Headers = field(default_factory=lambda: MappingProxyType({}))
    is_browser: bool = True
    comes_from: str = "none"

    def headers(self, purpose: Purpose) -> dict[str, str]:
        """The headers of a request."""
        headers = dict(self.always)
        if self.is_browser:
            accepted, mode, destination = purpose.value
            headers |= {
                "Accept": accepted,
                "Sec-Fetch-Dest": destination,
                "Sec-Fetch-Mode": mode,
                "Sec-Fetch-Site": self.comes_from if purpose is Purpose.PAGE else "same-origin",
            }
            if purpose is Purpose.WORKER:
                headers["Service-Worker"] = "script"
            elif purpose is Purpose.SURVEY:
                # As the form itself asks.
                headers["Accept-Language"] = "*"
                headers.pop("Cookie", None)
        return headers | dict(self.first) if purpose is Purpose.PAGE else headers


_CHROME: Final = "AppleWebKit/537.36 (KHTML, like Gecko) Chrome/142.0.0.0"
_FIREFOX: Final = "Mozilla/5.0 (X11; Linux x86_64; rv:145.0) Gecko/20100101 Firefox/145.0"
_IPHONE: Final = (
    "Mozilla/5.0 (iPhone; CPU iPhone OS 18_6 like Mac OS X) AppleWebKit/605.1.15 "
    "(KHTML, like Gecko) Version/18.6 Mobile/15E148 Safari/604.1"
)


def _browser(agent: str, languages: str, codings: str = "gzip, deflate, br, zstd") -> Headers:
    """What every browser sends."""
    return {"User-Agent": agent, "Accept-Encoding": codings, "Accept-Language": languages}


VISITORS: Final = (
    Visitor(
        "Chrome on Windows",
        {
            "sec-ch-ua": '"Chromium";v="142", "Google Chrome";v="142", "Not_A Brand";v="99"',
            "sec-ch-ua-mobile": "?0",
            "sec-ch-ua-platform": '"Windows"',
            **_browser(
                f"Mozilla/5.0 (Windows NT 10.0; Win64; x64) {_CHROME} Safari/537.36",
                "en-US,en;q=0.9",
            ),
        },
    ),
    Visitor("Safari on iPhone", _browser(_IPHONE, "de-DE,de;q=0.9", "gzip, deflate, br")),
    Visitor("Firefox in Arabic", _browser(_FIREFOX, "ar,en-US;q=0.7,en;q=0.3")),
    Visitor(
        "Chrome on Android, from a link",
        _browser(
            f"Mozilla/5.0 (Linux; Android 10; K) {_CHROME} Mobile Safari/537.36", "es-ES,es;q=0.9"
        ),
        first={"Referer": "https://www.google.com/"},
        comes_from="cross-site",
    ),
    Visitor(
        "Firefox, reloading with a cookie",
        {
            **_browser(_FIREFOX, "zh-CN,zh;q=0.8,en;q=0.3"),
            "Cookie": "session=5d41402abc4b2a76b9719d911017c592",
        },
        first={"Cache-Control": "max-age=0"},
    ),
    Visitor("a program that accepts gzip", {"Accept-Encoding": "gzip"}, is_browser=False),
    Visitor("curl", {"User-Agent": "curl/8.14.1", "Accept": "*/*"}, is_browser=False),
)
