"""Estimates need little more than numpy, and load nothing else."""

import json
import subprocess
import sys
from pathlib import Path

from analysis.study_files import add_reports, write_store
from deniable_sdk import randomize
from sample_definitions import choice, number, survey

HEAVY = {"formulaic", "matplotlib", "pandas", "psycopg", "pyarrow", "sqlite_utils"}
HEAVY_OF_SCIPY = {"scipy.linalg", "scipy.optimize", "scipy.sparse", "scipy.stats"}
PROGRAM = """
import json, sys
from deniable_analysis import open_study
imported = sorted(sys.modules)
print(open_study(sys.argv[1]).estimate(), file=sys.stderr)
print(json.dumps([imported, sorted(sys.modules)]))
"""


def test_estimates_load_no_heavy_package(tmp_path: Path) -> None:
    """Neither the import nor printed estimates load tables, formulas, charts or statistics."""
    published = survey(choice(options=4), number(), epsilon=4, ask="all")
    path = tmp_path / "store.sqlite"
    write_store(path, published)
    add_reports(path, published, [dict(randomize(published, {}).values) for _ in range(50)])
    command = [sys.executable, "-c", PROGRAM, str(path)]
    ran = subprocess.run(command, capture_output=True, check=True, text=True, timeout=60)
    assert "50 reports" in ran.stderr
    for loaded in json.loads(ran.stdout):
        assert {"deniable_analysis.study", "numpy", "scipy.special"} <= set(loaded)
        assert not HEAVY & {name.partition(".")[0] for name in loaded}
        assert not HEAVY_OF_SCIPY & set(loaded)
