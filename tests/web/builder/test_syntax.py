"""The syntax of expressions: what is read, and that anything else is refused quickly."""

import pytest

from deniable_web.builder.imports.syntax import (
    LONGEST,
    Bare,
    Bracketed,
    Call,
    Chain,
    Name,
    Node,
    Quoted,
    UnreadableExpressionError,
    parse,
)

A = Name("a")
TRUE = Call("true()", ())


@pytest.mark.parametrize(
    ("expression", "tree"),
    [
        ("{a}", A),
        ("${a}", A),
        ("{a} == 'x'", Chain(A, (("=", Quoted("x")),))),
        (r"{a} = 'it\'s \"'", Chain(A, (("=", Quoted(r"it\'s \"")),))),
        ('{a}<>"x"', Chain(A, (("!=", Quoted("x")),))),
        ("1 - -2 - {a}", Chain(Bare("1"), (("-", Bare("-2")), ("-", A)))),
        ("-{a} ^ 2", Call("-", (Chain(A, (("^", Bare("2")),)),))),
        ("1 + 2 div {a}", Chain(Bare("1"), (("+", Chain(Bare("2"), (("/", A),))),))),
        ("{a} AnyOf [x, -1]", Chain(A, (("anyof", Bracketed((Bare("x"), Bare("-1")))),))),
        ("not(selected(${a}, 'x'))", Call("not()", (Call("selected()", (A, Quoted("x"))),))),
        ("!{a} notempty", Call("!", (Call("notempty", (A,)),))),
        ("true() or {a} and 1", Chain(TRUE, (("or", Chain(A, (("and", Bare("1")),))),))),
    ],
)  # fmt: skip
def test_an_expression_becomes_a_tree(expression: str, tree: Node) -> None:
    """What both programs share, with one name for each operator."""
    assert parse(expression) == tree


@pytest.mark.parametrize(
    "expression",
    [
        "", "{a} =", "= 1", "({a}", "{a})", "[1, ]", "f(1", "{a} {b}", "{a} = {b} = 1", "a/b/",
        "'a", "{{a}}", "{a} # 1",
    ],
)  # fmt: skip
def test_another_syntax_is_refused(expression: str) -> None:
    """Nothing is guessed."""
    with pytest.raises(UnreadableExpressionError, match="another syntax"):
        parse(expression)


@pytest.mark.parametrize(
    "expression",
    ["(" * 31 + "1" + ")" * 31, "!" * 1000 + "{a}", "- - " * 500 + "{a}", "1" + " " * LONGEST],
)
def test_an_expression_that_nobody_writes_is_refused(expression: str) -> None:
    """Too deep, or too long."""
    with pytest.raises(UnreadableExpressionError, match="too long"):
        parse(expression)


@pytest.mark.sweep
@pytest.mark.parametrize(
    "part",
    [
        " ",
        "(",
        "'",
        '"',
        "{",
        "}",
        "[",
        ",",
        "a",
        "{a} = 'x' or ",
        "selected(",
        "|",
        "$",
        r"\'",
        r"\"",
    ],
)
def test_an_expression_is_read_once(part: str) -> None:
    """The longest expression that is read at all is read part by part, never twice.

    With a search that goes back, each of these would take minutes.
    """
    most = "{a} = 'x'" + part * ((LONGEST - 20) // len(part)) + "x"
    assert len(most) <= LONGEST
    for _ in range(20):
        try:
            parse(most)
        except UnreadableExpressionError:
            continue
