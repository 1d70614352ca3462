"""The only reader of JSON: all of it may come from others, and is read or refused as a whole.

What is refused is what readers understand differently, or what breaks those who use the value
later. No refusal repeats anything of the text.
"""

import json
import math
import re
from typing import Any, Final, NoReturn

MAX_DEPTH: Final = 32
# Databases and JavaScript's numbers have no room for more.
_MOST: Final = 2**63 - 1
_MAYBE_TOO_LARGE: Final = re.compile(r"[0-9]{19}")
_MAYBE_HALF_A_PAIR: Final = re.compile(r"\\u[dD][89a-fA-F]")
_TOO_DEEP: Final = f"nested deeper than {MAX_DEPTH} levels"
_TOO_LARGE: Final = "a number is too large"


class NotJson(ValueError):
    """Bytes are no JSON that is read here.

    Args:
        problem: what is wrong.
        line: where the text is broken, from 1; 0 if it is not broken.
    """

    def __init__(self, problem: str, line: int = 0) -> None:
        super().__init__(problem)
        self.line = line


class RepeatedKey(NotJson):
    """An object has a key twice, and only one could be used."""


def read_json(data: bytes, *, is_whole: bool = False) -> Any:
    """The value of JSON bytes in any layout.

    Args:
        data: the bytes.
        is_whole: whether numbers with decimals, and -0, are refused. Then depth, large numbers
            and half pairs are not: canonical.encode refuses them, in one report of many.
    Raises:
        NotJson: not UTF-8, not JSON, nested too deeply, with a number that is not finite or
            too large, with half a surrogate pair, or with an object that has a key twice.
    """
    # Refused outside the handlers: the decoders' errors hold all they were
    # given, and would be carried along as the context of ours.
    line = 0
    try:
        return _read(data.decode("utf-8"), is_whole)
    except UnicodeDecodeError:
        problem = "the bytes are not UTF-8"
    except UnicodeEncodeError:
        problem = "got a text with half a surrogate pair"
    except json.JSONDecodeError as error:
        problem, line = f"not JSON: broken at character {error.pos}", error.lineno
    except RecursionError:
        problem = _TOO_DEEP
    except NotJson:
        raise
    except ValueError:
        # CPython refuses to read integers of thousands of digits.
        problem = _TOO_LARGE
    raise NotJson(problem, line)


def read_object(data: bytes) -> dict[str, Any]:
    """The object of JSON bytes.

    Raises:
        NotJson: as read_json, or the value is no object.
    """
    value = read_json(data)
    if not isinstance(value, dict):
        raise NotJson("got JSON that is no object")
    return value


def _refuse_decimals(_: str) -> NoReturn:
    raise NotJson("got a number with decimals; only whole numbers are allowed")


def _read_decimal(digits: str) -> float:
    number = float(digits)
    if not math.isfinite(number):
        raise NotJson("got a number that is not finite")
    return number


def _read_integer(digits: str) -> int:
    number = int(digits)
    if abs(number) > _MOST:
        raise NotJson(_TOO_LARGE)
    return number


def _read_whole(digits: str) -> int:
    if digits == "-0":
        raise NotJson("got -0; write 0")
    return int(digits)


def _refuse_repeated_keys(members: list[tuple[str, Any]]) -> dict[str, Any]:
    document = dict(members)
    if len(document) < len(members):
        raise RepeatedKey("an object has the same key twice")
    return document


def _is_too_deep(value: Any) -> bool:
    """Whether something is in more than MAX_DEPTH - 1 lists or objects; level by level."""
    level = [value] if isinstance(value, (dict, list)) else []
    for _ in range(MAX_DEPTH - 1):
        level = [
            inner
            for outer in level
            for inner in (outer.values() if isinstance(outer, dict) else outer)
            if isinstance(inner, (dict, list))
        ]
    return any(level)


def _decoder(read_number: Any, read_integer: Any) -> json.JSONDecoder:
    return json.JSONDecoder(
        parse_int=read_integer,
        parse_float=read_number,
        parse_constant=read_number,
        object_pairs_hook=_refuse_repeated_keys,
    )


# Made once: that takes longer than reading a report. The second of each is for texts that may
# have integers to be refused, since a function for each integer takes time.
_DECIMAL: Final = (_decoder(_read_decimal, None), _decoder(_read_decimal, _read_integer))
_WHOLE: Final = (_decoder(_refuse_decimals, None), _decoder(_refuse_decimals, _read_whole))


def _read(text: str, is_whole: bool) -> Any:
    if is_whole:
        return _WHOLE["-0" in text].decode(text)
    value = _DECIMAL[bool(_MAYBE_TOO_LARGE.search(text))].decode(text)
    if text.count("[") + text.count("{") >= MAX_DEPTH and _is_too_deep(value):
        raise NotJson(_TOO_DEEP)
    if _MAYBE_HALF_A_PAIR.search(text):
        json.dumps(value, ensure_ascii=False).encode("utf-8")
    return value
