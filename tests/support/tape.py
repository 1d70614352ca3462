"""A tape: fixed bytes that stand for randomness, so that tests can replay it."""

from deniable_sdk.testing import Tape, TapeExhausted

__all__ = ["Tape", "TapeExhausted"]
