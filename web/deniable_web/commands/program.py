"""The program `deniable`: its commands, loaded when they are called, and what all have."""

import sys
from collections.abc import Sequence
from contextvars import ContextVar, copy_context
from pkgutil import resolve_name
from typing import Any, Final

import click
from click.shell_completion import CompletionItem

from deniable_sdk import DeniableError
from deniable_sdk.errors import printable

# In the order in which a survey needs them, with their help on one line; each is in the module of
# its name, which the list of all commands does not import.
COMMANDS: Final = {
    "init": "Write a starting definition to a file.",
    "check": "Check a definition and forecast its accuracy.",
    "issuer": "Make keys for groups, and sign tokens.",
    "publish": "Compile a definition and open it for answers.",
    "token": "Make, list and revoke tokens of owners, analysts and readers.",
    "federate": "Prepare one survey for several institutions.",
    "serve": "Run the collector and the form.",
    "doctor": "Check an installation, and say what to change.",
    "form": "Write the form of a survey into one file.",
    "verify": "Compare a live form with what this version makes.",
    "invite": "Hand out a code to each person on a list.",
    "remind": "Send a new code to people who have not used theirs.",
    "list": "List the surveys of a store.",
    "log": "Watch a public log of surveys, and make its key.",
    "extend": "Accept answers for longer, or more of them.",
    "close": "Accept no more answers to a survey.",
    "results": "Print the estimates of a survey, or write them to a file.",
    "report": "Write the results of a survey as HTML or PDF, to share.",
    "export": "Write a survey's reports, or its codebook, to a file.",
    "release": "Write the counts of a closed survey with noise to a file.",
    "purge": "Permanently remove a closed survey's reports.",
    "audit": "List who changed what, and on which day.",
    "backup": "Copy the store while it is served.",
    "move": "Move surveys from one store to another.",
    "recount": "Compare the counts of a store with its reports.",
    "plan": "Respondents for an accuracy, and the reverse.",
    "simulate": "Answer a survey from a table of true answers.",
    "demo": "Run a whole survey on 20,190 answers.",
    "completion": "Print the script that completes commands in a shell.",
}

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


class NotDone(DeniableError):
    """A command could not do what was asked; the message says why, and what to do."""


class LazyGroup(click.Group):
    """A group that imports a subcommand only to run it, to complete it or to show its help."""

    def list_commands(self, ctx: click.Context) -> list[str]:  # noqa: ARG002 - click's signature
        """The names, in the order in which a survey needs the commands."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:  # noqa: ARG002 - click's signature
        """The subcommand of this name."""
        if cmd_name not in COMMANDS:
            return None
        return add_quiet(resolve_name(f"deniable_web.commands.{cmd_name}:command"))

    def format_commands(self, ctx: click.Context, formatter: click.HelpFormatter) -> None:  # noqa: ARG002 - click's signature
        """The list of the commands."""
        with formatter.section("Commands"):
            formatter.write_dl([*COMMANDS.items()])

    def shell_complete(self, ctx: click.Context, incomplete: str) -> list[CompletionItem]:
        """The commands that begin like this, and the options of the program."""
        found = [
            CompletionItem(name, help=short_help)
            for name, short_help in COMMANDS.items()
            if name.startswith(incomplete)
        ]
        return found + click.Command.shell_complete(self, ctx, incomplete)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """The subcommand; after a mistyped name, the error names those like it."""
        try:
            return super().resolve_command(ctx, args)
        except click.NoSuchCommand as error:
            raise click.NoSuchCommand(
                error.command_name, possibilities=list(COMMANDS), ctx=ctx
            ) from None


@click.group(cls=LazyGroup, context_settings={"help_option_names": ["-h", "--help"]})
@click.version_option(package_name="deniable")
def cli() -> None:
    """Run surveys in which nobody, including you, ever sees a true answer."""


def main(arguments: Sequence[str] | None = None) -> None:
    """Run the command line; the exit code is 0 if done, 1 for a clear error, 2 for wrong usage."""
    sys.exit(run(arguments))


def run(arguments: Sequence[str] | None = None) -> int:
    """Run one command and return its exit code; errors go to standard error.

    Raises:
        ModuleNotFoundError: a package that the command needs is not installed.
    """
    try:
        # In a context of its own, so that --quiet ends with the command.
        outcome: Any = copy_context().run(
            cli.main,
            args=list(arguments) if arguments is not None else None,
            prog_name="deniable",
            standalone_mode=False,
        )
    except click.exceptions.Abort:
        click.echo("stopped", err=True)
        return 1
    except click.ClickException as error:
        _show_wrong_use(error) if isinstance(error, click.UsageError) else error.show()
        return error.exit_code
    except ModuleNotFoundError:
        # The analysis would name its own extra, which is not enough for a command.
        raise
    except DeniableError as error:
        click.echo(printable(f"Error: {error}"), err=True)
        return 1
    except BrokenPipeError:
        sys.stderr.close()
        return 1
    except OSError as error:
        place = f"{error.filename}: " if error.filename else ""
        click.echo(f"Error: {place}{error.strerror or 'the system refused'}", err=True)
        return 1
    return outcome if isinstance(outcome, int) else 0


def _show_wrong_use(error: click.UsageError) -> None:
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
