"""The entry of the command `deniable`, which reports missing packages."""

import sys
from io import TextIOWrapper


def main() -> None:
    """Run the command line; exit 1 if its packages are not installed."""
    for stream in (sys.stdout, sys.stderr):
        if isinstance(stream, TextIOWrapper) and stream.encoding.lower() != "utf-8":
            # Consoles and files of Windows do not know every letter.
            stream.reconfigure(errors="backslashreplace")
    try:
        # Imported here, so that a missing package causes an error message.
        from deniable_web.commands import main as run_commands  # noqa: PLC0415 - see above

        run_commands()
    except ModuleNotFoundError as error:
        package = str(error.name).partition(".")[0]
        sys.exit(
            f"Error: the command needs the package {package}, which is not installed; "
            "run: pip install 'deniable[web]'"
        )
