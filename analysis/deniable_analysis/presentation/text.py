"""Parts as text: columns aligned, numbers to the right."""

from collections.abc import Iterable

from deniable_analysis.presentation.parts import Line, Part, Table
from deniable_sdk.errors import printable


def as_text(parts: Iterable[Part]) -> str:
    """All parts, each on lines of its own."""
    return "\n".join(_line(part) if isinstance(part, Line) else _table(part) for part in parts)


def _line(line: Line) -> str:
    text = printable(line.text)
    return f"warning: {text}" if line.is_warning else text


def _table(table: Table) -> str:
    lines = [[_cell(text) for text in row] for row in (table.headers, *table.rows)]
    widths = [max(len(line[column]) for line in lines) for column in range(len(table.headers))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )


def _cell(text: str) -> str:
    """A text, which may be of others, on one line."""
    return printable(" ".join(text.splitlines()))
