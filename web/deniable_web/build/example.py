"""The survey that a new draft begins with, if its author chooses no template."""

from typing import Any

from deniable_web.pages.languages import catalog


def example_definition(language: str) -> dict[str, Any]:
    """A definition that is complete except for its title and its slug."""
    texts = catalog("build", language)["example"]
    return {
        "title": "",
        "slug": "",
        "epsilon": 1,
        "questions": [
            {"id": "harassed", "type": "yes_no", "text": texts["yes_no"]},
            {
                "id": "told",
                "type": "choice",
                "text": texts["choice"],
                "options": [texts[f"option_{place}"] for place in (1, 2, 3)],
                "show_if": {"question": "harassed", "is": "yes"},
            },
            {
                "id": "stress",
                "type": "scale",
                "text": texts["scale"],
                "levels": 5,
                "labels": {"1": texts["lowest"], "5": texts["highest"]},
            },
        ],
    }
