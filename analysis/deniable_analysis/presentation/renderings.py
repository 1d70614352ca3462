"""Parts as text and as HTML."""

from collections.abc import Iterable
from html import escape

from deniable_analysis.presentation.parts import Line, Part, Table
from deniable_sdk.errors import printable


def as_text(parts: Iterable[Part]) -> str:
    """All parts, each on lines of its own."""
    return "\n".join(
        _text_line(part) if isinstance(part, Line) else _text_table(part) for part in parts
    )


def _text_line(line: Line) -> str:
    text = printable(line.text)
    return f"warning: {text}" if line.is_warning else text


def _text_table(table: Table) -> str:
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


def as_html(parts: Iterable[Part]) -> str:
    """All parts in one element; every text is escaped."""
    inner = "".join(
        _html_line(part) if isinstance(part, Line) else _html_table(part) for part in parts
    )
    return f"<div>{inner}</div>"


def _html_line(line: Line) -> str:
    if not line.text:
        return ""
    text = escape(line.text)
    return f"<p><strong>Warning:</strong> {text}</p>" if line.is_warning else f"<p>{text}</p>"


def _html_table(table: Table) -> str:
    heads = "".join(f'<th scope="col">{escape(header)}</th>' for header in table.headers)
    rows = "".join(f"<tr>{_html_row(row)}</tr>" for row in table.rows)
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"


def _html_row(row: tuple[str, ...]) -> str:
    name, *numbers = row
    cells = "".join(f'<td style="text-align: right">{escape(number)}</td>' for number in numbers)
    return f'<th scope="row">{escape(name)}</th>{cells}'
