"""The YAML of definitions: PyYAML's safe loader, read by YAML 1.2's rules, and its dumper.

PyYAML follows YAML 1.1, which surprises people who write questions: it turns a bare yes or
no into a boolean and 10:30 into 630. With this loader they are texts, as their author sees
them.
"""

import re
from collections.abc import Mapping
from typing import Any, Final

import yaml

from deniable_sdk.survey.questionnaire import SHOWN_KEYS
from deniable_sdk.survey.window import WINDOW_KEYS

# A survey of 200 questions in five languages has about 15,000 values.
MOST_VALUES: Final = 100_000
DEEPEST: Final = 32
_OPENING: Final = (yaml.MappingStartEvent, yaml.SequenceStartEvent)
_CLOSING: Final = (yaml.MappingEndEvent, yaml.SequenceEndEvent)

_FIRST: Final = (
    *("title", "slug", *SHOWN_KEYS, "operator", "epsilon", *WINDOW_KEYS, "invited"),
    *("waves", "wave", "ask", "crosstabs", "together", "apart"),
)
_WIDTH: Final = 100


# The dumper in C writes the same text in a fifth of the time.
_Safe: Any = yaml.CSafeDumper if yaml.__with_libyaml__ else yaml.SafeDumper


class SlowLoader(yaml.SafeLoader):
    """The loader where PyYAML was built without libyaml.

    Its parser stops at a question mark inside { }; libyaml's does not.
    """

    yaml_implicit_resolvers = {}  # noqa: RUF012 - PyYAML's own name, filled below

    _is_in_plain_text = False

    def scan_plain(self) -> yaml.ScalarToken:
        """A plain text, which may contain question marks."""
        self._is_in_plain_text = True
        try:
            token: yaml.ScalarToken = super().scan_plain()
            return token
        finally:
            self._is_in_plain_text = False

    def peek(self, index: int = 0) -> str:
        """The next character; inside a plain text, a letter instead of a question mark.

        The scanner only compares the peeked character; it copies the text itself from the
        buffer, including question marks.
        """
        sign: str = super().peek(index)
        return "x" if sign == "?" and self._is_in_plain_text else sign


if yaml.__with_libyaml__:

    class DefinitionLoader(yaml.CSafeLoader):
        """Keeps plain texts as they are: yes, no and dates are texts."""

        yaml_implicit_resolvers = {}  # noqa: RUF012 - as above

else:
    DefinitionLoader = SlowLoader  # type: ignore[assignment,misc]  # as its docstring says


for _tag, _pattern, _first in (
    ("null", r"~|null|Null|NULL|", ["~", "n", "N", ""]),
    ("bool", r"true|True|TRUE|false|False|FALSE", list("tTfF")),
    ("int", r"-?(0|[1-9][0-9]*)", list("-0123456789")),
    ("float", r"-?(0|[1-9][0-9]*)\.[0-9]+([eE][-+]?[0-9]+)?|-?\.inf|\.nan", list("-.0123456789")),
):
    for _loader in (SlowLoader, DefinitionLoader):
        _loader.add_implicit_resolver(
            f"tag:yaml.org,2002:{_tag}", re.compile(rf"(?:{_pattern})\Z"), _first
        )


def is_reasonable(text: str) -> bool:
    """Whether the depth and the number of values of a YAML text are within a definition's limits.

    Composing is recursive, and in C without a limit; this check is not recursive.

    Raises:
        yaml.YAMLError: the part that was read is not YAML.
    """
    depth = 0
    for values, event in enumerate(yaml.parse(text, Loader=DefinitionLoader)):
        depth += isinstance(event, _OPENING)
        depth -= isinstance(event, _CLOSING)
        if depth > DEEPEST or values > MOST_VALUES:
            return False
    return True


class _Dumper(_Safe):  # type: ignore[misc]  # one of two classes
    """Writes each list and map in full: the files are for people."""

    def ignore_aliases(self, data: object) -> bool:  # noqa: ARG002 - PyYAML's signature
        return True


def to_yaml(document: object) -> str:
    """The definition as YAML that `deniable check` reads."""
    if isinstance(document, Mapping):
        order = dict.fromkeys((*_FIRST, *document))
        document = {key: document[key] for key in order if key in document}
    return yaml.dump(document, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=_WIDTH)
