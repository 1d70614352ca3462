"""What the parts of results by group say."""

from deniable_web.pages.languages import catalog
from results_site import Tables
from ward_site import WARD
from web.results.conftest import Site

OPEN, OTHER = "open-ward", "other"
NAMES = {
    "nurses": "Nursing staff",
    "all invited": "All invited",
    "all reports": "All reports",
    "yes": "Yes",
    "no": "No",
    "no_answer": "Prefer not to say",
    "1": "1 – none",
    "5": "5 – unbearable",
}
TEXTS = catalog("results", "en")


def ask(site: Site, route: str) -> bytes:
    """The response to a request with its query."""
    response = site.client.get(route, headers={"Authorization": f"Bearer {site.token}"})
    return bytes(response.data)


def part(site: Site, name: str, slug: str = WARD, **query: object) -> str:
    """A part of a survey's page, in English if nothing else is said."""
    headers = {"Authorization": f"Bearer {site.token}"}
    path = f"/manage/surveys/{slug}/results/{name}"
    answer = site.client.get(path, query_string={"lang": "en", **query}, headers=headers)
    assert answer.status_code == 200, answer.text
    return answer.text


def page_tables(markup: str) -> dict[str, list[list[list[str]]]]:
    """The tables of a part, by the id of their fold."""
    return Tables(f"<section id='part'>{markup}</section>").found


def own(name: str) -> str:
    """What the page calls a group or an option."""
    return " + ".join(NAMES.get(each, each) for each in name.split(" + "))
