"""The command `deniable`: `deniable NAME` is in the module NAME."""

from deniable_web.commands.program import COMMANDS, cli, main, run

__all__ = ["COMMANDS", "cli", "main", "run"]
