"""The routes of the builder's pages: checks, exports, imports, publishing and sharing."""

import base64
import hashlib
import html
import json
import re
import struct
from pathlib import PurePath

import pytest
from werkzeug.test import TestResponse

from builder_site import Owner
from deniable_analysis.privacy import FilePrivacy
from deniable_collector.problems import PROBLEMS
from deniable_sdk import compile_survey
from deniable_sdk.survey.definition import Definition
from deniable_web.builder.pages import example_definition
from deniable_web.definition.file import parse_definition
from deniable_web.forecast.survey import forecast
from deniable_web.pages.languages import CODES, catalog
from deniable_web.pages.numbers import Numbers
from deniable_web.planning.forecast_words import design_in_words, file_in_words
from live_server import ANALYST_TOKEN
from sample_definitions import (
    Document,
    choice,
    definition,
    multiple,
    number,
    scale,
    yes_no,
)
from score_samples import score

CHECK = "/manage/definitions/check"
PUBLISH = "/manage/surveys"


def checked(owner: Owner, document: object, **wishes: object) -> Document:
    """What the check says of a draft."""
    found = owner.post(CHECK, json={"definition": document, **wishes}).get_json()
    assert isinstance(found, dict)
    return found


def refusal(answer: TestResponse, name: str) -> str:
    """The detail of a refusal, after checking its name and status."""
    document = answer.get_json()
    assert document["type"].endswith(f":{name}")
    assert document["status"] == PROBLEMS[name].status
    return str(document["detail"])


def test_a_draft_is_foretold(owner: Owner) -> None:
    """Margins for the wanted respondents, respondents for the wanted margin, and warnings."""
    found = checked(owner, definition(yes_no(), scale()), respondents=5000, margin=0.1)
    assert found["problems"] == []
    forecast = found["forecast"]
    assert forecast["respondents"] == 5000
    assert [block["block"] for block in forecast["blocks"]] == ["asthma", "stress"]
    estimate = forecast["blocks"][0]["estimates"][0]
    assert 0 < estimate["margin"] < 0.1
    assert estimate["respondents_for_margin"] < 5000


def test_a_draft_is_compared_with_other_epsilons(owner: Owner) -> None:
    """Margins of every block shrink with epsilon, and the draft's own epsilon is among them."""
    offers = checked(owner, definition(yes_no(), epsilon="1.5"))["trade_off"]
    assert [offer["epsilon"] for offer in offers] == [0.5, 1.0, 1.5, 2.0, 4.0]
    margins = [offer["margins"]["asthma"] for offer in offers]
    assert margins == sorted(margins, reverse=True)


@pytest.mark.parametrize("language", CODES)
def test_a_forecast_says_in_words_what_the_closed_file_tells(owner: Owner, language: str) -> None:
    """The sentence is that of the results, in the page's language."""
    found = checked(owner, definition(yes_no()), respondents=5000, language=language)
    told = found["forecast"]["closed_file"]
    assert told["reports"] == 5000
    assert found["words"]["closed_file"] == file_in_words(FilePrivacy(**told), Numbers(language))


@pytest.mark.parametrize("language", CODES)
def test_a_forecast_says_the_design_in_words(owner: Owner, language: str) -> None:
    """The sentences are those of check, and call questions by their numbers on the page."""
    document = definition(*(yes_no(f"q{place}") for place in range(7)), epsilon=4)
    found = checked(owner, document, language=language)
    numbers = Numbers(language)
    name = catalog("forecast", language)["design"]["question"]
    expected = design_in_words(
        forecast(Definition.from_document(document), 1000, 0.05),
        numbers,
        lambda question: name.format(number=numbers.count(int(question[1:]) + 1)),
    )
    told = [(each["about"], each["text"]) for each in found["words"]["design"]]
    assert told == list(expected)
    assert {"together", "drawn", "saving", "optional"} <= {about for about, _ in told}
    assert found["forecast"]["optional"] == [f"q{place}" for place in range(7)]


def test_nothing_is_said_of_a_design_with_a_mistake(owner: Owner) -> None:
    """A question that is not finished may cost more; the file's figure needs no options."""
    found = checked(owner, definition(yes_no(), {**choice("b"), "options": ["one"]}))
    assert found["incomplete"] == [1]
    assert found["words"]["design"] == []
    assert found["words"]["closed_file"]


def test_a_language_that_the_interface_lacks_is_refused(owner: Owner) -> None:
    """The refusal lists the languages."""
    wish = {"definition": definition(yes_no()), "language": "tlh"}
    detail = refusal(owner.post(CHECK, json=wish), "invalid-definition")
    assert detail == "Not done: language: allowed is one of en, de, es, ar, zh."


@pytest.mark.parametrize("waves", [{}, {"waves": 3}], ids=["one", "a panel"])
def test_the_own_margin_in_the_comparison_is_that_of_the_forecast(
    owner: Owner, waves: dict[str, int]
) -> None:
    """Both say the same of the draft as it is; of a panel epsilon is that of all waves."""
    found = checked(owner, definition(choice(), multiple(), **waves), respondents=2000)
    assert [offer["epsilon"] for offer in found["trade_off"]] == [0.5, 1, 2, 4]
    own = next(offer for offer in found["trade_off"] if offer["epsilon"] == 2)
    for block in found["forecast"]["blocks"]:
        assert own["margins"][block["block"]] == pytest.approx(block["margin"])


@pytest.mark.parametrize("keys", [{"epsilon": "8.01"}, {"epsilon": 9, "waves": 3}])
def test_a_draft_that_no_device_would_answer_is_refused(
    owner: Owner, keys: dict[str, object]
) -> None:
    """It has a problem even before its texts are written, and cannot be published."""
    unfinished = definition(yes_no(), **keys, title="")
    (empty, beyond) = checked(owner, unfinished)["problems"]
    assert (empty["code"], empty["path"]) == ("empty", ["title"])
    assert (beyond["code"], beyond["path"]) == ("yearly_cap", ["epsilon"])
    for code in CODES:
        assert "--yearly-cap" in catalog("builder", code)["script"]["problem_yearly_cap"]
    answer = owner.post(PUBLISH, json={"definition": definition(yes_no(), **keys)})
    assert "choose 8 or less" in refusal(answer, "invalid-definition")
    within = checked(owner, definition(yes_no(), epsilon=8))
    assert within["problems"] == []
    assert within["forecast"]["warnings"][0]["warning"] == "large_epsilon"


def test_a_draft_whose_end_is_past_is_refused(owner: Owner) -> None:
    """Nobody could answer it; its field says so before anything else is written."""
    keys = {"closes": "2020-01-01T00:00Z"}
    (empty, past) = checked(owner, definition(yes_no(), **keys, title=""))["problems"]
    assert (empty["path"], past["path"], past["code"]) == (["title"], ["closes"], "past")
    answer = owner.post(PUBLISH, json={"definition": definition(yes_no(), **keys)})
    assert "closes: is past (2020-01-01T00:00Z)" in refusal(answer, "survey-closed")


def test_margins_are_told_before_the_texts_are_written(owner: Owner) -> None:
    """What lacks a title, a name or a question's text has problems and a forecast."""
    operator = {"name": "", "contact": "us"}
    draft = definition(
        {**yes_no(), "text": ""}, title="", slug="", introduction="", operator=operator
    )
    found = checked(owner, draft)
    assert {tuple(problem["path"]) for problem in found["problems"]} == {
        ("title",),
        ("slug",),
        ("introduction",),
        ("operator", "name"),
        ("operator", "contact"),
        ("questions", 0, "text"),
    }
    assert found["forecast"]["blocks"][0]["block"] == "asthma"


WRONG: list[tuple[Document, list[str], list[int]]] = [
    (definition(yes_no(), choice("b", 1)), ["asthma"], [1]),
    (definition(yes_no(), {"id": "b", "type": "score", "text": "", "items": []}), ["asthma"], [1]),
    (definition(yes_no(), number("n") | {"max": ""}), ["asthma"], [1]),
    (definition(yes_no(), scale() | {"levels": "many"}), ["asthma"], [1]),
    (definition(yes_no(), yes_no()), ["asthma"], [1]),
    (definition(yes_no(), yes_no("")), ["asthma"], [1]),
    (definition(yes_no(), {"type": "diary"}), ["asthma"], [1]),
    (definition(yes_no(), {}), ["asthma"], [1]),
    (definition({"id": "a", "type": "choice"}), [], [0]),
    (definition(yes_no(), choice() | {"options": ["north", ""]}), ["asthma", "region"], []),
    (definition(yes_no(), scale(show_if={"question": "asthma"})), ["asthma", "stress"], []),
    (
        definition(choice("r", 1), yes_no(show_if={"question": "r", "is": ["o0"]})),
        ["asthma"],
        [0],
    ),
    (
        definition(yes_no(), choice("b", 1), scale(), crosstabs=[["asthma", "b"]]),
        ["stress"],
        [0, 1],
    ),
    (definition(yes_no(), scale(), crosstabs=[["asthma"]]), ["asthma", "stress"], []),
    (
        definition(yes_no(), slug="Größe", opens="soon", accent="red", ask=9, invited={}, logo=3),
        ["asthma"],
        [],
    ),
    (
        definition(
            score(
                items=[{"text": {"en": "Tired", "de": ""}}],
                levels=[
                    {"id": "no", "points": 0, "text": {"en": "no", "de": ""}},
                    {"id": "yes", "points": 3, "text": {"en": "yes", "de": ""}},
                ],
                labels={"mild": {"en": "mild", "de": ""}},
                cutoffs={"minimal": 0, "mild": 3},
            ),
            title={"en": "T", "de": ""},
        ),
        ["mood"],
        [],
    ),
    (
        definition(yes_no("a", reported=False), score(items=[{"question": "b"}]), yes_no()),
        ["asthma"],
        [1],
    ),
]


@pytest.mark.parametrize(("draft", "blocks", "incomplete"), WRONG)
def test_a_mistake_takes_away_no_more_than_its_own_forecast(
    owner: Owner, draft: Document, blocks: list[str], incomplete: list[int]
) -> None:
    """The margins of all others are there, and the protection and the warnings."""
    found = checked(owner, draft, respondents=100)
    assert found["problems"]
    assert [block["block"] for block in found["forecast"]["blocks"]] == blocks
    assert found["incomplete"] == incomplete
    assert found["forecast"]["beliefs"]
    told = [block for warning in found["forecast"]["warnings"] for block in warning["blocks"]]
    assert {*told} == {*blocks}
    assert {*blocks} <= found["trade_off"][0]["margins"].keys()


@pytest.mark.parametrize(
    "document",
    [None, [], "x", {}, {"questions": 3}, {"questions": []}, definition(yes_no(), epsilon="")],
)
def test_what_is_no_survey_yet_has_problems_and_no_forecast(
    owner: Owner, document: object
) -> None:
    """Whatever is sent is looked at, and each problem has its place."""
    found = checked(owner, document)
    assert found["problems"]
    assert all(problem["message"] and problem["place"] for problem in found["problems"])
    assert (found["forecast"], found["trade_off"]) == (None, [])


@pytest.mark.deep
def test_a_huge_draft_is_not_foretold(owner: Owner) -> None:
    """Its problems are named; a forecast after each change would take too long."""
    many = [choice(f"c{number}", 900) for number in range(12)]
    found = checked(owner, definition(*many))
    assert found["is_too_large"] is True
    assert [each["code"] for each in found["problems"]] == ["form_too_large"]
    assert found["forecast"] is None


@pytest.mark.parametrize(
    ("sent", "name", "words"),
    [
        ({"data": b"{"}, "not-json", "broken at character 1. Send a JSON object in UTF-8."),
        ({"data": b"[" * 100_000}, "not-json", "nested deeper than 32 levels"),
        ({"json": []}, "not-json", "no object"),
        ({"json": {"respondents": 0}}, "invalid-definition", "from 1 to"),
        ({"json": {"respondents": True}}, "invalid-definition", "from 1 to"),
        ({"json": {"margin": 1}}, "invalid-definition", "below 1"),
        ({"data": b'{"margin": NaN}'}, "not-json", "not finite"),
        ({"data": b" " * (1 << 21)}, "body-too-large", "1,048,576 bytes"),
    ],
)
def test_what_cannot_be_checked_is_refused_in_words(
    owner: Owner, sent: Document, name: str, words: str
) -> None:
    """Bodies that are too long, no JSON, or ask for the impossible."""
    assert words in refusal(owner.post(CHECK, **sent), name)


@pytest.mark.parametrize(
    "path",
    [CHECK, PUBLISH, *(f"/manage/definitions/{part}" for part in ("preview", "export")),
     "/manage/definitions/import/text"],
)  # fmt: skip
def test_only_those_who_may_write_are_answered(owner: Owner, path: str) -> None:
    """Neither an analyst nor anybody else gets further than the door."""
    for token in (ANALYST_TOKEN, ""):
        answer = Owner(owner.client, token).post(path, json={"definition": definition()})
        role = "owner" if path == PUBLISH else "editor"
        assert f"{role}'s token" in refusal(answer, "token-refused")


def test_a_draft_is_kept_as_yaml_that_reads_the_same(owner: Owner) -> None:
    """The file gives back the definition, words like yes and 10:30 included."""
    draft = definition(
        choice(options=2) | {"options": ["yes", "10:30", "null", "1.5", "ä: #"]}, crosstabs=[]
    )
    text = owner.post("/manage/definitions/export", json={"definition": draft}).get_data(True)
    assert text.startswith("title: Health\nslug: health\n")
    assert parse_definition(PurePath("a.yaml"), text).document == draft


def test_a_yaml_file_is_taken_in(owner: Owner) -> None:
    """The definition comes back, and nothing was left out."""
    body = b"title: T\nslug: t\nepsilon: 1\nquestions:\n- {id: a, type: yes_no, text: Is it?}\n"
    found = owner.post("/manage/definitions/import/text", data=body).get_json()
    assert compile_survey(found["definition"]).slug == "t"
    assert found["left_out"] == found["changed"] == []


@pytest.mark.parametrize(
    "document",
    [
        {"title": "T"},
        {"questions": [1]},
        {"questions": [{"options": "x"}]},
        {"questions": [{"labels": []}]},
        {"questions": [], "crosstabs": "a"},
        {"questions": [], "invited": "a"},
        {"questions": [], "invited": {"groups": []}},
        {"questions": [], "invited": {"groups": {"nurses": 412}}},
    ],
    ids=json.dumps,
)
def test_a_file_that_no_field_could_show_is_refused(owner: Owner, document: Document) -> None:
    """Lists and maps have to be where the builder looks for them."""
    answer = owner.post("/manage/definitions/import/text", json=document)
    assert "not a definition that can be shown" in refusal(answer, "invalid-definition")


def test_a_file_that_is_none_is_refused_with_its_line(owner: Owner) -> None:
    """The refusal says what is wrong, and where."""
    answer = owner.post("/manage/definitions/import/text", data=b"title: T\nslug: [")
    assert "line 2: not YAML" in refusal(answer, "invalid-definition")
    assert refusal(owner.post("/manage/definitions/import/word", data=b""), "not-found")


def test_a_survey_is_published_once(owner: Owner) -> None:
    """Publishing gives the slug and the digest; the same again changes nothing."""
    first, again = (owner.post(PUBLISH, json={"definition": definition()}) for _ in range(2))
    assert (first.status_code, again.status_code) == (201, 200)
    assert first.get_json() == {
        "slug": "health",
        "digest": compile_survey(definition()).digest,
        "is_new": True,
    }
    assert again.get_json()["is_new"] is False


def test_what_stands_in_the_way_of_publishing_is_said(owner: Owner) -> None:
    """Problems, a slug that is taken, and a survey that was closed."""
    broken = owner.post(PUBLISH, json={"definition": definition(title="")})
    assert "title: " in refusal(broken, "invalid-definition")
    owner.post(PUBLISH, json={"definition": definition()})
    other = owner.post(PUBLISH, json={"definition": definition(scale())})
    assert "choose another name" in refusal(other, "survey-conflict")
    owner.post("/api/surveys/health/close")
    closed = owner.post(PUBLISH, json={"definition": definition()})
    assert "change the definition of 'health'" in refusal(closed, "survey-closed")


def test_a_preview_is_the_form_with_its_document_inside(owner: Owner) -> None:
    """The page has the real form, and brings the draft along; nothing is published."""
    sent = {"definition": definition()}
    page = owner.post("/manage/definitions/preview", json=sent).get_json()["page"]
    assert 'id="preview-document"' in page
    scripts = re.findall(r'<script type="module" src="[^"]*/v-\w+/([^"]+)"', page)
    assert scripts[0] == "builder/preview.js"
    assert len(scripts) > 1
    assert compile_survey(definition()).digest in page
    assert owner.get("/api/surveys/health").status_code == 404


def test_codes_are_drawn_for_the_address_that_browsers_see(owner: Owner) -> None:
    """A drawing without a size of its own, and dots large enough to print."""
    owner.post(PUBLISH, json={"definition": definition()})
    sent = {"site": "https://surveys.example.org/below"}
    drawn = owner.post("/manage/surveys/health/code/svg", json=sent)
    assert drawn.mimetype == "image/svg+xml"
    assert b"viewBox" in drawn.data
    dots = owner.post("/manage/surveys/health/code/png", json=sent)
    assert dots.data.startswith(b"\x89PNG")
    assert struct.unpack(">I", dots.data[16:20])[0] > 300


@pytest.mark.parametrize(
    ("path", "site", "name"),
    [
        ("health/code/svg", "javascript:alert(1)", "invalid-definition"),
        ("health/code/svg", None, "invalid-definition"),
        ("health/code/gif", "https://a.example", "not-found"),
        ("nobody/code/svg", "https://a.example", "unknown-survey"),
    ],
)
def test_codes_of_other_things_are_refused(
    owner: Owner, path: str, site: object, name: str
) -> None:
    """Only addresses of surveys become codes."""
    owner.post(PUBLISH, json={"definition": definition()})
    assert refusal(owner.post(f"/manage/surveys/{path}", json={"site": site}), name)


@pytest.mark.parametrize("language", CODES)
def test_pages_are_there_in_every_language(owner: Owner, language: str) -> None:
    """Home, builder and share page have their titles; what is not there is said kindly."""
    owner.post(PUBLISH, json={"definition": definition()})
    texts = catalog("builder", language)
    for path, status, words in (
        ("/", 200, texts["home"]["title"]),
        ("/build", 200, texts["page"]["title"]),
        ("/surveys/health/share", 200, texts["share"]["state_open"]),
        ("/surveys/nobody/share", 404, texts["share"]["not_found_title"]),
    ):
        answer = owner.client.get(f"{path}?lang={language}")
        assert answer.status_code == status
        page = answer.get_data(as_text=True)
        assert words in page
        assert f'lang="{language}"' in page
        assert "frame-ancestors 'none'" in answer.headers["Content-Security-Policy"]


def test_a_closed_survey_is_not_handed_on(owner: Owner) -> None:
    """Its page says so and leads to the results, not to the form."""
    owner.post(PUBLISH, json={"definition": definition()})
    owner.post("/api/surveys/health/close")
    page = owner.client.get("/surveys/health/share?lang=en").get_data(as_text=True)
    assert "This survey is closed." in page
    assert "/surveys/health/results" in page
    assert 'id="link"' not in page


def test_the_example_cannot_be_published_as_it_is(owner: Owner) -> None:
    """In every language it lacks a title and a name, and each question is a placeholder."""
    asked = [("questions", place, "text") for place in range(3)]
    for language in CODES:
        example = example_definition(language)
        found = checked(owner, example)
        told = {tuple(problem["path"]): problem["code"] for problem in found["problems"]}
        assert told == {("title",): "empty", ("slug",): "empty"} | dict.fromkeys(
            asked, "placeholder"
        )
        named = example | {"title": "T", "slug": "t"}
        assert len(compile_survey(named).questions) == 3
        answer = owner.post(PUBLISH, json={"definition": named})
        assert "placeholder" in refusal(answer, "invalid-definition")


def test_what_is_unfinished_is_told_beside_what_is_wrong(owner: Owner) -> None:
    """At its place in the draft, and not of what stands in for a mistake."""
    both = {"en": "Where?", "de": "Wo?"}
    items = yes_no("a", reported=False)
    draft = definition(
        items,
        choice(text=both) | {"options": ["north", {"id": "s", "text": {"en": "South", "de": ""}}]},
        score(items=[{"question": "b"}]),
        yes_no(text="\N{LOWER RIGHT PENCIL} Do you?"),
        scale(text=both),
        title="",
    )
    told = {
        (tuple(problem["path"]), problem["code"]) for problem in checked(owner, draft)["problems"]
    }
    assert (("questions", 3, "text"), "placeholder") in told
    assert (("questions", 3, "text"), "untranslated") in told
    assert (("questions", 1, "options", 0), "untranslated") not in told
    assert (("title",), "empty") in told


def test_the_snippet_names_the_bytes_of_its_script(owner: Owner) -> None:
    """Browsers that compare the check sum run the script that this server sends."""
    owner.post(PUBLISH, json={"definition": definition()})
    page = owner.client.get("/surveys/health/share?lang=en").get_data(as_text=True)
    sent = owner.client.get("/static/embed.js").data
    digest = base64.b64encode(hashlib.sha384(sent).digest()).decode()
    assert f"sha384-{digest}" in html.unescape(page)


def test_a_title_cannot_break_out_of_a_snippet(owner: Owner) -> None:
    """Whoever pastes the snippet gets a title, whatever signs it has."""
    owner.post(PUBLISH, json={"definition": definition(title='"><script>alert(1)</script>')})
    page = owner.client.get("/surveys/health/share?lang=en").get_data(as_text=True)
    snippet = html.unescape(page[page.index('id="frame"') :])
    assert "<script>" not in snippet
    assert 'title="&#34;&gt;&lt;script&gt;' in snippet
