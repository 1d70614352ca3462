"""What a `with` block closes at its end: every store."""

from abc import abstractmethod
from typing import Protocol, Self


class ClosedAtExit(Protocol):
    """Something open, which a `with` block closes."""

    @abstractmethod
    def close(self) -> None:
        """Close it; calling this again is harmless."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
