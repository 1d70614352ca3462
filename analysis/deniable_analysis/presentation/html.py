"""Parts as HTML, for notebooks: plain elements that take the page's own style."""

from collections.abc import Iterable
from html import escape

from deniable_analysis.presentation.parts import Line, Part, Table


def as_html(parts: Iterable[Part]) -> str:
    """All parts in one element; every text is escaped."""
    inner = "".join(_line(part) if isinstance(part, Line) else _table(part) for part in parts)
    return f"<div>{inner}</div>"


def _line(line: Line) -> str:
    if not line.text:
        return ""
    text = escape(line.text)
    return f"<p><strong>Warning:</strong> {text}</p>" if line.is_warning else f"<p>{text}</p>"


def _table(table: Table) -> str:
    heads = "".join(f'<th scope="col">{escape(header)}</th>' for header in table.headers)
    rows = "".join(f"<tr>{_row(row)}</tr>" for row in table.rows)
    return f"<table><thead><tr>{heads}</tr></thead><tbody>{rows}</tbody></table>"


def _row(row: tuple[str, ...]) -> str:
    name, *numbers = row
    cells = "".join(f'<td style="text-align: right">{escape(number)}</td>' for number in numbers)
    return f'<th scope="row">{escape(name)}</th>{cells}'
