"""Drafts of surveys, which authors share; they contain no answers."""

from deniable_web.drafts.routes import create_drafts
from deniable_web.drafts.store import DraftStore

__all__ = ["DraftStore", "create_drafts"]
