"""deniable completion: the script that completes commands in a shell."""

import click
from click.shell_completion import get_completion_class

# The variable with which click's scripts ask the program for completions.
VARIABLE = "_DENIABLE_COMPLETE"

_SHELLS = ("bash", "zsh", "fish")


@click.command("completion")
@click.argument("shell", type=click.Choice(_SHELLS))
def command(shell: str) -> None:
    r"""Print a script for SHELL, which completes commands, options, files and slugs.

    \b
    bash, in ~/.bashrc:                   eval "$(deniable completion bash)"
    zsh, in ~/.zshrc after compinit:      eval "$(deniable completion zsh)"
    fish, in ~/.config/fish/config.fish:  deniable completion fish | source

    Slugs are those of the store that --store or DENIABLE_STORE names, if it is an SQLite file.
    """
    script = get_completion_class(shell)
    root = click.get_current_context().find_root()
    assert script is not None  # noqa: S101 - click has a script for each of the shells
    click.echo(script(root.command, {}, "deniable", VARIABLE).source())
