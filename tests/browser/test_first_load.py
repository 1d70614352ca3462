"""What a phone has to load before the first question."""

from collections.abc import Iterator
from contextlib import closing

import pytest
from playwright.sync_api import BrowserContext

from deniable_collector.store import open_store
from deniable_web.definition.file import read_definition
from deniable_web.packaged_files import example_folder
from live_site import LiveSite, live_site
from wire import first_load

LIMIT_BYTES = 60_000


@pytest.fixture
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[LiveSite]:
    """A site with the survey of the demo."""
    store = tmp_path_factory.mktemp("load") / "site.sqlite"
    with closing(open_store(store)) as opened:
        opened.publish(read_definition(example_folder("health") / "survey.yaml").compile())
    with live_site(store) as running:
        yield running


def test_the_first_load_is_small(context: BrowserContext, site: LiveSite) -> None:
    """All bytes of all answers, headers and the worker among them, are fewer than 60,000."""
    found = first_load(context, f"{site.url}/s/health")
    assert sum(found.values()) < LIMIT_BYTES, found
    assert len(found) <= 7, found
