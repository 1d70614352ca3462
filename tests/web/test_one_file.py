"""The form in one file: the same bytes everywhere, nothing loaded, and checked on its page."""

import gzip
import hashlib
import os
import re
import subprocess
import sys
from base64 import b64encode
from collections.abc import Iterator
from contextlib import closing
from html import unescape
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from deniable_collector.settings import Settings
from deniable_collector.store import open_store
from deniable_sdk import PublishedSurvey, compile_survey
from deniable_sdk.addresses import InvalidAddress
from deniable_sdk.tokens import base64url
from deniable_web.commands import run
from deniable_web.definition.file import read_definition
from deniable_web.packaged_files import example_folder
from deniable_web.pages.form import one_file
from deniable_web.pages.form.one_file import OneFileForm, own_version
from deniable_web.pages.form.rendering import issuer_of
from deniable_web.pages.languages import CODES, catalog
from deniable_web.site import create_site
from doc_pages import DOCS
from live_site import live_site
from sample_definitions import definition, yes_no

COLLECTOR = "https://collector.example.org"
ISSUER = "https://council.example.org/issuer"
# What would end an attribute, a script or a page.
HOSTILE = "</script><script>alert(1)</script>\"'<!-- &quot; \u2028 end"
MAKE = (
    "import sys; from pathlib import Path; from deniable_sdk import PublishedSurvey; "
    "from deniable_web.pages.form.one_file import OneFileForm; "
    "survey = PublishedSurvey.from_bytes(Path(sys.argv[1]).read_bytes()); "
    "print(OneFileForm.of(survey, sys.argv[2]).sha256)"
)


def by_invitation() -> PublishedSurvey:
    """A survey whose devices ask an issuer, with a window."""
    group = {"invited": 40, "modulus": base64url(b"\xff" * 256)}
    invited = {"issuer": ISSUER, "groups": {"nurses": group}}
    return compile_survey(definition(yes_no(), slug="wards", invited=invited))


def health() -> PublishedSurvey:
    """The survey of the demo, with texts in several languages."""
    return read_definition(example_folder("health") / "survey.yaml").compile()


def text_of(survey: PublishedSurvey, collector: str = COLLECTOR) -> str:
    """The text of the file."""
    return OneFileForm.of(survey, collector).body.decode()


@pytest.mark.parametrize("seed", ["0", "1"])
def test_another_process_makes_the_same_bytes(tmp_path: Path, seed: str) -> None:
    """Whatever the order of sets, the folder, the language and the time zone are."""
    survey = health()
    published = tmp_path / "published.json"
    published.write_bytes(survey.document)
    odd = {"PYTHONHASHSEED": seed, "LANG": "tr_TR.UTF-8", "LC_ALL": "C", "TZ": "Asia/Kolkata"}
    made = subprocess.run(
        [sys.executable, "-c", MAKE, str(published), COLLECTOR],
        env=os.environ | odd, cwd=tmp_path, capture_output=True, text=True, check=True,
    )  # fmt: skip
    assert made.stdout.strip() == OneFileForm.of(survey, COLLECTOR).sha256
    assert OneFileForm.of(survey, COLLECTOR).body == OneFileForm.of(survey, COLLECTOR).body


def test_each_part_of_its_origin_changes_it() -> None:
    """Another survey or another collector is another file; another spelling of it is not."""
    first = OneFileForm.of(health(), COLLECTOR)
    assert OneFileForm.of(health(), "HTTPS://collector.example.org:443/").body == first.body
    others = (
        OneFileForm.of(by_invitation(), COLLECTOR),
        OneFileForm.of(health(), "https://other.example.org"),
    )
    assert len({each.sha256 for each in (first, *others)}) == 3
    assert first.sha256 == hashlib.sha256(first.body).hexdigest()
    assert (first.name, issuer_of(first.survey), issuer_of(others[0].survey)) == (
        "health.html",
        "",
        ISSUER,
    )


def test_an_address_that_is_none_is_refused() -> None:
    """Nothing but an address can get into the policy."""
    with pytest.raises(InvalidAddress, match=r"got 'x\.org; script-src \*'; allowed is"):
        OneFileForm.of(health(), "x.org; script-src *")
    policy = policy_of(text_of(health(), "https://x.org/;script-src,a"))
    assert policy["connect-src"] == ["https://x.org/%3Bscript-src%2Ca/api/"]


def policy_of(page: str) -> dict[str, list[str]]:
    """The directives of the page's policy."""
    found = re.search(r'<meta http-equiv="Content-Security-Policy" content="([^"]*)">', page)
    assert found
    assert page.index(found[0]) < min(page.index("<style"), page.index("<script"))
    directives = [part.split() for part in unescape(found[1]).split("; ")]
    return {name: sources for name, *sources in directives}


def hashes(page: str, tag: str) -> list[str]:
    """The hashes of all inline elements of a kind, as a policy writes them."""
    bodies = re.findall(rf"<{tag}\b[^>]*>(.*?)</{tag}", page, re.DOTALL | re.IGNORECASE)
    return [
        f"'sha256-{b64encode(hashlib.sha256(body.encode()).digest()).decode()}'" for body in bodies
    ]


@pytest.mark.parametrize("make", [health, by_invitation])
def test_the_policy_allows_what_is_inside_and_two_servers(make: object) -> None:
    """Scripts and styles by their hashes, and only the interfaces of collector and issuer."""
    assert callable(make)
    survey = make()
    page = text_of(survey)
    assert policy_of(page) == {
        "default-src": ["'none'"],
        "script-src": hashes(page, "script"),
        "style-src": hashes(page, "style"),
        "img-src": ["data:"],
        "connect-src": [f"{COLLECTOR}/api/", *([f"{ISSUER}/api/"] if survey.invited else [])],
        "base-uri": ["'none'"],
        "form-action": ["'none'"],
    }
    assert len(hashes(page, "script")) == len(hashes(page, "style")) == 1


def test_nothing_in_it_is_loaded() -> None:
    """No element has the address of a file, and no script imports one."""
    page = text_of(by_invitation())
    markup = re.sub(r"<script.*?</script>", "", page, flags=re.DOTALL)
    assert re.findall(r"<(?:link|img|script|iframe|object)\b[^>]*", markup) == [
        markup[markup.index("<link") : markup.index(">", markup.index("<link"))]
    ]
    assert '<link rel="icon" href="data:image/svg+xml;base64,' in markup
    assert "/static/" not in page
    script = page[page.index("<script") : page.index("</script>")]
    assert not re.search(r"^\s*(?:import|export)\b", script, re.MULTILINE)
    assert "serviceWorker" not in script
    assert {*re.findall(r'href="(https?:[^"]*)"', markup)} == {f"{COLLECTOR}/s/wards/code"}


def test_its_script_can_be_read() -> None:
    """Modules are inside as they are in the repository, with their comments."""
    page = text_of(health())
    assert "/** One respondent at the form, from the first question" in page
    assert "  static async open(place, changed) {\n" in page


def test_texts_of_a_survey_stay_texts() -> None:
    """Whatever an author writes, the survey inside is the published one byte by byte."""
    survey = compile_survey(definition(yes_no(), introduction=HOSTILE))
    page = text_of(survey)
    found = re.search(r' data-document="([^"]*)"', page)
    assert found
    assert unescape(found[1]).encode() == survey.document
    assert len(re.findall(r"<script", page)) == 1


@pytest.mark.parametrize("text", ["a</SCRIPT >", "</style", "<!-- x"])
def test_what_would_end_a_script_is_refused(text: str) -> None:
    """A page would read it in another way than the module."""
    with pytest.raises(ValueError, match="in a script or a style; write it with a backslash"):
        one_file._inline(text)


@pytest.fixture
def client(tmp_path: Path) -> Iterator[FlaskClient]:
    """A site under a public address, with an open and a closed survey."""
    with closing(open_store(tmp_path / "store.sqlite")) as store:
        store.publish(health())
        store.publish(compile_survey(definition(slug="closed")))
        store.close_survey("closed")
        yield create_site(store, Settings(address=COLLECTOR)).test_client()


def test_the_page_offers_the_file_and_says_its_sha256(client: FlaskClient) -> None:
    """In five languages, with all that the file is made from."""
    form = OneFileForm.of(health(), COLLECTOR)
    page = client.get("/s/health/code").text
    facts = (form.sha256, str(len(form.body)), health().digest, own_version(), COLLECTOR)
    for said in (*facts, f"deniable form health --collector {COLLECTOR}", "sha256sum health.html"):
        assert said in page
    for code in health().languages:
        assert catalog("form", code)["code"]["title"] in page
    file = client.get("/s/health/form.html")
    assert file.data == form.body
    assert file.headers["Content-Disposition"] == 'attachment; filename="health.html"'
    assert gzip.decompress(
        client.get("/s/health/form.html", headers={"Accept-Encoding": "gzip"}).data
    ) == file.data  # fmt: skip


def test_the_page_is_the_same_for_everyone(client: FlaskClient) -> None:
    """Above all the address: nobody can put another one into it by a request."""
    asked: list[dict[str, str]] = [
        {"Host": "evil.example"},
        {"X-Forwarded-Host": "evil.example", "Forwarded": "host=evil.example"},
        {},
    ]
    for path in ("/s/health/code", "/s/health/form.html"):
        answers = [client.get(path, headers=headers) for headers in asked]
        assert len({answer.data for answer in answers}) == 1
        assert b"evil" not in answers[0].data


def test_a_closed_survey_still_has_its_code(client: FlaskClient) -> None:
    """Whoever has kept the file can still compare it; what never was has none."""
    assert client.get("/s/closed/code").status_code == 200
    assert client.get("/s/closed/form.html").status_code == 200
    assert client.get("/s/nothing/code").status_code == 404
    assert client.get("/s/nothing/form.html").status_code == 404


def test_without_a_public_address_the_page_says_so(tmp_path: Path) -> None:
    """There is no file then, and the page names the setting."""
    with closing(open_store(tmp_path / "store.sqlite")) as store:
        store.publish(compile_survey(definition(slug="plain")))
        client = create_site(store, Settings()).test_client()
        page = client.get("/s/plain/code")
        missing = client.get("/s/plain/form.html")
    assert (page.status_code, missing.status_code) == (200, 404)
    assert page.data == missing.data
    for code in CODES:
        assert catalog("form", code)["code"]["unset_title"] in page.text
    assert "DENIABLE_ADDRESS" in page.text
    assert "form.html" not in page.text


def test_every_form_links_to_its_code(client: FlaskClient) -> None:
    """The form that is served, and the file; a draft's preview has none yet."""
    assert '<a href="../s/health/code">' in client.get("/s/health").text
    assert f'<a href="{COLLECTOR}/s/health/code">' in text_of(health())


def test_the_command_writes_the_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """From a collector or from the published document: the same file, and its SHA-256."""
    monkeypatch.chdir(tmp_path)
    survey = health()
    (tmp_path / "published.json").write_bytes(survey.document)
    with live_site(tmp_path / "site.sqlite", survey) as site:
        assert run(["form", "health", "--collector", site.url]) == 0
        printed = capsys.readouterr()
    assert run(["form", "published.json", "--collector", site.url, "-o", "other.html"]) == 0
    form = OneFileForm.of(survey, site.url)
    assert (tmp_path / "health.html").read_bytes() == form.body
    assert (tmp_path / "other.html").read_bytes() == form.body
    assert printed.out == f"{form.sha256}  health.html\n"
    assert survey.digest in printed.err
    checked = subprocess.run(
        ["sha256sum", "-c"], input=printed.out, capture_output=True, text=True, check=True
    )
    assert checked.stdout == "health.html: OK\n"


def test_everything_on_the_page_of_the_docs_works(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """The commands of docs/ONE_FILE.md make and compare the same file."""
    monkeypatch.chdir(tmp_path)
    page = (DOCS / "ONE_FILE.md").read_text()
    shown = [
        line.split()
        for block in re.findall(r"```sh\n(.*?)```", page, re.DOTALL)
        for line in block.splitlines()
    ]
    with live_site(tmp_path / "site.sqlite", by_invitation()) as site:
        for command, *arguments in shown:
            local = [site.url if "://" in each else each for each in arguments]
            if command == "deniable":
                assert run(local) == 0
            else:
                subprocess.run([command, *local], check=True)
    assert len(shown) == 4
    assert Path("mine.html").read_bytes() == Path("wards.html").read_bytes()
    said = capsys.readouterr()
    (written,) = re.findall(r"^Written: wards.html, [\d,]+ bytes, by (.*)$", page, re.MULTILINE)
    assert f"by {written}\n" in said.err
