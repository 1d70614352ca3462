"""The places of files that are not Python code: pages, the JavaScript SDK, examples."""

from pathlib import Path

from jinja2 import Environment, PackageLoader

PACKAGE = Path(__file__).parent
CHECKOUT = PACKAGE.parent.parent
STATIC = PACKAGE / "static"


def sdk_folder() -> Path:
    """The folder of the JavaScript SDK's modules.

    Raises:
        FileNotFoundError: it is nowhere; the installation is broken.
    """
    return _first_folder(STATIC / "sdk", CHECKOUT / "client_sdk" / "javascript" / "src")


def example_folder(name: str) -> Path:
    """The folder of an example survey.

    Raises:
        FileNotFoundError: it is nowhere; the installation is broken.
    """
    return _first_folder(PACKAGE / "examples" / name, CHECKOUT / "examples" / name)


def _first_folder(packaged: Path, checkout: Path) -> Path:
    """The folder of the files in a wheel, or in a checkout."""
    for folder in (packaged, checkout):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(
        f"files are missing, looked in {packaged} and {checkout}; reinstall deniable"
    )


def page_templates() -> Environment:
    """The templates of pages, for files and servers that are no Flask application."""
    return Environment(loader=PackageLoader("deniable_web", "pages/templates"), autoescape=True)
