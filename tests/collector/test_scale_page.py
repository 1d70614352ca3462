"""docs/SCALE.md: its load balancer sends a report that is sent again to the same collector."""

from contextlib import ExitStack, closing
from pathlib import Path

import pytest

from deniable_collector import open_store
from deniable_sdk import randomize
from live_server import live_collector
from nginx_server import ask, fenced, nginx
from sample_definitions import survey, yes_no

PUBLISHED = survey(yes_no(), slug="spread")
# An odd number, so that machines in turns would get others the second time.
REPORTS = 61


@pytest.mark.deep
def test_a_report_that_is_sent_again_reaches_the_same_machine(tmp_path: Path) -> None:
    """Two collectors share the reports, none is at both, also while one is down."""
    upstream, passing = fenced("SCALE.md", "nginx")
    reports = [randomize(PUBLISHED, {}).to_bytes() for _ in range(REPORTS)]
    with ExitStack() as stack:
        collectors = [
            stack.enter_context(live_collector(tmp_path / f"{place}.sqlite")) for place in "ab"
        ]
        for place, collector in zip(("10.0.0.11:8000", "10.0.0.12:8000"), collectors, strict=True):
            assert collector.owner("POST", "/api/surveys", PUBLISHED.document).status == 201
            assert place in upstream
            upstream = upstream.replace(place, "{}:{}".format(*collector.address))
        old = "        proxy_pass http://127.0.0.1:8000;"
        port = stack.enter_context(nginx(tmp_path, (old, passing), before=upstream))

        def send() -> list[int]:
            return [ask(tmp_path, port, "/api/reports", report)[0] for report in reports]

        assert ask(tmp_path, port, f"/api/surveys/{PUBLISHED.slug}")[0] == 200
        assert send() == [201] * REPORTS
        assert send() == [200] * REPORTS
        collectors[0].stop()
        found = send()
        assert set(found) == {200, 502}
        # Pages for owners do not depend on what is sent: one machine has them.
        assert len({ask(tmp_path, port, "/manage/drafts", report)[0] for report in reports}) == 1
        assert found == send()
        collectors[1].stop()
    counts = []
    for place in "ab":
        with closing(open_store(tmp_path / f"{place}.sqlite")) as store:
            counts.append(store.count_reports(PUBLISHED.digest))
    assert counts == [found.count(502), found.count(200)]
