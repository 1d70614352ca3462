"""Devices to audit: the shipped SDK, what it lets out, and how that is passed on."""

import json
import sys
from collections.abc import Callable

from audit.features import Sample
from audit.pairs import Answers, Pair
from deniable_sdk import DeniableError, PublishedSurvey, randomize
from error_texts import error_texts

# A survey, answers and how often the bytes are asked for; what leaves the device.
Device = Callable[[PublishedSurvey, Answers, int], Sample]
Samples = list[Sample]


def shipped(survey: PublishedSurvey, answers: Answers, tries: int) -> Sample:
    """What the SDK sends: it randomizes once, and sends the same bytes again."""
    report = randomize(survey, answers)
    return tuple(report.to_bytes() for _ in range(tries))


def collect(device: Device, pair: Pair, answers: Answers, count: int) -> Samples:
    """So many samples of one respondent; of a refusal, what its error tells."""
    samples: Samples = []
    for _ in range(count):
        try:
            samples.append(device(pair.survey, answers, pair.tries))
        except DeniableError as error:
            samples.append((error_texts(error).encode(),))
    return samples


def write_samples(samples: Samples) -> None:
    """Write samples to standard output, as one line for another process."""
    sys.stdout.write(json.dumps([[data.decode("latin-1") for data in one] for one in samples]))
    sys.stdout.write("\n")


def read_samples(line: str) -> Samples:
    """The samples in a line that a process wrote."""
    return [tuple(data.encode("latin-1") for data in one) for one in json.loads(line)]
