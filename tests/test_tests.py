"""What a machine can tell of a test that cannot fail."""

import ast
from collections.abc import Iterator
from functools import cache
from pathlib import Path

TESTS = Path(__file__).parent
FUNCTIONS = ast.FunctionDef | ast.AsyncFunctionDef

# Who waits for one of these takes any mistake for it.
WIDE = {"Exception", "BaseException"}
# And these say so little that one must look at the message.
VAGUE = WIDE | {
    *("ArithmeticError", "AssertionError", "AttributeError", "DeniableError", "IndexError"),
    *("KeyError", "LookupError", "OSError", "RuntimeError", "TypeError", "ValueError"),
}


@cache
def _trees() -> dict[Path, ast.Module]:
    """Every file of the tests, parsed once, and not before a test asks."""
    return {path: ast.parse(path.read_text()) for path in sorted(TESTS.rglob("*.py"))}


@cache
def _nodes_of(path: Path) -> list[ast.AST]:
    """All nodes of a file, collected once."""
    return list(ast.walk(_trees()[path]))


def _files() -> list[Path]:
    """Those that contain tests."""
    return [path for path in _trees() if path.name.startswith("test_")]


def _at(path: Path, node: ast.expr | ast.stmt) -> str:
    return f"{path.relative_to(TESTS).as_posix()}:{node.lineno}"


@cache
def _done(function: ast.AST) -> frozenset[str]:
    """The names of all calls within, and "fail" if it asserts or raises."""
    found = set()
    for each in ast.walk(function):
        if isinstance(each, ast.Call):
            found.add(getattr(each.func, "attr", getattr(each.func, "id", "")))
        elif isinstance(each, ast.Assert | ast.Raise):
            found.add("fail")
    return frozenset(found)


def _fails_itself(function: ast.AST) -> bool:
    """Whether it asserts, raises, or calls what is known to."""
    return any(
        name in {"raises", "fail", "expect"} or name.startswith("assert_")
        for name in _done(function)
    )


@cache
def _failing_functions() -> set[str]:
    """The names of functions of the tests that fail, or call one that does."""
    functions = [
        each for path in _trees() for each in _nodes_of(path) if isinstance(each, FUNCTIONS)
    ]
    found = {each.name for each in functions if _fails_itself(each)}
    while more := {each.name for each in functions if found & _done(each)} - found:
        found |= more
    return found


def _nodes(kind: type[ast.AST]) -> Iterator[tuple[Path, ast.AST]]:
    for path in _files():
        for node in _nodes_of(path):
            if isinstance(node, kind):
                yield path, node


def test_there_are_tests_to_look_at() -> None:
    """So that the tests below do not pass on nothing."""
    assert len(_files()) > 250
    assert {"check_binomial", "run_examples", "throughout"} - _failing_functions() == {
        "throughout"
    }


def test_every_test_can_fail() -> None:
    """It asserts something, or calls a function that does; benchmarks may only print."""
    failing = _failing_functions()
    idle = [
        f"{_at(path, node)} {node.name}"
        for path, node in _nodes(ast.FunctionDef)
        if isinstance(node, ast.FunctionDef)
        and node.name.startswith("test_")
        and "benchmarks" not in path.parts
        and not _fails_itself(node)
        and not failing & _done(node)
    ]
    assert idle == []


def test_no_number_stands_in_for_one_that_is_missing() -> None:
    """`found.low or 0` would let None pass for a number; there(found.low) fails."""
    defaults = [
        f"{_at(path, node)} {ast.unparse(node)}"
        for path, node in _nodes(ast.BoolOp)
        if isinstance(node, ast.BoolOp)
        and isinstance(node.op, ast.Or)
        and isinstance(last := node.values[-1], ast.Constant)
        and type(last.value) in {int, float}
    ]
    assert defaults == []


def test_what_is_raised_is_told_from_other_mistakes() -> None:
    """A class that says little comes with words of its message, or the error is read."""
    read = {
        id(item.context_expr)
        for path in _files()
        for node in _nodes_of(path)
        if isinstance(node, ast.With)
        for item in node.items
        if item.optional_vars is not None
    }
    vague = [
        f"{_at(path, node)} {ast.unparse(node)}"
        for path, node in _nodes(ast.Call)
        if isinstance(node, ast.Call)
        and getattr(node.func, "attr", "") == "raises"
        and (name := ast.unparse(node.args[0]).rpartition(".")[2]) in VAGUE
        and (name in WIDE or not node.keywords)
        and id(node) not in read
    ]
    assert vague == []
