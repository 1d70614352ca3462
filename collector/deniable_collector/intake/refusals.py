"""How many refused reports one body may have: garbage costs its sender less than its reader."""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from threading import Lock
from typing import Final

from deniable_collector.errors import TooBusy
from deniable_collector.problems import Problem

MOST_REFUSED: Final = 10_000
# While other requests wait for a thread.
MOST_IF_CROWDED: Final = 100
# Long reports, and those of bodies with many refused ones, use as much of the memory and of the
# processor as one of them.
_ONE_AT_A_TIME: Final = Lock()
_STEP_S: Final = 0.1

IsCrowded = Callable[[], bool]


def never_crowded() -> bool:
    """No request waits for a thread."""
    return False


class TooManyRefused(Exception):
    """A body has more refused reports than are allowed."""


class RefusedInCrowd(TooManyRefused):
    """A body has some refused reports, and other requests wait for its thread."""


class Refusals:
    """The refused reports of one body.

    Args:
        is_crowded: whether other requests wait for a thread.
        on_refused: receives the name of the problem of each, once it was read.
    """

    def __init__(
        self,
        is_crowded: IsCrowded = never_crowded,
        on_refused: Callable[[str], None] = lambda _: None,
    ) -> None:
        self.count = 0
        self._latest: Problem | None = None
        self._is_crowded = is_crowded
        self._on_refused = on_refused

    def add(self, problem: Problem) -> None:
        """Count a report that is refused.

        Raises:
            TooManyRefused: it is one too many.
        """
        self._on_refused(problem.name)
        self.require_few(self.count + 1, problem)

    @property
    def are_many(self) -> bool:
        """Whether they are too many while other requests wait."""
        return self.count > MOST_IF_CROWDED

    @property
    def advice(self) -> str:
        """What to say to the sender of too many of them."""
        latest = f" The last refusal: {self._latest.detail}" if self._latest else ""
        return (
            f"a body may have at most {MOST_REFUSED} refused reports, and {MOST_IF_CROWDED} while "
            f"other requests wait; send only legal ones.{latest}"
        )

    @contextmanager
    def parsing_alone(self) -> Iterator[None]:
        """A block for what takes long to parse: all bodies together do so one at a time.

        Raises:
            TooBusy: another body is in its block, and other requests wait for a thread.
        """
        while not _ONE_AT_A_TIME.acquire(timeout=_STEP_S):
            if self._is_crowded():
                raise TooBusy
        try:
            yield
        finally:
            _ONE_AT_A_TIME.release()

    def require_few(self, count: int, latest: Problem | None) -> None:
        """Note how many reports are refused, and why the latest is; raises as add does."""
        self.count = max(self.count, count)
        self._latest = latest or self._latest
        if count > MOST_REFUSED:
            raise TooManyRefused
        if self.are_many and self._is_crowded():
            raise RefusedInCrowd
