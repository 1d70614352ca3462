"""The form's page as the server returns it: the same for everyone, in all languages."""

import gzip
import math
import re
from collections.abc import Iterator, Sequence
from contextlib import closing
from fractions import Fraction
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from blind_issuer import group, invited
from deniable_collector.clock import utc_now
from deniable_collector.settings import Settings
from deniable_collector.store import open_store
from deniable_sdk import compile_survey
from deniable_web.pages.form.languages import PageLanguage, offered_languages
from deniable_web.pages.form.layout import FormSection, Part, lay_out
from deniable_web.pages.form.privacy import percent, privacy_words
from deniable_web.pages.languages import CODES, catalog
from deniable_web.site import create_site
from linked import PEOPLE, linked
from sample_definitions import Document, definition, scale, survey, yes_no

MOMENT = "2040-01-31T18:00Z"
WANTED = ("de-AT,de;q=0.9", "ar", "zh-CN", "fr;q=0.5, *;q=0.1", "", "x" * 300)
SPOKEN: Document = {"en": "Health", "fr": "Santé", "ar": "الصحة"}


@pytest.fixture
def client(tmp_path: Path) -> Iterator[FlaskClient]:
    """A site with a survey in one string, one in three languages, and a closed one."""
    asked = yes_no() | {"text": SPOKEN}
    with closing(open_store(tmp_path / "store.sqlite")) as store:
        store.publish(compile_survey(definition(slug="plain")))
        store.publish(compile_survey(definition(asked, slug="spoken", title=SPOKEN)))
        store.publish(compile_survey(definition(slug="closed")))
        store.close_survey("closed")
        windowed = definition(slug="windowed", closes=MOMENT, stop_when={"margin": 0.03})
        store.publish(compile_survey(windowed))
        precise = compile_survey(definition(slug="precise", stop_when={"margin": 0.03}))
        store.publish(precise)
        assert store.end_by_margin(precise.digest, utc_now())
        yield create_site(store, Settings(frame_ancestors="https://example.org")).test_client()


@pytest.mark.parametrize("slug", ["plain", "spoken", "windowed", "closed", "precise", "nothing"])
def test_a_page_is_the_same_for_everyone(client: FlaskClient, slug: str) -> None:
    """Neither the wanted language nor anything else of a request changes a byte or a header."""
    answers = [
        client.get(f"/s/{slug}", headers={"Accept-Language": wanted, "User-Agent": wanted})
        for wanted in WANTED
    ]
    assert len({answer.data for answer in answers}) == 1
    assert len({str(answer.headers) for answer in answers}) == 1


@pytest.mark.parametrize(
    ("slug", "status"), [("windowed", 200), ("closed", 410), ("precise", 410)]
)
def test_nobody_answers_in_vain(client: FlaskClient, slug: str, status: int) -> None:
    """A survey that ended for good, closed or precise enough, has a page that says so."""
    answer = client.get(f"/s/{slug}")
    assert answer.status_code == status
    assert ("This survey is closed" in answer.text.split("<template", 1)[0]) is (status == 410)


def test_a_page_travels_compressed_where_that_is_understood(client: FlaskClient) -> None:
    """Both ways give the same bytes."""
    plain = client.get("/s/plain")
    packed = client.get("/s/plain", headers={"Accept-Encoding": "gzip"})
    assert gzip.decompress(packed.data) == plain.data
    assert packed.headers["Vary"] == "Accept-Encoding"


def languages_of(client: FlaskClient, slug: str) -> list[str]:
    """The languages a page is rendered in."""
    return re.findall(r'<template data-language="([\w-]+)"', client.get(f"/s/{slug}").text)


def test_a_plain_survey_is_offered_in_all_languages_of_the_interface(client: FlaskClient) -> None:
    """Its own texts are of no known language, and say themselves how they are written."""
    assert languages_of(client, "plain") == list(CODES)
    text = client.get("/s/plain").text
    assert text.count('<legend lang="" dir="auto">Do you have asthma?</legend>') == len(CODES)


def test_a_survey_by_language_is_offered_in_these(client: FlaskClient) -> None:
    """In one that the interface does not speak, what it says is marked as English."""
    assert languages_of(client, "spoken") == ["en", "ar", "fr"]
    text = client.get("/s/spoken").text
    french = text.split('<template data-language="fr"')[1]
    assert "<h1>Santé</h1>" in french
    assert re.search(r'<button [^>]*id="next"[^>]*>Next</button>', french)
    assert '<div class="card privacy" lang="en" dir="ltr">' in french
    arabic = text.split('<template data-language="ar"')[1].split("<template data-language")[0]
    assert 'lang="en"' not in arabic.replace('id="refusal" lang="en"', "")


def test_a_form_shows_all_groups_with_names_and_numbers(tmp_path: Path) -> None:
    """In each language, before anybody says who they are; a group without a name has its id."""
    names = {
        "nurses": {"en": "Nurses", "ar": "ممرضات"},
        "doctors": {"en": "Doctors", "ar": "أطباء"},
    }
    groups = {
        name: {**group(name), "invited": count, **({"text": names[name]} if name in names else {})}
        for name, count in (("nurses", 412), ("doctors", 118), ("x", 20))
    }
    title = {"en": "Health", "ar": "الصحة"}
    asked = compile_survey(definition(title=title, invited=invited(groups=groups)))
    with closing(open_store(tmp_path / "store.sqlite")) as store:
        store.publish(asked)
        form = create_site(store, Settings()).test_client().get(f"/s/{asked.slug}").text
    for code in title:
        says = catalog("form", code)["fieldwork"]
        part = form.split(f'<template data-language="{code}"')[1].split("<template data")[0]
        listed = part.split('<details id="groups">')[1].split("</details>")[0]
        assert says["groups"].format(count=3) in listed
        assert says["groups_text"] in listed
        shown = re.findall(r"<li>\s*<bdi[^>]*>(.*?)</bdi> <span>\((.*?)\)</span>\s*</li>", listed)
        assert shown == [
            (names.get(name, {}).get(code, name), says["invited"].format(count=each["invited"]))
            for name, each in groups.items()
        ]


@pytest.mark.parametrize("code", CODES)
def test_a_form_asks_about_the_group_of_a_link(tmp_path: Path, code: str) -> None:
    """In every language it can show each group, and says that nothing else depends on it."""
    asked = linked()
    with closing(open_store(tmp_path / "store.sqlite")) as store:
        store.publish(asked)
        form = create_site(store, Settings()).test_client().get(f"/s/{asked.slug}").text
    says = catalog("form", code)["fieldwork"]
    part = form.split(f'<template data-language="{code}"')[1].split("<template data")[0]
    for key in (
        "links_text",
        "link_unknown",
        "link_title",
        "link_text",
        "link_take",
        "link_leave",
    ):
        assert says[key] in part, key
    assert says["groups_text"] not in part
    for name, people in PEOPLE.items():
        count = re.escape(says["people"].format(count=people))
        shown = re.findall(rf"<bdi[^>]*>{name}</bdi> <span[^>]*>\({count}\)</span>", part)
        # In the list, as the link's, and as what the report carries, before and after.
        assert len(shown) == 4
    assert 'id="invitation"' not in part


def test_only_forms_may_be_framed(client: FlaskClient) -> None:
    """By the sites of the setting; pages for those who run surveys, by nobody."""
    policy = client.get("/s/plain").headers["Content-Security-Policy"]
    assert "frame-ancestors https://example.org" in policy
    assert "unsafe" not in policy
    assert "frame-ancestors 'none'" in client.get("/surveys").headers["Content-Security-Policy"]


def test_the_worker_serves_the_addresses_beside_it(client: FlaskClient) -> None:
    """It is asked for each time, so that an update reaches everyone."""
    answer = client.get("/s/worker.js")
    assert (answer.status_code, answer.mimetype) == (200, "text/javascript")
    assert answer.headers["Cache-Control"] == "no-cache"


def _parts(page: Sequence[FormSection]) -> list[Part]:
    return [part for section in page for part in section.parts]


def test_sections_go_on_until_the_next_one() -> None:
    """Also on a new page; alike scales of two sections, or with help texts, are in no matrix."""
    asked = survey(
        scale("a"),
        scale("b", section={"title": "Work", "note": "Paid work only."}),
        scale("c"),
        scale("d", help="From 1 to 5."),
        scale("e", new_page=True),
        {
            "id": "mood",
            "type": "score",
            "text": "How often?",
            "levels": {"no": 0, "yes": 1},
            "items": ["Sad?", "Tired?"],
            "section": {"title": "Mood"},
            "new_page": True,
        },
        ask="all",
    )
    pages = lay_out(asked, [PageLanguage("en")])
    shown = [
        [(each.heading and each.heading.title, [part.id for part in each.parts]) for each in page]
        for page in pages
    ]
    assert shown == [
        [(None, ["a"]), ("Work", ["b", "d"])],
        [("Work", ["e"])],
        [("Mood", ["mood_1", "mood"])],
    ]


def test_pages_begin_where_a_question_says_so() -> None:
    """The first question begins the first page, whether it says so or not."""
    asked = survey(yes_no("a", new_page=True), yes_no("b"), yes_no("c", new_page=True), ask="all")
    pages = lay_out(asked, [PageLanguage("en"), PageLanguage("de")])
    for index, code in enumerate(("en", "de")):
        assert {part.groups[index][0].code for page in pages for part in _parts(page)} == {code}
    names = [
        [view.id for part in _parts(page) for view in part.groups[1][1].questions]
        for page in pages
    ]
    assert names == [["a", "b"], ["c"]]


def test_scales_that_are_alike_stand_in_a_matrix() -> None:
    """Neighbours of the same levels, words and requiredness, on one page, with few columns."""
    asked = survey(
        scale("a"),
        scale("b"),
        scale("c", required=True),
        scale("d", labels={1: "none"}),
        scale("e", labels={1: "none"}, new_page=True),
        scale("f", labels={1: "none"}),
        yes_no("g"),
        scale("h", 12),
        scale("i", 12),
    )
    parts = [part for page in lay_out(asked, [PageLanguage("en")]) for part in _parts(page)]
    groups = [group for part in parts for _, group in part.groups]
    assert [part.id for part in parts] == ["a", "c", "d", "e", "g", "h", "i"]
    assert ["".join(view.id for view in group.questions) for group in groups] == [
        "ab", "c", "d", "ef", "g", "h", "i",
    ]  # fmt: skip
    assert [words.text for words in groups[3].columns] == [
        "1 – none", "2", "3", "4", "5", "Prefer not to say",
    ]  # fmt: skip
    assert groups[1].columns == ()


@pytest.mark.parametrize(
    ("share", "least", "most"),
    [
        (Fraction(1, 10), "10", "10"),
        (Fraction(4508, 10000), "45", "46"),
        (Fraction(148, 10000), "1.4", "1.5"),
        (Fraction(1, 3), "33", "34"),
        (Fraction(9999, 10000), "99.99", "99.99"),
        (Fraction(99999, 100_001), "99.998", "99.9981"),
        (Fraction(1, 7000), "0.014", "0.015"),
    ],
)
def test_percents_are_rounded_outward(share: Fraction, least: str, most: str) -> None:
    """A rounded bound is still a bound, close to the exact one, and never 0 or 100."""
    assert (percent(share, math.floor), percent(share, math.ceil)) == (least, most)
    assert Fraction(least) <= 100 * share <= Fraction(most)


def test_the_worst_is_told_in_the_surveys_own_numbers() -> None:
    """Beliefs and odds are those of the weights, written as the language writes numbers."""
    asked = survey(yes_no(), epsilon=2)
    english, german = (privacy_words(asked, PageLanguage(code)) for code in ("en", "de"))
    assert (english.told.before, english.told.low, english.told.high) == ("10%", "1.4%", "46%")
    assert (german.told.low, german.at_most_times) == ("1,4 %", "7,39")
    assert english.drawing == ""


def test_a_survey_above_what_apps_allow_is_said_in_words() -> None:
    """Above 4 the form says what the survey alone can tell and take; a panel counts whole."""
    for four in (survey(yes_no(), epsilon=4), survey(yes_no(), epsilon=4, waves=3)):
        assert privacy_words(four, PageLanguage("en")).large is None
    english, german = (
        " ".join(privacy_words(survey(yes_no(), epsilon="5.5"), PageLanguage(code)).large or ())
        for code in ("en", "de")
    )
    assert english.startswith("This survey can reveal more about you than most. ")
    assert "something about your answers can be up to 96.5% sure of it after" in english
    assert "The survey uses an epsilon of 5.5" in english
    assert "at most 8 in 365 days" in english
    assert "verbraucht ein Epsilon von 5,5" in german
    panel = privacy_words(survey(yes_no(), epsilon=6, waves=3), PageLanguage("en"))
    assert panel.large is not None
    assert panel.large.line.startswith("All 3 waves of this survey together")
    assert (
        "up to 98% sure of it after reading all your reports. Together the waves"
        in panel.large.text
    )
    assert panel.told.high == "46%", "of this round alone"


@pytest.mark.parametrize("code", CODES)
def test_every_language_says_how_far_facts_can_be_matched(code: str) -> None:
    """With the number of values that all facts have together, and within a person's group."""
    facts = [yes_no("a", fixed=True, required=True), yes_no("b", fixed=True)]
    language = PageLanguage(code)
    told = privacy_words(survey(*facts, yes_no("c")), language).fixed
    assert told is not None
    assert [part.count(language.number("6")) for part in told] == [1, 1]
    assert privacy_words(survey(yes_no()), language).fixed is None
    asked = privacy_words(
        survey(*facts, yes_no("c"), ask="all", invited=invited(groups={"a": {"invited": 120}})),
        language,
    )
    assert asked.fixed is not None
    assert asked.fixed.text == f"{told.text} {catalog('form', code)['privacy']['fixed_group']}"


@pytest.mark.parametrize("is_fixed", [True, False])
def test_what_stays_of_a_declined_report_is_said(tmp_path: Path, *, is_fixed: bool) -> None:
    """Where a fact is asked, its randomized value stays with the mark, and the page says so."""
    with closing(open_store(tmp_path / "store.sqlite")) as store:
        store.publish(survey(yes_no(fixed=is_fixed), slug="facts"))
        page = create_site(store, Settings()).test_client().get("/s/facts").text
    for code in CODES:
        assert catalog("form", code)["kind"]["declined_text"].replace("'", "&#39;") in page
        assert (catalog("form", code)["kind"]["declined_fixed"] in page) == is_fixed


@pytest.mark.parametrize("waves", [{}, {"waves": 3}])
@pytest.mark.parametrize("code", CODES)
def test_every_language_says_what_a_large_survey_takes(code: str, waves: dict[str, int]) -> None:
    """With the numbers of the survey put in."""
    said = " ".join(
        privacy_words(survey(yes_no(), epsilon=6, **waves), PageLanguage(code)).large or ()
    )
    numbers = set(re.findall(r"\d+", said))
    assert numbers == {"6", "8", "365", "10", "98", *map(str, waves.values())}
    assert "{" not in said


def test_every_language_renders_without_a_place_left_open(client: FlaskClient) -> None:
    """No {place} that the server fills stands in the page; those of the script stay."""
    page = client.get("/s/plain").text
    of_script = r'<template id="texts".*?</template>| data-early="[^"]*"'
    shown = re.sub(of_script, "", page, flags=re.DOTALL)
    assert re.findall(r"\{\w+\}", shown) == []
    assert [language.code for language in offered_languages()] == list(CODES)


def test_answers_that_stay_on_the_device_are_in_groups_of_their_own() -> None:
    """Above each such group a note says so, and not above questions that are reported."""
    items = [{"question": name} for name in ("a", "b", "d")]
    points = {str(level): level for level in range(1, 6)}
    asked = survey(
        scale("a", reported=False),
        scale("b", reported=False),
        scale("c"),
        scale("d", reported=False),
        {"id": "sum", "type": "score", "text": "Sum", "cutoffs": {"low": 0, "high": 9}}
        | {"items": [item | {"points": points} for item in items]},
        ask="all",
    )
    texts = catalog("form", "en")["question"]
    parts = [part for page in lay_out(asked, [PageLanguage("en")]) for part in _parts(page)]
    groups = [group for part in parts for _, group in part.groups]
    assert [
        ("".join(view.id for view in group.questions), group.kept) for group in groups[:3]
    ] == [("ab", texts["kept_items"]), ("c", ""), ("d", texts["kept_item"])]
