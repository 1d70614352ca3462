from .app import create_issuer, opened_issuer
from .issuing import Issuer
from .keyring import SigningKey
from .store import IssuerStore, open_issuer_store

__all__ = [
    "Issuer",
    "IssuerStore",
    "SigningKey",
    "create_issuer",
    "open_issuer_store",
    "opened_issuer",
]
