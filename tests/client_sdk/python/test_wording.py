"""Counts with their noun, and names that somebody may have meant."""

import pytest

from deniable_sdk.wording import counted, near_names


@pytest.mark.parametrize(
    ("count", "words"),
    [(0, "0 replies"), (1, "1 reply"), (2, "2 replies"), (4321, "4321 replies")],
)
def test_a_count_has_its_noun(count: int, words: str) -> None:
    """Only one of something is singular; a noun without a plural gets an s."""
    assert counted(count, "reply", plural="replies") == words
    assert counted(count, "report").endswith("report" if count == 1 else "reports")


def test_thousands_are_set_apart_if_asked() -> None:
    """As messages for people have them."""
    assert counted(20190, "report", commas=True) == "20,190 reports"


def test_names_are_suggested_and_listed() -> None:
    """The near ones first; a long list is cut, and an empty one is said to be none."""
    assert near_names("helth", ["health", "work"]) == "did you mean health? there is: health, work"
    assert near_names("x", [], "survey has") == "survey has none"
    assert near_names("x", map(str, range(1000)), "ids").endswith(", 29 and 970 more")
    assert near_names(7, ["7"]) == "there is: 7", "what is no text is not compared"
