"""Findings of a survey whose texts look like formulas."""

from pathlib import Path

import pytest

from deniable_web.results.findings import EditionFindings
from hostile_texts import hostile_findings


@pytest.fixture(scope="package")
def hostile(tmp_path_factory: pytest.TempPathFactory) -> EditionFindings:
    """Counted and estimated once."""
    return hostile_findings(Path(tmp_path_factory.mktemp("hostile")) / "store.sqlite")
