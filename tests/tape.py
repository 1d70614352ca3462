"""A tape: fixed bytes that stand for randomness, so that tests can replay it."""


class TapeExhausted(AssertionError):
    """More bytes were asked for than the tape holds."""


class Tape:
    """A reader of random bytes that gives fixed ones, in order, once.

    `position` is how many bytes were read so far.

    Args:
        data: the bytes, for example 6 per draw; see RandomIntegers.below.
    """

    def __init__(self, data: bytes) -> None:
        self._data = data
        self.position = 0

    def __call__(self, count: int) -> bytes:
        """The next `count` bytes.

        Raises:
            TapeExhausted: fewer are left.
        """
        end = self.position + count
        if end > len(self._data):
            raise TapeExhausted(
                f"asked for {count} bytes at position {self.position}; "
                f"the tape holds {len(self._data)}: give it more, or draw less"
            )
        drawn = self._data[self.position : end]
        self.position = end
        return drawn

    def assert_all_read(self) -> None:
        """Fail unless every byte was asked for."""
        left = len(self._data) - self.position
        assert left == 0, f"{left} of {len(self._data)} bytes of the tape were never read"
