"""The machine's clock may jump: it decides nothing but whether the window of a survey is open."""

import ast
import os
import random
import shutil
from collections import Counter
from pathlib import Path

import pytest

import deniable_collector
from load import Load
from sample_definitions import survey, yes_no
from served import publish, rows_by_id, served

PUBLISHED = survey(yes_no())
MODULES = sorted(Path(deniable_collector.__file__).parent.rglob("*.py"))
# What asks what time it is; monotonic clocks do not.
WALL_CLOCKS = {"time", "time_ns", "gmtime", "localtime", "ctime", "now", "utcnow", "today"}
# The lines of a log carry the time; it is the record's own. One module reads the clock for the
# windows of surveys.
ALLOWED = {"logs.py": {"gmtime"}, "clock.py": {"now", "UTC", "datetime"}}


def wall_clocks(source: str) -> set[str]:
    """The names in a source that ask for the time of day."""
    found: set[str] = set()
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Attribute) and node.attr in WALL_CLOCKS:
            # The clock of an event loop is monotonic, too.
            found.update({node.attr} if not ast.unparse(node).endswith("loop.time") else ())
        elif isinstance(node, ast.ImportFrom) and node.module in ("time", "datetime"):
            found.update(alias.name for alias in node.names)
        elif isinstance(node, ast.Import):
            found.update(alias.name for alias in node.names if alias.name == "datetime")
    return found


@pytest.mark.parametrize("path", MODULES, ids=lambda path: path.name)
def test_no_module_asks_what_time_it_is(path: Path) -> None:
    """Deadlines are on clocks that never jump; only the log and windows depend on the time."""
    assert wall_clocks(path.read_text()) <= ALLOWED.get(path.name, set())


@pytest.mark.parametrize(
    "source",
    ["import time\ntime.time()", "from time import time_ns", "import datetime", "x.utcnow()"],
)
def test_asking_for_the_time_would_be_seen(source: str) -> None:
    """The check above finds each way to ask."""
    assert wall_clocks(source)


@pytest.mark.deep
@pytest.mark.skipif(
    not shutil.which("faketime"), reason="needs faketime: apt-get install faketime"
)
def test_years_forward_and_back_change_nothing(
    tmp_path: Path, random_source: random.Random
) -> None:
    """Under load the clock jumps by years, and reports are taken all the time."""
    store = tmp_path / "store.sqlite"
    publish(store, PUBLISHED)
    clock = tmp_path / "clock"
    clock.write_text("+0")
    (library,) = Path("/usr/lib").glob("*/faketime/libfaketime.so.1")
    environment = {
        "LD_PRELOAD": os.fspath(library),
        "FAKETIME_TIMESTAMP_FILE": os.fspath(clock),
        "FAKETIME_NO_CACHE": "1",
        # Such clocks do not jump, on no machine.
        "DONT_FAKE_MONOTONIC": "1",
    }
    with (
        # faketime breaks sleeping where its clock jumps; one worker alone never sleeps.
        served(store, tmp_path, environment=environment) as site,
        Load(site.connect, PUBLISHED, seed=random_source.random()) as load,
    ):
        for offset in ("+3650d", "-3650d", "+1d", "-1h", "+0"):
            clock.write_text(offset)
            load.wait_for_more(200)
        load.stop()
        assert load.statuses.keys() <= {200, 201}
        assert site.stop() == 0
    assert rows_by_id(store, PUBLISHED) == Counter(load.sent.keys()) == load.new
