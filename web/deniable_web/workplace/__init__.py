"""The file of those who run surveys: drafts, accounts, sessions and the audit trail."""

from deniable_web.workplace.file import Workplace, open_workplace, workplace_beside

__all__ = ["Workplace", "open_workplace", "workplace_beside"]
