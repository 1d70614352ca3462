"""deniable invite and deniable remind with files of links and slips."""

import os
import re
import signal
import subprocess
import sys
from collections import Counter
from contextlib import closing
from pathlib import Path

import pytest

from deniable_collector.store import open_store
from deniable_issuer.codes import codes_in, make_code
from deniable_web.commands import run
from live_issuer import by_invitation, signing_key
from live_site import live_site
from organiser import ANNA, BEN, CARLA, COLLECTOR, Organiser
from sample_definitions import survey

CODE = r"[A-Z2-7]{4}(-[A-Z2-7]{4}){3}"
TWO = [f"{ANNA},nurses", f"{BEN},doctors"]


@pytest.fixture
def organiser(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Organiser:
    """A folder with a store and a survey."""
    monkeypatch.chdir(tmp_path)
    return Organiser(tmp_path, capsys)


def test_links_for_people_with_and_without_contact(organiser: Organiser) -> None:
    """Everybody has one code of their group, in a link whose fragment alone has it."""
    organiser.list_people([*TWO, ",nurses", ",nurses"])
    ended = organiser.invite("--links", "links.csv")
    assert ended.code == 0, ended.err
    rows = organiser.links()
    assert Counter((row["contact"], row["group"]) for row in rows) == Counter(
        {(ANNA, "nurses"): 1, (BEN, "doctors"): 1, ("", "nurses"): 2}
    )
    for row in rows:
        address, _, fragment = row["link"].partition("#")
        assert address == f"{COLLECTOR}/s/wards"
        assert re.fullmatch(f"code={CODE}", fragment)
        assert organiser.knows(fragment.removeprefix("code="))
    assert organiser.states() == {ANNA: "sent", BEN: "sent", None: None}
    assert ended.groups["nurses"] | {"unclear": 0} == {
        "group": "nurses",
        "invited": 40,
        "codes": 3,
        "collected": 0,
        "pending": 0,
        "sent": 1,
        "reminded": 0,
        "unclear": 0,
        "signed-in": 0,
    }
    assert os.stat("links.csv").st_mode & 0o777 == 0o600  # noqa: PTH116 - as operators see it
    assert "people" in ended.out
    assert not any(code in ended.out + ended.err for code in organiser.codes().values())


def test_again_makes_codes_for_new_people_only(organiser: Organiser) -> None:
    """A list that grew brings codes for those who were added, with contact or without."""
    organiser.list_people([*TWO, ",nurses"])
    organiser.invite("--links", "links.csv")
    before = organiser.codes()
    same = organiser.invite("--links", "links.csv")
    assert same.code == 0
    organiser.list_people(
        [ANNA.upper() + ",nurses", f"{BEN},doctors", f"{CARLA},nurses", *[",nurses"] * 3]
    )
    assert "exists already" in organiser.invite("--links", "links.csv").err
    assert organiser.groups() == {"nurses": 3, "doctors": 1}
    ended = organiser.invite("--links", "more.csv")
    assert ended.code == 0
    assert Counter(row["contact"] for row in organiser.links("more.csv")) == {CARLA: 1, "": 2}
    assert organiser.groups() == {"nurses": 5, "doctors": 1}
    assert all(map(organiser.knows, before.values()))


def test_a_dry_run_changes_nothing(organiser: Organiser) -> None:
    """It prints how many people are new, and writes no file and no row."""
    organiser.list_people([*TWO, ",nurses"])
    ended = organiser.invite("--links", "links.csv", "--slips", "slips.html", "--dry-run")
    assert ended.code == 0
    assert [(row["on the list"], row["new"]) for row in ended.groups.values()] == [(2, 2), (1, 1)]
    assert organiser.groups() == {}
    assert sorted(path.name for path in organiser.folder.iterdir()) == sorted(
        ["issuer.sqlite", "people.csv", "wards.json"]
    )
    organiser.invite("--links", "links.csv")
    again = organiser.invite("--links", "more.csv", "--dry-run")
    assert [row["new"] for row in again.groups.values()] == [0, 0]
    assert "2 people would get a new code" in organiser.remind("--links", "x.csv", "--dry-run").err
    assert organiser.states()[ANNA] == "sent"


def test_more_people_than_invited_are_refused(organiser: Organiser) -> None:
    """The number in the published survey is a promise; it counts everybody with a code."""
    organiser.list_people([",doctors"] * 25)
    assert organiser.invite("--links", "links.csv").code == 0
    organiser.list_people([*[",doctors"] * 25, f"{ANNA},doctors"])
    for options in (("--links", "more.csv"), ("--links", "more.csv", "--dry-run")):
        ended = organiser.invite(*options)
        assert ended.code == 1
        assert (
            "more people than the published survey says are invited: doctors (26 people, 25"
            in (ended.err)
        )
    assert organiser.groups() == {"doctors": 25}
    assert not (organiser.folder / "more.csv").exists()


def test_nobody_changes_the_group(organiser: Organiser) -> None:
    """A person with a code of one group cannot get one of another."""
    organiser.list_people(TWO)
    organiser.invite("--links", "links.csv")
    organiser.list_people([f"{ANNA},doctors"])
    ended = organiser.invite("--links", "more.csv")
    assert ended.code == 1
    assert "line 2: this person has a code of another group already" in ended.err
    assert ANNA not in ended.err


def test_a_reminder_replaces_the_code_once(organiser: Organiser) -> None:
    """Who has collected keeps everything; all others get another code, and only once."""
    organiser.list_people([*TWO, f"{CARLA},nurses", ",nurses"])
    organiser.invite("--links", "links.csv")
    first = organiser.codes()
    organiser.collect(first[BEN])
    ended = organiser.remind("--links", "second.csv")
    assert ended.code == 0
    second = organiser.codes("second.csv")
    assert second.keys() == {ANNA, CARLA}
    for contact, code in second.items():
        assert code != first[contact]
        assert organiser.knows(code)
        assert not organiser.knows(first[contact])
    assert organiser.knows(first[BEN])
    assert organiser.knows(first[""])
    assert organiser.states() == {ANNA: "reminded", CARLA: "reminded", BEN: "sent", None: None}
    assert organiser.groups() == {"nurses": 3, "doctors": 1}
    third = organiser.remind("--links", "third.csv")
    assert third.code == 0
    assert not (organiser.folder / "third.csv").exists()
    assert all(map(organiser.knows, second.values()))
    organiser.collect(second[ANNA])


def test_only_some_are_reminded(organiser: Organiser) -> None:
    """Whoever says that nothing came gets one more code, also for the second time."""
    organiser.list_people([*TWO, f"{CARLA},nurses"])
    organiser.invite("--links", "links.csv")
    organiser.collect(organiser.codes()[BEN])
    organiser.list_people([f"{ANNA.title()},nurses", f"{BEN},doctors"], "late.csv")
    for name in ("one.csv", "two.csv"):
        assert organiser.remind("--links", name, "--only", "late.csv").code == 0
        assert organiser.codes(name).keys() == {ANNA}
    assert not organiser.knows(organiser.codes("one.csv")[ANNA])
    assert organiser.knows(organiser.codes("two.csv")[ANNA])
    organiser.list_people(["nobody@example.org,nurses"], "late.csv")
    ended = organiser.remind("--links", "three.csv", "--only", "late.csv")
    assert ended.code == 1
    assert "late.csv:2: nobody with this contact has a code; use deniable invite" in ended.err


@pytest.mark.deep
@pytest.mark.parametrize("moment", ["before", "after"])
def test_a_kill_beside_the_commit_loses_no_code(organiser: Organiser, moment: str) -> None:
    """Killed just before the commit, nothing counts; just after it, the next run finishes."""
    organiser.list_people([*TWO, ",nurses"])
    killed = subprocess.run(
        [sys.executable, "-c", KILLED, moment, COLLECTOR], cwd=organiser.folder, check=False
    )
    assert killed.returncode == -signal.SIGKILL
    partial = organiser.folder / "links.csv.partial"
    codes = codes_in(partial.read_text())
    assert len(codes) == 3
    assert [organiser.knows(code) for code in codes] == [moment == "after"] * 3
    assert not (organiser.folder / "links.csv").exists()
    ended = organiser.invite("--links", "links.csv")
    assert ended.code == 0
    assert ("Finished what an interrupted command had begun" in ended.err) == (moment == "after")
    final = [row["link"].partition("#code=")[2] for row in organiser.links()]
    assert (sorted(final) == sorted(codes)) == (moment == "after")
    assert all(map(organiser.knows, final))
    assert organiser.groups() == {"nurses": 2, "doctors": 1}
    assert not partial.exists()


KILLED = """
import os, signal, sys
from deniable_issuer.code_files import CodeFile
from deniable_web.commands import run

moment, collector = sys.argv[1:]
kill = lambda *_: os.kill(os.getpid(), signal.SIGKILL)
if moment == "after":
    CodeFile.finish = kill
else:
    write = CodeFile.write
    CodeFile.write = lambda self, issued: (write(self, issued), kill())
run(["invite", "wards.json", "people.csv", "--links", "links.csv", "--collector", collector])
"""


def test_a_file_that_cannot_be_written_costs_no_code(organiser: Organiser) -> None:
    """No code counts that nobody could read."""
    organiser.list_people([",nurses"])
    ended = organiser.invite("--links", "missing/links.csv")
    assert ended.code == 1
    assert "cannot be written (No such file or directory); no code was made" in ended.err
    assert organiser.groups() == {}


def test_the_survey_comes_from_its_collector(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A slug is looked up where people answer; a survey for everybody has no codes."""
    monkeypatch.chdir(tmp_path)
    organiser = Organiser(tmp_path, capsys)
    organiser.list_people(TWO)
    with live_site(tmp_path / "c.sqlite", organiser.prepared.survey, survey()) as site:
        options = ("people.csv", "--collector", site.url + "/", "--links", "links.csv")
        assert organiser.run("invite", "wards", *options).code == 0
        assert organiser.links()[0]["link"].startswith(f"{site.url}/s/wards#code=")
        refused = organiser.run("invite", "health", *options)
        unknown = organiser.run("invite", "unknown", *options)
    assert (refused.code, unknown.code) == (1, 1)
    assert "so everybody may answer and nobody needs a code" in refused.err
    assert "the collector answered 404" in unknown.err
    unreachable = organiser.run("invite", "wards", *options)
    assert unreachable.code == 1
    assert "no answer from 127.0.0.1" in unreachable.err


def test_after_the_end_nobody_is_invited(organiser: Organiser) -> None:
    """A code that could not be used is not made."""
    past = {
        "issuer": "https://council.example.org",
        "collect_until": "2020-01-01T00:00Z",
        "groups": {"nurses": {"invited": 40}},
    }
    over = survey(slug="over", invited=past)
    (organiser.folder / "wards.json").write_bytes(over.document)
    organiser.list_people([f"{ANNA},nurses"])
    for ended in (organiser.invite("--links", "l.csv"), organiser.remind("--links", "l.csv")):
        assert ended.code == 1
        assert "the time for collecting tokens is over" in ended.err


@pytest.mark.parametrize(
    ("options", "expected"),
    [
        ((), "name --links, --slips or --smtp"),
        (("--smtp", "localhost:25"), "mails need all of --smtp, --from, --subject and --text"),
        (("--links", "l.csv", "--subject", "x"), "mails need all of"),
    ],
)
def test_codes_must_reach_somebody(
    organiser: Organiser, options: tuple[str, ...], expected: str
) -> None:
    """Without a way to hand codes out, nothing is done, and the exit code is that of usage."""
    organiser.list_people(TWO)
    ended = organiser.invite(*options)
    assert ended.code == 2
    assert expected in ended.err
    assert organiser.groups() == {}


def test_contacts_are_erased(organiser: Organiser) -> None:
    """Afterwards the store has no contact; codes still count, and so do the numbers."""
    organiser.list_people([*TWO, ",nurses"])
    organiser.invite("--links", "links.csv")
    code = organiser.codes()[ANNA]
    organiser.collect(code)
    common = ("wards.json", "--collector", COLLECTOR)
    ended = organiser.run("issuer", "forget", *common)
    assert ended.code == 0
    assert "Erased: 2 contacts of wards." in ended.err
    assert organiser.states() == {None: None}
    assert organiser.knows(code)
    kept = (organiser.folder / "issuer.sqlite").read_bytes()
    assert b"example.org" not in kept.replace(b"council.example.org", b"")
    assert "Erased: 0 contacts" in organiser.run("issuer", "forget", *common).err


def test_a_collectors_store_is_none_of_an_issuer(organiser: Organiser) -> None:
    """The two never share a file, and a missing store is not made by inviting."""
    with closing(open_store("c.sqlite")) as store:
        store.publish(by_invitation({name: signing_key(name) for name in ("nurses", "doctors")}))
    organiser.list_people(TWO)
    common = ("wards.json", "people.csv", "--collector", COLLECTOR, "--links", "l.csv")
    for path, expected in (
        ("c.sqlite", "c.sqlite is not an issuer's store, which needs a file of its own"),
        ("people.csv", "people.csv is not an SQLite file"),
        ("none.sqlite", "there is no issuer's store at none.sqlite; make keys first"),
        ("postgresql://a@b/c", "got the URL of a database; the issuer's store is a file"),
    ):
        ended = organiser.run("invite", *common, "--store", path)
        assert ended.code == 1
        assert expected in ended.err
    made = run(["issuer", "serve", "--store", "none.sqlite"])
    assert made == 1
    assert not Path("none.sqlite").exists()


def test_codes_are_found_in_any_text() -> None:
    """Those of a file are found again, and nothing else is taken for one."""
    codes = [make_code() for _ in range(50)]
    assert codes_in("x" + ",".join(codes) + "\n") == codes
    assert codes_in("ABCD-EFGH-IJKL ABCD-EFGH-IJKL-MNO1 XABCD-EFGH-IJKL-MNOP2") == []
    assert len(set(codes)) == 50
