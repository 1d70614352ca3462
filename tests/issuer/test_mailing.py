"""Mails through a real mail server: each person once, whatever happens in between."""

import re
import subprocess
import sys
import threading
from collections import Counter
from collections.abc import Iterator
from itertools import product
from pathlib import Path

import pytest

from deniable_issuer.codes import codes_in
from mail_server import Hook, MailBox, kill, mail_server, text_of
from organiser import ANNA, BEN, CARLA, COLLECTOR, Organiser
from sampled_params import sampled_params

DORA, EMIL, FRIDA = (f"{name}@example.org" for name in ("dora", "emil", "frida"))
ALL = [ANNA, BEN, CARLA, DORA, EMIL, FRIDA]
TEXT = "Dear {group},\n\nplease open {link}\n\nor type {code}. Grüße\n"


@pytest.fixture
def organiser(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Organiser:
    """A folder with a store, a survey, a list of six people and a letter."""
    monkeypatch.chdir(tmp_path)
    (tmp_path / "letter.txt").write_text(TEXT, encoding="utf-8")
    organiser = Organiser(tmp_path, capsys)
    organiser.list_people([f"{contact},nurses" for contact in ALL])
    return organiser


@pytest.fixture
def box() -> Iterator[MailBox]:
    """A mail server that accepts everything."""
    with mail_server() as running:
        yield running


def by_mail(box: MailBox) -> list[str]:
    """The options for sending mails."""
    return [
        *("--smtp", box.name, "--from", "council@example.org"),
        *("--subject", "Your invitation", "--text", "letter.txt"),
    ]


def start(organiser: Organiser, box: MailBox, command: str = "invite") -> subprocess.Popen[bytes]:
    """The command in a process of its own."""
    arguments = [command, "wards.json", *(["people.csv"] if command == "invite" else [])]
    return subprocess.Popen(
        [
            sys.executable,
            "-m",
            "deniable_web",
            *arguments,
            "--collector",
            COLLECTOR,
            *by_mail(box),
        ],
        cwd=organiser.folder,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )


def assert_each_mail_has_a_code(organiser: Organiser, box: MailBox) -> None:
    """The last mail to each person has a code that counts, another for each."""
    codes = {address: set(codes_in(text)) for address, text in box.texts().items()}
    assert all(len(found) == 1 for found in codes.values())
    assert len(set.union(*codes.values())) == len(codes)
    assert all(organiser.knows(code) for found in codes.values() for code in found)


def test_everybody_gets_one_mail_with_a_code(organiser: Organiser, box: MailBox) -> None:
    """The mail has link, code and group; running the command again sends nothing."""
    for _ in range(2):
        ended = organiser.invite(*by_mail(box))
        assert ended.code == 0, ended.err
        assert box.counts() == dict.fromkeys(ALL, 1)
        assert not any(contact in ended.out + ended.err for contact in ALL)
    assert_each_mail_has_a_code(organiser, box)
    for address, message in box.mails:
        assert [message[name] for name in ("From", "To", "Subject", "Auto-Submitted")] == [
            "council@example.org",
            address,
            "Your invitation",
            "auto-generated",
        ]
        (code,) = set(codes_in(text_of(message)))
        assert text_of(message) == TEXT.format(
            group="nurses", link=f"{COLLECTOR}/s/wards#code={code}", code=code
        )
        # Neither the machine nor the process that sent it is named.
        assert re.fullmatch(r"<[0-9a-f]{32}@example\.org>", message["Message-ID"])
        organiser.collect(code)
    assert organiser.states() == dict.fromkeys(ALL, "sent")


@pytest.mark.sweep
@pytest.mark.parametrize("place", sampled_params(product(["MAIL", "RCPT", "DATA"], [0, 3, 5]), 4))
def test_a_kill_around_the_answer(
    organiser: Organiser, box: MailBox, place: tuple[str, int]
) -> None:
    """Who was being written to is unclear, and never gets a second mail by itself."""
    stage, number = place
    process = start(organiser, box)
    victim = ALL[number]
    seen: list[str] = []

    def hook(at: str, address: str) -> None:
        # The sender is named before the recipient: count the mails.
        seen.append(at)
        if at == stage and seen.count(at) == number + 1:
            kill(process.pid)
        del address

    box.hook = hook
    assert process.wait(60) == -9
    states = organiser.states()
    assert states == {
        contact: "sent" if place < number else "unclear" if place == number else "pending"
        for place, contact in enumerate(ALL)
    }
    box.hook = lambda _stage, _address: None
    before = box.counts()[victim]
    assert before <= 1
    for _ in range(2):
        ended = organiser.invite(*by_mail(box))
        assert ended.code == 0
        assert ended.people == [{"contact": victim, "group": "nurses", "mail": "unclear"}]
    assert box.counts() == Counter({**dict.fromkeys(ALL, 1), victim: before})
    assert_each_mail_has_a_code(organiser, box)


@pytest.mark.deep
def test_many_kills_at_any_moment(organiser: Organiser, box: MailBox) -> None:
    """Killed right after each answer, again and again: nobody gets two mails or none unnoticed."""
    running: list[subprocess.Popen[bytes]] = []

    def hook(at: str, _address: str) -> None:
        if at == "DATA" and len(box.mails) % 2:
            threading.Timer(0.002, kill, [running[-1].pid]).start()

    box.hook = hook
    for _ in range(len(ALL) + 1):
        running.append(start(organiser, box))
        if running[-1].wait(60) == 0:
            break
    assert running[-1].returncode == 0
    assert set(box.counts().values()) == {1}
    unclear = {contact for contact, state in organiser.states().items() if state == "unclear"}
    assert box.counts().keys() | unclear == set(ALL)
    assert set(organiser.states().values()) <= {"sent", "unclear"}
    assert_each_mail_has_a_code(organiser, box)


@pytest.mark.deep
def test_two_commands_at_once(organiser: Organiser, box: MailBox) -> None:
    """Each person gets one mail, from one of the two."""
    processes = [start(organiser, box) for _ in range(2)]
    assert [process.wait(60) for process in processes] == [0, 0]
    assert box.counts() == dict.fromkeys(ALL, 1)
    assert_each_mail_has_a_code(organiser, box)


@pytest.mark.parametrize(
    ("stage", "refusal"),
    [("RCPT", "550 no CANARY"), ("RCPT", "450 later"), ("DATA", "554 no"), ("DATA", "451 later")],
)
def test_who_is_refused_is_tried_again(
    organiser: Organiser, box: MailBox, stage: str, refusal: str
) -> None:
    """The server took no mail, so the person is still pending, and listed."""
    box.hook = lambda at, address: refusal if (at, address) == (stage, BEN) else None
    ended = organiser.invite(*by_mail(box))
    assert ended.code == 0
    assert "CANARY" not in ended.out + ended.err
    assert ended.people == [{"contact": BEN, "group": "nurses", "mail": "pending"}]
    assert box.counts() == {contact: 1 for contact in ALL if contact != BEN}
    box.hook = lambda _stage, _address: None
    assert organiser.invite(*by_mail(box)).people == []
    assert box.counts() == dict.fromkeys(ALL, 1)
    assert_each_mail_has_a_code(organiser, box)


def test_a_refused_sender_reaches_nobody(organiser: Organiser, box: MailBox) -> None:
    """All are still pending."""
    box.hook = lambda at, _address: "550 no" if at == "MAIL" else None
    ended = organiser.invite(*by_mail(box))
    assert [person["mail"] for person in ended.people] == ["pending"] * 6
    assert box.mails == []


def test_a_connection_lost_before_the_answer(organiser: Organiser, box: MailBox) -> None:
    """Whether the mail was sent is unclear; the others get theirs over a new connection."""
    box.hook = lambda at, address: "lost" if (at, address) == ("DATA", BEN) else None
    ended = organiser.invite(*by_mail(box))
    assert ended.code == 0
    assert ended.people == [{"contact": BEN, "group": "nurses", "mail": "unclear"}]
    box.hook = lambda _stage, _address: None
    organiser.invite(*by_mail(box))
    assert box.counts() == dict.fromkeys(ALL, 1)
    organiser.list_people([f"{BEN},nurses"], "asked.csv")
    ended = organiser.remind(*by_mail(box), "--only", "asked.csv")
    assert (ended.code, ended.people) == (0, [])
    assert box.counts()[BEN] == 2
    assert organiser.states()[BEN] == "reminded"
    assert_each_mail_has_a_code(organiser, box)


def test_no_mail_server(organiser: Organiser, box: MailBox) -> None:
    """If it cannot be reached, also in the middle, the command ends and says how to go on."""
    served: list[str] = []

    def close(at: str, _address: str) -> str | None:
        served.append(at)
        return "421 closing" if served.count("MAIL") > 2 else None

    with mail_server() as other:
        absent = other.name
    options = by_mail(box)
    options[1] = absent
    ended = organiser.invite(*options)
    assert ended.code == 1
    assert "cannot be used (Connection refused); run the command again later" in ended.err
    assert organiser.states() == dict.fromkeys(ALL, "pending")
    box.hook = close
    organiser.invite(*by_mail(box))
    assert sorted(organiser.states().values(), key=str) == ["pending"] * 4 + ["sent"] * 2
    box.hook = lambda _stage, _address: None
    organiser.invite(*by_mail(box))
    assert box.counts() == dict.fromkeys(ALL, 1)


def test_reminders(organiser: Organiser, box: MailBox) -> None:
    """Only who has not collected gets a second mail, once, with a code that replaces the first."""
    organiser.invite(*by_mail(box))
    first = {address: codes_in(text)[0] for address, text in box.texts().items()}
    organiser.collect(first[ANNA])
    box.hook = lambda at, address: "550 no" if (at, address) == ("RCPT", BEN) else None
    ended = organiser.remind(*by_mail(box))
    assert ended.code == 0
    late = [contact for contact in ALL if contact not in (ANNA, BEN)]
    assert box.counts() == {**dict.fromkeys(ALL, 1), **dict.fromkeys(late, 2)}
    assert organiser.knows(first[BEN])
    assert not any(organiser.knows(first[contact]) for contact in late)
    assert organiser.states() == {ANNA: "sent", BEN: "sent", **dict.fromkeys(late, "reminded")}
    box.hook = lambda _stage, _address: None
    organiser.remind(*by_mail(box))
    organiser.remind(*by_mail(box))
    assert box.counts() == {**dict.fromkeys(ALL, 2), ANNA: 1}
    assert_each_mail_has_a_code(organiser, box)


def test_a_kill_while_reminding(organiser: Organiser, box: MailBox) -> None:
    """The person is unclear, is not reminded again, and the others are."""
    organiser.invite(*by_mail(box))
    process = start(organiser, box, "remind")
    box.hook = lambda at, address: kill(process.pid) if (at, address) == ("DATA", BEN) else None
    assert process.wait(60) == -9
    box.hook = lambda _stage, _address: None
    ended = organiser.remind(*by_mail(box))
    assert ended.people == [{"contact": BEN, "group": "nurses", "mail": "unclear"}]
    assert box.counts() == dict.fromkeys(ALL, 2)


def test_who_collects_while_mails_are_sent(organiser: Organiser, box: MailBox) -> None:
    """A code that was used in the meantime is not replaced, and nobody is written to."""
    organiser.invite(*by_mail(box))
    codes = {address: codes_in(text)[0] for address, text in box.texts().items()}
    box.hook = collecting(organiser, codes[FRIDA])
    organiser.remind(*by_mail(box))
    assert box.counts() == {**dict.fromkeys(ALL, 2), FRIDA: 1}
    assert organiser.knows(codes[FRIDA])


def collecting(organiser: Organiser, code: str) -> Hook:
    """Collects a token while the mail to another person is sent."""

    def hook(at: str, address: str) -> None:
        if (at, address) == ("DATA", ANNA):
            organiser.collect(code)

    return hook


def test_people_without_contact_get_slips(organiser: Organiser, box: MailBox) -> None:
    """One command sends mails to some and writes the codes of all others into a file."""
    organiser.list_people([f"{ANNA},nurses", ",nurses", ",doctors"])
    refused = organiser.invite(*by_mail(box))
    assert refused.code == 2
    assert "2 people have no contact; name --slips or --links for them" in refused.err
    assert box.mails == []
    for _ in range(2):
        assert organiser.invite(*by_mail(box), "--links", "links.csv").code == 0
    assert box.counts() == {ANNA: 1}
    assert [(row["contact"], row["group"]) for row in organiser.links()] == [
        ("", "nurses"),
        ("", "doctors"),
    ]


def test_contacts_that_are_no_addresses(organiser: Organiser, box: MailBox) -> None:
    """They are refused before anything is sent, in a list and in a store."""
    organiser.list_people([f"{ANNA},nurses", "Ben,doctors"])
    refused = organiser.invite(*by_mail(box))
    assert (refused.code, "people.csv:3: contact: it is not" in refused.err) == (1, True)
    organiser.invite("--links", "links.csv")
    refused = organiser.remind(*by_mail(box))
    assert (refused.code, "contacts of 1 people are no e-mail" in refused.err) == (1, True)
    assert box.mails == []


def test_a_dry_run_sends_nothing(organiser: Organiser, box: MailBox) -> None:
    """It shows the letter without a code."""
    ended = organiser.invite(*by_mail(box), "--dry-run")
    assert ended.code == 0
    assert "Subject: Your invitation" in ended.err
    assert "please open {link}" in ended.err
    assert box.mails == []
    assert organiser.states() == {}


def test_a_letter_in_another_encoding(organiser: Organiser, box: MailBox) -> None:
    """It is refused in words."""
    (organiser.folder / "letter.txt").write_bytes(TEXT.encode("latin-1"))
    refused = organiser.invite(*by_mail(box))
    assert (refused.code, "letter.txt: not a text in UTF-8" in refused.err) == (1, True)
    assert box.mails == []
