"""A release as a source of counts with noise."""

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from deniable_analysis.errors import ReleasedCounts, StudyNotFound, UnreadableStudy
from deniable_analysis.sources.exports.one_survey import OneSurveySource
from deniable_analysis.sources.exports.survey_file import ExportedSurvey
from deniable_analysis.sources.releases.document import START, CountsRelease, read_release
from deniable_sdk.survey.block import Block
from deniable_sdk.weights import format_epsilon
from deniable_storage.counts import JointCounts, SurveyCounts


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
        "analyses on its own store, or leave the site out: open_study(..., without=[...])"
    )
