"""Other people's texts reach a terminal as plain text only, without control characters."""

import json
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from deniable_analysis.parts import Column, Line, Table, text_column
from deniable_analysis.presentation import as_text
from deniable_collector.store import add_reports, open_store
from deniable_sdk import (
    InvalidDefinition,
    InvalidSurvey,
    PublishedSurvey,
    compile_survey,
    randomize,
)
from deniable_sdk.errors import printable
from deniable_sdk.transport import CollectorRefused
from deniable_web.commands import run
from sample_definitions import definition, yes_no

# Clears the screen, the same in C1, rings, goes back, and turns the writing round.
EVIL = "\x1b[2J\x9b2J\x07\x7f\r\u202e\u2066"
MARKUP = "[red]x[/red][/] :warning:"


def evil_survey(**texts: str) -> dict[str, Any]:
    """A survey that another program than the compiler has made."""
    document: Any = json.loads(compile_survey(definition(yes_no(), slug="evil")).document)
    question: dict[str, Any] = {
        "id": "asthma",
        "type": "choice",
        "text": texts.get("text", "Which?"),
        "required": True,
        "options": [{"id": texts.get("option", "a")}, {"id": MARKUP}],
    }
    document |= {"title": texts.get("title", f"Title\nsecond {MARKUP}"), "questions": [question]}
    (block,) = document["privacy"]["blocks"]
    block["mechanism"] = {"name": "subset", "domain_size": 2, "size": 1, "weights": [3, 1]}
    return {**document, **{key: texts[key] for key in texts.keys() & {"thanks"}}}


@pytest.mark.parametrize("place", ["title", "text", "option", "thanks"])
@pytest.mark.parametrize("sign", ["\x00", "\x1b", "\r", "\x9b", "\u202e"])
def test_no_device_takes_a_survey_with_control_characters(place: str, sign: str) -> None:
    """Whoever made it: the pages and terminals of all who read it would obey them."""
    assert PublishedSurvey.from_document(evil_survey(**{place: "a"})).slug == "evil"
    with pytest.raises(InvalidSurvey, match=rf"control character U\+{ord(sign):04X}") as caught:
        PublishedSurvey.from_document(evil_survey(**{place: f"a{sign}b"}))
    assert is_harmless(str(caught.value))


def is_harmless(text: str) -> bool:
    """Whether a terminal shows it and does nothing else."""
    return all(sign.isprintable() or sign == "\n" for sign in text)


@pytest.mark.parametrize("form", ["table", "json", "csv"])
def test_results_print_markup_as_text(
    tmp_path: Path, form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    """Of titles and options, which may have line breaks, too."""
    store = tmp_path / "store.sqlite"
    with closing(open_store(store)) as opened:
        published = PublishedSurvey.from_document(evil_survey())
        opened.publish(published)
        add_reports(opened, [randomize(published, {published.questions[0].id: MARKUP})])
    assert run(["results", "evil", "--store", str(store), "--format", form]) == 0
    said = capsys.readouterr()
    assert MARKUP[:5] in said.out
    assert is_harmless(said.out)
    assert is_harmless(said.err)


def test_a_result_in_a_notebook_prints_no_control_character() -> None:
    """What the analysis prints of a result, lines and tables, is as harmless."""
    columns = (text_column("", f"head{EVIL}"), Column("share", "share"))
    table = Table(columns, ((f"row{EVIL}\nforged", 0.5),))
    said = as_text([Line(f"line{EVIL}"), Line(f"warn{EVIL}", is_warning=True), table])
    assert said.count("u001b[2J") == 4
    assert is_harmless(said)
    assert len(said.splitlines()) == 4


def test_an_error_of_a_command_prints_no_control_character(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Messages name keys of files as they are; what is printed of them is harmless."""
    file = tmp_path / "survey.json"
    file.write_text(json.dumps({f"k{EVIL}": 1}), encoding="utf-8")
    assert run(["check", str(file)]) == 1
    said = capsys.readouterr().err
    assert "k\\u001b[2J\\u009b2J" in said
    assert is_harmless(said)


def test_what_a_collector_says_is_harmless() -> None:
    """An app may print the error that quotes it."""
    body = json.dumps({"detail": f"No{EVIL}"}).encode()
    assert is_harmless(str(CollectorRefused.because_of(422, body)))


@pytest.mark.parametrize(
    "sign", ["\x00", "\x07", "\x1b", "\r", "\x7f", "\x85", "\x9b", "\u202a", "\u202e"]
)
@pytest.mark.parametrize("place", ["title", "thanks", "text", "label", "option"])
def test_no_new_survey_has_control_characters(sign: str, place: str) -> None:
    """The compiler refuses them in every text, by their number and their place."""
    question: dict[str, Any] = yes_no()
    keys: dict[str, Any] = {}
    text = f"a{sign}b"
    if place in ("title", "thanks"):
        keys[place] = text
    elif place == "text":
        question["text"] = {"en": "a", "de": text}
    elif place == "label":
        question["labels"] = {"yes": text}
    else:
        question |= {"type": "choice", "options": ["x", text]}
    wanted = rf"control character U\+{ord(sign):04X}; take it out"
    with pytest.raises(InvalidDefinition, match=wanted) as caught:
        compile_survey(definition(question, **keys))
    assert is_harmless(str(caught.value))


def test_breaks_tabs_and_scripts_stay() -> None:
    """What people write is not taken for an attack, and not changed."""
    text = "Zeile\n\tعربي \u200f中文 \u200d é 👩\u200d🔬"
    assert printable(text) == text
    survey = compile_survey(definition(yes_no(), introduction=text))
    assert survey.introduction == text
