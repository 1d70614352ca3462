"""Reads of random bytes that look healthy, and others that just do not."""

import random
from collections.abc import Iterator

from deniable_sdk.health import SAMPLE_BYTES, looks_healthy
from vectors.spelling import Case


def _random(count: int, seed: str) -> bytearray:
    return bytearray(random.Random(seed).randbytes(count))


def _cut(name: str, index: int, part: bytes, count: int = 868) -> tuple[str, bytearray]:
    """A healthy read with a part put in at a place."""
    drawn = _random(count, name)
    drawn[index : index + len(part)] = part
    return name, drawn


def _faulty() -> Iterator[tuple[str, bytearray]]:
    for byte in (0, 1, 0x55, 0xFF):
        yield f"constant {byte}", bytearray([byte] * 800)
    for period in (2, 6, 16, 64, 100, 512, 736):
        block = bytes(_random(period, f"block of {period}"))
        yield f"blocks of {period}", bytearray((block * 800)[: SAMPLE_BYTES + 28])
    yield "a bit in eight bytes", bytearray(byte & 1 for byte in _random(868, "bits"))
    for place in (0, 21, 47):
        for value in (0, 1):
            yield f"bit {place} stuck at {value}", _stuck(place, value, words=128)
    yield _cut("17 equal bytes", 0, bytes(17))
    yield _cut("4 equal words", 300, b"sixish" * 4)
    yield "160 like one of the first", _like_first(160)
    yield "zero every other time", _half_zeros()
    yield "an end of 32 that came before", _same_end(32)


def _healthy() -> Iterator[tuple[str, bytearray]]:
    for count in (SAMPLE_BYTES, 774, 790, 868, 5000):
        yield f"{count} bytes", _random(count, f"healthy {count}")
    yield _cut("16 equal bytes", 0, bytes(16))
    yield _cut("4 equal words but for a byte", 300, (b"sixish" * 4)[1:])
    yield "159 like one of the first", _like_first(159)
    yield "an end of 31 that came before", _same_end(31)
    yield "a bit stuck in all words but one", _stuck(21, 1, words=127)


def _stuck(index: int, value: int, *, words: int) -> bytearray:
    drawn = _random(100 + SAMPLE_BYTES, f"stuck {index}")
    for word in range(words):
        byte, bit = 100 + 6 * word + index // 8, 0x80 >> index % 8
        drawn[byte] = drawn[byte] | bit if value else drawn[byte] & ~bit
    last = 100 + 6 * 127 + index // 8
    if words < 128:
        drawn[last] ^= drawn[last] & (0x80 >> index % 8)
    return drawn


def _like_first(count: int) -> bytearray:
    """So many of the sample are below 16, the first 16 among them."""
    drawn = bytearray(byte if byte > 15 else byte + 16 for byte in _random(868, "like"))
    drawn[100:116] = range(16)
    for index in range(16, count):
        drawn[100 + 4 * index] = index % 16
    return drawn


def _half_zeros() -> bytearray:
    drawn = _random(868, "half")
    for index, byte in enumerate(_random(868, "which half")):
        drawn[index] *= byte % 2
    return drawn


def _same_end(length: int) -> bytearray:
    drawn = _random(868, f"end {length}")
    drawn[40 : 40 + length] = drawn[-length:]
    return drawn


def health() -> list[Case]:
    """Reads whose last 768 bytes are the sample, and whether they look healthy."""
    cases: list[Case] = []
    for found, is_healthy in ((_healthy(), True), (_faulty(), False)):
        for name, drawn in found:
            assert looks_healthy(bytes(drawn)) is is_healthy, name
            cases.append({"name": name, "drawn": drawn.hex(), "is_healthy": is_healthy})
    return cases
