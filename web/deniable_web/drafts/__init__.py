"""Drafts of surveys, which authors share; they contain no answers."""

from deniable_web.drafts.routes import create_drafts
from deniable_web.drafts.store import DraftStore, drafts_beside, open_draft_store

__all__ = ["DraftStore", "create_drafts", "drafts_beside", "open_draft_store"]
