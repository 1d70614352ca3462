"""What the JavaScript SDK weighs: printed, and held by a test of its own."""

import json
import subprocess
from pathlib import Path

import pytest

pytestmark = pytest.mark.bench

# Compressed, as its page of sizes or its package says: telemetry SDKs of like care.
PEERS = {"Glean": 18_900, "divviup-ts": 44_700, "Sentry": 31_500}


def test_sizes(capsys: pytest.CaptureFixture[str]) -> None:
    """How many bytes each part takes, bundled and minified, plain and compressed."""
    command = ["node", str(Path(__file__).with_name("sdk_sizes.js"))]
    sizes = json.loads(subprocess.check_output(command))
    lines = ["", "JavaScript, minified        modules    bytes   gzip -9  allowed"]
    lines += [
        f"{one['name']:27} {one['modules']:7,} {one['bytes']:8,} {one['compressedBytes']:9,} "
        f"{one['limitBytes']:8,}"
        for one in sizes
    ]
    lines += [f"{f'for comparison: {name}':27} {size:26,}" for name, size in PEERS.items()]
    with capsys.disabled():
        print("\n".join(lines))  # noqa: T201 - the result
    assert sizes
    assert all(one["compressedBytes"] > 0 for one in sizes)
