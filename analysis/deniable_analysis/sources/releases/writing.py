"""Writing a release: the noise comes from OpenDP, which draws it exactly."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import Any

from deniable_analysis.arguments import named
from deniable_analysis.errors import ExportExists, InvalidSites, OpendpMissing, SurveyNotClosed
from deniable_analysis.forms import installed
from deniable_analysis.sources.base import ListedSurvey, Source
from deniable_analysis.sources.releases.document import CountsRelease, ReleasedBlock
from deniable_analysis.sources.releases.guarantee import noise_scale, released_members
from deniable_sdk.survey.block import Block
from deniable_sdk.survey.published import PublishedSurvey
from deniable_storage.counts import BlockCounts


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

    Args:
        source: the store.
        stored: one of its surveys.
        path: of the file.
        epsilon: largest privacy loss.
        site: name of the site; empty without one.
    Raises:
        SurveyNotClosed: the survey still accepts reports.
        ExportExists: a file is there already.
        InvalidSites: the survey names its sites, and this is none of them.
        OpendpMissing: OpenDP is not installed.
        UnreadableStudy: the store is damaged.
    """
    if not stored.is_closed:
        raise SurveyNotClosed(
            f"survey {stored.slug!r} still accepts reports, and a second release, with those that "
            "come later, would spend epsilon again; close it first (deniable close)"
        )
    if path.exists():
        raise _exists(path)
    survey = PublishedSurvey.from_bytes(source.document(stored), digest=stored.digest)
    sites = survey.invited.sites if survey.invited else ()
    if sites and site not in sites:
        got = f"the site {named(site)}" if site else "no name of the site"
        raise InvalidSites(f"got {got}; the survey names its sites: {', '.join(sites)}")
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
        OpendpMissing: it is not installed.
    """
    prelude = installed(
        "opendp.prelude",
        OpendpMissing,
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
