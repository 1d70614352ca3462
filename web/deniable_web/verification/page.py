"""What a fetched page says about itself; a hostile server may have written it."""

import re
from dataclasses import dataclass
from html import unescape
from typing import Final

from deniable_web.pages.form.one_file import own_version
from deniable_web.pages.static_files import static_files
from deniable_web.verification.expected import named_addresses
from deniable_web.verification.fetching import Fetched

_ANYBODY: Final = "*"
# All of these are fast on every text.
_DIGEST: Final = re.compile(r'\bdata-digest="([0-9a-f]{64})"')
_FILES: Final = re.compile(r"/static/(v-[0-9a-f]{1,64})/")
_FRAMING: Final = re.compile(r"(?:^|;) ?frame-ancestors ([ !-+\--:<-~]{1,1000})(?:;|$)")
# Of a form in one file.
_COLLECTOR: Final = re.compile(r'\bdata-collector="([^"]{1,2000})"')
_DOCUMENT: Final = re.compile(r'\bdata-document="([^"]*)"')
_GENERATOR: Final = re.compile(r'<meta name="generator" content="(deniable [^"]{1,40})"')


@dataclass(frozen=True, slots=True)
class PageFacts:
    """What a page says.

    Args:
        digest: of its survey; None if it is no form.
        files: the digest of the static files that it loads, as in their addresses.
        maker: the version of deniable that a form in one file names.
        frame_ancestors: the sites whose pages may show it in a frame.
        collector: the address to which a form in one file sends reports; None for others.
        document: the published survey in such a form.
        named: all addresses that it names.
    """

    digest: str | None
    files: str
    maker: str
    frame_ancestors: str
    collector: str | None
    document: bytes
    named: tuple[str, ...]

    def at_its_version(self, path: str) -> str:
        """The address of one of our files, as the version that made the page calls it."""
        return path.replace(f"/static/{own_files()}/", f"/static/{self.files}/")

    def foreign(self, ours: str) -> list[str]:
        """The addresses that the page of this version, whose text is `ours`, does not name."""
        known = {self.at_its_version(address) for address in named_addresses(ours)}
        return [address for address in self.named if address not in known]


def read_page(got: Fetched) -> PageFacts:
    """The facts in a page; the versions are those of this version if it names none.

    A page that is too long says nothing.
    """
    text = got.body.decode(errors="replace") if got.is_whole else ""
    collector = _first(_COLLECTOR, text)
    policy = ", ".join(got.headers.get("content-security-policy", ()))
    return PageFacts(
        digest=_first(_DIGEST, text),
        files=_first(_FILES, text) or own_files(),
        maker=_first(_GENERATOR, text) or own_maker(),
        frame_ancestors=(_first(_FRAMING, policy) or _ANYBODY).strip(),
        collector=unescape(collector) if collector else None,
        document=unescape(_first(_DOCUMENT, text) or "").encode(),
        named=tuple(named_addresses(text)),
    )


def own_files() -> str:
    """The digest of the static files of this version, as in their addresses."""
    return f"v-{static_files().version}"


def own_maker() -> str:
    """This version, as a form in one file names it."""
    return f"deniable {own_version()}"


def _first(pattern: re.Pattern[str], text: str) -> str | None:
    found = pattern.search(text)
    return found[1] if found else None
