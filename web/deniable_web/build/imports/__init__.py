"""Converts surveys of other programs to definitions, and lists what was lost."""

from deniable_web.build.imports.imported import Imported, UnreadableImport
from deniable_web.build.imports.text import import_text


def import_xlsform(body: bytes) -> Imported:
    """The definition in an XLSForm workbook; see the file of this name."""
    from deniable_web.build.imports import xlsform  # noqa: PLC0415 - slow to import

    return xlsform.import_xlsform(body)


__all__ = ["Imported", "UnreadableImport", "import_text", "import_xlsform"]
