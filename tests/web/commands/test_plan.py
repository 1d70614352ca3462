"""deniable plan: every goal in both directions, and errors that state what to change."""

import csv
import io
import json
import shlex
import shutil
from pathlib import Path
from typing import Any

import pytest

from deniable_web.commands import run
from deniable_web.commands.plan import EXAMPLES
from deniable_web.packaged_files import example_folder
from doc_pages import DOCS

LN_3 = "1.0986122886681098"


def plan(capsys: pytest.CaptureFixture[str], *arguments: str) -> dict[str, Any]:
    """The JSON document of a plan."""
    assert run(("plan", *arguments, "--format", "json")) == 0
    document: dict[str, Any] = json.loads(capsys.readouterr().out)
    return document


def commands(text: str) -> list[str]:
    """The examples of a text, without what stands behind them."""
    lines = [line.strip() for line in text.splitlines()]
    return [line.split("   ")[0] for line in lines if line.startswith("deniable plan")]


PAGE = (DOCS / "PLANNING.md").read_text()


@pytest.mark.parametrize("command", sorted({*commands(EXAMPLES), *commands(PAGE)}))
def test_every_example_runs(
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    command: str,
) -> None:
    """What the help and the page show is accepted, as a table for people, too."""
    monkeypatch.chdir(tmp_path)
    shutil.copy(example_folder("health") / "survey.yaml", "survey.yaml")
    arguments = shlex.split(command)[1:]
    assert run(arguments) == 0
    assert "Plan" in capsys.readouterr().out


@pytest.mark.parametrize(
    ("arguments", "key", "expected"),
    [
        (("--epsilon", LN_3, "--sd", "0.01"), "respondents", 10_000),
        (("--epsilon", LN_3, "--margin", "0.01"), "respondents", 38_415),
        (("--epsilon", LN_3, "--margin", "0.03", "--options", "2"), "respondents", 4_269),
        (("--epsilon", "1", "--options", "5", "--margin", "0.05", "--all-options"),
         "respondents", 9_774),
        (("--epsilon", "1", "--options", "5", "--margin", "0.05", "--share", "equal"),
         "respondents", 3_759),
        (("--epsilon", "1", "--respondents", "4997"), "margin", 0.03),
        (("--epsilon", "1", "--margin", "0.05", "--share", "0.3", "--watch"),
         "respondents", 4_832),
        (("--epsilon", "1", "--margin", "0.05", "--share", "0.3", "--watch"),
         "in_9_of_10_surveys", 4_867),
        (("--epsilon", "1", "--respondents", "4832", "--share", "0.3", "--watch"),
         "margin", 0.05),
        (("--respondents", "5000", "--margin", "0.03"), "epsilon", "0.999621"),
        (("--respondents", "10000", "--sd", "0.02"), "epsilon", "0.510826"),
        (("--epsilon", "1", "--compare", "0.3", "0.4", "--power", "0.8"),
         "respondents_per_group", 1802),
        (("--epsilon", "1", "--compare", "0.3", "0.4", "--respondents", "1802"), "power", 0.8),
        (("--compare", "0.3", "0.4", "--respondents", "2000", "--power", "0.8"),
         "epsilon", "0.941937"),
        (("--design", "5/6", "1/6", "--detect", "0.15", "--against", "0.1", "--power", "0.8"),
         "respondents", 1299),
        (("--design", "2/3", "1/3", "--detect", "0.2", "--against", "0", "--respondents", "200",
          "--one-sided", "--confidence", "0.99"), "power", 0.376749738946956),
        (("--detect", "0.2", "--against", "0.15", "--respondents", "2000", "--power", "0.8"),
         "epsilon", "1.317121"),
        (("--epsilon", "1", "--options", "5", "--order", "0.3", "0.25", "--power", "0.95"),
         "respondents", 7250),
        (("--epsilon", "1", "--options", "5", "--order", "0.3", "0.25", "--respondents", "7250"),
         "power", 0.95),
        (("--options", "5", "--order", "0.3", "0.25", "--respondents", "5000", "--power", "0.95"),
         "epsilon", "1.180232"),
        (("--epsilon", "1", "--mean", "-1", "1", "--margin", "0.1"), "respondents", 1895),
        (("--epsilon", "2", "--mean", "-1", "1", "--margin", "0.1", "--target", "shares"),
         "respondents", 742),
        (("--epsilon", "2", "--mean", "0", "30", "--respondents", "1000"),
         "margin", 1.2962438389595234),
        (("--epsilon", "2", "--mean", "0", "30", "--sd", "0.75"), "respondents", 778),
        (("--mean", "0", "30", "--margin", "1.5", "--respondents", "1000"),
         "epsilon", "1.598658"),
        (("--mean", "0", "1.5", "--places", "16", "--sd", "0.05", "--respondents", "1000"),
         "epsilon", "1.080318"),
    ],
)  # fmt: skip
def test_plans(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], key: str, expected: object
) -> None:
    """Every goal is found: respondents, the accuracy or power, and epsilon."""
    found = plan(capsys, *arguments)[key]
    if isinstance(expected, float):
        assert found == pytest.approx(expected, rel=1e-3)
    else:
        assert found == expected


def test_other_epsilons_stand_beside(capsys: pytest.CaptureFixture[str]) -> None:
    """What others take, or give, is in the document; a design has no others."""
    wanted = plan(capsys, "--epsilon", "1", "--margin", "0.03")["others"]
    assert [row["respondents"] for row in wanted] == [17_789, 4_997, 1_840, 1_149]
    affordable = plan(capsys, "--respondents", "5000", "--margin", "0.03")["others"]
    assert affordable == wanted
    given = plan(capsys, "--epsilon", "1", "--respondents", "4997")["others"]
    assert {row["respondents"] for row in given} == {4997}
    assert given[1]["margin"] == pytest.approx(0.03, rel=1e-4)
    assert plan(capsys, "--design", "1", "0", "--margin", "0.03")["others"] == []


def test_a_design_without_privacy_has_no_epsilon(capsys: pytest.CaptureFixture[str]) -> None:
    """An infinite epsilon is null; another is that of the design."""
    open_design = plan(capsys, "--design", "1", "0", "--margin", "0.03")
    assert (open_design["epsilon"], open_design["respondents"]) == (None, 1068)
    die = plan(capsys, "--design", "5/6", "1/6", "--margin", "0.03")
    assert (die["epsilon"], die["respondents"]) == ("1.60944", 2401)
    assert die["design"] == "P(yes | true yes) = 5/6, P(yes | true no) = 1/6"


def test_csv_is_one_row(capsys: pytest.CaptureFixture[str]) -> None:
    """CSV has the keys of the document, others left out."""
    arguments = ("--epsilon", "1", "--compare", "0.3", "0.4", "--respondents", "1802")
    assert run(("plan", *arguments, "--format", "csv")) == 0
    (row,) = csv.DictReader(io.StringIO(capsys.readouterr().out))
    document = plan(capsys, *arguments)
    del document["others"]
    assert row.keys() == document.keys()
    assert float(row["power"]) == pytest.approx(document["power"])


@pytest.mark.parametrize(
    ("arguments", "code", "expected"),
    [
        ("--epsilon 1", 1, "got 1 of them: add one of --respondents and --margin (or --sd)"),
        ("--margin 0.1", 1, "got 1 of them: add one of --epsilon and --respondents"),
        ("--compare .1 .2", 1, "add two of --epsilon, --respondents and --power"),
        ("--epsilon 1 --margin .1 --respondents 5", 1, "drop the one to be computed"),
        ("--epsilon 1 --margin .1 --sd .1", 1, "got --margin and --sd; drop one of them"),
        ("--order .1 .2 --compare .1 .2", 1, "got --compare and --order; they plan different"),
        ("--epsilon 1 --against .1 --sd .1", 1,
         "--against does not go with a share: drop it, or add --detect; beside a share go"),
        ("--epsilon 1 --margin .1 --power .8", 1, "or add --detect, --compare or --order"),
        ("--epsilon 1 --compare .1 .2 --places 3 --power .8", 1,
         "--places does not go with --compare: drop it; beside --compare go --power"),
        ("--epsilon 1 --detect .2 --power .8", 1, "with --detect add --against, the value"),
        ("--epsilon 1 --mean 0 1.5 --sd .1", 1, "add --places, how many different numbers"),
        ("--design 5/6 1/6 --epsilon 1 --sd .1", 1, "drop --epsilon, or drop --design"),
        ("--design 5/6 1/6 --options 3 --sd .1", 1, "drop --options, or drop --design"),
        ("--design 5/6 1/6", 1, "give two of --design, --respondents and --margin (or --sd)"),
        ("--design 5/6 1/0 --sd .1", 1, "--design: got 5/6 and 1/0; allowed are P(yes | true"),
        ("--design 1/2 1/2 --sd .1", 1, "two different numbers from 0 to 1, like 5/6 1/6"),
        ("--epsilon ∞ --sd 1", 1, "got '∞'; allowed is a number from 0.01"),
        ("--epsilon 1 --sd 0", 1, "sd: got 0; allowed is a number above 0"),
        ("--epsilon 1 --sd nan", 1, "sd: got nan; allowed is a number above"),
        ("--epsilon 1 --compare .1 .2 --power 0", 1, "power: got 0; allowed is a number betw"),
        ("--epsilon 1 --respondents 0", 1, "respondents: got 0; allowed is a whole number"),
        ("--margin 0.03 --respondents 0", 1, "respondents: got 0; allowed is a whole number"),
        ("--epsilon 1 --mean 1 0 --sd .1", 1, "--mean: got 1 and 0; allowed are two"),
        ("--epsilon 1 --margin .1 --watch --population 400", 1,
         "--population does not go with --watch: drop it; beside --watch go --margin"),
        ("--epsilon 1 --watch", 1, "got 1 of them: add one of --respondents and --margin"),
        ("--margin 0.03 --respondents 500", 1, "even without privacy it takes"),
        ("--epsilon 1 --margin .1 --share x", 2, "allowed is worst, equal"),
        ("--epsilon 1 --mean 0 9 --sd .1 --target x", 2, "is not one of 'shares', 'mean'"),
    ],
)  # fmt: skip
def test_wrong_combinations_name_what_to_change(
    capsys: pytest.CaptureFixture[str], arguments: str, code: int, expected: str
) -> None:
    """An error names the options to add or drop, or the value that is allowed."""
    assert run(("plan", *arguments.split())) == code
    printed = capsys.readouterr()
    assert printed.out == ""
    assert expected in " ".join(printed.err.split())
