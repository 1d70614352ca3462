"""A collector with the survey of the examples, and a browser that goes to their pages."""

import pytest
from playwright.sync_api import BrowserContext

from browser_examples import Checker
from deniable_sdk import PublishedSurvey
from example_apps import PUBLISHED


@pytest.fixture
def survey() -> PublishedSurvey:
    """What the examples ask."""
    return PUBLISHED


@pytest.fixture
def faults(context: BrowserContext) -> list[str]:
    """What a page complains of: scripts that fail, a policy that is broken."""
    said: list[str] = []
    context.on("weberror", lambda error: said.append(str(error.error)))
    context.on("console", lambda line: said.append(line.text) if line.type == "error" else None)
    return said


@pytest.fixture
def accessible(request: pytest.FixtureRequest) -> Checker:
    """Fails unless axe finds nothing on the page, on a phone and on a desktop."""
    return Checker(request.node.name)
