"""The Python package as it is published: what is in it, and what a new installation can do.

It is built here, from the source distribution, as `pip install` would. If the variable
DENIABLE_BUILT names a folder, the packages there are checked instead: a release does this.
"""

import email
import email.message
import os
import re
import subprocess
import sys
import sysconfig
import tarfile
import venv
import zipfile
from pathlib import Path
from urllib.parse import urlsplit

import pytest

ROOT = Path(__file__).parents[2]
PACKAGES = {
    "deniable",
    "deniable_analysis",
    "deniable_collector",
    "deniable_issuer",
    "deniable_sdk",
    "deniable_storage",
    "deniable_web",
}
# By the folder in the wheel, the folder in the repository.
FOLDERS = {
    "deniable": "face/deniable",
    "deniable_sdk": "client_sdk/python/deniable_sdk",
    "deniable_collector": "collector/deniable_collector",
    "deniable_issuer": "collector/deniable_issuer",
    "deniable_storage": "collector/deniable_storage",
    "deniable_analysis": "analysis/deniable_analysis",
    "deniable_web": "web/deniable_web",
    "deniable_web/static/sdk": "client_sdk/javascript/src",
}
EXAMPLES = {
    f"deniable_web/examples/{name}/survey.yaml": f"examples/{name}/survey.yaml"
    for name in ("health", "invited")
}
# 1.7 and 4.63 MB; the table of real answers would be another 0.4 MB unpacked.
MOST_BYTES, MOST_UNPACKED = 1_800_000, 4_630_000


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with the source distribution and the wheel that was built from it."""
    if "DENIABLE_BUILT" in os.environ:
        return Path(os.environ["DENIABLE_BUILT"])
    folder = tmp_path_factory.mktemp("built")
    command = [sys.executable, "-m", "build", "--no-isolation", "--outdir", str(folder), str(ROOT)]
    subprocess.run(command, check=True, capture_output=True, timeout=300)
    return folder


@pytest.fixture(scope="module")
def wheel(built: Path) -> Path:
    """The wheel."""
    (found,) = built.glob("*.whl")
    return found


@pytest.fixture(scope="module")
def metadata(wheel: Path) -> email.message.Message:
    """What an index shows of the package."""
    with zipfile.ZipFile(wheel) as archive:
        (name,) = (name for name in archive.namelist() if name.endswith(".dist-info/METADATA"))
        return email.message_from_bytes(archive.read(name))


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A new environment with the wheel and no other package."""
    folder = tmp_path_factory.mktemp("installed")
    venv.create(folder, symlinks=True)
    command = [sys.executable, "-m", "pip", "--python", str(folder), "install", "--quiet"]
    subprocess.run([*command, "--no-deps", "--no-index", str(wheel)], check=True, timeout=300)
    return folder


@pytest.fixture(scope="module")
def with_extras(installed: Path) -> Path:
    """The same environment; what the extras require is found beside these tests."""
    (site,) = installed.glob("lib/python*/site-packages")
    (site / "required.pth").write_text(sysconfig.get_path("purelib"))
    return installed


def _run(environment: Path, folder: Path, *command: str) -> subprocess.CompletedProcess[str]:
    program = str(environment / "bin" / command[0])
    return subprocess.run(
        [program, *command[1:]],
        cwd=folder, capture_output=True, text=True, check=False, timeout=300,
        env={"PATH": os.environ["PATH"], "HOME": str(folder)},
    )  # fmt: skip


def _tracked() -> set[str]:
    listed = ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"]
    names = subprocess.run(listed, cwd=ROOT, check=True, capture_output=True, text=True).stdout
    return {name for name in names.split("\0") if (ROOT / name).is_file()}


def test_the_wheel_has_the_packages_and_nothing_else(wheel: Path) -> None:
    """Each file is one of the repository's, byte for byte; no table of answers, no test."""
    with zipfile.ZipFile(wheel) as archive:
        found = {
            info.filename: archive.read(info)
            for info in archive.infolist()
            if ".dist-info/" not in info.filename
        }
    expected = {
        f"{packaged}/{name.removeprefix(f'{folder}/')}": name
        for packaged, folder in FOLDERS.items()
        for name in _tracked()
        if name.startswith(f"{folder}/")
    } | EXAMPLES
    assert set(found) == set(expected)
    assert {name.partition("/")[0] for name in found} == PACKAGES
    for packaged, name in expected.items():
        assert found[packaged] == (ROOT / name).read_bytes(), packaged
    assert not [name for name in found if name.endswith((".csv", ".sqlite")) or "test_" in name]
    assert {f"{package}/py.typed" for package in PACKAGES} <= set(found)
    assert wheel.stat().st_size < MOST_BYTES
    assert sum(map(len, found.values())) < MOST_UNPACKED


def test_the_source_distribution_has_all_files(built: Path) -> None:
    """Everything that git has is in it, with the tests and the real answers."""
    (found,) = built.glob("*.tar.gz")
    with tarfile.open(found) as archive:
        names = {name.partition("/")[2] for name in archive.getnames()}
    assert _tracked() <= names


def test_links_on_the_index_lead_to_files_of_this_version(
    metadata: email.message.Message,
) -> None:
    """No link of the shown README is relative, and each leads to a file that there is."""
    urls = dict(url.split(", ", 1) for url in metadata.get_all("Project-URL", []))
    assert set(urls) == {"Repository", "Documentation", "Changelog", "Issues"}
    start = f"{urls['Repository']}/blob/v{metadata['Version']}/"
    assert urls["Changelog"] == f"{start}CHANGELOG.md"
    text = bytes(metadata.get_payload(decode=True)).decode("utf-8")
    links = re.findall(r"\]\(([^)\s]+)\)", text)
    assert len(links) > 20
    for link in links:
        assert link.startswith(start), link
        assert (ROOT / urlsplit(link.removeprefix(start)).path).exists(), link
    readme = (ROOT / "README.md").read_text(encoding="utf-8")
    assert text.replace(start, "").strip() == readme.strip()
    assert metadata["Description-Content-Type"] == "text/markdown"


def test_who_made_it_and_for_whom_is_said(metadata: email.message.Message) -> None:
    """The metadata has authors, a license and classifiers, and the SDK requires nothing."""
    assert metadata["Author"] == "The deniable developers"
    assert metadata["License-Expression"] == "Apache-2.0"
    assert len(metadata.get_all("Classifier", [])) > 10
    required = metadata.get_all("Requires-Dist", [])
    assert required
    assert [each for each in required if "extra ==" not in each] == []


def test_the_documents_name_every_extra(metadata: email.message.Message) -> None:
    """The table in INSTALLING.md has a row for each extra that people install."""
    page = (ROOT / "docs" / "INSTALLING.md").read_text(encoding="utf-8")
    rows = set(re.findall(r"^\| `deniable\[([\w-]+)\]` \|", page, re.MULTILINE))
    assert rows == set(metadata.get_all("Provides-Extra", [])) - {"dev"}


FIRST_USE = """
import sys
import deniable

survey = deniable.compile_survey({
    "title": "Health", "slug": "health", "epsilon": 1,
    "questions": [{"id": "asthma", "type": "yes_no", "text": "Do you have asthma?"}],
})
deniable.check_report(deniable.randomize(survey, {"asthma": True}), survey)
client = deniable.open_client("http://127.0.0.1:1", consent=True)
client.shut_down()
print(deniable.__version__, len(dir(deniable)))
help(deniable)
try:
    from deniable import open_study
except deniable.DeniableError as error:
    print(type(error).__name__, error)
"""


@pytest.mark.deep
def test_the_package_alone_randomizes_and_names_the_missing_extra(
    installed: Path, tmp_path: Path, metadata: email.message.Message
) -> None:
    """Without any other package, `import deniable` is the SDK; results name their extra."""
    ran = _run(installed, tmp_path, "python", "-c", FIRST_USE)
    assert ran.returncode == 0, ran.stderr
    lines = ran.stdout.splitlines()
    assert lines[0] == f"{metadata['Version']} 11"
    assert (
        "    deniable - Ask sensitive questions without anyone ever seeing the answers." in lines
    )
    assert re.fullmatch(
        r"AnalysisMissing deniable_analysis needs the package \w+, which is not installed; "
        r"run: pip install 'deniable\[analysis\]'",
        lines[-1],
    )


def test_the_command_alone_names_the_missing_extra(installed: Path, tmp_path: Path) -> None:
    """Without the extra for the commands, `deniable` says which to install."""
    ran = _run(installed, tmp_path, "deniable", "--help")
    assert ran.returncode == 1
    assert re.fullmatch(
        r"Error: the command needs the package \w+, which is not installed; "
        r"run: pip install 'deniable\[web\]'\n",
        ran.stderr,
    )


@pytest.mark.deep
def test_the_demo_runs_on_invented_answers_and_says_so(with_extras: Path, tmp_path: Path) -> None:
    """From the wheel, with the extras, the whole path runs over HTTP without sample data."""
    helped = _run(with_extras, tmp_path, "deniable", "--help")
    assert (helped.returncode, helped.stderr) == (0, "")
    ran = _run(with_extras, tmp_path, "deniable", "demo", "--format", "json")
    assert ran.returncode == 0, ran.stderr
    assert "answers of 20,190 people are invented" in ran.stderr
    assert '"reports": 20190' in ran.stdout


TYPED_APP = """
import deniable

client: deniable.Client = deniable.open_client("https://h", consent=True)
survey: deniable.PublishedSurvey = client.get_survey("stress")
report: deniable.Report = deniable.randomize(survey, {"stress": 4})
print(deniable.open_study("deniable.sqlite").estimate().reports)
slug: int = survey.slug
"""


@pytest.mark.deep
def test_an_app_has_the_types_of_the_installed_package(with_extras: Path, tmp_path: Path) -> None:
    """A strict type checker finds the one fault of an app, in the installed packages' types."""
    (tmp_path / "app.py").write_text(TYPED_APP)
    command = [sys.executable, "-m", "mypy", "--strict", "--config-file", "", "app.py"]
    ran = subprocess.run(
        [*command, "--python-executable", str(with_extras / "bin" / "python")],
        cwd=tmp_path, capture_output=True, text=True, check=False, timeout=300,
    )  # fmt: skip
    assert ran.stdout.splitlines()[0].startswith("app.py:8: error: Incompatible types in assignm")
    assert ran.stdout.splitlines()[-1].startswith("Found 1 error in 1 file ")


@pytest.mark.deep
def test_the_demo_of_a_survey_by_invitation_runs_from_the_wheel(
    with_extras: Path, tmp_path: Path
) -> None:
    """Issuer and collector of an installed package run the whole survey by invitation."""
    ran = _run(with_extras, tmp_path, "deniable", "demo", "--invited", "--format", "json")
    assert ran.returncode == 0, ran.stderr
    assert "answers of 20,190 people are invented" in ran.stderr
    assert '"reports": 264' in ran.stdout
