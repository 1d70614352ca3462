"""Requests of the builder's page, read within limits."""

import json
import math
from collections.abc import Mapping
from typing import Any, Final

from werkzeug.exceptions import RequestEntityTooLarge

from deniable_collector.errors import Refused
from deniable_collector.responses import read_body

# Two hundred questions with texts in five languages need about a fifth of this.
MOST_BYTES: Final = 1 << 20
MOST_RESPONDENTS: Final = 10**12


def read_bytes() -> bytes:
    """The body of the request.

    Raises:
        Refused: the body is longer than any definition should be.
    """
    try:
        return read_body(MOST_BYTES)
    except RequestEntityTooLarge:
        raise Refused.because(
            "body-too-large",
            f"A definition may have at most {MOST_BYTES:,} bytes; remove questions, or shorten "
            "its texts.",
        ) from None


def read_document() -> Mapping[str, Any]:
    """The JSON object in the body.

    Raises:
        Refused: the body is not a JSON object.
    """
    try:
        document = json.loads(read_bytes())
    except (ValueError, RecursionError):
        raise Refused.because(
            "not-json", "The body is not readable JSON; send a definition in it."
        ) from None
    if not isinstance(document, dict):
        raise refuse("got a body that is not an object; send an object with the key definition")
    return document


def read_draft(document: Mapping[str, Any]) -> dict[str, Any]:
    """The draft, and the number of respondents and the margin that a forecast is wanted for.

    Raises:
        Refused: they are not possible numbers.
    """
    respondents, margin = document.get("respondents", 1000), document.get("margin", 0.05)
    if type(respondents) is not int or not 1 <= respondents <= MOST_RESPONDENTS:
        raise refuse(f"respondents: allowed is a whole number from 1 to {MOST_RESPONDENTS:,}")
    if type(margin) not in (int, float) or not math.isfinite(margin) or not 0 < margin < 1:
        raise refuse("margin: allowed is a number above 0 and below 1, like 0.05")
    return {
        "definition": document.get("definition"),
        "respondents": respondents,
        "margin": float(margin),
    }


def refuse(reason: str) -> Refused:
    """The refusal of a draft, for a reason in words."""
    return Refused.because("invalid-definition", f"Not done: {reason}.")
