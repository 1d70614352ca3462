"""docs/REFERENCE_PYTHON.md is what the docstrings say."""

import re

import deniable_sdk
from client_sdk.python.reference import PAGE, reference


def test_the_page_is_what_the_docstrings_say() -> None:
    """Whoever changes a docstring makes the page anew: run reference.py."""
    assert PAGE.read_text() == reference(), "run python tests/client_sdk/python/reference.py"


def test_everything_public_is_told() -> None:
    """Each public name of the SDK has a heading and a sentence."""
    page = reference()
    for name in deniable_sdk.__all__:
        told = re.search(rf"^### {name}\n```\n.*?\n```\n(\S.*)$", page, re.MULTILINE | re.DOTALL)
        assert told, name
