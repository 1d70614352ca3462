"""The address of a survey at a collector."""

import ipaddress
from contextlib import suppress
from dataclasses import dataclass
from urllib.parse import SplitResult, unquote, urlsplit

from deniable_analysis.errors import StudyNotFound, UnsafeAddress

SCHEMES = ("http", "https")
_PAGE = "/s/"


@dataclass(frozen=True, slots=True)
class Address:
    """A survey at a collector.

    Args:
        collector: where its routes begin, without a slash at the end.
        slug: of the survey.
    """

    collector: str
    slug: str

    @classmethod
    def of(cls, url: str) -> "Address":
        """The address of a survey's page, as respondents get it.

        Raises:
            StudyNotFound: it is not the address of a survey.
            UnsafeAddress: what is sent there could be read on its way, or the
                address holds a name or password.
        """
        parts = _split(url)
        before, page, slug = parts.path.rpartition(_PAGE)
        slug = unquote(slug.rstrip("/"))
        if not (page and slug) or "/" in slug:
            raise StudyNotFound(
                f"got the address {parts.scheme}://{parts.hostname}{parts.path}; allowed is that "
                "of a survey's page, like https://example.org/s/SLUG"
            )
        if parts.username is not None or parts.password is not None:
            raise UnsafeAddress(
                "got an address with a name or password before the host; leave it out, and give "
                "the analyst's token as token=... or in the environment"
            )
        if parts.scheme == "http" and not is_local(parts.hostname or ""):
            raise UnsafeAddress(
                f"got http:// to {parts.hostname}, which is not this machine: the token could be "
                "read in transit; use https://"
            )
        return cls(f"{parts.scheme}://{parts.netloc}{before}", slug)


def _split(url: str) -> SplitResult:
    with suppress(ValueError):
        parts = urlsplit(url)
        if parts.scheme in SCHEMES and parts.hostname and parts.port != 0:
            return parts
    raise StudyNotFound(
        "got an address that cannot be read; allowed is that of a survey's page, like "
        "https://example.org/s/SLUG"
    )


def is_local(host: str) -> bool:
    """Whether a host's name is one of this machine."""
    if host == "localhost":
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False
