"""The YAML of definitions: PyYAML's safe loader, read by YAML 1.2's rules.

PyYAML follows YAML 1.1, which surprises people who write questions: it stops
at a question mark inside { }, and turns a bare yes or no into a boolean and
10:30 into 630. Here these are the texts that their author sees.
"""

import re

import yaml


class DefinitionLoader(yaml.SafeLoader):
    """Plain texts keep their question marks; yes, no and dates are texts."""

    yaml_implicit_resolvers = {}  # noqa: RUF012 - PyYAML's own name, filled below

    _is_in_plain_text = False

    def scan_plain(self) -> yaml.ScalarToken:
        """A plain text, which may hold question marks."""
        self._is_in_plain_text = True
        try:
            token: yaml.ScalarToken = super().scan_plain()
            return token
        finally:
            self._is_in_plain_text = False

    def peek(self, index: int = 0) -> str:
        """The next sign; inside a plain text a question mark is like a letter.

        The scanner only compares what it peeks at; the text itself is taken
        from the buffer, question marks and all.
        """
        sign: str = super().peek(index)
        return "x" if sign == "?" and self._is_in_plain_text else sign


for _tag, _pattern, _first in (
    ("null", r"~|null|Null|NULL|", ["~", "n", "N", ""]),
    ("bool", r"true|True|TRUE|false|False|FALSE", list("tTfF")),
    ("int", r"-?(0|[1-9][0-9]*)", list("-0123456789")),
    ("float", r"-?(0|[1-9][0-9]*)\.[0-9]+([eE][-+]?[0-9]+)?|-?\.inf|\.nan", list("-.0123456789")),
):
    DefinitionLoader.add_implicit_resolver(
        f"tag:yaml.org,2002:{_tag}", re.compile(rf"(?:{_pattern})\Z"), _first
    )
