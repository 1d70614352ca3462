"""Makes a PDF of HTML with WeasyPrint: standard input to standard output, after a line of JSON.

It is run as a file, in a process of its own, and imports nothing of deniable: the library takes a
second to load and much memory, and while it works it would delay the reports that the process of
a collector accepts.
"""

import json
import logging
import re
import sys
import warnings

# Exit codes: the library or one of the system's libraries is not there.
UNAVAILABLE = 3
# What the library logs for a character that no font has.
_MISSING = re.compile(r"\.notdef glyph [^\"]*\"(.)\"", re.DOTALL)
_STYLE = re.compile(r"<style>(.*?)</style>", re.DOTALL)
_COMMENT = re.compile(r"/\*.*?\*/", re.DOTALL)
_ROOT = re.compile(r":root\s*\{([^}]*)\}")
_VARIABLE = re.compile(r"(--[\w-]+)\s*:\s*([^;}]+)")
_AUTO = re.compile(r"(<[^<>]* dir=\"auto\"[^<>]*>)([^<>]+)")
_DRAWN = re.compile(r"([^{};]+)\{([^{}]*\b(?:fill|stroke)\s*:[^{}]*)\}")


class _Said(logging.Handler):
    """What the library says meanwhile; it prints nothing."""

    def __init__(self) -> None:
        super().__init__()
        self.messages: list[str] = []

    def emit(self, record: logging.LogRecord) -> None:
        self.messages.append(record.getMessage())


def main() -> int:
    """Make the PDF; the exit code is 0 if it is made."""
    warnings.simplefilter("ignore")
    try:
        import weasyprint  # noqa: PLC0415 - not always installed
    except (ImportError, OSError):
        return UNAVAILABLE
    said = _Said()
    logger = logging.getLogger("weasyprint")
    logger.addHandler(said)
    logger.propagate = False
    page = with_isolated_texts(with_drawing_styles(sys.stdin.buffer.read().decode()))
    nothing = weasyprint.urls.URLFetcher(allowed_protocols=())
    document = weasyprint.HTML(string=page, url_fetcher=nothing)
    content = document.write_pdf(pdf_tags=True, pdf_variant="pdf/ua-1")
    found = map(_MISSING.match, said.messages)
    missing = "".join(dict.fromkeys(match[1] for match in found if match))
    about = {"engine": f"WeasyPrint {weasyprint.__version__}", "missing": missing}
    sys.stdout.buffer.write(json.dumps(about).encode() + b"\n" + content)
    return 0


def with_drawing_styles(page: str) -> str:
    """The page, with its styles for drawings inside each drawing.

    WeasyPrint applies only the styles inside a drawing to it, and knows no variables there.
    """
    styles = _COMMENT.sub("", "".join(_STYLE.findall(page)))
    root = _ROOT.search(styles)
    values = dict(_VARIABLE.findall(root[1])) if root else {}
    rules = "".join(f"{rule[0].strip()}{{{rule[1]}}}" for rule in _DRAWN.findall(styles))
    for name, value in values.items():
        rules = rules.replace(f"var({name})", value)
    return re.sub(r"(<svg\b[^>]*>)", rf"\1<style>{rules}</style>", page)


def with_isolated_texts(page: str) -> str:
    """The page, with marks around texts whose own letters determine their direction.

    WeasyPrint takes `dir="auto"` for the direction of the page, but knows these marks.
    """
    return _AUTO.sub("\\1\u2068\\2\u2069", page)


if __name__ == "__main__":
    sys.exit(main())
