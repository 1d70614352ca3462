"""The schema of definitions for editors, and what the SDK says of a definition."""

import json
from pathlib import Path

import jsonschema

from deniable_sdk import InvalidDefinition, compile_survey
from sample_definitions import Document

ROOT = Path(__file__).parents[2]
SCHEMA = json.loads((ROOT / "docs" / "definition.schema.json").read_text())
VALIDATOR = jsonschema.Draft202012Validator(SCHEMA)


def invited(a: object = None, **changed: object) -> Document:
    """Who is invited, with one group `a`, and keys that are changed."""
    groups: Document = {"a": {"invited": 20} if a is None else a}
    return {"issuer": "https://a.b", "groups": groups, **changed}


def is_legal(document: object) -> bool:
    """Whether the SDK makes a survey of it."""
    try:
        compile_survey(document)
    except InvalidDefinition:
        return False
    return True
