"""The file that says how people sign in: what is read, and what is refused with its line."""

import json
from contextlib import closing
from dataclasses import replace
from importlib import util
from pathlib import Path

import pytest

from deniable_collector.settings import Settings
from deniable_issuer import open_issuer_store
from deniable_issuer.app import create_blueprints
from deniable_issuer.keyring import add_keys
from deniable_issuer.sign_in.settings import SignIn, read_sign_ins
from deniable_web.commands import run
from deniable_web.commands.sign_in_options import read_signing_in
from live_issuer import Prepared, by_invitation, prepare, signing_key
from live_provider import ANNA, BEN, SECRET
from live_sign_in import VARIABLE, write_settings

PROVIDER = "https://login.example.org/realms/staff/"
ENVIRONMENT = {VARIABLE: SECRET}
VALUES = {"nurses": ["nursing"], "doctors": ["medicine"]}


@pytest.fixture(scope="module")
def prepared(tmp_path_factory: pytest.TempPathFactory) -> Prepared:
    """A store with a survey of nurses and doctors, and another edition of it."""
    store = tmp_path_factory.mktemp("settings") / "issuer.sqlite"
    prepare(store, {}, edition=1, slug="twice")
    prepare(store, {}, edition=2, slug="twice", title="Another edition")
    return prepare(store, {})


def read(prepared: Prepared, name: str = "wards", **changes: object) -> SignIn:
    """The settings of one survey, as they are read from a file."""
    path = write_settings(prepared.store.parent, PROVIDER, name, **changes)
    with closing(open_issuer_store(prepared.store)) as store:
        (found,) = read_sign_ins(json.loads(path.read_text()), store, ENVIRONMENT)
    return found


def test_what_is_read(prepared: Prepared) -> None:
    """A provider keeps the slash of its name; the addresses are those of the survey's issuer."""
    found = read(prepared)
    assert found.provider == PROVIDER
    assert (found.claim, found.group_claim) == ("sub", "department")
    assert found.groups == {"nursing": "nurses", "midwives": "nurses", "medicine": "doctors"}
    assert found.scopes == ("openid", "profile")
    digest = prepared.survey.digest
    assert found.address == f"https://council.example.org/sign-in/{digest}"
    assert found.callback == "https://council.example.org/sign-in/callback"
    assert found.form == "https://survey.example.org/s/wards"
    assert SECRET not in repr(found)
    assert repr(found.key)[2:-1] not in repr(found)
    assert read(prepared, digest) == found


def test_a_group_is_the_first_that_fits(prepared: Prepared) -> None:
    """The order of the file decides, whatever the order in which the provider says the values."""
    found = read(prepared)
    for said in (["medicine", "nursing"], ["x", "nursing"], "midwives"):
        assert found.group_of({"department": said}) == "nurses"
    for other in (None, [], "", "Nursing", 7, {"nursing": True}, [["nursing"]]):
        assert found.group_of({"department": other}) is None
    alone = read(prepared, group_claim=None, groups=None, group="doctors")
    assert alone.group_of({}) == "doctors"


def test_a_code_depends_on_person_survey_provider_and_keys(
    prepared: Prepared, tmp_path: Path
) -> None:
    """Each of them changes the code; nothing else does, so it is the same in each process."""
    found = read(prepared)
    code = found.code_of({"sub": ANNA, "department": ["nursing"]})
    assert code == read(prepared).code_of({"sub": ANNA})
    other_survey = read(prepared, editions(prepared)[0])
    other_keys = read(prepare(tmp_path / "issuer.sqlite", {}, edition=3))
    others = [
        found.code_of({"sub": BEN}),
        other_survey.code_of({"sub": ANNA}),
        read(prepared, provider=PROVIDER.rstrip("/")).code_of({"sub": ANNA}),
        # The same but for the key that follows from the store's.
        replace(found, key=other_keys.key).code_of({"sub": ANNA}),
    ]
    assert len({code, *others}) == 5
    private = b"".join(key.private_bytes() for key in prepared.keys.values())
    assert found.key not in private


def editions(prepared: Prepared) -> list[str]:
    """The digests of the survey with several editions."""
    with closing(open_issuer_store(prepared.store)) as store, store.reading() as connection:
        rows = connection.execute("SELECT digest, document FROM surveys").fetchall()
    return sorted(digest for digest, document in rows if '"slug":"twice"' in document)


PROBLEMS: dict[str, tuple[dict[str, object], str]] = {
    "no provider": ({"provider": None}, "the key 'provider' is missing; it takes an address"),
    "provider": ({"provider": "login.example.org"}, "provider: this is no such address"),
    "plain": ({"provider": "http://login.example.org"}, "provider: this is no such address"),
    "password": ({"provider": "https://a:b@example.org"}, "allowed is an address like https://"),
    "no client": ({"client_id": None}, "the key 'client_id' is missing"),
    "client": ({"client_id": "two words"}, "client_id: got 'two words'; allowed is up to 200"),
    "no collector": ({"collector": None}, "the key 'collector' is missing"),
    "collector": ({"collector": "//survey"}, "collector: this is no such address"),
    "query": ({"collector": "https://a.example?next="}, "collector: this is no such address"),
    "secret": ({"client_secret_variable": "s3cret-5309"}, "not the secret itself"),
    "unset": ({"client_secret_variable": "UNSET"}, "the environment variable UNSET is not set"),
    "in the file": ({"client_secret": "s3cret-5309"}, "unknown key; did you mean 'client_sec"),
    "scopes": ({"scopes": "email"}, "scopes: got 'email'; allowed is a list of 1 to 20 scopes"),
    "scope": ({"scopes": ["a b"]}, "scopes: got 'a b'"),
    "claim": ({"claim": ["sub"]}, "claim: got ['sub']"),
    "no values": ({"groups": None}, "write group_claim and groups, or group alone"),
    "no group claim": ({"group_claim": None}, "write group_claim and groups, or group alone"),
    "both": ({"group": "nurses"}, "write group_claim and groups, or group alone"),
    "no group": ({"group_claim": None, "groups": None}, "the survey has several groups; write"),
    "another group": (
        {"group_claim": None, "groups": None, "group": "cooks"},
        "group: got 'cooks'; allowed are: nurses, doctors",
    ),
    "other groups": (
        {"groups": {"cooks": ["x"]}},
        "groups.cooks: it is not a group of the survey",
    ),
    "one value": ({"groups": {"nurses": "x"}}, "groups.nurses: got 'x'; allowed is a list"),
    "number": ({"groups": {"nurses": [7]}}, "groups.nurses: got 7; allowed are texts"),
    "twice": (
        {"groups": {"nurses": ["x"], "doctors": ["x"]}},
        "groups.doctors: got 'x' twice; a value leads to one group",
    ),
}


@pytest.mark.sweep
@pytest.mark.parametrize("name", PROBLEMS)
def test_each_bad_entry_is_refused_with_its_place(
    prepared: Prepared,
    capsys: pytest.CaptureFixture[str],
    monkeypatch: pytest.MonkeyPatch,
    name: str,
) -> None:
    """The issuer does not start; the message says what is allowed, and repeats no secret."""
    changes, expected = PROBLEMS[name]
    path = write_settings(prepared.store.parent, PROVIDER, **changes)
    monkeypatch.setenv(VARIABLE, SECRET)
    assert run(["issuer", "serve", "--store", str(prepared.store), "--sign-in", str(path)]) == 1
    said = capsys.readouterr().err
    assert expected in said
    assert f"{path}:1: wards" in said
    assert "s3cret" not in said
    assert SECRET not in said


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("", "got null; allowed is an object"),
        ("- wards", "allowed is an object"),
        ("{}", "it has no survey"),
        ("cooks: {}", "the store has no survey of this slug or digest; run deniable issuer add"),
        ("twice: {}", "the store has several editions; write one of their digests: "),
        ("wards: nurses", "wards: got 'nurses'; allowed is an object"),
        ("a: 1\na: 2", "the key 'a' is repeated"),
        ("a: [", "not YAML"),
    ],
)
def test_each_bad_file_is_refused(
    prepared: Prepared, capsys: pytest.CaptureFixture[str], text: str, expected: str
) -> None:
    """What is no file of settings is refused at start, with its name."""
    path = prepared.store.parent / "sign-in.yaml"
    path.write_text(text)
    assert run(["issuer", "serve", "--store", str(prepared.store), "--sign-in", str(path)]) == 1
    said = capsys.readouterr().err
    assert expected in said
    assert str(path) in said


def test_two_entries_for_one_survey(
    prepared: Prepared, capsys: pytest.CaptureFixture[str]
) -> None:
    """A slug and a digest of the same survey are one entry too many."""
    path = write_settings(prepared.store.parent, PROVIDER, client_secret_variable=None)
    entry = json.loads(path.read_text())["wards"]
    path.write_text(json.dumps({"wards": entry, prepared.survey.digest: entry}))
    assert run(["issuer", "serve", "--store", str(prepared.store), "--sign-in", str(path)]) == 1
    assert "two entries are for the same survey" in capsys.readouterr().err


def test_the_store_must_have_the_keys(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """A survey whose keys were lost is refused at start."""
    prepared = prepare(tmp_path / "issuer.sqlite", {})
    with closing(open_issuer_store(prepared.store)) as store, store.writing() as connection:
        connection.execute(
            "DELETE FROM keys WHERE modulus = ?", (prepared.keys["nurses"].modulus,)
        )
    path = write_settings(tmp_path, PROVIDER, client_secret_variable=None)
    assert run(["issuer", "serve", "--store", str(prepared.store), "--sign-in", str(path)]) == 1
    assert "this store does not have the keys of nurses" in capsys.readouterr().err


def test_adding_a_survey_without_codes(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """`deniable issuer add` keeps a published survey whose keys the store has, and no code."""
    keys = {group: signing_key(group, 4) for group in ("nurses", "doctors")}
    survey = by_invitation(keys)
    document, store = tmp_path / "wards.json", tmp_path / "issuer.sqlite"
    document.write_bytes(survey.document)
    with closing(open_issuer_store(store)) as opened:
        add_keys(opened, keys.values())
    command = ["issuer", "add", str(document), "--collector", "https://survey.example.org"]
    for _ in range(2):
        assert run([*command, "--store", str(store)]) == 0
        assert f"Kept: wards ({survey.digest})" in capsys.readouterr().err
    path = write_settings(tmp_path, PROVIDER, client_secret_variable=None)
    with closing(open_issuer_store(store)) as opened:
        found = read_signing_in(path, opened)
        assert found
        assert [each.survey for each in found.sign_ins] == [survey]
    other = prepare(tmp_path / "other.sqlite", {})
    assert run([*command, "--store", str(other.store)]) == 1
    assert "this store does not have the keys of" in capsys.readouterr().err


@pytest.mark.parametrize("missing", ["authlib", "requests"])
def test_signing_in_needs_two_packages(
    prepared: Prepared, monkeypatch: pytest.MonkeyPatch, missing: str
) -> None:
    """An issuer without them says what to install; without sign-in it does not need them."""
    path = write_settings(prepared.store.parent, PROVIDER, client_secret_variable=None)
    real = util.find_spec
    monkeypatch.setattr(
        "deniable_issuer.sign_in.clients.find_spec",
        lambda name: None if name == missing else real(name),
    )
    with closing(open_issuer_store(prepared.store)) as store:
        assert len(create_blueprints(store, Settings())) == 1
        with pytest.raises(
            ImportError, match=r"run: pip install 'deniable\[web,issuer,sign-in\]'"
        ):
            create_blueprints(store, Settings(), signing_in=read_signing_in(path, store))


def test_a_small_issuer_needs_its_store(capsys: pytest.CaptureFixture[str]) -> None:
    """`deniable serve --sign-in` without an issuer is a mistake in the command."""
    assert run(["serve", "--sign-in", "sign-in.yaml"]) == 2
    assert "people sign in at an issuer; name its --issuer-store" in capsys.readouterr().err
