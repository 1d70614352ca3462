"""The interface has the same texts in every language."""

import re

import pytest

from deniable_analysis.planning.blocks import Estimated
from deniable_collector.tokens import Role
from deniable_sdk.survey.questions import QUESTION_TYPES
from deniable_web.accounts.trail import Act
from deniable_web.packaged_files import PACKAGE
from deniable_web.pages.languages import CODES, DEFAULT, best, catalog, direction, spoken

FOLDER = PACKAGE / "languages"
SURFACES = sorted(path.stem for path in (FOLDER / DEFAULT).glob("*.yaml"))


@pytest.mark.parametrize("surface", SURFACES)
@pytest.mark.parametrize("language", CODES)
def test_every_language_has_every_text_with_its_places(surface: str, language: str) -> None:
    """Sections, keys and what is filled in are those of the first language; all are texts."""
    assert (FOLDER / language / f"{surface}.yaml").is_file()
    expected, found = catalog(surface, DEFAULT), catalog(surface, language)
    assert {name: set(texts) for name, texts in found.items()} == {
        name: set(texts) for name, texts in expected.items()
    }
    for name, texts in expected.items():
        for key, text in texts.items():
            translated = found[name][key]
            assert isinstance(translated, str), (name, key)
            assert translated.strip(), (name, key)
            assert places(translated) == places(text), (name, key)


def test_no_catalog_is_left_over() -> None:
    """Every language has files for the same surfaces, and there is no other folder."""
    assert sorted(path.name for path in FOLDER.iterdir()) == sorted(CODES)
    for language in CODES:
        assert sorted(path.stem for path in (FOLDER / language).iterdir()) == SURFACES


@pytest.mark.parametrize(
    ("wanted", "offered", "expected"),
    [
        (["de-AT", "en"], ["en", "de"], "de"),
        (["fr", "es-MX"], ["de", "es"], "es"),
        (["zh-TW"], ["zh-CN", "zh-TW"], "zh-TW"),
        (["de"], ["de-CH", "en"], "de-CH"),
        (["fr"], ["de", "en"], None),
        ([], ["de"], None),
        ([""], ["de"], None),
    ],
)
def test_the_best_language_is_the_first_wanted_one_that_is_offered(
    wanted: list[str], offered: list[str], expected: str | None
) -> None:
    """An exact tag is taken before another one of the same language."""
    assert best(wanted, offered) == expected


def test_languages_have_a_direction_and_a_stand_in() -> None:
    """Arabic is written from the right; what the interface does not speak, English says."""
    assert [direction(tag) for tag in ("ar", "fa-IR", "de", "zh")] == ["rtl", "rtl", "ltr", "ltr"]
    assert [spoken(tag) for tag in ("ar-EG", "DE", "fr")] == ["ar", "de", "en"]


def places(text: str) -> set[str]:
    """The names in braces."""
    return set(re.findall(r"\{(\w+)\}", text))


@pytest.mark.parametrize("language", CODES)
def test_every_act_and_role_has_words(language: str) -> None:
    """On the pages of colleagues and of the audit trail."""
    script = catalog("accounts", language)["script"]
    assert {f"act_{each.value.replace(' ', '_')}" for each in Act} <= script.keys()
    assert {f"role_{each.value}" for each in Role} <= script.keys()


def test_the_form_can_name_each_of_its_texts() -> None:
    """Its script reads a dataset, which has other names where a digit follows a hyphen."""
    names = catalog("form", DEFAULT)["script"]
    assert [name for name in names if not re.fullmatch("[a-z]+(_[a-z]+)*", name)] == []


@pytest.mark.parametrize("language", CODES)
def test_every_type_and_kind_of_estimate_has_words(language: str) -> None:
    """On the results and in the builder, also where a page has no example of one."""
    results, script = catalog("results", language), catalog("builder", language)["script"]
    assert QUESTION_TYPES.keys() <= results["types"].keys()
    assert {each.value for each in Estimated} <= results["kinds"].keys()
    assert {f"type_{name}" for name in QUESTION_TYPES} <= script.keys()
    assert {f"estimate_{each.value}" for each in Estimated} <= script.keys()
