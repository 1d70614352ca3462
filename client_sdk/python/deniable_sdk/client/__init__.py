"""The client in an app: a queue, a ledger, and a thread that sends.

Nothing of this is loaded until an app asks for `deniable_sdk.open_client`.
"""

from deniable_sdk.addresses import InvalidAddress
from deniable_sdk.client.client import Client
from deniable_sdk.client.entry import Entry, State
from deniable_sdk.client.errors import (
    AlreadyAnswered,
    ClientShutDown,
    ConsentRequired,
    FewCollected,
    OtherSite,
    StorageBusy,
    StorageDamaged,
    StorageUnavailable,
    YearlyCapExceeded,
)
from deniable_sdk.client.ledger import Spending, SurveySpending
from deniable_sdk.client.opening import open_client
from deniable_sdk.client.options import Clock, SystemClock
from deniable_sdk.client.outcomes import DrawnBlocks, FlushResult, ReportPreview, ReportStatus
from deniable_sdk.client.storage.contract import Lease, Storage, Transaction
from deniable_sdk.client.storage.opening import MemoryStorage
from deniable_sdk.client.transport import HttpTransport, Outcome, Transport
from deniable_sdk.invitation import InvalidCode
from deniable_sdk.log import InvalidLog, NotInLog
from deniable_sdk.transport import CollectorRefused, CollectorUnreachable

__all__ = [
    "AlreadyAnswered",
    "Client",
    "ClientShutDown",
    "Clock",
    "CollectorRefused",
    "CollectorUnreachable",
    "ConsentRequired",
    "DrawnBlocks",
    "Entry",
    "FewCollected",
    "FlushResult",
    "HttpTransport",
    "InvalidAddress",
    "InvalidCode",
    "InvalidLog",
    "Lease",
    "MemoryStorage",
    "NotInLog",
    "OtherSite",
    "Outcome",
    "ReportPreview",
    "ReportStatus",
    "Spending",
    "State",
    "Storage",
    "StorageBusy",
    "StorageDamaged",
    "StorageUnavailable",
    "SurveySpending",
    "SystemClock",
    "Transaction",
    "Transport",
    "YearlyCapExceeded",
    "open_client",
]
