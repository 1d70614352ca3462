from .app import create_collector
from .errors import (
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
from .margin_watch import StopRule
from .serving import serve
from .settings import Settings
from .store import Store, add_reports, open_store
from .store.base import (
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
