"""Bundles a script and all its imports into one module when the site starts.

Sixty small files cost a phone sixty responses with headers, and each file is compressed
alone. Our modules have a plain form: named imports of relative paths at the top, and
declarations with `export` in front. Any other import or export is refused here, so that no
module can be bundled wrongly. What no module imports is not exported in the bundle.
"""

import posixpath
import re
from collections.abc import Callable, Container, Mapping
from dataclasses import dataclass, field
from typing import Final

_IMPORT: Final = re.compile(
    r'^import (?:(\{[^}]*\}|\* as \w+) from )?"(\.[^"]+)";\n', re.MULTILINE
)
_PASSED_ON: Final = re.compile(r'^export \{([^}]*)\} from "(\.[^"]+)";\n', re.MULTILINE)
_DECLARED: Final = re.compile(
    r"^export ((?:async )?function\*? |class |const )(\w+)", re.MULTILINE
)
_NOTHING: Final = re.compile(r"^export \{\};\n", re.MULTILINE)
_ALL: Final = "*"
_LEFT: Final = re.compile(r"^(?:import|export)\b.*", re.MULTILINE)


class NotPlain(ValueError):
    """A module contains an import or export in a form that is not supported."""


def bundle(entry: str, read: Callable[[str], str]) -> str:
    """One module that does the same as an entry and its imports.

    Args:
        entry: the name of a module that exports nothing.
        read: returns the text of the module with a name.
    Raises:
        NotPlain: a module does not have the plain form, or imports form a circle.
    """
    found = _Modules(read)
    body = found.add(entry, is_entry=True)
    return "".join((*(module.text(found.used) for module in found.modules), body))


@dataclass(frozen=True, slots=True)
class _Module:
    """A module in a bundle: its name, its body, and the values of its exports."""

    name: str
    body: str
    exported: Mapping[str, str]

    def text(self, used: Container[tuple[str, str]]) -> str:
        """The module as the result of a function, with those exports that are used."""
        members = ", ".join(
            name if name == value else f"{name}: {value}"
            for name, value in self.exported.items()
            if (self.name, name) in used or (self.name, _ALL) in used
        )
        return f"const {self.name} = (() => {{\n{self.body}\nreturn {{{members}}};\n}})();\n"


@dataclass(slots=True)
class _Modules:
    """The modules of a bundle, each after the modules that it imports."""

    read: Callable[[str], str]
    modules: list[_Module] = field(default_factory=list)
    names: dict[str, str] = field(default_factory=dict)
    # The members that others import, each after its module's name in the bundle.
    used: set[tuple[str, str]] = field(default_factory=set)

    def add(self, name: str, *, is_entry: bool = False) -> str:
        """Add a module; returns its name in the bundle, or the text of the entry."""
        if name in self.names:
            if not self.names[name]:
                raise NotPlain(f"{name}: is imported in a circle; part what it has in common")
            return self.names[name]
        self.names[name] = ""
        text = self.read(name)
        exported: dict[str, str] = {}
        text = _PASSED_ON.sub(lambda found: self._passed_on(name, found, exported), text)
        text = _IMPORT.sub(lambda found: self._imported(name, found), text)
        text = _DECLARED.sub(lambda found: _declared(found, exported), _NOTHING.sub("", text))
        left = _LEFT.search(text)
        if left:
            raise NotPlain(f"{name}: got {left.group()!r}; allowed are named relative imports")
        if is_entry:
            return text
        own = self.names[name] = f"$m{len(self.modules)}"
        self.modules.append(_Module(own, text, exported))
        return own

    def _imported(self, importer: str, found: re.Match[str]) -> str:
        what, path = found.groups()
        module = self.add(resolved(importer, path))
        if what is None:
            return ""
        if what.startswith("*"):
            self.used.add((module, _ALL))
            return f"const {what.removeprefix('* as ')} = {module};\n"
        for member in _members(what.strip("{}")):
            self.used.add((module, member.partition(" as ")[0]))
        return f"const {what.replace(' as ', ': ')} = {module};\n"

    def _passed_on(self, importer: str, found: re.Match[str], exported: dict[str, str]) -> str:
        members, path = found.groups()
        module = self.add(resolved(importer, path))
        for member in _members(members):
            own, _, other = member.partition(" as ")
            self.used.add((module, own))
            exported[other or own] = f"{module}.{own}"
        return ""


def _declared(found: re.Match[str], exported: dict[str, str]) -> str:
    kind, name = found.groups()
    exported[name] = name
    return f"{kind}{name}"


def _members(listed: str) -> list[str]:
    return [part.strip() for part in listed.split(",") if part.strip()]


def resolved(importer: str, path: str) -> str:
    """The name of the module that another module imports by a relative path."""
    return posixpath.normpath(posixpath.join(posixpath.dirname(importer), path))
