"""Images made for tests."""

import random
import struct
import zlib
from base64 import b64encode


def png(width: int, height: int, *, noise: bool = False) -> bytes:
    """A PNG of one colour, or one of noise, which no format makes small."""
    pixels = random.Random(0).randbytes(width * height * 3)
    row = 3 * width
    lines = (
        pixels[start : start + row] if noise else b"\x10\x60\x90" * width
        for start in range(0, row * height, row)
    )
    header = struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0)
    body = zlib.compress(b"".join(b"\0" + line for line in lines))
    chunks = ((b"IHDR", header), (b"IDAT", body), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(map(_chunk, *zip(*chunks, strict=True)))


def png_address(width: int, height: int) -> str:
    """A PNG of one colour as a definition contains it."""
    return f"data:image/png;base64,{b64encode(png(width, height)).decode()}"


def _chunk(name: bytes, body: bytes) -> bytes:
    return struct.pack(">I", len(body)) + name + body + struct.pack(">I", zlib.crc32(name + body))
