"""Tests for a source of random bytes that is dead, stuck or repeats itself.

With a faulty source a report hides nothing, and nobody would notice. So a
sample is read after the bytes of each report, tested and discarded, and no
report is made if a test fails. A healthy source fails with a probability
below 2^-100 per read: 2^-107.0 for the count of the sample's first bytes,
and below 2^-107 for all other tests together in reads of up to a megabyte.

This finds sources that are broken, not those that are predictable: a
generator with a known seed, or a copied virtual machine, looks healthy.

Source: NIST SP 800-90B, section 4.4, with cutoffs for 2^-100 a read; the
tests of stuck bits and of a repeated end are ours. Section 4.4.2 counts what
is like the first value alone, which misses every other source that is dead
half of the time; we count what is like any of the first 16.
"""

SAMPLE_BYTES = 768
_WORD_BYTES = 6
# Equal bytes in a row, and equal words: 2^-128 and 2^-144 at each place.
_EQUAL_BYTES = 17
_EQUAL_WORDS = 4
# Bytes equal to one of the first 16, these counted: 2^-107.0.
_FIRST_BYTES = 16
_LIKE_FIRST = 160
_ALL_ONES = (1 << 8 * SAMPLE_BYTES) - 1
# Last bytes that occurred before, anywhere: 2^-256 at each place.
_END_BYTES = 32


def looks_healthy(drawn: bytes) -> bool:
    """Whether the bytes read, which end with the sample, pass all tests."""
    sample = drawn[-SAMPLE_BYTES:]
    whole = int.from_bytes(drawn, "big")
    return (
        drawn.find(drawn[-_END_BYTES:]) == len(drawn) - _END_BYTES
        and SAMPLE_BYTES - len(sample.translate(None, sample[:_FIRST_BYTES])) < _LIKE_FIRST
        and not _repeats(whole, len(drawn), 1, _EQUAL_BYTES)
        and not _repeats(whole, len(drawn), _WORD_BYTES, _EQUAL_WORDS * _WORD_BYTES)
        and not _is_common_to_all_words(whole & _ALL_ONES)
        and not _is_common_to_all_words(~whole & _ALL_ONES)
    )


def _repeats(whole: int, count: int, step: int, length: int) -> bool:
    """Whether `length` bytes in a row repeat the same `step` bytes."""
    changes = (whole ^ whole >> 8 * step).to_bytes(count, "big")
    # The first bytes have none before them to be compared with.
    return changes.find(bytes(length - step), step) >= 0


def _is_common_to_all_words(sample: int) -> bool:
    """Whether a bit is 1 in all words: of 48 in 128 words by chance 2^-122.4."""
    words = SAMPLE_BYTES // _WORD_BYTES
    while words > 1:
        words //= 2
        sample &= sample >> words * 8 * _WORD_BYTES
    return sample != 0
