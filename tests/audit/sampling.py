"""Samples of both sides of a pair: in this process, in a fork, and in Node."""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

from audit.devices import Samples, collect, read_samples
from audit.pairs import PAIRS
from audit.twins import DEVICES

TESTS = Path(__file__).parents[1]
TIMEOUT_S = 540

Sides = tuple[Samples, Samples]


def from_python(device: str, pair_name: str, count: int) -> Sides:
    """So many samples of each side; two respondents are a process and its fork."""
    pair = PAIRS[pair_name]
    if len(pair.first) > 1:
        command = [sys.executable, "-m", "audit.forking", device, pair_name, str(count)]
        return _run([(command, "")])[0]
    first, second = (
        collect(DEVICES[device], pair, answers, count) for (answers,) in (pair.first, pair.second)
    )
    return first, second


def from_node(device: str, pair_name: str, count: int) -> Sides:
    """So many samples of each side, each respondent with a Node of their own."""
    pair = PAIRS[pair_name]
    job = {
        "device": device,
        "survey": pair.survey.document.decode(),
        "tries": pair.tries,
        "count": count,
    }
    command = ["node", str(TESTS / "audit" / "sampling.js")]
    processes = _run(
        [
            (command, json.dumps({**job, "answers": answers}))
            for answers in zip(pair.first, pair.second, strict=True)
        ]
    )
    return _together([first for first, _ in processes]), _together([last for _, last in processes])


def _together(processes: Sequence[Samples]) -> Samples:
    """What several processes let out at the same time, as one sample."""
    return [
        tuple(data for sample in samples for data in sample)
        for samples in zip(*processes, strict=True)
    ]


def _run(started: Sequence[tuple[list[str], str]]) -> list[Sides]:
    """What commands write that run side by side, given a text each: both sides' samples."""
    environment = {
        **os.environ,
        "PYTHONPATH": os.pathsep.join([str(TESTS), str(TESTS / "support")]),
    }
    processes = [
        subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, env=environment, text=True
        )
        for command, _ in started
    ]
    written = []
    for process, (_, given) in zip(processes, started, strict=True):
        output, _ = process.communicate(given, timeout=TIMEOUT_S)
        assert process.returncode == 0
        first, second = output.splitlines()
        written.append((read_samples(first), read_samples(second)))
    return written
