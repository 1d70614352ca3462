"""Prints rows: a table for people, JSON and CSV for programs."""

import csv
import json
import sys
from collections.abc import Callable, Container, Iterator, Mapping, Sequence
from contextlib import contextmanager

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from deniable_sdk.errors import on_one_line, printable
from deniable_web.commands.options import Format
from deniable_web.commands.program import is_quiet

Row = Mapping[str, object]


def print_json(document: object) -> None:
    """Print one JSON value on standard output, on one line."""
    # JSON itself escapes only some of the control characters that a terminal would obey.
    click.echo(printable(json.dumps(document, ensure_ascii=False, allow_nan=False)))


def print_csv(rows: Sequence[Row]) -> None:
    """Print rows with the same keys as CSV with a header."""
    writer = csv.DictWriter(sys.stdout, list(rows[0]) if rows else [], lineterminator="\n")
    writer.writeheader()
    writer.writerows(
        {
            name: printable(value) if isinstance(value, str) else value
            for name, value in row.items()
        }
        for row in rows
    )


def print_result(
    output_format: str, document: object, rows: Sequence[Row], print_tables: Callable[[], None]
) -> None:
    """Print a result in one of the formats of `--format`.

    Args:
        output_format: the name of the format.
        document: the result as plain JSON values.
        rows: the result as rows with the same keys, for CSV.
        print_tables: prints it for people.
    """
    if output_format == Format.JSON:
        print_json(document)
    elif output_format == Format.CSV:
        print_csv(rows)
    else:
        print_tables()


def print_rows(title: str, rows: Sequence[Row], output_format: str, if_none: str) -> None:
    """Print rows, or for people a message if there are none."""
    print_result(
        output_format, rows, rows, lambda: print_table(title, rows) if rows else say(if_none)
    )


def print_title(title: str) -> None:
    """Print the subject of the tables below on one line."""
    console().print(on_one_line(title), style="bold")


def print_table(title: str, rows: Sequence[Row], note: str = "") -> None:
    """Print rows with the same keys as an aligned table, with numbers to the right.

    Without rows nothing is printed.
    """
    if not rows:
        return
    first = rows[0].items()
    numbers = [index for index, (_, value) in enumerate(first) if isinstance(value, int | float)]
    cells = [[format_cell(value) for value in row.values()] for row in rows]
    print_cells([name for name, _ in first], cells, numbers, title, note)


def print_cells(
    heads: Sequence[str],
    rows: Sequence[Sequence[str]],
    numbers: Container[int],
    title: str = "",
    note: str = "",
) -> None:
    """Print an aligned table, with some of its columns to the right."""
    table = Table(
        title=on_one_line(title) or None,
        title_justify="left",
        caption=printable(note) or None,
        caption_justify="left",
    )
    for index, head in enumerate(heads):
        table.add_column(
            on_one_line(head), justify="right" if index in numbers else "left", overflow="fold"
        )
    leads = [row[0] for row in rows]
    # If the rows form no groups, lines between them have no meaning.
    has_groups = len(set(leads)) < len(leads)
    for row, lead, following in zip(rows, leads, [*leads[1:], *leads[-1:]], strict=True):
        table.add_row(*map(on_one_line, row), end_section=has_groups and lead != following)
    console().print(table)


def format_cell(value: object) -> str:
    """A value as a table shows it: shares with three decimals, None as –."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, float):
        return f"{value:z.3f}"
    return f"{value:,}" if isinstance(value, int) else str(value)


def console() -> Console:
    """Standard output as a terminal, wide enough for a table in a pipe, without markup."""
    width = None if sys.stdout.isatty() else 120
    return Console(width=width, highlight=False, markup=False, emoji=False)


def progress_bar() -> Progress:
    """A progress bar on standard error."""
    return Progress(
        TextColumn("{task.description}", markup=False),
        BarColumn(),
        MofNCompleteColumn(),
        TimeRemainingColumn(),
        console=Console(stderr=True),
        disable=is_quiet(),
    )


@contextmanager
def counting(description: str) -> Iterator[Callable[[int, int], None]]:
    """A function that shows on a progress bar how many of all are done."""
    with progress_bar() as progress:
        task = progress.add_task(description, total=None)
        yield lambda done, total: progress.update(task, completed=done, total=total)


def say(message: str) -> None:
    """Print a message for people on standard error, unless --quiet was named."""
    if not is_quiet():
        warn(message)


def warn(message: str) -> None:
    """Print a message that people must see on standard error."""
    click.echo(printable(message), err=True)
