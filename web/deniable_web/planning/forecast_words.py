"""What a forecast and its figures mean, in sentences of a page's language."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from decimal import Decimal

from babel.lists import format_list

from deniable_analysis.planning import Estimated
from deniable_analysis.privacy import FilePrivacy
from deniable_web.forecast.needs import Needs
from deniable_web.forecast.survey import SurveyForecast
from deniable_web.pages.languages import catalog
from deniable_web.pages.numbers import Numbers

SURFACE = "forecast"
# A smaller factor is not worth a sentence.
_TOLD_TIMES = 1.05
# A key of the catalog, and the sentence.
Sentence = tuple[str, str]


def file_in_words(found: FilePrivacy | None, numbers: Numbers) -> str:
    """What all reports together say about one person; "" if that is unknown."""
    if found is None:
        return ""
    texts = catalog(SURFACE, numbers.language)["closed_file"]
    learns = texts["no_gain"]
    if found.epsilon:
        epsilon, cases = numbers.short(found.epsilon), numbers.count(found.one_in)
        learns = texts["gain"].format(epsilon=epsilon, cases=cases)
    seen = texts["groups" if found.of_smallest_group else "all"]
    return texts["sentence"].format(
        seen=seen.format(reports=numbers.count(found.reports)), learns=learns
    )


def design_in_words(
    found: SurveyForecast, numbers: Numbers, name: Callable[[str], str] = str
) -> Iterator[Sentence]:
    """What the design of a survey is, what it saves, and what else costs.

    Args:
        found: the forecast.
        numbers: the format of numbers in the language.
        name: what people call a question with an id.
    """
    texts = catalog(SURFACE, numbers.language)["design"]

    def listed(ids: Iterable[str]) -> str:
        return format_list([name(each) for each in ids], locale=numbers.locale)

    yield from _seen(found, numbers, texts)
    for block in found.asking.design.blocks:
        planned = block.planned
        if len(planned.questions) > 1:
            every = math.prod(len(question.names) for question in planned.questions)
            key = "paths" if len(planned.cells) < every else "together"
            key = "declared" if planned.is_crosstab else key
            asked = listed(question.id for question in planned.questions)
            paths = numbers.count(len(planned.cells))
            yield key, texts[key].format(questions=asked, paths=paths)
    if len({block.part for block in found.blocks}) > 1:
        parts = (
            texts["part"].format(
                questions=listed(block.questions), share=numbers.percent(float(block.part), 0)
            )
            for block in found.blocks
        )
        yield "drawn", texts["drawn"].format(parts="; ".join(parts))
    yield needs_in_words(found.needs, numbers)
    if any(each.estimates[0].estimated is Estimated.MEAN for each in found.blocks):
        margin = _points(found.needs.margin, numbers)
        share = numbers.percent(found.needs.margin, _decimals(found.needs.margin))
        yield "mean", texts["mean"].format(margin=margin, share=share)
    yield from _costs(found, numbers, listed)


def needs_in_words(needs: Needs, numbers: Numbers) -> Sentence:
    """How many respondents are enough for a margin, and how many the design saves."""
    key = "saving" if needs.alone >= _TOLD_TIMES * needs.respondents else "needed"
    text = catalog(SURFACE, numbers.language)["design"][key]
    return key, text.format(
        respondents=numbers.count(needs.respondents),
        alone=numbers.count(needs.alone),
        margin=_points(needs.margin, numbers),
    )


def _seen(found: SurveyForecast, numbers: Numbers, texts: Mapping[str, str]) -> Iterator[Sentence]:
    seen, asking = found.seen, found.asking
    if seen.all == 1:
        return
    if asking.asked == asking.blocks:
        key = "sees_all"
    elif seen.least is None:
        key = "sees_at_most"
    else:
        key = "sees" if seen.least == seen.most else "sees_between"
    yield (
        "sees",
        texts[key].format(
            least=numbers.count(seen.least or 0),
            most=numbers.count(seen.most),
            all=numbers.count(seen.all),
        ),
    )


def _costs(
    found: SurveyForecast, numbers: Numbers, listed: Callable[[Iterable[str]], str]
) -> Iterator[Sentence]:
    asking, texts = found.asking, catalog(SURFACE, numbers.language)["design"]
    for key, times in (
        ("optional", asking.optional),
        ("capped", asking.capped),
        ("dearest", asking.dearest_factor),
        ("halved", asking.halved or 1),
    ):
        if times >= _TOLD_TIMES:
            asked = listed(asking.dearest)
            yield key, texts[key].format(times=numbers.decimal(times, 1), questions=asked)


def _points(margin: float, numbers: Numbers) -> str:
    """A margin in points, to three digits."""
    return numbers.margin(float(f"{100 * margin:.3g}"), _decimals(margin))


def _decimals(margin: float) -> int:
    """How many decimals three digits of a margin in points have."""
    written = f"{Decimal(f'{100 * margin:.3g}'):f}"
    return len(written.partition(".")[2])
