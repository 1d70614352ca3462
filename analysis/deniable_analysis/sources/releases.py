"""Releases: the counts of a closed survey with noise, written to a file, and read as a source."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from deniable_analysis.arguments import named
from deniable_analysis.errors import (
    ExportExists,
    InvalidArgument,
    ReleasedCounts,
    StudyNotFound,
    SurveyNotClosed,
    UnreadableStudy,
)
from deniable_analysis.forms import installed
from deniable_analysis.sources.base import ListedSurvey, Source
from deniable_analysis.sources.exports.survey_file import ExportedSurvey, OneSurveySource
from deniable_analysis.sources.release_file import (
    START,
    CountsRelease,
    ReleasedBlock,
    noise_scale,
    read_release,
    released_members,
)
from deniable_sdk.survey.block import Block
from deniable_sdk.survey.published import PublishedSurvey
from deniable_sdk.weights import format_epsilon
from deniable_storage.counts import BlockCounts, JointCounts, SurveyCounts


def is_release(path: Path) -> bool:
    """Whether a file begins like a release; False if it cannot be read.

    A file with a write-ahead log beside it is a store, and is not opened: if this process
    serves the store, closing the file would release the locks that it has on it.
    """
    if path.with_name(f"{path.name}-wal").exists():
        return False
    with suppress(OSError, ValueError), path.open("rb") as file:
        return file.read(len(START)) == START
    return False


@dataclass(frozen=True, slots=True)
class ReleaseSource(OneSurveySource):
    """A release of one survey, without groups; every call reads it again."""

    path: Path

    @property
    def has_noise(self) -> bool:
        return True

    def site_name(self) -> str | None:
        """The name of the site that released it; None without one."""
        return self._read().site or None

    @property
    def in_words(self) -> str:
        """A sentence that belongs to all results."""
        return (
            f"the counts of {self.path.name} have noise: it is a release that reveals at most "
            f"epsilon {format_epsilon(self._read().epsilon)} about the values of a report"
        )

    def _count(self, blocks: Sequence[Block], group: str | None) -> SurveyCounts:
        assert group is None  # noqa: S101 - nobody asks a release for groups
        found = self._read()
        every = {each.block.id: each.block_counts for each in found.blocks}
        return SurveyCounts(found.report_count, {block.id: every[block.id] for block in blocks})

    def _joint_counts(self, blocks: Sequence[Block], group: str | None) -> JointCounts:  # noqa: ARG002 - it has none
        raise released(self._read().survey.slug)

    def _located(self) -> tuple[ExportedSurvey, str]:
        found = self._read()
        exported = ExportedSurvey(
            found.survey, found.edition, is_closed=True, fieldwork=found.fieldwork
        )
        return exported, str(self.path)

    def _read(self) -> CountsRelease:
        if not self.path.is_file():
            raise StudyNotFound(f"there is no file {self.path}; give the path of a release")
        try:
            return read_release(self.path.read_bytes())
        except ValueError as error:
            problem = str(error)
        raise UnreadableStudy(
            f"{self.path} cannot be read as a release: {problem}; ask the site for the file again"
        )


def released(slug: str) -> ReleasedCounts:
    """The error of an analysis that needs counts without noise."""
    return ReleasedCounts(
        f"some counts of survey {slug!r} are a release with noise, for which this analysis has no "
        "numbers; possible are estimate() and estimate(by_site=True); ask the site to run other "
        "analyses on its own store, or leave the site out: open_sites(..., without=[...])"
    )


@dataclass(frozen=True, slots=True)
class Released:
    """The result of a release.

    Args:
        survey: the survey.
        edition: number of its edition.
        report_count: number of its reports.
        epsilon: largest privacy loss.
    """

    survey: PublishedSurvey
    edition: int
    report_count: int
    epsilon: Fraction


def write_release(
    source: Source, stored: ListedSurvey, path: Path, epsilon: Fraction, site: str
) -> Released:
    """Write the counts of a closed survey with noise to a new file.

    Arguments and errors are those of export_release.
    """
    if not stored.is_closed:
        raise SurveyNotClosed(
            f"survey {stored.slug!r} still accepts reports, and a second release, with those that "
            "come later, would spend epsilon again; close it first (deniable close)"
        )
    if path.exists():
        raise _exists(path)
    survey = source.published(stored)
    sites = survey.sites
    if sites and site not in sites:
        got = f"the site {named(site)}" if site else "no name of the site"
        raise InvalidArgument(f"got {got}; the survey names its sites: {', '.join(sites)}")
    opendp, counts = import_opendp(), source.count(stored, survey.blocks)
    release = CountsRelease(
        survey,
        stored.edition,
        source.fieldwork(stored),
        site,
        epsilon,
        counts.report_count,
        tuple(
            _released(opendp, block, counts.blocks[block.id], epsilon, survey.asked)
            for block in survey.blocks
        ),
    )
    try:
        with path.open("xb") as file:
            file.write(release.encode())
    except FileExistsError:
        raise _exists(path) from None
    return Released(survey, stored.edition, counts.report_count, epsilon)


def import_opendp() -> Any:
    """The package that draws the noise.

    Raises:
        PackageMissing: it is not installed.
    """
    prelude = installed(
        "opendp.prelude",
        "the noise of a release is drawn by the package opendp; install it with: "
        'pip install "deniable[analysis,release]"',
    )
    # What OpenDP calls so has a proof of its own, but no review by others.
    prelude.enable_features("contrib")
    return prelude


def add_noise(opendp: Any, counts: Sequence[int], scale: Fraction) -> tuple[int, ...]:
    """The counts, each with a discrete Laplace noise of its own; they are not clipped.

    Args:
        opendp: as from import_opendp.
        counts: exact counts.
        scale: scale of the noise, which a float represents exactly.
    """
    space = (
        opendp.vector_domain(opendp.atom_domain(T=opendp.i64)),
        opendp.l1_distance(T=opendp.i64),
    )
    return tuple(opendp.m.make_laplace(*space, scale=float(scale))(list(counts)))


def _released(
    opendp: Any, block: Block, counts: BlockCounts, epsilon: Fraction, asked: int
) -> ReleasedBlock:
    form, found = block.mechanism.form, counts.support
    scale = noise_scale(form, epsilon, asked)
    exact = [found.get(member, 0) for member in released_members(form)]
    drawn: tuple[int, ...] = ()
    if form.are_pairs:
        drawn = tuple(
            found.get((option, 0), 0) + found.get((option, 1), 0) for option in range(form.members)
        )
    return ReleasedBlock(block, counts.report_count, drawn, scale, add_noise(opendp, exact, scale))


def _exists(path: Path) -> ExportExists:
    return ExportExists(
        f"{path} already exists; if it is a release of this survey, use it: a second one has new "
        "noise, spends epsilon again, and both together show more than either; otherwise name "
        "another file"
    )
