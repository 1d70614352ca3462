"""Puts the image files that a definition names into it.

A published survey contains its images, so that no form loads one from anywhere.
"""

from base64 import b64encode
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, Final

from deniable_sdk import DefinitionProblem
from deniable_sdk.errors import quote
from deniable_sdk.survey.appearance import MAX_IMAGE_LENGTH, image_type

# Of 4 characters in base64, 3 are bytes; the rest is the beginning of the address.
_MOST_BYTES: Final = (MAX_IMAGE_LENGTH - len("data:image/jpeg;base64,")) // 4 * 3


class UnreadableImage(Exception):
    """An image file that cannot be put into a definition; `problem` says where and why."""

    def __init__(self, problem: DefinitionProblem) -> None:
        super().__init__(str(problem))
        self.problem = problem


def with_images(document: object, folder: Path) -> object:
    """The definition with the bytes of each file that an image of it names.

    Args:
        document: as the file contains it.
        folder: the definition's; each image is in it or below it.
    Raises:
        UnreadableImage: one of them is missing, too large, outside of the folder, or no image.
    """
    if not isinstance(document, Mapping):
        return document
    found = dict(document)
    if "logo" in found:
        found["logo"] = _read(found["logo"], folder, ("logo", "file"))
    if isinstance(found.get("questions"), list):
        found["questions"] = list(_questions(found["questions"], folder))
    return found


def _questions(questions: list[Any], folder: Path) -> Iterator[Any]:
    for index, question in enumerate(questions):
        if isinstance(question, Mapping) and "image" in question:
            image = _read(question["image"], folder, ("questions", index, "image", "file"))
            yield {**question, "image": image}
        else:
            yield question


def _read(image: object, folder: Path, path: tuple[str | int, ...]) -> object:
    """The image with `data` in place of `file`; anything else as it is."""
    if not isinstance(image, Mapping) or not isinstance(image.get("file"), str):
        return image
    name = image["file"]
    if "data" in image:
        raise _refusal(path, "got 'data' as well; keep either 'file' or 'data'")
    try:
        file = (folder / name).resolve()
        is_inside, size = file.is_relative_to(folder.resolve()), file.stat().st_size
        data = file.read_bytes() if is_inside and size <= _MOST_BYTES else b""
    except OSError as error:
        reason = error.strerror or "it cannot be read"
        raise _refusal(path, f"got {quote(name)}: {reason}; name a file that exists") from None
    except (ValueError, RuntimeError):
        raise _refusal(path, f"got {quote(name)}; allowed is the name of a file") from None
    if not is_inside:
        raise _refusal(path, f"got {quote(name)}; allowed is a file in the definition's folder")
    if size > _MOST_BYTES:
        raise _refusal(
            path,
            f"got {quote(name)} of {size:,} bytes; allowed are {_MOST_BYTES:,}; save it smaller, "
            "or add it in the builder, which does so",
        )
    kind = image_type(data)
    if kind is None:
        raise _refusal(path, f"got {quote(name)}; allowed are PNG, JPEG and WebP images")
    rest = {key: value for key, value in image.items() if key != "file"}
    return {"data": f"data:image/{kind};base64,{b64encode(data).decode()}", **rest}


def _refusal(path: tuple[str | int, ...], message: str) -> UnreadableImage:
    return UnreadableImage(DefinitionProblem(path, message))
