"""Templates of surveys: each is complete in every language, and says what its wording follows."""

import html
import json
import re
from fractions import Fraction
from pathlib import PurePath
from typing import Any

import pytest

from builder_site import Owner
from deniable_analysis.planning import Estimated
from deniable_collector.problems import PROBLEMS
from deniable_sdk import compute_scores
from deniable_sdk.survey.definition import Definition
from deniable_web.builder.survey_templates import (
    SurveyTemplate,
    UnknownTemplate,
    template,
    templates,
)
from deniable_web.definition.completeness import PLACEHOLDER
from deniable_web.definition.file import UnreadableDefinition, parse_definition
from deniable_web.forecast.survey import forecast
from deniable_web.pages.languages import CODES, catalog

SUBJECTS = {
    "harassment-at-work",
    "drug-use-at-school",
    "speaking-up",
    "patient-safety-events",
    "plagiarism",
    "intimate-partner-violence",
}
NAMED = [pytest.param(each, id=each.name) for each in templates()]
# What an author is told about a share, and about a mean, which has no points.
SHARES = set(Estimated) - {Estimated.MEAN}
LICENCES = re.compile(r"public domain|CC BY 4\.0|treaty")


def written(found: SurveyTemplate, *languages: str) -> dict[str, Any]:
    """A template as its author publishes it: with all placeholders replaced."""

    def replaced(value: Any) -> Any:
        if isinstance(value, dict):
            return {key: replaced(each) for key, each in value.items()}
        if isinstance(value, list):
            return [replaced(each) for each in value]
        return value.replace(PLACEHOLDER, "Our own text") if isinstance(value, str) else value

    definition: dict[str, Any] = replaced(found.definition(languages))
    return definition


def test_the_subjects_are_there() -> None:
    """Each under its own name, which is its link name, too."""
    assert {each.name for each in templates()} == SUBJECTS
    for name in SUBJECTS:
        assert template(name).document["slug"] == name
    with pytest.raises(UnknownTemplate, match="no template 'bullying'; choose one of harassment"):
        template("bullying")


@pytest.mark.parametrize("found", NAMED)
def test_every_template_compiles_in_each_language_and_in_all(found: SurveyTemplate) -> None:
    """Its text is read again as the same definition, and every text is in every language."""
    for languages in (*((code,) for code in CODES), ("en", "de"), CODES):
        file = parse_definition(PurePath("survey.yaml"), found.text(languages))
        assert file.document == found.definition(languages)
        definition = Definition.from_document(file.document)
        assert definition.languages == (set(languages) if len(languages) > 1 else set())


@pytest.mark.parametrize("found", NAMED)
def test_what_its_author_must_write_keeps_it_from_being_published(
    found: SurveyTemplate, owner: Owner
) -> None:
    """Who runs the survey is open at first; then the server publishes it, in two languages."""
    with pytest.raises(UnreadableDefinition, match=r"operator\.name: still has a placeholder"):
        parse_definition(PurePath("survey.yaml"), found.text()).compile(Fraction(8))
    draft = found.definition(("en", "de"))
    refused = owner.post("/manage/surveys", json={"definition": draft})
    assert refused.status_code == PROBLEMS["invalid-definition"].status
    published = owner.post("/manage/surveys", json={"definition": written(found, "en", "de")})
    assert published.status_code == 201, published.get_json()
    form = owner.client.get(f"/s/{found.name}").get_data(as_text=True)
    assert html.escape(found.title("de"), quote=False) in form


@pytest.mark.parametrize("found", NAMED)
def test_the_number_of_respondents_is_that_of_the_forecast(found: SurveyTemplate) -> None:
    """The share that is hardest to estimate has the margin, with a quarter twice the margin."""
    definition = Definition.from_document(found.definition())
    foretold = forecast(definition, found.respondents_for_ten, margin=0.05)
    shares = [
        each for block in foretold.blocks for each in block.estimates if each.estimated in SHARES
    ]
    wanted = [each.respondents_for_margin for each in shares if each.respondents_for_margin]
    assert len(wanted) == len(shares)
    assert max(wanted) == found.respondents
    margins = [each.margin for each in shares if each.margin]
    assert len(margins) == len(shares)
    assert 0.099 < max(margins) <= 0.1


@pytest.mark.parametrize("found", NAMED)
def test_every_template_names_its_sources_and_their_licences(
    found: SurveyTemplate, owner: Owner
) -> None:
    """On the page and in the file; each question that a source is said to be used for exists."""
    page = html.unescape(owner.get("/new?lang=en").text)
    text = " ".join(line.removeprefix("#").strip() for line in found.text().splitlines())
    ids = {question["id"] for question in found.document["questions"]}
    ids |= {item["id"] for each in found.document["questions"] for item in each.get("items", ())}
    ids |= {item["id"] for each in found.document["questions"] for item in each.get("options", ())}
    assert found.sources
    for source in found.sources:
        assert re.search(r"\b(1|2)\d{3}\b|CFR", source.cited)
        assert LICENCES.search(source.licence)
        assert source.address.startswith("https://")
        for told in (source.cited, source.address, source.licence, source.used):
            assert told in page
            assert told in text
        named = set(re.findall(r'"([a-z_]+)"', source.used))
        assert named <= ids
    assert any(re.search(r"\bours?\b", source.used) for source in found.sources)


def test_attribution_that_a_licence_requires_is_published() -> None:
    """A template that adapts a work under CC BY says so to respondents, in every language."""
    adapted = [
        each for each in templates() if any("CC BY" in source.licence for source in each.sources)
    ]
    assert [each.name for each in adapted] == ["plagiarism"]
    for each in adapted:
        for text in each.document["thanks"].values():
            assert "CC BY 4.0" in text
            assert "10.7717/peerj.562" in text


def test_partner_violence_is_counted_on_the_device() -> None:
    """The acts are items of a score, so that no report says which of them happened."""
    survey = parse_definition(
        PurePath("survey.yaml"), template("intimate-partner-violence").text()
    ).compile()
    acts = [each.id for each in survey.questions if each.id not in {"violence", "past_year"}]
    assert len(acts) == 4
    assert {block.id for block in survey.blocks} == {"violence", "past_year"}
    nothing = dict.fromkeys(acts, "no")
    for happened, band in ((0, "none"), (1, "one"), (2, "several"), (4, "several")):
        answers = {**nothing, **dict.fromkeys(acts[:happened], "yes")}
        assert compute_scores(survey, answers) == {"violence": band}


def test_a_template_has_the_languages_that_are_asked_for() -> None:
    """A text in one language is a plain text; other languages are refused with those there are."""
    found = template("plagiarism")
    assert found.definition(("de",))["title"] == found.title("de")
    assert list(found.definition(("de", "en"))["title"]) == ["de", "en"]
    for wrong in ((), ("fr",), ("en", "fr")):
        with pytest.raises(ValueError, match="allowed are one or more of en, de, es, ar, zh"):
            found.definition(wrong)


@pytest.mark.parametrize("language", CODES)
def test_the_page_offers_every_template_in_its_language(owner: Owner, language: str) -> None:
    """With its questions and the respondents it needs, beside the other ways to begin."""
    page = html.unescape(owner.get(f"/new?lang={language}").text)
    texts = catalog("builder", language)["begin"]
    for key in ("title", "empty", "example", "import", "published", "templates", "sources"):
        assert texts[key] in page
    for each in templates():
        assert each.title(language) in page
        assert all(question["text"][language] in page for question in each.document["questions"])
        assert f"/build?new=yes&template={each.name}&lang={language}" in page
    assert re.search(r"4[.,٬\xa0]?335", page)


def test_the_builder_begins_with_what_was_chosen(owner: Owner) -> None:
    """A template in the chosen languages, or nothing; what is not there leads to what there is."""
    page = html.unescape(owner.get("/build?new=yes&template=speaking-up&in=es&in=de").text)
    title = {code: template("speaking-up").title(code) for code in ("es", "de")}
    assert f'"title": {json.dumps(title)}' in page
    assert "Speaking up" not in page
    assert '"questions": []' in html.unescape(owner.get("/build?template=empty").text)
    for query in ("template=bullying", "template=speaking-up&in=fr"):
        answer = owner.get(f"/build?{query}&lang=en")
        assert answer.status_code == 404
        assert catalog("builder", "en")["begin"]["title"] in answer.text
