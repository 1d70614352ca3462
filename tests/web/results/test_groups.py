"""Results by group: the numbers of the study after closing."""

import csv
import io
import json
from contextlib import closing
from html import unescape
from pathlib import Path

import openpyxl
import pytest

from deniable_analysis import Estimates, open_study
from deniable_analysis.results import OptionEstimate
from deniable_collector.store import open_store
from deniable_web.pages.languages import CODES
from deniable_web.results import groups
from deniable_web.results.small_parts import Merge
from sample_definitions import multiple
from sampled_params import sampled_params
from there import there
from ward_site import INVITED, WARD, fill_ward, ward
from web.results.conftest import Site
from web.results.group_pages import OPEN, TEXTS, own, page_tables, part
from web.results.test_page import row


def signed(number: float) -> str:
    """A number with its sign, as the English page has it."""
    return f"{number:z.1f}" if round(number, 1) == 0 else f"{number:+.1f}"


def expected_shares(found: Estimates, question: int) -> list[list[list[str]]]:
    """The tables of a question's shares, one for each option, of the study's numbers."""
    grouped, plain = there(found.by_group).questions[question], found.questions[question]
    tables = []
    for index, option in enumerate(plain.options):
        sides: list[tuple[str, OptionEstimate]] = [
            *((name, each.options[index]) for name, each in grouped.groups),
            ("all invited", grouped.options[index]),
            ("all reports", option),
        ]
        rows = [
            [own(name), *"––––––"] if share.share is None else row(own(name), share)
            for name, share in sides
        ]
        tables.append(rows)
    return tables


@pytest.mark.parametrize(
    "merge", sampled_params([(("doctors", "cleaners"),), ()]), ids=["merged", "apart"]
)
def test_tables_by_group_are_the_studys(ward_site: Site, merge: Merge) -> None:
    """Shares of each group, of all invited people and of all reports; means; differences."""
    study = open_study(ward_site.location, WARD)
    found = study.estimate(by_group=True, merge=merge, confidence=0.99)
    query = {"merge": ",".join(merge[0])} if merge else {}
    tables = page_tables(part(ward_site, "groups", confidence="0.99", **query))
    for index, grouped in enumerate(there(found.by_group).questions):
        shown = [table[1:] for table in tables[f"gd-{grouped.question}"]]
        expected = expected_shares(found, index)
        assert sorted(shown[: len(expected)]) == sorted(expected)
        options = {each.option for each in grouped.options}
        pairs = [
            " − ".join(f"\u2068{own(group)}\u2069" for group in each.groups)
            for each in grouped.differences
        ]
        assert [line[0] for line in shown[-1]] == [
            f"{own(each.name)}: {pair}" if each.name in options else pair
            for each, pair in zip(grouped.differences, pairs, strict=True)
        ]
        said = [signed(100 * there(each.difference)) for each in grouped.differences]
        is_share = [each.name in options for each in grouped.differences]
        differences = [line[3] for line in shown[-1]]
        assert [one for one, fits in zip(differences, is_share, strict=True) if fits] == [
            one for one, fits in zip(said, is_share, strict=True) if fits
        ]
        tests = [each.adjusted_p_value for each in grouped.differences]
        assert any(each is not None for each in tests)
        assert [line[-1] for line in shown[-1]] == [
            "–" if each is None else "<0.001" if each < 0.001 else f"{each:.3f}" for each in tests
        ]
    means = tables["gd-stress"][-2][1:]
    grouped = there(found.by_group).questions[1]
    values = [*(mean.value for _, mean in grouped.means()), there(found.questions[1].mean).value]
    assert [line[1] for line in means] == [
        "–" if each is None else f"{each:.2f}" for each in values
    ]
    assert means[-1][0] == "All reports"


def test_missing_and_merged_groups_are_named(ward_site: Site) -> None:
    """There is no number for all invited people without them, and there is one once merged."""
    apart = unescape(part(ward_site, "groups"))
    assert TEXTS["groups"]["missing"].format(groups="\u2068cleaners\u2069") in apart
    merged = unescape(part(ward_site, "groups", merge="doctors,cleaners"))
    assert "\u2068cleaners\u2069." not in merged
    sentence = TEXTS["groups"]["merged"].format(groups="\u2068doctors + cleaners\u2069")
    assert sentence in merged
    assert merged.count(" checked>") == 2
    for wrong in ("doctors,doctors", "doctors,nobody", ""):
        assert unescape(part(ward_site, "groups", merge=wrong)) == apart


def test_files_have_the_groups_of_a_closed_survey(ward_site: Site) -> None:
    """CSV, JSON and a spreadsheet: shares, means and differences, with merged groups."""
    merge = (("doctors", "cleaners"),)
    found = open_study(ward_site.location, WARD).estimate(by_group=True, merge=merge)
    files = {
        kind: ward_site.get(
            f"/manage/surveys/{WARD}/results/estimates.{kind}", merge="doctors,cleaners"
        )
        for kind in ("csv", "json", "xlsx")
    }
    document, written = found.to_document(), json.loads(files["json"].data)
    assert {name: written[name] for name in document} == document
    assert written["labels"]["groups"]["nurses"] == own("nurses")
    rows = list(csv.DictReader(io.StringIO(files["csv"].data.decode("utf-8-sig"))))
    (share,) = (
        each
        for each in rows
        if (each["kind"], each["question"], each["group"], each["option"])
        == ("group_option", "harassed", "all invited", "yes")
    )
    weighted = there(found.by_group).questions[0]
    assert float(share["estimate"]) == there(weighted.options[0].share)
    assert (share["group_text"], share["option_text"]) == (own("all invited"), own("yes"))
    (pair,) = (
        each
        for each in rows
        if (each["question"], each["group"], each["option"])
        == ("harassed", "nurses - doctors + cleaners", "yes")
    )
    assert pair["kind"] == "group_difference"
    assert pair["group_text"] == "Nursing staff − doctors + cleaners"
    difference = weighted.differences[0]
    assert float(pair["estimate"]) == there(difference.difference)
    assert float(pair["adjusted_p_value"]) == there(difference.adjusted_p_value)
    book = openpyxl.load_workbook(io.BytesIO(files["xlsx"].data), read_only=True)
    about = {line[0]: line[2] for line in book["About"].iter_rows(values_only=True)}
    assert about["invited"] == sum(INVITED.values())
    assert about["response_rate"] == pytest.approx(81 / 120)
    cells = [line[0] for line in book["Estimates"].iter_rows(values_only=True)]
    assert cells.count("group_difference") == len(
        [each for question in there(found.by_group).questions for each in question.differences]
    )


def test_many_rows_are_a_table_only(ward_site: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """A chart of hundreds of rows shows nobody anything."""
    assert '<table class="chart' in part(ward_site, "groups")
    monkeypatch.setattr(groups, "MOST_CHARTED", 5)
    markup = part(ward_site, "groups")
    assert '<table class="chart means' not in markup
    assert 'class="valid"' not in markup
    assert page_tables(markup)["gd-harassed"]


@pytest.mark.parametrize("language", CODES)
def test_every_language_has_all_parts(ward_site: Site, language: str) -> None:
    """No place is left unfilled, no style stands in an attribute, and names are the survey's."""
    for slug, name in ((WARD, "response"), (WARD, "groups"), (OPEN, "response")):
        markup = part(ward_site, name, slug, lang=language)
        assert "{" not in markup
        assert "style=" not in markup
        assert ("طاقم التمريض" if language == "ar" else "Nursing staff") in markup


def test_options_without_a_report_are_named(tmp_path: Path) -> None:
    """By their labels, also if ids have commas or brackets; no chart is empty."""
    labels = {f"drink {number}, cold (iced)": f"Drink {number}" for number in range(8)}
    options = [{"id": name, "text": text} for name, text in labels.items()]
    question = multiple("drinks", mechanism="sampled_bits") | {"options": options}
    path = tmp_path / "store.sqlite"
    with closing(open_store(path)) as store:
        fill_ward(store, ward(first_key=80, questions=(question,)), {"nurses": 1})
        store.close_survey(WARD)
        markup = unescape(part(Site.over(store), "groups"))
        found = open_study(path, WARD).estimate(by_group=True)
    (_, nurses), *_ = there(found.by_group).questions[0].groups
    unknown = [
        labels.get(each.option, own(each.option)) for each in nurses.options if each.share is None
    ]
    assert f"Nursing staff ({', '.join(unknown)})" in markup
    assert markup.count('<table class="chart') == len(nurses.options) - len(unknown) > 0
    assert len(unknown) > 1
