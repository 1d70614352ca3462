"""deniable token, on its own and beside a running collector."""

import csv
import io
import json
from contextlib import closing
from pathlib import Path

import pytest

from deniable_collector.store import open_store
from deniable_collector.tokens import AccessToken, Release, Role, digest_of, is_token
from deniable_web.commands import run
from live_server import Answer, LiveCollector, exchange, live_collector
from problem_checks import assert_problem
from sample_definitions import survey, yes_no

PUBLISHED = survey(yes_no())


@pytest.fixture
def store(tmp_path: Path) -> Path:
    """Where the tokens are kept."""
    return tmp_path / "store.sqlite"


def token(
    capsys: pytest.CaptureFixture[str], store: Path, *arguments: str
) -> tuple[int, str, str]:
    """How `deniable token` ended, and what it printed."""
    code = run(["token", *arguments, "--store", str(store)])
    captured = capsys.readouterr()
    assert "Traceback" not in captured.out + captured.err
    return code, captured.out, captured.err


def make(capsys: pytest.CaptureFixture[str], store: Path, role: str, name: str) -> str:
    """A new token."""
    code, out, _ = token(capsys, store, "make", role, name)
    assert code == 0
    return out.removesuffix("\n")


@pytest.mark.parametrize("role", ["owner", "analyst"])
def test_a_token_is_printed_once_and_kept_as_its_hash(
    capsys: pytest.CaptureFixture[str], store: Path, role: str
) -> None:
    """Standard output has the token alone; no file ever has it."""
    code, out, err = token(capsys, store, "make", role, "anna")
    made = out.removesuffix("\n")
    assert code == 0
    assert is_token(made)
    assert made.startswith(f"deniable_{role}_")
    assert "is shown only now" in err
    assert made not in err
    kept = b"".join(path.read_bytes() for path in store.parent.iterdir())
    assert made.encode() not in kept
    assert digest_of(made).encode() in kept


def test_a_name_is_found_however_its_letters_are_encoded(
    capsys: pytest.CaptureFixture[str], store: Path
) -> None:
    """And a command to copy names it so that a shell reads it as one word."""
    make(capsys, store, "owner", "Jürgen Müller")
    _, _, again = token(capsys, store, "make", "owner", "Ju\u0308rgen Mu\u0308ller")
    assert "deniable token revoke 'Jürgen Müller' --store" in again
    code, _, said = token(capsys, store, "link", " Ju\u0308rgen Müller")
    assert (code, "deniable token link 'Jürgen Müller' --store" in said) == (0, True)
    assert token(capsys, store, "revoke", "Ju\u0308rgen Müller")[0] == 0


def test_tokens_are_listed_by_name_and_never_shown_again(
    capsys: pytest.CaptureFixture[str], store: Path
) -> None:
    """As a table, JSON or CSV: name, role and surveys, and neither token nor hash."""
    made = [
        make(capsys, store, role, name) for role, name in (("owner", "zoe"), ("analyst", "al"))
    ]
    rows = [
        {
            "name": name,
            "role": role,
            "surveys": "all surveys",
            "shows results": "always",
        }
        for name, role in (("al", "analyst"), ("zoe", "owner"))
    ]
    _, table, _ = token(capsys, store, "list")
    _, as_json, _ = token(capsys, store, "list", "--format", "json")
    _, as_csv, _ = token(capsys, store, "list", "--format", "csv")
    assert json.loads(as_json) == list(csv.DictReader(io.StringIO(as_csv))) == rows
    assert all(text in table for row in rows for text in row.values())
    for secret in made:
        for printed in (table, as_json, as_csv):
            assert secret not in printed
            assert digest_of(secret)[:12] not in printed


def test_a_token_can_be_for_some_surveys(capsys: pytest.CaptureFixture[str], store: Path) -> None:
    """Which is listed, and a name that no survey has yet is pointed out."""
    with closing(open_store(store)) as opened:
        opened.publish(PUBLISHED)
    wanted = ("--survey", "work", "--survey", "health")
    code, out, err = token(capsys, store, "make", "analyst", "ben", *wanted)
    assert (code, is_token(out.removesuffix("\n"))) == (0, True)
    assert "No survey is called work yet; the token applies to it once it is published." in err
    assert "called health" not in err
    _, table, _ = token(capsys, store, "list")
    _, as_json, _ = token(capsys, store, "list", "--format", "json")
    _, as_csv, _ = token(capsys, store, "list", "--format", "csv")
    assert "health work" in table
    (row,) = json.loads(as_json)
    assert row["surveys"] == "health work"
    assert list(csv.DictReader(io.StringIO(as_csv))) == [row]


@pytest.mark.parametrize(
    ("options", "shown", "release"),
    [
        ([], "after 100 reports", Release(100)),
        (["--after-reports", "20"], "after 20 reports", Release(20)),
        (["--after-closing"], "after the end", Release()),
    ],
)
def test_a_reader_sees_one_survey_under_a_condition(
    capsys: pytest.CaptureFixture[str],
    store: Path,
    options: list[str],
    shown: str,
    release: Release,
) -> None:
    """The condition is stored and listed."""
    code, out, _ = token(capsys, store, "make", "reader", "press", "--survey", "health", *options)
    assert code == 0
    made = out.removesuffix("\n")
    assert made.startswith("deniable_reader_")
    with closing(open_store(store)) as opened:
        assert opened.find_token(digest_of(made)) == AccessToken(
            "press", Role.READER, frozenset({"health"}), release
        )
    (row,) = json.loads(token(capsys, store, "list", "--format", "json")[1])
    assert row == {
        "name": "press",
        "role": "reader",
        "surveys": "health",
        "shows results": shown,
    }
    assert token(capsys, store, "revoke", "press")[0] == 0
    with closing(open_store(store)) as opened:
        assert opened.find_token(digest_of(made)) is None


def test_a_store_without_tokens_says_how_to_make_one(
    capsys: pytest.CaptureFixture[str], store: Path
) -> None:
    """An empty list is a list, and people get the next command."""
    make(capsys, store, "owner", "anna")
    assert token(capsys, store, "revoke", "anna")[0] == 0
    code, out, err = token(capsys, store, "list")
    assert (code, out) == (0, "")
    assert "deniable token make owner NAME --store" in err
    assert token(capsys, store, "list", "--format", "json")[1] == "[]\n"


def test_a_revoked_token_leaves_nothing(capsys: pytest.CaptureFixture[str], store: Path) -> None:
    """Not even its hash or its name stays in the store; only the audit trail has the name."""
    made = make(capsys, store, "owner", "anna-of-the-clinic")
    code, _, err = token(capsys, store, "revoke", "anna-of-the-clinic")
    assert code == 0
    assert "Revoked: anna-of-the-clinic. It is no longer accepted." in err
    kept = b"".join(path.read_bytes() for path in store.parent.iterdir())
    assert digest_of(made).encode() not in kept
    stored = b"".join(path.read_bytes() for path in store.parent.glob(f"{store.name}*"))
    assert stored
    assert b"anna-of-the-clinic" not in stored


@pytest.mark.parametrize(
    ("arguments", "code", "message"),
    [
        (("make", "analyst", "anna"), 1, "a token is called 'anna' already; choose another"),
        (("make", "guest", "ben"), 2, "'guest' is not one of 'owner', 'editor', 'analyst'"),
        (("make", "owner", "two/words"), 1, "got the name 'two/words'; allowed are at most 64"),
        (
            ("make", "owner", "ben", "--survey", "Two Words"),
            1,
            "got the survey 'Two Words'; allow",
        ),
        (
            ("make", "reader", "ben"),
            2,
            "got 0 surveys for a reader; allowed is one: --survey SLUG",
        ),
        (
            ("make", "reader", "ben", "--survey", "a", "--survey", "b"),
            2,
            "got 2 surveys for a reader",
        ),
        (
            ("make", "reader", "ben", "--survey", "a", "--after-reports", "19"),
            1,
            "got 19 reports; allowed are 20 to 1,000,000,000",
        ),
        (
            ("make", "reader", "ben", "--survey", "a", "--after-reports", "99", "--after-closing"),
            2,
            "got --after-reports and --after-closing; name one of them",
        ),
        (
            ("make", "owner", "ben", "--after-reports", "50"),
            2,
            "got a condition for an owner, who always sees results",
        ),
        (("revoke", "ana"), 1, "no token is called 'ana'; did you mean anna? there are: anna"),
        (("revoke", f"deniable_owner_{'s' * 43}"), 1, "give the name of a token, never the tok"),
    ],
)
def test_what_cannot_be_done_is_said(
    capsys: pytest.CaptureFixture[str],
    store: Path,
    arguments: tuple[str, ...],
    code: int,
    message: str,
) -> None:
    """Each says what was got and what is allowed; nothing is printed, and no secret repeated."""
    make(capsys, store, "owner", "anna")
    got, out, err = token(capsys, store, *arguments)
    assert (got, out) == (code, "")
    assert message in err
    assert "sssss" not in err


@pytest.mark.parametrize("arguments", [("list",), ("revoke", "anna")])
def test_a_store_that_is_not_there_is_not_made(
    capsys: pytest.CaptureFixture[str], store: Path, arguments: tuple[str, ...]
) -> None:
    """A mistyped path is an error, except for the first token of a new store."""
    code, _, err = token(capsys, store, *arguments)
    assert code == 1
    assert "there is no store at" in err
    assert not store.exists()


def test_tokens_made_and_revoked_beside_a_running_collector_count_at_once(
    capsys: pytest.CaptureFixture[str], store: Path
) -> None:
    """On one open connection: shut, open once a token is made, shut once it is revoked."""
    with (
        live_collector(store, "--without-tokens") as collector,
        closing(collector.connect()) as connection,
    ):

        def publish(given: str) -> Answer:
            headers = {"Authorization": f"Bearer {given}", "Content-Type": "application/json"}
            return exchange(connection, "POST", "/api/surveys", PUBLISHED.document, headers)

        analyst = make(capsys, store, "analyst", "ben")
        assert_problem(publish(analyst), "token-not-configured")
        anna, zoe = (make(capsys, store, "owner", name) for name in ("anna", "zoe"))
        assert publish(anna).status == 201
        assert publish(zoe).status == 200
        assert_problem(publish(analyst), "token-refused")
        token(capsys, store, "revoke", "anna")
        assert_problem(publish(anna), "token-refused")
        assert publish(zoe).status == 200
        token(capsys, store, "revoke", "zoe")
        assert_problem(publish(zoe), "token-not-configured")


def test_a_revoked_token_opens_nothing_in_any_process_on_the_store(
    capsys: pytest.CaptureFixture[str], store: Path
) -> None:
    """None keeps tokens of its own: each refuses from the next request on."""
    anna, zoe = (make(capsys, store, "owner", name) for name in ("anna", "zoe"))
    with (
        live_collector(store, "--without-tokens") as first,
        live_collector(store, "--without-tokens") as second,
    ):

        def statuses(given: str) -> list[int]:
            headers = {"Authorization": f"Bearer {given}"}
            path = "/api/surveys/none/close"
            return [found.send("POST", path, None, headers).status for found in (first, second)]

        assert statuses(anna) == [404, 404]
        token(capsys, store, "revoke", "anna")
        assert statuses(anna) == [401, 401]
        assert statuses(zoe) == [404, 404]


def test_an_owner_opens_all_routes_and_an_analyst_those_that_read(
    capsys: pytest.CaptureFixture[str], store: Path
) -> None:
    """An owner reads results too; an analyst can neither publish nor close."""
    owner = make(capsys, store, "owner", "anna")
    analyst = make(capsys, store, "analyst", "ben")
    with live_collector(store, "--without-tokens") as collector:

        def ask(method: str, path: str, given: str) -> Answer:
            body = PUBLISHED.document if method == "POST" else None
            return collector.send(method, path, body, {"Authorization": f"Bearer {given}"})

        assert ask("POST", "/api/surveys", owner).status == 201
        for path in ("/api/surveys", "/api/surveys/health/close"):
            assert_problem(ask("POST", path, analyst), "token-refused")
            assert ask("POST", path, owner).status == 200
        for route in ("editions", "results", "tuples?blocks=asthma"):
            path = f"/api/surveys/health/{route}"
            assert [ask("GET", path, given).status for given in (owner, analyst)] == [200, 200]
        assert_nothing_kept(collector, owner, analyst)


def assert_nothing_kept(collector: LiveCollector, *tokens: str) -> None:
    """No token is in the store's files or in the log."""
    kept = b"".join(path.read_bytes() for path in collector.store.parent.iterdir())
    assert kept
    assert not any(token.encode() in kept for token in tokens)
