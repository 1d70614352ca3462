"""Addresses of collectors, each written in one way: as browsers write it.

One collector under two addresses would have two ledgers. JavaScript has the
parser of the standard (url.spec.whatwg.org); this one gives the same for every
address of tests/vectors/addresses.json. What the two would read in different
ways is refused in both.
"""

from __future__ import annotations

import re
from encodings.idna import nameprep
from ipaddress import IPv6Address
from unicodedata import category, normalize
from urllib.parse import quote as quote_url
from urllib.parse import unquote

from deniable_sdk.errors import DeniableError, quote

_SCHEME = re.compile(r"(https?):[/\\]*", re.ASCII | re.IGNORECASE)
# What no address may hold; of letters beyond ASCII all but those that all systems map alike.
_FOREIGN = re.compile(
    r"[?#@^]|[^\0-\x7f\xe0-\u02af\u03ac-\u03c1\u03c3-\u0481"
    r"\u3041-\u3096\u30a1-\u30fe\u4e00-\u9fa5\uac00-\ud7a3]"
)
_AUTHORITY = re.compile(r"(\[[0-9A-Fa-f:.]*\]|[^:]*)(?::([0-9]*))?")
_NAME = re.compile(r"[\w.-]*\w", re.ASCII)
_NUMBER = re.compile(r"[0-9]+|0x[0-9a-f]*")
_ESCAPE = re.compile(r"%[0-9A-Fa-f]{2}")
_UNRESERVED = re.compile(r"[\w.~-]", re.ASCII)
_ZEROS = re.compile(r"\b0(?::0)+\b")
_PATH_SIGNS = "!$%&'()*+,;=:/[]|"
# Letters that stay as they are where a name is encoded, and are mapped where it is not.
_KEPT = re.compile("[ßς]")
_JOINERS = "\u200c\u200d"
_PORTS = {"http": 80, "https": 443}
_MOST_PORT = (1 << 16) - 1
_BYTES_OF_IPV4 = 4
_BLANKS = "".join(map(chr, range(0x21)))
_BYTE = 1 << 8


class InvalidAddress(DeniableError, ValueError):
    """The address is not an http or https address."""


def read_address(address: str) -> str:
    """The normalized address: one for each collector.

    Raises:
        InvalidAddress: it is not an http or https address, says more than
            where a collector is, or would be read in another way elsewhere.
    """
    # What may be a password is not repeated.
    given = "an address with a query, a fragment or a user's name"
    if not re.search("[?#@]", address):
        given = quote(address)
        try:
            return _read(address)
        except ValueError:
            # Told below, like every other address that is none.
            pass
    raise InvalidAddress(
        f"got {given}; allowed is an address like https://example.org, other letters as xn--"
    )


def _read(address: str) -> str:
    if re.search("%(?![0-9A-Fa-f]{2})", address):
        raise ValueError
    # Escapes that stand for no text are an error of their own.
    if _FOREIGN.search(_decoded(address)):
        raise ValueError
    text = re.sub("[\t\n\r]", "", address.strip(_BLANKS))
    found = _SCHEME.match(text)
    if not found:
        raise ValueError
    scheme = found[1].lower()
    authority, slash, rest = text[found.end() :].replace("\\", "/").partition("/")
    parts = _AUTHORITY.fullmatch(authority)
    if not parts:
        raise ValueError
    host = _ipv6(parts[1][1:-1]) if parts[1].startswith("[") else _host(parts[1])
    port = int(parts[2] or _PORTS[scheme])
    if port > _MOST_PORT:
        raise ValueError
    told = "" if port == _PORTS[scheme] else f":{port}"
    return f"{scheme}://{host}{told}{_path(slash + rest)}"


def _host(written: str) -> str:
    """A name or an IPv4 address."""
    labels = [_label(label) for label in _decoded(written).split(".")]
    # A dot at the end says that a name is whole, which all of ours are.
    if len(labels) > 1 and not labels[-1]:
        labels.pop()
    host = ".".join(labels)
    if not _NAME.fullmatch(host):
        raise ValueError
    return _ipv4(labels) if _NUMBER.fullmatch(labels[-1]) else host


def _label(written: str) -> str:
    """A part of a host name as the network spells it."""
    label = written.lower() if written.isascii() else nameprep(written)
    if label.isascii() and written.isascii():
        if label.startswith("xn--"):
            _check_encoded(label.removeprefix("xn--"))
        return label
    if label.startswith("xn--"):
        raise ValueError
    return label if label.isascii() else f"xn--{label.encode('punycode').decode()}"


def _check_encoded(label: str) -> None:
    """Fail unless this stands for a name, and is the only way to write it."""
    name = label.encode().decode("punycode")
    kinds = "".join(category(character)[0] for character in name if character not in _JOINERS)
    mapped = _KEPT.sub("", name)
    is_name = not (name.isascii() or kinds.startswith("M") or {*kinds} & {"C", "Z"})
    is_mapped = mapped == normalize("NFKC", mapped.casefold()) and name == normalize("NFC", name)
    if not (is_name and is_mapped and name.encode("punycode").decode() == label):
        raise ValueError


def _ipv4(labels: list[str]) -> str:
    """An IPv4 address of one to four numbers, decimal, octal or hexadecimal."""
    *parts, last = [_number(label) for label in labels]
    left = _BYTES_OF_IPV4 - len(parts)
    if left < 1 or any(part >= _BYTE for part in parts) or last >= _BYTE**left:
        raise ValueError
    return ".".join(str(part) for part in [*parts, *last.to_bytes(left, "big")])


def _number(label: str) -> int:
    if label.startswith("0x"):
        return int(label[2:] or "0", 16)
    if not label.isdigit():
        raise ValueError
    return int(label, 8 if label.startswith("0") else 10)


def _ipv6(written: str) -> str:
    """An IPv6 address, the first of its longest rows of zeros left out."""
    whole = IPv6Address(written).packed
    text = ":".join(f"{whole[at] << 8 | whole[at + 1]:x}" for at in range(0, len(whole), 2))
    zeros = max(_ZEROS.finditer(text), key=lambda row: len(row[0]), default=None)
    if zeros:
        text = f"{text[: zeros.start()].rstrip(':')}::{text[zeros.end() :].lstrip(':')}"
    return f"[{text}]"


def _path(written: str) -> str:
    """A path without its meaningless parts."""
    encoded = quote_url(written, safe=_PATH_SIGNS)
    kept: list[str] = []
    for folder in _ESCAPE.sub(lambda escape: _reserved(escape[0]), encoded).split("/")[1:]:
        if folder == "..":
            kept = kept[:-1]
        elif folder != ".":
            kept.append(folder)
    return "".join(f"/{folder}" for folder in kept).rstrip("/")


def _reserved(escape: str) -> str:
    """An escape, or the character that it stands for where that need not be escaped."""
    character = chr(int(escape[1:], 16))
    return character if _UNRESERVED.fullmatch(character) else escape.upper()


def _decoded(text: str) -> str:
    """A text without its escapes, which must encode UTF-8."""
    return unquote(text, errors="strict")
