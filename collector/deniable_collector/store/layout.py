"""The present layout of a store's file, and the steps that lead to it."""

from deniable_storage.sqlite_tables import (
    CREATE_LOG_SQL,
    CREATE_PURGED_SQL,
    CREATE_SCOPES_SQL,
    CREATE_SURVEYS_SQL,
    CREATE_TOKENS_SQL,
)

NAME = "deniable_collector"
# The table that each step creates, and its statement; in the order of the steps.
STEPS = {
    "create_surveys": ("surveys", CREATE_SURVEYS_SQL),
    "create_tokens": ("tokens", CREATE_TOKENS_SQL),
    "create_purged": ("purged", CREATE_PURGED_SQL),
    "create_token_surveys": ("token_surveys", CREATE_SCOPES_SQL),
    "create_log": ("log", CREATE_LOG_SQL),
}
