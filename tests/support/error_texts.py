"""What an error gives away: all texts of its whole chain."""

import traceback


def error_texts(error: BaseException) -> str:
    """Every text that a log or a crash reporter could take from an error.

    Its message, repr, arguments and attributes, the ones that decoders hang on
    their errors included, and the same of all errors it was raised from.
    """
    texts = traceback.format_exception_only(error)
    link: BaseException | None = error
    while link is not None:
        carried = [getattr(link, name, None) for name in ("doc", "object", "__dict__")]
        texts += [str(link), repr(link), repr(link.args), repr(carried)]
        link = link.__cause__ or link.__context__
    return "\n".join(texts)
