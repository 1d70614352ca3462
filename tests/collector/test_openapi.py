"""The OpenAPI document is served, complete, and true."""

import json
import os
import re
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path
from typing import Any

import jsonschema
import pytest
from flask import Flask

from deniable_collector import Settings, create_collector, open_store
from deniable_collector.openapi.operations import OPERATIONS
from deniable_collector.permissions import access_of
from deniable_collector.problems import PROBLEMS, TYPE_PREFIX
from live_server import LiveCollector, live_collector
from problem_checks import assert_safe_headers
from sample_definitions import choice, survey, yes_no

PUBLISHED = survey(yes_no(), choice(options=4), epsilon=1, slug="drawn")
# An array is answered report by report, and a survey is its bytes, not its JSON.
LEFT_OUT = "negative_data_rejection,positive_data_acceptance"


@pytest.fixture
def app(tmp_path: Path) -> Iterator[Flask]:
    """A collector's application on an empty store."""
    with closing(open_store(tmp_path / "store.sqlite")) as store:
        yield create_collector(store, Settings())


def document_of(app: Flask) -> Any:
    """The document as it is served."""
    answer = app.test_client().get("/api/openapi.json")
    assert answer.status_code == 200
    assert answer.content_type == "application/json"
    return json.loads(answer.data)


def test_the_document_has_every_route_and_no_other(app: Flask) -> None:
    """Paths and methods are the application's."""
    routes = {
        (re.sub(r"<(\w+)>", r"{\1}", rule.rule), method.lower())
        for rule in app.url_map.iter_rules()
        for method in rule.methods or ()
        if method not in ("HEAD", "OPTIONS")
    }
    paths = document_of(app)["paths"]
    assert {(path, method) for path, methods in paths.items() for method in methods} == routes


def test_the_document_has_every_problem_with_its_status(app: Flask) -> None:
    """Each problem is some route's, in a response of its status; none is unknown."""
    found: dict[str, set[int]] = {}
    for methods in document_of(app)["paths"].values():
        for operation in methods.values():
            responses = operation["responses"]
            for status, response in responses.items():
                for name in re.findall(rf'"{TYPE_PREFIX}([a-z-]+)"', json.dumps(response)):
                    found.setdefault(name, set()).add(int(status))
    # What is refused before it gets to a route, or has no route, is no route's;
    # the pages' own routes may change with them, and are in no document.
    elsewhere = {"method-not-allowed", "stopping", "invalid-definition", "pdf-not-made"}
    elsewhere |= {"results-too-large"}
    elsewhere |= {"draft-changed", "too-many-drafts", "unknown-draft"}
    elsewhere |= {"other-page", "unknown-colleague", "name-taken", "rights-fixed"}
    elsewhere |= {"invalid-colleague", "link-over", "two-sessions"}
    assert found == {
        name: {kind.status} for name, kind in PROBLEMS.items() if name not in elsewhere
    }


def test_the_document_names_the_tokens_that_each_route_takes(app: Flask) -> None:
    """Those that are declared beside it."""
    paths = document_of(app)["paths"]
    for rule in app.url_map.iter_rules():
        access = access_of(app, rule.endpoint)
        declared = {role.value for role in access.roles} | ({""} if access.unless else set())
        path = re.sub(r"<(\w+)>", r"{\1}", rule.rule)
        for method in (rule.methods or set()) - {"HEAD", "OPTIONS"}:
            named = paths[path][method.lower()].get("security", [])
            assert {next(iter(each), "") for each in named} == declared, rule.rule


def test_every_schema_is_one(app: Flask) -> None:
    """All schemas are legal, and every reference leads somewhere."""
    document = document_of(app)
    schemas = document["components"]["schemas"]
    for schema in schemas.values():
        jsonschema.Draft202012Validator.check_schema(schema)
    named = set(re.findall(r'"#/components/schemas/(\w+)"', json.dumps(document)))
    assert named == set(schemas)
    assert document["openapi"] == "3.1.0"


def test_the_document_may_be_read_without_a_token(collector: LiveCollector) -> None:
    """It says what everybody may know, with the headers of all answers."""
    answer = collector.send("GET", "/api/openapi.json")
    assert answer.status == 200
    assert_safe_headers(answer)
    assert re.search(rb"/work|/root|/home|@|https?:", answer.body) is None


def run_schemathesis(collector: LiveCollector, folder: Path, *options: str) -> None:
    """Send what the document describes, and check every answer by it."""
    assert collector.owner("POST", "/api/surveys", PUBLISHED.document).status == 201
    command = [sys.executable, "-m", "schemathesis.cli", "run"]
    hooks = {
        "SCHEMATHESIS_HOOKS": "openapi_hooks",
        "PYTHONPATH": os.pathsep.join(path for path in sys.path if path),
        "DENIABLE_TESTS_SURVEY": PUBLISHED.document.decode(),
    }
    found = subprocess.run(
        [
            *command,
            f"{collector.url}/api/openapi.json",
            *("--exclude-checks", LEFT_OUT, "--no-color", "--warnings", "off"),
            *options,
        ],
        cwd=folder,
        env={**os.environ, **hooks},
        capture_output=True,
        text=True,
        check=False,
    )
    assert found.returncode == 0, found.stdout + found.stderr
    assert f"Tested: {len(OPERATIONS)}" in found.stdout, found.stdout


def test_answers_are_those_of_the_document(tmp_path: Path) -> None:
    """No status, media type, header or body is another than the document says."""
    with live_collector(tmp_path / "store.sqlite") as collector:
        phases = ("--phases", "coverage,fuzzing")
        run_schemathesis(collector, tmp_path, "--seed", "20", "--max-examples", "2", *phases)
        assert collector.stop() == 0
    assert collector.log.read_text() == ""


@pytest.mark.deep
def test_many_more_answers_are_those_of_the_document(
    tmp_path: Path,
) -> None:
    """The same with many more examples, and with calls that follow on each other."""
    with live_collector(tmp_path / "store.sqlite") as collector:
        run_schemathesis(collector, tmp_path, "--max-examples", "150")
