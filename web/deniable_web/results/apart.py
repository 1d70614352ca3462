"""Findings computed in a process of their own, one after the other, with limits.

An author's survey decides how much work its results are, and the collector's process also
takes reports. So it only counts and shows; see `isolation`.
"""

import pickle
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any, Final

from deniable_analysis import Estimates, Study
from deniable_analysis.errors import NoGroups, NotIdentified, UnreadableStudy
from deniable_analysis.reports.strata import groups_at
from deniable_collector.access import sender_is_gone
from deniable_collector.errors import Refused
from deniable_collector.logs import LOGGER
from deniable_sdk import DeniableError, PublishedSurvey
from deniable_sdk.survey.block import Block
from deniable_storage.counts import JointCounts, SurveyCounts
from deniable_storage.ends import Fieldwork
from deniable_web.isolation.fork_server import (
    ForkServer,
    Limits,
    NobodyWaits,
    OverLimit,
    TaskFailed,
    TooManyTasks,
)
from deniable_web.results.findings import EditionFindings, ResultChoices, find, find_by_group
from deniable_web.results.small_parts import Merge

_HERE: Final = "deniable_web.results.apart"
# 20 crosstabs of 1,000 cells each, or 200 questions about numbers from 0 to 4,999.
LIMITS: Final = Limits(cpu_s=120, wall_s=240, memory_bytes=768 << 20)
RESULTS: Final = ForkServer(_HERE, at_once=1, waiting=3)


@dataclass(frozen=True, slots=True)
class StudyCopy:
    """All counts that findings need, in a form that another process can read.

    Args:
        document: the published survey.
        edition: its edition.
        counts: the counts of all blocks.
        fieldwork: the state of the fieldwork.
        of_sites: as in Study.
        groups: the counts of each group; only of its reports unless results by group are
            wanted, and None if they may not be given out.
    """

    document: bytes
    edition: int
    counts: SurveyCounts
    fieldwork: Fieldwork
    of_sites: tuple[str, ...] | None
    groups: Mapping[str, SurveyCounts] | None = None

    @classmethod
    def of(cls, study: Study, *, by_group: bool = False) -> "StudyCopy":
        """The copy of a study.

        Raises:
            NoGroups: results by group may not be given out.
            UnreadableStudy: a report has a group that the survey does not have.
        """
        blocks, groups = study.survey.blocks, None
        if by_group:
            groups = _of_groups(study, blocks)
        else:
            with suppress(NoGroups, UnreadableStudy):
                groups = _of_groups(study, ())
        return cls(
            study.survey.document,
            study.edition,
            study.count(blocks),
            study.fieldwork(),
            study.of_sites,
            groups,
        )

    def study(self) -> Study:
        """A study with these counts."""
        return Study(
            PublishedSurvey.from_bytes(self.document),
            self.edition,
            lambda blocks: _of_blocks(self.counts, blocks),
            _no_joint_values,
            None if self.groups is None else _CopiedGroups(self.groups),
            fieldwork=lambda: self.fieldwork,
            of_sites=self.of_sites,
        )


def _of_groups(study: Study, blocks: Sequence[Block]) -> dict[str, SurveyCounts]:
    """The counts of some blocks in each group that reports here; errors are those of `of`."""
    counts = study.counts_by_group()
    here = groups_at(study.survey, study.of_sites)
    return {each: counts.count(each, blocks) for each in here}


@dataclass(frozen=True, slots=True)
class _CopiedGroups:
    """The counts by group of a copy, which were checked when it was made."""

    counts: Mapping[str, SurveyCounts]

    def check(self) -> None:
        """Accept the groups."""

    def count(self, group: str, blocks: Sequence[Block]) -> SurveyCounts:
        return _of_blocks(self.counts[group], blocks)

    def joint_counts(self, group: str, blocks: Sequence[Block]) -> JointCounts:
        raise NoGroups(f"the joint values of {len(blocks)} blocks of {group!r} are not read here")


def _of_blocks(counts: SurveyCounts, blocks: Sequence[Block]) -> SurveyCounts:
    return replace(counts, blocks={block.id: counts.blocks[block.id] for block in blocks})


def _no_joint_values(blocks: Sequence[Block]) -> JointCounts:
    raise NotIdentified(f"the joint values of {len(blocks)} blocks are not read for this page")


def find_apart(
    study: Study, choices: ResultChoices, earlier: Study | None = None
) -> EditionFindings:
    """As findings.find, in another process; also raises Refused."""
    copies = [StudyCopy.of(each) for each in (study, earlier) if each is not None]
    found: EditionFindings = _run("find_copied", copies, choices)
    return found


def find_by_group_apart(
    study: Study, choices: ResultChoices, merge: Merge, *, by_group: bool
) -> Estimates:
    """As findings.find_by_group, in another process; also raises Refused."""
    copy = StudyCopy.of(study, by_group=by_group)
    found: Estimates = _run("find_copied_by_group", copy, choices, merge, by_group)
    return found


def _run(task: str, *arguments: object) -> Any:
    """What the task returns, or raises.

    Raises:
        Refused: it takes too long or too much memory, failed, or others are computed.
    """
    try:
        answer = RESULTS.run(f"{_HERE}:{task}", pickle.dumps(arguments), LIMITS, sender_is_gone)
    except OverLimit:
        raise Refused.because(
            "results-too-large",
            f"The results of this survey take more than {LIMITS.cpu_s:g} s or "
            f"{LIMITS.memory_bytes >> 20} MiB of memory; compute them with the command "
            "deniable results, which has no such limits.",
        ) from None
    except (TooManyTasks, NobodyWaits):  # nobody reads that nobody waits
        raise Refused.because(
            "too-busy", "Other results are being computed; ask again in a minute.", 60
        ) from None
    except TaskFailed as error:
        LOGGER.error("%s", error)
        raise Refused.because(
            "internal-error", "The results could not be computed; the log says where it failed."
        ) from None
    # It comes from a fork of our own program, which read nothing but counts.
    found = pickle.loads(answer)  # noqa: S301 - see above
    if isinstance(found, DeniableError):
        raise found
    return found


def find_copied(body: bytes) -> bytes:
    """The task of find_apart."""
    return _answer(body, lambda copies, choices: find(*_opened(copies, choices)))


def _opened(copies: Sequence[StudyCopy], choices: ResultChoices) -> tuple[Any, ...]:
    study, *earlier = (each.study() for each in copies)
    return study, choices, *earlier


def find_copied_by_group(body: bytes) -> bytes:
    """The task of find_by_group_apart."""

    def compute(
        copy: StudyCopy, choices: ResultChoices, merge: Merge, by_group: bool
    ) -> Estimates:
        return find_by_group(copy.study(), choices, merge, by_group=by_group)

    return _answer(body, compute)


def _answer(body: bytes, compute: Callable[..., object]) -> bytes:
    """The result of the function of the pickled arguments, or the error it raises, pickled."""
    try:
        return pickle.dumps(compute(*pickle.loads(body)))  # noqa: S301 - our own counts
    except DeniableError as error:
        return pickle.dumps(error)
