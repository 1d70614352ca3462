"""The entry of the command `deniable`, which reports missing packages."""

import sys


def main() -> None:
    """Run the command line; exit 1 if its packages are not installed."""
    try:
        # Imported here, so that a missing package causes an error message.
        from deniable_web.commands import main as run_commands  # noqa: PLC0415 - see above
    except ModuleNotFoundError as error:
        sys.exit(
            f"Error: the command needs the package {error.name}, which is not installed; "
            "run: pip install 'deniable[web]'"
        )
    run_commands()
