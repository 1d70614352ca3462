"""The present layout of a store's file, and the steps that lead to it."""

from deniable_collector.store.tables import (
    PURGED_SQL,
    SCOPES_SQL,
    SURVEYS_SQL,
    TOKENS_SQL,
)

NAME = "deniable_collector"
# The table that each step makes, and how; in the order in which they are taken.
STEPS = {
    "create_surveys": ("surveys", SURVEYS_SQL),
    "create_tokens": ("tokens", TOKENS_SQL),
    "create_purged": ("purged", PURGED_SQL),
    "create_token_surveys": ("token_surveys", SCOPES_SQL),
}
