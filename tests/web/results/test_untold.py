"""The page's sentences if reports cannot separate the protection from chance."""

import random
import re
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from flask.testing import FlaskClient

from deniable_analysis import open_study
from deniable_analysis.estimate.choice import critical_value
from deniable_collector.settings import Settings
from deniable_collector.store import add_reports, open_store
from deniable_collector.tokens import AccessToken, Role, digest_of, make_token
from deniable_sdk import compile_survey, randomize
from deniable_web.pages.languages import CODES, catalog
from deniable_web.site import create_site
from sample_definitions import number
from there import there

# Its four numbers are rounded by chance to three places: how widely they are spread is then
# known too roughly.
COARSE = compile_survey(
    {
        "title": "Nights",
        "slug": "nights",
        "epsilon": 2,
        "questions": [number("nights", 3, target="mean", text="How many nights?")],
    }
)
REPORTS = 2000


@pytest.fixture(scope="module")
def coarse(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[FlaskClient, str, Path]]:
    """A site with its reports, the token that opens it, and its store."""
    location = tmp_path_factory.mktemp("untold") / "store.sqlite"
    source, token = random.Random("untold"), make_token(Role.OWNER)
    with closing(open_store(location)) as store:
        store.add_token(AccessToken("owner", Role.OWNER), digest_of(token))
        store.publish(COARSE)
        answers = [{"nights": source.randint(0, 3)} for _ in range(REPORTS)]
        reports = [randomize(COARSE, each, read_bytes=source.randbytes) for each in answers]
        add_reports(store, reports)
        yield create_site(store, Settings()).test_client(), token, location


@pytest.mark.parametrize("language", CODES)
def test_parts_that_cannot_be_told_are_not_told(
    coarse: tuple[FlaskClient, str, Path], language: str
) -> None:
    """The page gives the margin and says why it stays whole, and draws no parts of it."""
    client, token, location = coarse
    (found,) = open_study(str(location), "nights").estimate("nights").questions
    mean = there(found.mean)
    assert there(mean.standard_error) > 0
    assert (mean.mechanism_variance, mean.sampling_variance) == (None, None)
    answer = client.get(
        f"/manage/surveys/nights/results/content?lang={language}",
        headers={"Authorization": f"Bearer {token}"},
    )
    texts = catalog("results", language)["certainty"]
    before, _, after = texts["untold"].partition("{margin}")
    page = " ".join(answer.text.split())
    assert after.strip() in page
    told = page.split('id="q-nights"')[1].split("</article>")[0]
    assert before.strip() in told
    assert "split-bar" not in told
    if language == "en":
        found_margin = re.search(
            r"The margin at one look is ±([\d.]+)\. The way this question is", told
        )
        reach = critical_value(0.95) * there(mean.standard_error)
        assert float(there(found_margin)[1]) == pytest.approx(reach, abs=0.005)
