"""The site of the documentation: its texts are the repository's, and its links are checked."""

import re
import subprocess
import sys
from pathlib import Path, PurePosixPath

import pytest

ROOT = Path(__file__).parents[2]


def checked(folder: Path) -> subprocess.CompletedProcess[str]:
    """The check of a built site."""
    return subprocess.run(
        [sys.executable, ROOT / "release" / "site_links.py", folder],
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )


def write(folder: Path, **pages: str) -> None:
    """A site of these pages."""
    for name, body in pages.items():
        (folder / f"{name}.html").write_text(f"<!doctype html><title>{name}</title>{body}")


def test_a_site_whose_links_all_lead_somewhere_passes(tmp_path: Path) -> None:
    """Links to other sites are listed, not followed."""
    write(
        tmp_path,
        index='<a href="other.html#here">o</a> <a href="#top">t</a> <p id="top">',
        other='<h2 id="here">h</h2> <a href="https://elsewhere.example/x">e</a> <a href=".">i</a>',
    )
    result = checked(tmp_path)
    assert result.returncode == 0, result.stdout
    assert "2 pages, 0 problems, 1 links" in result.stdout
    assert "https://elsewhere.example/x" in result.stdout


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ('<a href="gone.html">g</a>', "links to gone.html, which is not there"),
        ('<a href="index.html#gone">g</a>', "links to index.html#gone"),
        ('<a href="#gone">g</a>', "links to #gone"),
        ('<img src="gone.png" alt="">', "links to gone.png"),
        ('<script src="https://cdn.example/x.js"></script>', "from another site"),
        ('<link rel="stylesheet" href="//fonts.example/f.css">', "from another site"),
    ],
)
def test_a_dead_link_or_another_host_fails(tmp_path: Path, body: str, said: str) -> None:
    """Of a page, of a heading, of a picture; and whatever the browser would load."""
    write(tmp_path, index=body)
    result = checked(tmp_path)
    assert result.returncode == 1
    assert said in result.stdout


def test_an_empty_folder_is_no_site(tmp_path: Path) -> None:
    """So the check does not pass on nothing."""
    assert checked(tmp_path).returncode == 1


def test_every_page_has_its_place_in_the_navigation() -> None:
    """Each once; only the decisions are in the index of their own."""
    text = (ROOT / "mkdocs.yml").read_text()
    listed = re.findall(r"^ *- (?:[^:\n]+: )?(\S+\.md)$", text, re.MULTILINE)
    pages = {
        path.relative_to(ROOT / "docs").as_posix()
        for path in (ROOT / "docs").rglob("*.md")
        if path.parent.parent != ROOT / "docs" / "decisions"
    }
    outside = {"index.md", "ARCHITECTURE.md", "CONTRIBUTING.md", "CHANGELOG.md", "SECURITY.md"}
    assert sorted(listed) == sorted(pages | outside)


def test_texts_are_translated_for_the_site(monkeypatch: pytest.MonkeyPatch) -> None:
    """Links, lists and tables; code stays as it is."""
    pytest.importorskip("mkdocs", reason="make docs installs it")
    monkeypatch.syspath_prepend(ROOT / "release")
    from site_pages import slug, translated  # noqa: PLC0415 - mkdocs may be missing

    source = PurePosixPath("docs/readers/ANALYSTS.md")
    assert (
        translated("[a](../ANALYSIS.md#which-interval)", source)
        == "[a](../ANALYSIS.md#which-interval)"
    )
    assert translated("[r](../../README.md)", source) == "[r](../index.md)"
    assert translated("[d](../decisions)", source) == "[d](../decisions/README.md)"
    assert translated("[s](https://example.org/x)", source) == "[s](https://example.org/x)"
    assert translated("[t](../../tests/conftest.py)", source).endswith("/tests/conftest.py)")
    assert "example/deniable/blob/v" in translated("[t](../../tests/conftest.py)", source)
    assert translated("[b](docs/BUILDER.md)", PurePosixPath("README.md")) == "[b](BUILDER.md)"
    picture = (
        '<picture><source srcset="docs/pictures/d.png">![p](docs/pictures/demo-light.png?raw=true)'
    )
    assert translated(picture.replace("/d.", "/demo-dark."), PurePosixPath("README.md")) == (
        '<picture><source srcset="pictures/demo-dark.png">![p](pictures/demo-light.png)'
    )
    assert translated("text\n- one\n- two", source) == "text\n\n- one\n- two"
    code = "```\ntext\n- one [x](../../tests/conftest.py)\n```"
    assert translated(code, source) == code
    assert translated("`[x](../../README.md)`", source) == "`[x](../../README.md)`"
    assert slug("What `each` type adds, and why", "-") == "what-each-type-adds-and-why"
