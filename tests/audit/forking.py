"""Draws samples in a process and in its fork; started by sampling.from_python."""

import os
import sys

from audit.devices import Device, Samples, collect, read_samples, write_samples
from audit.pairs import PAIRS, Answers, Pair
from audit.twins import DEVICES


def in_fork(device: Device, pair: Pair, answers: tuple[Answers, ...], count: int) -> Samples:
    """Samples of two respondents, the second one answering in a fork.

    One report is made before the fork, as by a worker that has served someone.
    """
    here, there = answers
    collect(device, pair, here, 1)
    read_end, write_end = os.pipe()
    process = os.fork()
    if process == 0:
        os.dup2(write_end, 1)
        write_samples(collect(device, pair, there, count))
        sys.stdout.flush()
        os._exit(0)
    os.close(write_end)
    with os.fdopen(read_end, encoding="latin-1") as pipe:
        mine = collect(device, pair, here, count)
        theirs = read_samples(pipe.read())
    os.waitpid(process, 0)
    return [(*one, *other) for one, other in zip(mine, theirs, strict=True)]


def main() -> None:
    """Write the samples of both sides of a pair."""
    device, pair, count = DEVICES[sys.argv[1]], PAIRS[sys.argv[2]], int(sys.argv[3])
    for answers in (pair.first, pair.second):
        write_samples(in_fork(device, pair, answers, count))


if __name__ == "__main__":
    main()
