"""Known instruments: their structure is that of the publications; none has its wording."""

import html
import json
from fractions import Fraction
from functools import cache
from itertools import pairwise
from pathlib import PurePath
from typing import Any, NamedTuple

import pytest

from builder_site import Owner
from deniable_collector.problems import PROBLEMS
from deniable_sdk import PublishedSurvey, compile_survey, compute_scores
from deniable_web.builder.instruments import instruments
from deniable_web.definition.completeness import PLACEHOLDER, unwritten
from deniable_web.definition.file import UnreadableDefinition, parse_definition
from deniable_web.pages.languages import CODES, catalog
from sample_definitions import definition

BY_NAME = {each.name: each for each in instruments()}


class Published(NamedTuple):
    """What the publications say: the range of the score, and where bands begin."""

    items: int
    low: int
    high: int
    reversed: set[int]
    begins: tuple[int, ...]
    least_items: int


# Of the sources named in instruments.yaml; the PHQ manual replaces up to two missing items.
PUBLISHED = {
    "PHQ-9": Published(9, 0, 27, set(), (5, 10, 15, 20), 7),
    "GAD-7": Published(7, 0, 21, set(), (5, 10, 15), 5),
    "WHO-5": Published(5, 0, 100, set(), (52,), 5),
    "PSS-10": Published(10, 0, 40, {4, 5, 7, 8}, (14, 27), 10),
    "Rosenberg": Published(10, 0, 30, {2, 5, 6, 8, 9}, (15, 26), 10),
    "K6": Published(6, 0, 24, set(), (13,), 6),
    "AUDIT-C": Published(3, 0, 12, set(), (4,), 3),
    "UCLA-3": Published(3, 3, 9, set(), (6,), 3),
    "NAQ-R": Published(22, 22, 110, set(), (33, 45), 22),
}
NAMES = sorted(PUBLISHED)


@cache
def compiled(name: str, *, as_number: bool = False) -> PublishedSurvey:
    """A survey of its questions alone; the score as a number, or in bands."""
    *own, score = BY_NAME[name].questions("en")
    if as_number:
        del score["cutoffs"]
    return compile_survey(definition(*own, score))


def answers_worth(name: str, steps: int) -> dict[str, str]:
    """Answers to all items that are so many answers above the lowest score."""
    answers = {}
    items = [question for question in compiled(name).questions if question.type == "choice"]
    for place, item in enumerate(items, 1):
        highest = len(item.option_ids) - 1
        own = min(steps, highest)
        steps -= own
        answers[item.id] = item.option_ids[
            highest - own if place in PUBLISHED[name].reversed else own
        ]
    assert steps == 0
    return answers


def most_steps(name: str) -> int:
    """How many answers the highest score is above the lowest."""
    return PUBLISHED[name].items * (len(compiled(name).questions[0].option_ids) - 1)


def computed(survey: PublishedSurvey, answers: dict[str, str]) -> Any:
    """The one score."""
    (found,) = compute_scores(survey, answers).values()
    return found


def test_every_instrument_is_compared_with_its_source() -> None:
    """None is offered that this test does not know."""
    assert BY_NAME.keys() == PUBLISHED.keys()


@pytest.mark.parametrize("name", NAMES)
def test_the_score_has_the_published_range_and_reversals(name: str) -> None:
    """Each answer above the lowest adds the same, and reversed items run the other way."""
    published, survey = PUBLISHED[name], compiled(name, as_number=True)
    most = most_steps(name)
    assert len(survey.questions) == published.items + 1
    found = [int(computed(survey, answers_worth(name, steps))) for steps in range(most + 1)]
    step = (published.high - published.low) // most
    assert found == list(range(published.low, published.high + 1, step))


@pytest.mark.parametrize("name", NAMES)
def test_bands_begin_at_the_published_cutoffs(name: str) -> None:
    """The score at a cut-off is in the next band, the score before it is not."""
    published, survey = PUBLISHED[name], compiled(name)
    names = survey.questions[-1].option_ids
    assert len(names) == len(published.begins) + 1
    step = (published.high - published.low) // most_steps(name)
    for begin, (below, above) in zip(published.begins, pairwise(names), strict=True):
        at = (begin - published.low) // step
        assert computed(survey, answers_worth(name, at - 1)) == below
        assert computed(survey, answers_worth(name, at)) == above
        assert below.endswith(f"–{begin - step}")
        assert above.startswith(f"{begin}–")


@pytest.mark.parametrize("name", NAMES)
def test_as_many_items_may_be_left_out_as_the_manual_allows(name: str) -> None:
    """With one less there is no score."""
    published, survey = PUBLISHED[name], compiled(name)
    # With "never" as the first answer, AUDIT-C skips the other items.
    whole = answers_worth(name, 1)
    enough = dict(list(whole.items())[: published.least_items])
    assert computed(survey, enough) is not None
    enough.popitem()
    assert computed(survey, enough) is None


@pytest.mark.parametrize("language", CODES)
@pytest.mark.parametrize("name", NAMES)
def test_every_wording_is_a_placeholder_that_keeps_it_from_being_published(
    name: str, language: str
) -> None:
    """Of the instruction, the items and the answers, in the language of the page."""
    questions = BY_NAME[name].questions(language)
    found = {problem.path[2] for problem in unwritten(compile_survey(definition(*questions)))}
    assert found == {"text", "options"}
    for question in questions:
        texts = [question["text"], *question.get("levels", [])]
        texts += [each["text"] for each in question.get("options", ())]
        texts += [
            each if isinstance(each, str) else each.get("text", PLACEHOLDER)
            for each in question.get("items", ())
        ]
        assert [each for each in texts if PLACEHOLDER not in each] == []


@pytest.mark.parametrize("language", CODES)
def test_the_builder_offers_each_with_its_source(owner: Owner, language: str) -> None:
    """Its name, its items, where it was published, and that its wording has to be pasted."""
    page = html.unescape(owner.get(f"/build?lang={language}").text)
    texts = catalog("builder", language)["instruments"]
    assert texts["text"] in page
    for each in instruments():
        assert texts["add"].format(name=each.name) in page
        assert each.source in page
        assert (
            texts["size"].format(count=each.items, low=each.points[0], high=each.points[-1])
            in page
        )
        assert [note for note in each.notes if texts[note] not in page] == []


def test_a_placeholder_is_refused_by_the_server_and_in_files(owner: Owner) -> None:
    """The check names each field once; publishing is refused, from the page and from a file."""
    draft = definition(*BY_NAME["PSS-10"].questions("de"))
    found = owner.post("/manage/definitions/check", json={"definition": draft}).get_json()
    assert {each["code"] for each in found["problems"]} == {"placeholder"}
    assert sorted(each["place"] for each in found["problems"]) == [
        f"questions[0].{key}" for key in ("items", "levels", "text")
    ]
    assert found["forecast"]["blocks"]
    refused = owner.post("/manage/surveys", json={"definition": draft})
    assert refused.status_code == PROBLEMS["invalid-definition"].status
    assert PLACEHOLDER in refused.get_json()["detail"]
    file = parse_definition(PurePath("draft.json"), json.dumps(draft))
    with pytest.raises(UnreadableDefinition, match="still has a placeholder"):
        file.compile(Fraction(8))
