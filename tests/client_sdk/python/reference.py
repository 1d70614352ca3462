"""The reference of the Python SDK, made from its docstrings.

`python tests/client_sdk/python/reference.py` writes docs/REFERENCE_PYTHON.md;
a test holds that what is there is what would be written.
"""

import inspect
import re
from pathlib import Path
from types import ModuleType

import deniable_sdk
from deniable_sdk import client, testing
from deniable_sdk.records import Record

PAGE = Path(__file__).parents[3] / "docs" / "REFERENCE_PYTHON.md"
HEAD = """# Reference of the Python SDK

Made from the docstrings by `python tests/client_sdk/python/reference.py`;
[SDK_PYTHON.md](SDK_PYTHON.md) is the page to begin with.
"""
_SECTION = re.compile(r"^(Args|Returns|Raises|Source):(.*)$")


def reference() -> str:
    """The whole page."""
    known = set(deniable_sdk.__all__)
    parts = [
        HEAD,
        _module("deniable_sdk", deniable_sdk, deniable_sdk.__all__),
        _module("deniable_sdk.client", client, [n for n in client.__all__ if n not in known]),
        _module("deniable_sdk.testing", testing, _own_names(testing)),
    ]
    return "\n".join(parts)


def _own_names(module: ModuleType) -> list[str]:
    """The public names that a module defines itself."""
    return sorted(
        name
        for name, value in vars(module).items()
        if not name.startswith("_") and getattr(value, "__module__", None) == module.__name__
    )


def _module(title: str, module: ModuleType, names: list[str]) -> str:
    entries = [_entry(name, getattr(module, name)) for name in names]
    return "\n".join([f"## {title}", *entries])


def _entry(name: str, value: object) -> str:
    if not callable(value):
        return f"### {name}\n`{value}`\n"
    # Those of bases that are ours too, such as a survey's texts.
    found: dict[str, object] = {}
    for base in getattr(value, "__mro__", ()):
        if base.__module__.startswith("deniable_sdk") and base is not Record:
            found |= {key: vars(base)[key] for key in vars(base) if key not in found}
    members = [
        _member(name, key, member)
        for key, member in found.items()
        if not key.startswith("_") and _is_told(member)
    ]
    heading = f"### {name}\n```\n{name}{_signature(value)}\n```\n{_text(value)}\n"
    return "\n".join([heading, *members])


def _is_told(member: object) -> bool:
    """Whether a member is a property or method that says what it gives."""
    plain = member.__func__ if isinstance(member, classmethod | staticmethod) else member
    return isinstance(plain, property) or (inspect.isfunction(plain) and bool(plain.__doc__))


def _member(owner: str, name: str, member: object) -> str:
    plain = member.__func__ if isinstance(member, classmethod | staticmethod) else member
    call = "" if isinstance(member, property) else _signature(plain)
    return f"#### {owner}.{name}{'()' if call else ''}\n```\n{name}{call}\n```\n{_text(plain)}\n"


def _signature(value: object) -> str:
    if isinstance(fields := getattr(value, "__match_args__", None), tuple):
        return f"({', '.join(fields)})"
    try:
        signature = str(inspect.signature(value))  # type: ignore[arg-type]
    except ValueError:
        return ""
    # Where a default lies in memory says nothing, nor do quotes around types.
    signature = re.sub(r"<(?:built-in )?function (\w+)(?: at 0x[0-9a-f]+)?>", r"\1", signature)
    signature = re.sub(r"(: |-> )'([^']*)'", r"\1\2", signature).removesuffix(" -> None")
    return re.sub(r"^\((self|cls)(, \*)?(, )?", lambda m: "(*, " if m[2] else "(", signature)


def _text(value: object) -> str:
    """A docstring as Markdown: its sections as lists."""
    lines: list[str | None] = []
    in_section = False
    for line in (inspect.getdoc(value) or "").splitlines():
        section = _SECTION.match(line)
        if section:
            lines += ["" if in_section or lines[-1] else None, f"{section[1]}:{section[2]}", ""]
            in_section = True
        elif in_section and line.startswith("    ") and not line.startswith("     "):
            name, _, rest = line.strip().partition(": ")
            lines.append(f"- `{name}`: {rest}" if rest else f"- {name}")
        else:
            lines.append(f"  {line.strip()}" if in_section and line else line)
    return "\n".join(line for line in lines if line is not None)


if __name__ == "__main__":
    PAGE.write_text(reference())
