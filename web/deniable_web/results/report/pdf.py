"""A PDF of a report: by WeasyPrint, or by a browser that is there."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
from ctypes.util import find_library
from dataclasses import dataclass
from functools import cache
from importlib.util import find_spec
from pathlib import Path
from threading import Lock
from typing import Final

from deniable_sdk import DeniableError
from deniable_sdk.foreign import read_object
from deniable_web.results.report import weasyprint_program

_BROWSERS: Final = (
    "chromium",
    "chromium-browser",
    "google-chrome",
    "google-chrome-stable",
    "microsoft-edge",
    "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
    "/Applications/Chromium.app/Contents/MacOS/Chromium",
)
_TIMEOUT_S: Final = 300
# A browser writes the moment into its file; another one takes its place.
_MOMENT: Final = re.compile(rb"\(D:\d{14}")
_NO_MOMENT: Final = b"(D:20000101000000"
# One PDF at a time: each needs much memory.
_MAKING: Final = Lock()


class PdfUnavailable(DeniableError, RuntimeError):
    """No program that makes a PDF is there, or the one that is there failed."""


@dataclass(frozen=True, slots=True)
class Pdf:
    """A PDF.

    Args:
        content: its bytes.
        engine: the program that made it.
        missing: the characters for which there is no font, as far as the program says so.
    """

    content: bytes
    engine: str
    missing: str = ""


@cache
def can_make_pdf() -> bool:
    """Whether WeasyPrint and its libraries seem to be there; nothing is loaded."""
    pango = ("pango-1.0", "pango-1.0-0", "libpango-1.0-0")
    return find_spec("weasyprint") is not None and any(map(find_library, pango))


def make_pdf(page: str, *, with_browser: bool) -> Pdf:
    """The PDF of a page that loads nothing.

    The same page makes the same bytes with the same program.

    Args:
        page: HTML with all of its styles.
        with_browser: whether a browser may make it if WeasyPrint is not there.
    Raises:
        PdfUnavailable: no program is there, or it failed.
    """
    with _MAKING:
        made = _by_weasyprint(page)
        if made:
            return made
        browser = find_browser() if with_browser else None
        if browser is None:
            raise PdfUnavailable(
                "a PDF needs WeasyPrint, or Chromium or Google Chrome, and neither is there; run: "
                "pip install 'deniable[report]' (on Debian also: apt-get install "
                "libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0), or install a browser, or "
                "write the report as .html and print it"
            )
        return Pdf(_by_browser(browser, page), Path(browser).name)


@cache
def find_browser() -> str | None:
    """The path of a browser that can print without a window; None if there is none."""
    found = (shutil.which(name) for name in _BROWSERS)
    return next((path for path in found if path), None)


def _by_weasyprint(page: str) -> Pdf | None:
    """The PDF; None if WeasyPrint or one of the system's libraries is not there."""
    if find_spec("weasyprint") is None:
        return None
    command = [sys.executable, weasyprint_program.__file__]
    try:
        done = _run(command, page.encode())
    except subprocess.CalledProcessError as error:
        if error.returncode == weasyprint_program.UNAVAILABLE:
            return None
        raise _failed("WeasyPrint", error) from None
    except (OSError, subprocess.SubprocessError) as error:
        raise _failed("WeasyPrint", error) from None
    line, _, content = done.partition(b"\n")
    said = read_object(line)
    return Pdf(content, said["engine"], said["missing"])


def _by_browser(browser: str, page: str) -> bytes:
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "report.html", Path(folder) / "report.pdf"
        source.write_text(page, encoding="utf-8")
        # A browser that runs as root has no sandbox of its own; the page has no scripts.
        without_sandbox = ["--no-sandbox"] if getattr(os, "geteuid", lambda: 1)() == 0 else []
        command = [
            browser,
            "--headless",
            "--disable-gpu",
            "--no-first-run",
            "--disable-background-networking",
            "--host-resolver-rules=MAP * ~NOTFOUND",
            f"--user-data-dir={folder}/profile",
            *without_sandbox,
            "--no-pdf-header-footer",
            f"--print-to-pdf={target}",
            source.as_uri(),
        ]
        try:
            _run(command)
            content = target.read_bytes()
        except (OSError, subprocess.SubprocessError) as error:
            raise _failed(browser, error) from None
    return _MOMENT.sub(_NO_MOMENT, content)


def _run(command: list[str], given: bytes = b"") -> bytes:
    done = subprocess.run(  # noqa: S603 - our own program, or a browser of this machine
        command, input=given, check=True, capture_output=True, timeout=_TIMEOUT_S
    )
    return done.stdout


def _failed(program: str, error: Exception) -> PdfUnavailable:
    return PdfUnavailable(
        f"{program} made no PDF ({type(error).__name__}); write the report as .html, open it in a "
        "browser, and print it to a PDF"
    )
