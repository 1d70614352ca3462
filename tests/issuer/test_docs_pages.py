"""docs/INVITING.md and docs/ISSUER.md: every command in them runs, in their order."""

import re
import shlex
from collections.abc import Iterator
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from deniable_issuer import Issuer, open_issuer_store
from deniable_issuer.codes import codes_in
from deniable_sdk.invitation import request_token
from deniable_web.commands import COMMANDS, run
from deniable_web.commands.sign_in_options import read_signing_in
from deniable_web.definition.file import read_definition
from live_site import live_site
from mail_server import MailBox, mail_server

DOCS = Path(__file__).parents[2] / "docs"
INVITING, ISSUER = ((DOCS / f"{name}.md").read_text() for name in ("INVITING", "ISSUER"))
NAMES = {"yaml": "survey.yaml", "csv": "people.csv", "text": "letter.txt"}


def blocks(page: str, language: str) -> list[str]:
    """The blocks of a language in a page."""
    return re.findall(rf"```{language}\n(.*?)```", page, re.DOTALL)


def commands(page: str) -> Iterator[list[str]]:
    """The arguments of each command of ours in a page."""
    for block in blocks(page, "sh"):
        for line in block.replace("\\\n", " ").splitlines():
            program, *arguments = shlex.split(line)
            if program == "deniable":
                yield arguments


def write_files(folder: Path) -> None:
    """The files that the page shows, with its dates far in the future."""
    for language, name in NAMES.items():
        # The letter comes before the address of a tablet, which is a text too.
        text = blocks(INVITING, language)[0]
        (folder / name).write_text(text.replace("2026-", "2096-"), encoding="utf-8")
    (folder / "lost.csv").write_text("contact,group\nben@example.org,doctors\n")


@pytest.mark.deep
def test_an_organiser_can_follow_the_page(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """From the definition to the end: mails, slips and reminders arrive as written."""
    monkeypatch.chdir(tmp_path)
    write_files(tmp_path)
    shown = [*commands(INVITING)]
    assert [each[:2] for each in shown[:2]] == [["issuer", "keys"], ["publish", "survey.yaml"]]
    for arguments in shown[:2]:
        assert run([*arguments]) == 0
    survey = read_definition(tmp_path / "survey.yaml").compile()
    with live_site(tmp_path / "deniable.sqlite") as site, mail_server() as box:
        local = {"https://survey.example.org": site.url, "mail.example.org:587": box.name}
        for arguments in shown[2:]:
            assert run([local.get(each, each) for each in arguments]) == 0, capsys.readouterr().err
            if arguments[0] == "invite" and "--dry-run" in arguments:
                assert not box.mails
            elif arguments[0] == "invite":
                collect(box, "anna@example.org", survey.digest)
    assert [address for address, _ in box.mails] == [
        "anna@example.org",
        "ben@example.org",
        "ben@example.org",
    ]
    assert [message["Subject"] for _, message in box.mails][-1] == "A reminder"
    text = box.texts()["anna@example.org"]
    assert text.startswith("Dear colleagues in the group Nurses,\n")
    assert f"{site.url}/s/wards#code=" in text
    assert len(codes_in((tmp_path / "slips.html").read_text())) == 2
    assert (tmp_path / "new.csv").read_text().count("ben@example.org,doctors,") == 1
    assert b"ben@example" not in (tmp_path / "issuer.sqlite").read_bytes()


def collect(box: MailBox, address: str, digest: str) -> None:
    """Collect the token of a person who got a mail."""
    code = codes_in(box.texts()[address])[0]
    with closing(open_issuer_store("issuer.sqlite")) as store:
        issuer = Issuer(store, lambda: datetime.now(UTC))
        survey = read_definition(Path("survey.yaml")).compile()
        message = request_token(survey, issuer.group_of(digest, code)).message
        assert len(issuer.sign(digest, code, message)) == 256


def test_an_operator_can_follow_the_page(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Keys, a backup and the erasing of contacts; the server has tests of its own."""
    monkeypatch.chdir(tmp_path)
    write_files(tmp_path)
    served = []
    with live_site(tmp_path / "deniable.sqlite") as site:
        for arguments in commands(ISSUER):
            if arguments[1] == "serve":
                served.append(arguments)
                continue
            if arguments[1] == "forget":
                assert run(["publish", "survey.yaml"]) == 0
            if arguments[1] == "add":
                (settings,) = blocks(ISSUER, "yaml")
                (tmp_path / "sign-in.yaml").write_text(settings, encoding="utf-8")
            local = [site.url if "://" in each else each for each in arguments]
            assert run(local) == 0
    assert served == [
        ["issuer", "serve", "--store", "issuer.sqlite"],
        ["issuer", "serve", "--store", "issuer.sqlite", "--sign-in", "sign-in.yaml"],
    ]
    monkeypatch.setenv("DENIABLE_WARDS_SECRET", "x")
    with closing(open_issuer_store("issuer.sqlite")) as store:
        found = read_signing_in(tmp_path / "sign-in.yaml", store)
        assert found
        assert [each.callback for each in found.sign_ins] == [
            "https://council.example.org/sign-in/callback"
        ]
    assert (tmp_path / "issuer-copy.sqlite").stat().st_mode & 0o777 == 0o600
    with closing(open_issuer_store("issuer-copy.sqlite", must_exist=True)) as store:
        store.check()


@pytest.mark.parametrize("page", [INVITING, ISSUER])
def test_named_commands_and_options_exist(page: str, capsys: pytest.CaptureFixture[str]) -> None:
    """Whatever a page calls `deniable ...` or `--option` is one of ours."""
    named = {found.split()[0] for found in re.findall(r"`deniable ([a-z]+[^`]*)`", page)}
    assert named
    assert named <= set(COMMANDS)
    helps = [["invite"], ["remind"], ["serve"], ["backup"], ["results"], ["demo"]]
    helps.append(["issuer", "serve"])
    for arguments in helps:
        assert run([*arguments, "--help"]) == 0
    offered = set(re.findall(r"--[a-z-]+", capsys.readouterr().out))
    assert set(re.findall(r"(?<![-\w])--[a-z]+(?:-[a-z]+)*", page)) <= offered
