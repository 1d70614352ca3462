"""A definition as the text of a file."""

from collections.abc import Mapping
from typing import Any, Final

import yaml

_FIRST: Final = (
    *("title", "slug", "introduction", "thanks", "thanks_link", "logo", "accent"),
    *("operator", "epsilon"),
    *("opens", "closes", "at_most_reports", "stop_when", "invited"),
    *("waves", "wave", "ask", "crosstabs"),
)
_WIDTH: Final = 100


# The dumper in C writes the same text in a fifth of the time.
_Safe: Any = yaml.CSafeDumper if yaml.__with_libyaml__ else yaml.SafeDumper


class _Dumper(_Safe):  # type: ignore[misc]  # one of two classes
    """Writes each list and map in full: the files are for people."""

    def ignore_aliases(self, data: object) -> bool:  # noqa: ARG002 - PyYAML's signature
        return True


def to_yaml(document: object) -> str:
    """The definition as YAML that `deniable check` reads."""
    if isinstance(document, Mapping):
        last = [key for key in document if key not in _FIRST]
        order = [key for key in _FIRST if key in document] + last
        document = {key: document[key] for key in order}
    return yaml.dump(document, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=_WIDTH)
