"""What commands add to the audit trail."""

import getpass
import os
from pathlib import Path

from deniable_collector.clock import utc_now
from deniable_collector.errors import StoreUnavailable, UnreadableStore
from deniable_collector.system import user_number
from deniable_web.accounts.trail import Act, Trail
from deniable_web.commands.options import WORKPLACE
from deniable_web.commands.tables import warn
from deniable_web.workplace import open_workplace, workplace_beside


def note(store: str, what: Act, about: str) -> None:
    """Add what a command did to the audit trail, if there is a workplace; else warn."""
    location: str | Path | None = os.environ.get(WORKPLACE) or workplace_beside(store)
    if location is None:
        return
    try:
        with open_workplace(location) as opened:
            Trail(opened, utc_now).record(f"{_user()} (command line)", what, about)
    except (StoreUnavailable, UnreadableStore) as error:
        warn(f"This was done, but is not in the audit trail: {error}")


def _user() -> str:
    """The name of the machine's user, or its number if it has none, as in a container."""
    try:
        return getpass.getuser()
    except (KeyError, OSError, ImportError):
        return f"user {user_number()}"
