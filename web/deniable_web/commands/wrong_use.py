"""The error for wrong use of a command: what was wrong, and what to type instead."""

import click

from deniable_sdk.errors import printable


def show_wrong_use(error: click.UsageError) -> None:
    """Print the error, then how the command is called, and where its help is.

    After a mistyped command, the last lines are about the one that was probably meant.
    """
    click.echo(printable(f"Error: {error.format_message()}"), err=True)
    meant = _meant(error)
    if meant is not None:
        click.echo(printable(meant.get_usage().replace("Usage:", "Type:", 1)), err=True)
        click.echo(f"Help: {meant.command_path} --help", err=True)


def _meant(error: click.UsageError) -> click.Context | None:
    context = error.ctx
    if context is None or not isinstance(error, click.NoSuchCommand):
        return context
    name = next(iter(error.possibilities or ()), "")
    group = context.command
    found = group.get_command(context, name) if isinstance(group, click.Group) else None
    return click.Context(found, parent=context, info_name=name) if found else context
