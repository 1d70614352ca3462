"""Parts as text: columns aligned, numbers to the right."""

from collections.abc import Iterable

from deniable_analysis.presentation.parts import Line, Part, Table


def as_text(parts: Iterable[Part]) -> str:
    """All parts, each on lines of its own."""
    return "\n".join(_line(part) if isinstance(part, Line) else _table(part) for part in parts)


def _line(line: Line) -> str:
    return f"warning: {line.text}" if line.is_warning else line.text


def _table(table: Table) -> str:
    lines = [table.headers, *table.rows]
    widths = [max(len(line[column]) for line in lines) for column in range(len(table.headers))]
    return "\n".join(
        "  ".join(
            cell.ljust(width) if column == 0 else cell.rjust(width)
            for column, (cell, width) in enumerate(zip(line, widths, strict=True))
        ).rstrip()
        for line in lines
    )
