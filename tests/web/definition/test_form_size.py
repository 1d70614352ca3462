"""A form that would be too large is refused before anybody renders it."""

from contextlib import closing
from pathlib import Path

import pytest

from builder_site import Owner, builder_site
from deniable_collector.settings import Settings
from deniable_collector.store import open_store
from deniable_sdk import PublishedSurvey
from deniable_web.commands import run
from deniable_web.definition.form_size import MOST_BYTES, PAGE_LANGUAGES, form_bytes, size_problems
from deniable_web.definition.yaml_text import to_yaml
from deniable_web.pages.form.rendering import render_form
from deniable_web.pages.languages import CODES
from deniable_web.site import create_site
from sample_definitions import (
    Document,
    choice,
    definition,
    multiple,
    number,
    scale,
    survey,
    yes_no,
)
from score_samples import score

# A survey of 0.1 MB, whose form would have more than five.
LARGE = [choice(f"q{place}", 999) for place in range(8)]
SPOKEN = {code: f"<Text & {code}> " for code in ("en", "fr", "ar")}


def many(count: int, **keys: object) -> list[Document]:
    """Scales with as many questions as a survey may have."""
    return [scale(f"q{place}", 7, **keys) for place in range(count)]


@pytest.mark.parametrize(
    "asked",
    [
        survey(yes_no()),
        survey(yes_no(), choice(), scale(), multiple(), number(), score()),
        survey(*many(30)),
        survey(*many(30, required=True, help="Help & more. " * 100)),
        survey(*[{**each, "text": SPOKEN} for each in many(30)], title=SPOKEN),
        survey(choice("q", 999), number("n", 4_000)),
        survey(*[multiple(f"m{place}", 40) for place in range(5)], ask=1, epsilon=1),
    ],
    ids=["one", "kinds", "matrix", "help", "languages", "long list", "boxes"],
)
def test_the_estimate_is_near_the_form_and_never_below_it(
    tmp_path: Path, asked: PublishedSurvey
) -> None:
    """At most three quarters more, whatever is asked."""
    with (
        closing(open_store(tmp_path / "store.sqlite")) as store,
        create_site(store, Settings()).test_request_context(),
    ):
        size = len(render_form(asked).body.plain)
    assert size <= form_bytes(asked) <= 1.75 * size


def test_a_survey_without_languages_is_in_those_of_the_pages() -> None:
    """So many are in the estimate."""
    assert len(CODES) == PAGE_LANGUAGES


def test_a_usual_survey_is_far_from_the_limit() -> None:
    """Two hundred scales in all languages of the pages."""
    spoken = dict.fromkeys(CODES, "How much did this happen to you in the last twelve months?")
    asked = survey(*many(200, text=spoken), title=spoken, ask=1)
    assert size_problems(asked) == []
    assert form_bytes(asked) < 0.7 * MOST_BYTES


TOO_LARGE = "got 8 questions with 7,992 options in all, a form of about"


def test_the_commands_refuse_a_survey_whose_form_is_too_large(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Checking and publishing say what to do; nothing is stored."""
    file = tmp_path / "survey.yaml"
    file.write_text(to_yaml(definition(*LARGE, epsilon=4, ask=1)))
    for command in (["check"], ["publish", "--store", str(tmp_path / "store.sqlite")]):
        assert run([command[0], str(file), *command[1:]]) == 1
        assert TOO_LARGE in capsys.readouterr().err
    assert not (tmp_path / "store.sqlite").exists()


def test_the_builder_refuses_a_survey_whose_form_is_too_large(tmp_path: Path) -> None:
    """Its check says so in the page's words; it is neither previewed nor published."""
    draft = {"definition": definition(*LARGE, epsilon=4, ask=1)}
    with builder_site(tmp_path) as client:
        owner = Owner(client)
        (problem,) = owner.post("/manage/definitions/check", json=draft).get_json()["problems"]
        assert (problem["path"], problem["code"]) == (["questions"], "form_too_large")
        assert TOO_LARGE in problem["message"]
        for path in ("/manage/definitions/preview", "/manage/surveys"):
            answer = owner.post(path, json=draft)
            assert answer.status_code == 422
            assert TOO_LARGE in answer.get_json()["detail"]


def test_a_form_that_is_too_large_is_not_rendered(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever publishes it elsewhere: the page says so, and so do the pages of its code."""
    rendered: list[str] = []
    monkeypatch.setattr("deniable_web.pages.form.routes.render_form", rendered.append)
    monkeypatch.setattr("deniable_web.pages.form.routes.FormCode.of", rendered.append)
    with closing(open_store(tmp_path / "store.sqlite")) as store:
        store.publish(survey(*LARGE, epsilon=4, ask=1))
        client = create_site(store, Settings()).test_client()
        for path in ("/s/health", "/s/health/code", "/s/health/form.html"):
            answer = client.get(path)
            assert answer.status_code == 501
            assert "This form is too large" in answer.text
    assert rendered == []
