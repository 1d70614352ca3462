"""The issuer: knows who is invited, and signs one token for each of them, unseen.

`open_issuer_store` opens its store, `create_issuer` builds the WSGI application that uses
it. It never sees a report, and shares no table and no log with a collector.
"""

from deniable_collector.signing import SigningKey
from deniable_issuer.app import create_issuer, opened_issuer
from deniable_issuer.issuing import Issuer
from deniable_issuer.store import IssuerStore, open_issuer_store

__all__ = [
    "Issuer",
    "IssuerStore",
    "SigningKey",
    "create_issuer",
    "open_issuer_store",
    "opened_issuer",
]
