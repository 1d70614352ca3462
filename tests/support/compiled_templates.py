"""Templates of pages that one process of the tests compiles for all."""

from pathlib import Path

from flask import Flask
from jinja2 import FileSystemBytecodeCache

_FOLDER = Path(__file__).parents[2] / ".venv" / "bytecode" / "templates"


def keep_compiled_templates() -> None:
    """Let every site of this process use them; another text of a template is compiled anew."""
    _FOLDER.mkdir(parents=True, exist_ok=True)
    Flask.jinja_options = {"bytecode_cache": FileSystemBytecodeCache(str(_FOLDER))}
