"""The option `--quiet`, which every command has."""

from contextvars import ContextVar

import click

_is_quiet = ContextVar("is_quiet", default=False)


def is_quiet() -> bool:
    """Whether the command that runs was called with --quiet."""
    return _is_quiet.get()


def _set_quiet(context: click.Context, parameter: click.Parameter, value: bool) -> None:  # noqa: ARG001 - click's signature
    if value and not context.resilient_parsing:
        _is_quiet.set(True)


QUIET_OPTION = click.Option(
    ["-q", "--quiet"],
    is_flag=True,
    expose_value=False,
    callback=_set_quiet,
    help="Print the result, warnings and errors, and nothing else.",
)


def add_quiet(command: click.Command) -> click.Command:
    """The same command, and all below it, with --quiet."""
    if QUIET_OPTION not in command.params:
        command.params.append(QUIET_OPTION)
        for below in command.commands.values() if isinstance(command, click.Group) else ():
            add_quiet(below)
    return command
