"""Workbooks as XLSForm's tools write them."""

from collections.abc import Mapping
from io import BytesIO

import openpyxl

Row = list[object]


def workbook(sheets: Mapping[str, list[Row]]) -> bytes:
    """The bytes of a workbook with these rows in each sheet."""
    made = openpyxl.Workbook()
    made.remove(made.worksheets[0])
    for name, rows in sheets.items():
        sheet = made.create_sheet(name)
        for row in rows:
            sheet.append(row)
    body = BytesIO()
    made.save(body)
    return body.getvalue()
