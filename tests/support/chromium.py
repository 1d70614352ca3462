"""Debian's Chromium, as the tests start it."""

import os
import shutil

ARGUMENTS = [
    "--no-sandbox",
    "--disable-gpu",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
_WHOLE = "DENIABLE_WHOLE_CHROMIUM"


def find_chromium() -> str:
    """Where it is, with profile and settings as people have it."""
    found = _first("chromium", "chromium-browser", "google-chrome")
    assert found, "no Chromium on this machine; `make test` as root installs it"
    return found


def find_headless() -> str:
    """Where the same Chromium is built without windows, if it is there.

    It shows a page in half the time. `make deep` asks for the whole one.
    """
    shell = None if os.environ.get(_WHOLE) else _first("chromium-headless-shell")
    return shell or find_chromium()


def _first(*names: str) -> str | None:
    return next((path for path in map(shutil.which, names) if path), None)
