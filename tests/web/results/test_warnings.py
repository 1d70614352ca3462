"""The warnings about made-up reports on the page of results and in its files."""

import random
from contextlib import closing
from pathlib import Path

from deniable_collector.settings import Settings
from deniable_collector.store import add_reports, open_store
from deniable_collector.tokens import AccessToken, Role, digest_of, make_token
from deniable_sdk import randomize
from deniable_web.site import create_site
from sample_definitions import choice, survey, yes_no


def test_warnings_of_crosstabs_reach_the_page_and_the_files(tmp_path: Path) -> None:
    """Reports that all say the same cell: the question, the crosstab, CSV and JSON warn."""
    must = {"required": True}
    published = survey(
        yes_no("a", **must), choice("b", 6, **must), crosstabs=[["a", "b"]], epsilon=4
    )
    source, token = random.Random("forged"), make_token(Role.OWNER)
    drawn = [
        randomize(published, {"a": True, "b": "o0"}, read_bytes=source.randbytes)
        for _ in range(300)
    ]
    made_up = [each.replace(values=drawn[0].values) for each in drawn]
    location = tmp_path / "forged.db"
    with closing(open_store(location)) as store:
        store.add_token(AccessToken("owner", Role.OWNER), digest_of(token))
        store.publish(published)
        add_reports(store, made_up)
        client = create_site(store, Settings()).test_client()
        headers = {"Authorization": f"Bearer {token}"}
        base = "/manage/surveys/health/results"
        page = client.get(f"{base}/content?lang=en", headers=headers).text
        files = {
            name: client.get(f"{base}/estimates.{name}", headers=headers).text
            for name in ("csv", "json")
        }
    assert 'id="w-a"' in page
    assert 'id="xw-a_x_b"' in page
    assert page.count("Something looks wrong.") >= 2
    for text in files.values():
        assert "standard errors above 1, which chance alone hardly explains" in text
