"""Parameters of which `make test` takes some, and `make deep` the others."""

from collections.abc import Iterable
from typing import Any

import pytest


def sampled_params(values: Iterable[Any], every: int = 2) -> list[Any]:
    """The first value, and each so many after it; those between only when deep."""
    return [
        pytest.param(value, marks=pytest.mark.deep if index % every else ())
        for index, value in enumerate(values)
    ]
