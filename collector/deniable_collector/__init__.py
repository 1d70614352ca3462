"""The collector: stores randomized reports, and nothing else about anyone.

`open_store` opens the store, `create_collector` builds the WSGI application that uses it,
and `serve` runs that application.
"""

from deniable_collector.app import create_collector
from deniable_collector.errors import (
    AddressUnavailable,
    ErasingUnfinished,
    ExtensionRefused,
    InvalidSettings,
    InvalidTokenName,
    OpenToTheNetwork,
    StoreUnavailable,
    TooBusy,
    UnreadableStore,
    UnsupportedStore,
    UnusableKeys,
)
from deniable_collector.margin_watch import StopRule
from deniable_collector.serving import serve
from deniable_collector.settings import Settings
from deniable_collector.store import Store, add_reports, open_store
from deniable_collector.store.base import (
    Publication,
    PublishOutcome,
    ReportOutcome,
    StoredSurvey,
)

__all__ = [
    "AddressUnavailable",
    "ErasingUnfinished",
    "ExtensionRefused",
    "InvalidSettings",
    "InvalidTokenName",
    "OpenToTheNetwork",
    "Publication",
    "PublishOutcome",
    "ReportOutcome",
    "Settings",
    "StopRule",
    "Store",
    "StoreUnavailable",
    "StoredSurvey",
    "TooBusy",
    "UnreadableStore",
    "UnsupportedStore",
    "UnusableKeys",
    "add_reports",
    "create_collector",
    "open_store",
    "serve",
]
