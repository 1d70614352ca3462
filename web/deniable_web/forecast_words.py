"""What a forecast and its figures mean, in sentences of a page's language."""

from deniable_analysis import FilePrivacy
from deniable_web.pages.languages import catalog
from deniable_web.pages.numbers import Numbers

SURFACE = "forecast"


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
