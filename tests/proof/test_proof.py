"""The proofs are checked, and their samplers are the ones of Python and JavaScript."""

import json
import subprocess
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from deniable_sdk import PublishedSurvey
from deniable_sdk.mechanisms import MECHANISMS
from deniable_sdk.survey.block import Block
from deniable_sdk.survey.published import most_spent
from deniable_sdk.survey.routing import follow_routing
from deniable_sdk.weights import is_within
from proof import cases, coq
from vectors.spelling import unspell

pytestmark = pytest.mark.deep

VECTORS = Path(__file__).parents[1] / "vectors"
RANDOM_TAPES = 20_000
# What a theorem prints that assumes nothing.
CLOSED = "Closed under the global context"
# Samplers that are wrong in one place.
TWINS = {
    "off by one": ("u <? draw_range - draw_range mod m", "u <=? draw_range - draw_range mod m"),
    "kept value first": (
        "ascending (if included then removelast drawn ++ [x] else drawn)",
        "(if included then x :: removelast drawn else ascending drawn)",
    ),
    "biased shuffle": ("(nth offset rest 0, put offset first rest)", "(nth offset rest 0, rest)"),
    "wrong weight": (
        "let included := first <? N.of_nat d * a in",
        "let included := first <? N.of_nat (S d) * a in",
    ),
    "shared words": (
        "| Some (v, t) =>\n          match below_each bounds t with",
        "| Some (v, _) =>\n          match below_each bounds t with",
    ),
    "rounded up": ("(term * n / (d * (i + 1)))", "(term * n / (d * (i + 1)) + 1)"),
}


def _vectors(name: str) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads((VECTORS / name).read_text("ascii"))
    return found


@pytest.fixture(scope="module")
def built(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, str]:
    """A folder with the checked proofs, and what was printed."""
    assert coq.missing() == [], "install coq and ocaml-nox"
    folder = tmp_path_factory.mktemp("proof")
    built = coq.build(folder)
    assert built.returncode == 0, built.stderr
    return folder, built.stdout


def test_every_statement_is_proved_and_assumes_nothing(built: tuple[Path, str]) -> None:
    """Coq prints of each statement's theorem that it is closed."""
    names = coq.statements()
    assert len(names) >= 13
    expected = "".join(f"{name}\n     : Statements.{name}\n{CLOSED}\n" for name in names)
    assert built[1] == expected


def test_every_mechanism_is_replayed() -> None:
    """A new mechanism is among those that the proof's samplers replay."""
    assert set(cases.KEYS) == set(MECHANISMS)


@pytest.mark.parametrize("name", ["below", *cases.KEYS])
def test_the_vectors(built: tuple[Path, str], name: str) -> None:
    """The samplers of the proof give what is written down, and read each tape to its end."""
    lines, expected = [], []
    for case in _vectors(f"{name}.json"):
        if "tape" not in case:
            continue
        if name == "below":
            lines.append(f"below {case['bound']:x} {case['tape']}")
            made = "none" if case["value"] is None else f"{case['value']:x} left 0"
        else:
            lines.append(cases.of_mechanism(case)[0])
            made = f"{cases.value_word(case['value'])} left 0"
        expected.append(made)
    assert len(lines) >= 100
    assert coq.replay(built[0], lines) == expected


def test_the_vectors_of_blocks(built: tuple[Path, str]) -> None:
    """The same blocks are drawn."""
    lines, expected = [], []
    for case in _vectors("blocks.json"):
        count, asked = case["block_count"], case["asked"]
        choice = "all -" if asked == count else f"equal {asked:x}"
        lines.append(f"blocks {choice} {count:x} {case['tape'] or '-'}")
        indexes = [int(block[1:]) for block in case["blocks"]]
        expected.append(f"{cases.joined(indexes)} left 0")
    assert len(lines) >= 20
    assert coq.replay(built[0], lines) == expected


def test_the_vectors_of_weights(built: tuple[Path, str]) -> None:
    """The same bound of e^epsilon is found, and the same blocks are within it."""
    lines, expected = [], []
    for case in _vectors("weights.json"):
        epsilon = Fraction(case["epsilon"])
        ratio = f"{epsilon.numerator:x} {epsilon.denominator:x}"
        lines.append(f"floor {ratio}")
        expected.append(case["exponential_floor"][2:])
        for blocks in case["blocks"]:
            highs, lows = (cases.joined(part) for part in zip(*blocks["weights"], strict=True))
            lines.append(f"within {highs} {lows} {ratio}")
            expected.append(str(blocks["is_within"]).lower())
    assert len(lines) >= 50
    assert coq.replay(built[0], lines) == expected


def _surveys() -> dict[str, PublishedSurvey]:
    """The legal surveys without privset, whose reports the theorems are about, by their names."""
    opened = {
        case["name"]: PublishedSurvey.from_bytes(unspell(case))
        for case in _vectors("surveys.json")
        if "error" not in case
    }
    return {
        name: survey
        for name, survey in opened.items()
        if all(block.mechanism.name != "privset" for block in survey.blocks)
    }


def test_the_budget_of_surveys(built: tuple[Path, str]) -> None:
    """The same surveys are within an epsilon."""
    lines, expected = [], []
    for survey in _surveys().values():
        documents = [block.mechanism.to_document() for block in survey.blocks]
        blocks = " / ".join(map(cases.mechanism_words, documents))
        for epsilon in (survey.epsilon, survey.epsilon * 9 / 10, survey.epsilon / 3):
            ratio = f"{epsilon.numerator:x} {epsilon.denominator:x}"
            lines.append(f"budget {survey.asked:x} {ratio} / {blocks}")
            expected.append(str(is_within(most_spent(survey), epsilon)).lower())
    assert {"true", "false"} == set(expected)
    assert coq.replay(built[0], lines) == expected


def test_the_vectors_of_reports(built: tuple[Path, str]) -> None:
    """The same blocks, id and values are in the reports of surveys without tokens and privset."""
    lines, expected, surveys = [], [], _surveys()
    for case in _vectors("reports.json"):
        survey = surveys.get(case["survey"]) if "tape" in case and "token" not in case else None
        if survey:
            report = json.loads(unspell(case))
            lines.append(_report_line(survey, case, set(report["values"])))
            drawn = [n for n, b in enumerate(survey.blocks) if b.id in report["values"]]
            values = [report["values"][survey.blocks[index].id] for index in drawn]
            words = [cases.joined(drawn), f"{int(report['report'], 16):x}"]
            expected.append(" ".join([*words, *map(cases.value_word, values), "left 0"]))
    assert len(lines) >= 20
    assert coq.replay(built[0], lines) == expected


def _report_line(survey: PublishedSurvey, case: dict[str, Any], drawn: set[str]) -> str:
    """A report's case: the answers to blocks that are not drawn are left at the first one."""
    asked = [block for block in survey.blocks if block.id in drawn]
    answers = case["answers"]
    if survey.has_routing or survey.has_scores:
        answers = follow_routing(survey, asked, answers)
    draws = [block.draw for block in survey.blocks if block.draw is not None]
    parts = f"equal {survey.asked:x}"
    if survey.asked == len(survey.blocks):
        parts = "all -"
    elif draws:
        parts = f"unequal {cases.joined(draws)}"

    def words(block: Block) -> str:
        encoded = block.encode(answers) if block.id in drawn else 0
        document = block.mechanism.to_document()
        return f"{cases.mechanism_words(document)} {cases.answer_word(encoded)}"

    return f"report {parts} {case['tape']} / {' / '.join(map(words, survey.blocks))}"


def test_random_tapes(built: tuple[Path, str]) -> None:
    """On tapes with rejected words, and on some that end, all three programs agree."""
    random_cases = cases.random_cases(RANDOM_TAPES, "proof")
    lines, expected = zip(*map(cases.of_mechanism, random_cases), strict=True)
    assert 100 < expected.count(cases.NONE) < RANDOM_TAPES / 4
    assert coq.replay(built[0], lines) == list(expected)
    ran = subprocess.run(
        ["node", Path(__file__).with_name("replay.js")],
        input=json.dumps(random_cases),
        capture_output=True,
        text=True,
        check=True,
        timeout=600,
    )
    found = [
        f"{cases.value_word(made['value'])} left {made['left']}" if made else cases.NONE
        for made in json.loads(ran.stdout)
    ]
    assert found == list(expected)


@pytest.mark.parametrize("name", TWINS)
def test_a_sampler_that_is_wrong_has_no_proof(tmp_path: Path, name: str) -> None:
    """The changed sampler is still a program, but a proof about it fails."""
    right, wrong = TWINS[name]
    built = coq.build_twin(tmp_path / "twin", right, wrong)
    assert built.returncode != 0
    assert (tmp_path / "twin" / "Statements.vo").is_file()
    assert "Error" in built.stderr
    assert "Theorems.v" not in built.stderr
