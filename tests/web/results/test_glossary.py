"""Terms in the texts of the results are buttons that open their explanations."""

import pytest

from deniable_web.pages.languages import CODES, DEFAULT, catalog
from deniable_web.results.glossary import TERM, explained

EXPECTED = catalog("results", DEFAULT)


@pytest.mark.parametrize("language", CODES)
def test_every_text_has_the_same_terms_in_each_language(language: str) -> None:
    """Each term has a name and an explanation, which contains no other term."""
    texts = catalog("results", language)
    for name, section in texts.items():
        for key, text in section.items():
            found = [term for _, term in TERM.findall(text)]
            assert sorted(found) == sorted(term for _, term in TERM.findall(EXPECTED[name][key]))
            assert {*found} <= texts["glossary"].keys()
    assert texts["terms"].keys() == texts["glossary"].keys()
    assert not any(TERM.search(text) for text in texts["glossary"].values())


def test_every_explanation_is_used() -> None:
    """A term that no text has cannot be opened."""
    used = {
        term
        for texts in EXPECTED.values()
        for text in texts.values()
        for _, term in TERM.findall(text)
    }
    assert used == EXPECTED["glossary"].keys()


def test_what_is_filled_in_is_escaped() -> None:
    """An author's text is never markup, and never becomes a term."""
    markup = explained("The [mean](margin) <of> {name}").format(name="<b>[x](y)</b>")
    assert markup == (
        'The <button type="button" class="term" popovertarget="term-margin">mean</button> '
        "&lt;of&gt; &lt;b&gt;[x](y)&lt;/b&gt;"
    )
