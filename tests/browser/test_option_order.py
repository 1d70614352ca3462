"""Options in random order: as the device draws them, in every language, and never reported."""

from pathlib import Path

from playwright.sync_api import Browser, Page

from axe_checks import violations
from deniable_sdk import Report, check_report, compile_survey
from live_form import open_form, question, record_requests, send
from live_site import live_site
from sample_definitions import choice, definition, multiple

COUNT = 12
SURVEY = compile_survey(
    definition(
        choice("drawn", COUNT, random_order=True),
        choice("listed", COUNT),
        multiple("several", COUNT, at_most=3, random_order=True),
        slug="order",
        ask="all",
    )
)


def order(page: Page, name: str) -> list[str]:
    """The values of a question's options, from top to bottom."""
    inputs = question(page, name).locator(".choices input")
    return [each.get_attribute("value") or "" for each in inputs.all()]


def test_options_are_in_an_order_of_the_device(browser: Browser, tmp_path: Path) -> None:
    """Another one for each question and respondent, the same in both languages; choices stay."""
    listed = [*SURVEY.questions[1].option_ids, "no_answer"]
    orders = []
    with live_site(tmp_path / "site.sqlite", SURVEY) as site:
        for _ in range(2):
            with browser.new_context(locale="en") as context:
                page = open_form(context, site, "order")
                assert order(page, "listed") == listed
                drawn = [order(page, name) for name in ("drawn", "several")]
                for each in drawn:
                    assert sorted(each[:COUNT]) == sorted(listed[:COUNT])
                assert [each[COUNT:] for each in drawn] == [["no_answer"], ["", "no_answer"]]
                orders += drawn
                chosen = drawn[0][3]
                question(page, "drawn").locator(f"input[value={chosen}]").check(force=True)
                page.locator(".picker select").select_option("de")
                assert [order(page, name) for name in ("drawn", "several")] == drawn
                assert question(page, "drawn").locator(f"input[value={chosen}]").is_checked()
                assert violations(page) == []
    # Two of four are alike in one of 80 million runs.
    assert len({tuple(each) for each in orders}) == len(orders)


def test_the_order_is_not_reported(browser: Browser, tmp_path: Path) -> None:
    """The one request that leaves has a report as any other, and the browser keeps no order."""
    with live_site(tmp_path / "site.sqlite", SURVEY) as site, browser.new_context() as context:
        requests = record_requests(context)
        page = open_form(context, site, "order")
        send(page)
        (body,) = [each.post_data_buffer for each in requests if each.method == "POST"]
        check_report(Report.from_bytes(body or b""), SURVEY)
