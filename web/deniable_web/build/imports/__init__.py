"""Surveys of other programs as definitions, with a report of what was lost on the way."""

from deniable_web.build.imports.imported import Imported, UnreadableImport
from deniable_web.build.imports.text import import_text
from deniable_web.build.imports.xlsform import import_xlsform

__all__ = ["Imported", "UnreadableImport", "import_text", "import_xlsform"]
