"""All tests named in docs/THREAT_MODEL.md exist."""

import ast
import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "THREAT_MODEL.md").read_text()
# make deep alone has a real nginx.
NEEDS_NGINX = {"test_the_proxy_of_the_page_passes_on_what_it_should"}


def test_every_claim_names_a_test_that_is_run() -> None:
    """No claim is left without one by a test that was renamed, removed, or left to make deep."""
    named = re.findall(r"`(tests/[\w/]+\.py)(?:::(\w+))?`", PAGE)
    assert len(named) > 30
    for file, name in named:
        tree = ast.parse((ROOT / file).read_text())
        functions = {
            node.name: set(map(ast.unparse, node.decorator_list))
            for node in tree.body
            if isinstance(node, ast.FunctionDef)
        }
        assert name in functions or (not name and functions), f"{file}::{name}"
        if name and name not in NEEDS_NGINX:
            assert "pytest.mark.deep" not in functions[name], f"{file}::{name}"


def test_every_group_of_people_says_what_is_not_done() -> None:
    """The page holds the limits, not the promises alone."""
    assert PAGE.count("Not done:") >= 3
    for limit in ("Whoever serves the form's code", "Poisoning", "repeated queries", "by address"):
        assert limit in PAGE
