"""Pictures of README.md as files: small, and with a text in them."""

from io import BytesIO
from pathlib import Path

from PIL import Image
from PIL.PngImagePlugin import PngInfo

MOST_BYTES = 150_000
_COLOURS = 64


def small_png(picture: bytes, text: str = "") -> bytes:
    """The same picture with few colours, and a description."""
    info, file = PngInfo(), BytesIO()
    if text:
        info.add_text("Description", text)
    with Image.open(BytesIO(picture)) as image:
        few = image.convert("RGB").quantize(_COLOURS)
        few.save(file, "PNG", optimize=True, pnginfo=info)
    return file.getvalue()


def size_and_text(file: Path) -> tuple[tuple[int, int], str]:
    """Width and height of a picture, and its description."""
    with Image.open(file) as image:
        return image.size, str(image.info.get("Description", ""))
