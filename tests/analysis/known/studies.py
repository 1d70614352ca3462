"""Published studies that may not be committed, read from a folder by name.

Their files are wherever DENIABLE_RR_DATA says; without it, tests that need
them are skipped. The reference results beside them are read there too.
"""

import json
import os
from functools import cache
from pathlib import Path
from typing import Any

import pandas as pd
import pytest

VARIABLE = "DENIABLE_RR_DATA"

needs_studies = pytest.mark.skipif(
    not os.environ.get(VARIABLE), reason=f"{VARIABLE} does not name the published studies' folder"
)


@cache
def study(name: str) -> pd.DataFrame:
    """The rows of a study: nigeria or minarets."""
    return pd.read_csv(_folder() / f"{name}.csv")


@cache
def references() -> dict[str, Any]:
    """The reference cases by their ids."""
    cases = json.loads((_folder() / "reference.json").read_text())["cases"]
    return {case["id"]: case for case in cases}


def reference(case: str) -> Any:
    """One reference case."""
    return references()[case]


def _folder() -> Path:
    return Path(os.environ[VARIABLE])
