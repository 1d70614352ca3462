"""A definition as the text of a file."""

from collections.abc import Mapping
from typing import Any, Final

import yaml

from deniable_sdk.survey.questionnaire import SHOWN_KEYS
from deniable_sdk.survey.window import WINDOW_KEYS

_FIRST: Final = (
    *("title", "slug", *SHOWN_KEYS, "operator", "epsilon", *WINDOW_KEYS, "invited"),
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
        order = dict.fromkeys((*_FIRST, *document))
        document = {key: document[key] for key in order if key in document}
    return yaml.dump(document, Dumper=_Dumper, sort_keys=False, allow_unicode=True, width=_WIDTH)
