"""Numbers in sentences."""


def counted(count: int, noun: str, *, plural: str | None = None, commas: bool = False) -> str:
    """So many of something, in words: "1 report", "2 reports".

    Args:
        count: how many.
        noun: what one of them is called.
        plural: what several are called; the noun with an s if None.
        commas: whether thousands are set apart.
    """
    number = f"{count:,}" if commas else f"{count}"
    return f"{number} {noun if count == 1 else plural or f'{noun}s'}"
