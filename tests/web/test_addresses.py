"""What pages read from their address, which anybody can write into a link."""

import re
from pathlib import Path

from deniable_web.packaged_files import PACKAGE

STATIC = PACKAGE / "static"
PAGE = (Path(__file__).parents[2] / "docs" / "THREAT_MODEL.md").read_text()
# What each script reads from its address, as it stands there.
READS = {
    "form/fieldwork.js": {"#code=", "#group="},
    "form/kiosk.js": {"#kiosk", "#code="},
    "manage/link.js": {"#link="},
    "manage/sign_in.js": {"#sign-in="},
    "builder/beginnings.js": {"edition", "copy"},
    "builder/drafts.js": {"lang"},
    "builder/keeping.js": {"draft"},
    "builder/main.js": {"new"},
    "builder/reader_link.js": {"#readers"},
    "results/results.js": {"edition"},
}
# What the server reads for a page; all other parameters are of requests with a token.
PAGES_READ = {"pages/organiser_frame.py": {"lang"}, "builder/routes.py": {"template", "in"}}
# They read the address of the page itself, or pass its query on to another page of this site.
NO_STATE = {
    "form/calendar.js",
    "form/served.js",
    "form/worker.js",
    "builder/publish.js",
    "embed.js",
}
SOURCES = re.compile(r"location\.(?:hash|search|href|pathname)|URLSearchParams\(location")
ELSEWHERE = re.compile(r"window\.name|document\.referrer|\bopener\b|launchQueue")
FRAME = "results/collected.js"


def scripts() -> dict[str, str]:
    """The text of every script of the pages."""
    return {str(each.relative_to(STATIC)): each.read_text() for each in STATIC.rglob("*.js")}


def test_whatever_is_read_from_an_address_is_in_the_table() -> None:
    """A script that begins to read its address says here and in the threat model what it sets."""
    readers = {name for name, text in scripts().items() if SOURCES.search(text)}
    assert readers == READS.keys() | NO_STATE
    rows = PAGE.partition("## What a link can set")[2].partition("\n## ")[0]
    shown = set(re.findall(r"`([#?][\w-]+=?)`", rows))
    named = {name for names in (*READS.values(), *PAGES_READ.values()) for name in names}
    assert {each.strip("?=#") for each in shown} == {each.strip("=#") for each in named}
    for file, names in READS.items():
        text = scripts()[file]
        assert all(name in text for name in names), file
        asked = re.findall(r"""\.(?:get|has)\("(\w+)"\)""", text)
        assert {name for name in names if name[0] != "#"} >= set(asked) & named, file


def test_the_server_reads_no_more_for_a_page() -> None:
    """What else it reads comes with a token, or from a provider, with a state of the browser."""
    for file, names in PAGES_READ.items():
        text = (PACKAGE / file).read_text()
        assert set(re.findall(r"request\.args\.get(?:list)?\(\"(\w+)\"", text)) == names


def test_no_script_listens_to_other_windows() -> None:
    """One hears its own frame, and checks that; none reads what another page has left."""
    for name, text in scripts().items():
        assert not ELSEWHERE.search(text), name
        assert ("MessageEvent" in text or '"message"' in text) == (name == FRAME), name
    assert "event.source === frame.contentWindow" in scripts()[FRAME]
