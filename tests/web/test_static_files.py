"""Styles and scripts: small, the same for everyone, and never a mix of two versions."""

import gzip
import json
import re
import subprocess
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from pathlib import Path
from urllib.parse import urljoin

import brotli
import pytest
from flask.testing import FlaskClient

from deniable_collector.settings import Settings
from deniable_collector.store import open_store
from deniable_web.pages import static_files as static_files_module
from deniable_web.pages.bundles import bundle
from deniable_web.pages.static_files import source, static_files
from deniable_web.site import create_site

ENTRY = "form/main.js"


@pytest.fixture
def client(tmp_path: Path) -> Iterator[FlaskClient]:
    """A site to ask for files."""
    with closing(open_store(tmp_path / "store.sqlite")) as store:
        yield create_site(store, Settings()).test_client()


def test_a_file_is_kept_for_ever_under_the_name_of_all_bytes(client: FlaskClient) -> None:
    """An address that names this version may be kept; any other is asked for again soon."""
    url = static_files().url(ENTRY)
    kept = client.get(url).headers["Cache-Control"]
    assert kept == "public, max-age=31536000, immutable"
    for other in (re.sub(r"v-\w+", "v-000000000000", url), f"/static/{ENTRY}"):
        answer = client.get(other)
        assert answer.data == client.get(url).data
        assert answer.headers["Cache-Control"] == "public, max-age=300"


@pytest.mark.parametrize(
    ("accepted", "coding", "unpacked"),
    [
        ("gzip, deflate, br, zstd", "br", brotli.decompress),
        ("br;q=0.5, gzip", "gzip", gzip.decompress),
        ("br;q=0, *", "gzip", gzip.decompress),
        ("zstd", None, bytes),
    ],
)
def test_a_file_travels_compressed_where_that_is_understood(
    client: FlaskClient, accepted: str, coding: str | None, unpacked: Callable[[bytes], bytes]
) -> None:
    """All ways give the same bytes, and say that there are several."""
    url = static_files().url(ENTRY)
    plain = client.get(url)
    packed = client.get(url, headers={"Accept-Encoding": accepted})
    assert "Content-Encoding" not in plain.headers
    assert packed.headers.get("Content-Encoding") == coding
    assert unpacked(packed.data) == plain.data
    assert (len(packed.data) < len(plain.data)) is (coding is not None)
    assert plain.headers["Vary"] == packed.headers["Vary"] == "Accept-Encoding"


def test_no_answer_can_be_recognised(client: FlaskClient) -> None:
    """There is no tag, time or cookie by which a browser that returns could be told."""
    headers = client.get(static_files().url(ENTRY)).headers
    assert not {"ETag", "Last-Modified", "Set-Cookie"} & set(headers.keys())


@pytest.mark.parametrize("page", ["/build", "/drafts", "/new", "/s/none", "/surveys"])
def test_a_page_loads_one_script(page: str, client: FlaskClient) -> None:
    """The script of a page has its imports in it, and nothing else is loaded ahead."""
    text = client.get(page).text
    assert "modulepreload" not in text
    (address,) = re.findall(r'<script type="module" src="([^"]+)"></script>', text)
    script = client.get(urljoin(page, address))
    assert (script.status_code, script.mimetype) == (200, "text/javascript")
    assert not re.search(r"^(import|export)\b", script.text, re.MULTILINE)


def test_modules_of_the_sdk_are_served_alone(client: FlaskClient) -> None:
    """Whoever uses the SDK from a page of a site imports what it needs."""
    script = client.get("/static/sdk/index.js").text
    imported = re.findall(r'\bfrom\s*"\./([^"]+)"', script)
    assert len(imported) > 5
    for name in imported:
        assert client.get(f"/static/sdk/{name}").status_code == 200


@pytest.mark.parametrize(
    "name", ["nothing.js", "../site.py", "form/", "", "form/../base.css", "form/run.js"]
)
def test_nothing_else_is_served(name: str, client: FlaskClient) -> None:
    """Other names, folders, and modules of a page's script are not found."""
    assert client.get(f"/static/{name}").status_code == 404
    assert client.get(f"/static/v-{static_files().version}/{name}").status_code == 404


def test_an_address_of_no_file_is_an_error() -> None:
    """A template that names a file that is not there fails where it is written."""
    with pytest.raises(KeyError, match=r"form/nothing\.js"):
        static_files().url("form/nothing.js")


def in_one_form(texts: Sequence[tuple[str, str]]) -> list[str]:
    """Scripts and styles as one tool writes all that do the same."""
    command = ["node", str(Path(__file__).with_name("one_form.js"))]
    return list(json.loads(subprocess.check_output(command, input=json.dumps(texts).encode())))


def test_what_is_served_does_what_was_written() -> None:
    """Comments and indentation are all that a script or a style lacks."""
    names = [name for name in static_files().files if name.endswith((".js", ".css"))]
    assert len(names) > 50
    is_page = static_files_module._ENTRIES.__contains__
    written = [bundle(name, source) if is_page(name) else source(name) for name in names]
    served = [static_files().files[name].plain.decode() for name in names]
    kinds = [name.rpartition(".")[2] for name in names]
    expected = in_one_form(list(zip(kinds, map(without_constants, written), strict=True)))
    found = in_one_form(list(zip(kinds, served, strict=True)))
    for name, one, other in zip(names, expected, found, strict=True):
        assert one == other, name
    assert not [name for name, text in zip(names, served, strict=True) if "/**" in text]
    assert not [name for name, text in zip(names, served, strict=True) if "\n " in text]


def without_constants(text: str) -> str:
    """A script whose constants are variables, as they are served."""
    return re.sub(r"\bconst ", "let ", text)
