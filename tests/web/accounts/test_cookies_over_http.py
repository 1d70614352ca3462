"""The cookie of a session, as the server reads it from a connection."""

import http.client
import json
from contextlib import closing
from pathlib import Path
from urllib.parse import urlsplit

from live_site import live_site
from problem_checks import assert_members


def test_cookies_in_several_lines_are_all_read(tmp_path: Path) -> None:
    """As HTTP/2 may send them: a planted one does not hide behind the other."""
    with live_site(tmp_path / "site.sqlite") as site:
        parts = urlsplit(site.url)
        with closing(http.client.HTTPConnection(parts.hostname or "", parts.port)) as connection:
            connection.putrequest("POST", "/manage/session/token")
            for name, value in (
                ("Deniable-Page", "1"),
                ("Origin", site.url),
                ("Sec-Fetch-Site", "same-origin"),
                ("Content-Length", "0"),
                ("Cookie", "deniable_session=own"),
                ("Cookie", "deniable_session=planted"),
            ):
                connection.putheader(name, value)
            connection.endheaders()
            response = connection.getresponse()
            assert response.status == 400
            assert_members(json.loads(response.read()), "two-sessions")
