"""The accounts of people who run surveys: sessions, signing in, and the audit trail."""

from deniable_web.accounts.routes import create_accounts
from deniable_web.accounts.sessions import Sessions
from deniable_web.accounts.settings import AccountProvider, InvalidAccounts, read_account_provider
from deniable_web.accounts.trail import Act, Trail, record_changes, with_rights

__all__ = [
    "AccountProvider",
    "Act",
    "InvalidAccounts",
    "Sessions",
    "Trail",
    "create_accounts",
    "read_account_provider",
    "record_changes",
    "with_rights",
]
