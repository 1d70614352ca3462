"""deniable plan with odd options: a plan, or an error that states what is allowed."""

import re
from collections.abc import Sequence

import pytest

from deniable_web.commands import run
from deniable_web.planning.words import epsilon_in_words, plan_in_words
from doc_pages import DOCS

ODD = [
    *("", "0", "-1", "1", "5", "0.5", "nan", "inf", "-inf", "1e-300", "1e300", "9" * 400),
    *("x", "1e999999999", "1/3", "1/0", "0.5.5", "∞", "١", "\0", "--", "1_0", "0x10"),
]
GOOD = [
    "--epsilon 1 --options 5 --share 0.2 --margin 0.05 --confidence 0.9 --population 90000",
    "--epsilon 1 --sd 0.01 --weighting-effect 1.4",
    "--epsilon 1 --respondents 500 --population 900",
    "--margin 0.05 --respondents 5000",
    "--design 5/6 1/6 --margin 0.03",
    "--epsilon 1 --detect 0.1 --against 0.05 --power 0.8",
    "--epsilon 1 --compare 0.3 0.4 --respondents 1802 --one-sided",
    "--epsilon 1 --options 5 --order 0.3 0.25 --power 0.95",
    "--epsilon 1 --mean 0 30 --margin 1.5 --places 31 --target shares",
]


def _variations(command: str) -> list[tuple[int, Sequence[str]]]:
    """The command with each of its values in turn to be replaced."""
    words = command.split()
    return [(index, words) for index, word in enumerate(words) if not word.startswith("--")]


@pytest.mark.parametrize(
    ("index", "words"), [each for command in GOOD for each in _variations(command)]
)
def test_odd_values_are_a_plan_or_a_clear_error(
    capsys: pytest.CaptureFixture[str], index: int, words: Sequence[str]
) -> None:
    """No traceback, whatever stands in place of a number: a plan, or an error in words."""
    for odd in ODD:
        code = run(["plan", *words[:index], odd, *words[index + 1 :], "--format", "json"])
        printed = capsys.readouterr()
        assert code in (0, 1, 2), odd
        if code:
            assert "Error: " in printed.err
            assert len(printed.err) < 2_000
        else:
            assert not re.search(r"NaN|Infinity", printed.out), odd


@pytest.mark.parametrize(
    ("command", "expected"),
    [
        ("--epsilon 1 --margin 0.03",
         ("With 4,997 respondents a share is estimated to within ±3 percentage points in "
         "95 of 100 surveys, whatever the share is.")),
        ("--epsilon 1 --options 5 --share equal --all-options --margin 0.05",
         ("respondents all shares of the question at once are estimated to within ±5 percentage "
         "points in 95 of 100 surveys, if all options are chosen equally often.")),
        ("--epsilon 2 --respondents 350 --population 400 --share 0.1",
         "With 350 respondents of 400 people a share is estimated to within"),
        ("--epsilon 2 --respondents 350 --share 0.1", "surveys, where it is 10 %."),
        ("--epsilon 1 --detect 0.1 --against 0.05 --power 0.8",
         ("a share of 10 % is distinguished from 5 % in 80 of 100 surveys; equal shares "
         "are called different in 5 of 100 surveys.")),
        ("--epsilon 1 --compare 0.3 0.4 --respondents 1802",
         ("in each of two groups, shares of 30 % and 40 % are distinguished in "
         "80 of 100 surveys; equal shares")),
        ("--epsilon 1 --options 5 --order 0.25 0.3 --power 0.95",
         ("With 7,250 respondents an option that 30 % choose comes out ahead of one that 25 % "
         "choose in 95 of 100 surveys.")),
        ("--epsilon 4 --compare 0.1 0.9 --respondents 1802", "in nearly all surveys; equal"),
        (("--epsilon 1 --detect 0.1 --against 0.05 --respondents 1 --one-sided "
         "--confidence 0.999999"), "in hardly any survey; equal shares"),
        ("--epsilon 1 --mean 0 30 --margin 1.5",
         ("With 1,927 respondents the mean of a number from 0 to 30 is estimated to within ±1.5 "
         "in 95 of 100")),
        ("--design 1 0 --margin 0.03", "This design has no epsilon: some answer reveals the"),
        ("--design 5/6 1/6 --margin 0.03",
         ("At epsilon 1.60944 one report can change the odds of any guess about its sender's "
         "answer by a factor of at most about 5.")),
    ],
)  # fmt: skip
def test_plans_are_said_in_words(
    capsys: pytest.CaptureFixture[str], command: str, expected: str
) -> None:
    """Beside the table stands one sentence on what is planned, and one on epsilon."""
    assert run(["plan", *command.split()]) == 0
    assert expected in " ".join(capsys.readouterr().err.split())


def test_the_page_shows_what_the_first_command_says(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """The sentences of docs/PLANNING.md are those printed."""
    assert run(["plan", "--epsilon", "1", "--margin", "0.03"]) == 0
    page = (DOCS / "PLANNING.md").read_text()
    for line in capsys.readouterr().err.splitlines():
        assert f"    {line}\n" in page


def test_words_need_no_command() -> None:
    """The sentences are made from a plan's document alone."""
    document = {"second": 0.2, "first": 0.3, "respondents": 10, "power": 0.5}
    assert plan_in_words(document).startswith("With 10 respondents an option that 30 % choose")
    assert epsilon_in_words(0.5).endswith("at most about 1.65.")


def test_epsilons_that_nobody_is_enough_for_are_left_empty(
    capsys: pytest.CaptureFixture[str],
) -> None:
    """Where another epsilon cannot do it with everybody, the table has no number there."""
    words = ["plan", "--epsilon", "2", "--margin", "0.05", "--population", "400"]
    assert run([*words, "--format", "json"]) == 0
    printed = capsys.readouterr().out
    assert '{"epsilon": "1", "respondents": null, "margin": null, "sd": null}' in printed
    assert run(words) == 0
    assert "–" in capsys.readouterr().out
    assert run(["plan", "--epsilon", "1", "--margin", "0.05", "--population", "400"]) == 1
    assert "not even asking all 400 people is enough" in capsys.readouterr().err
