"""No true answer gets out through an error: not its text, its repr or its chain."""

from collections.abc import Mapping

import pytest

from deniable_sdk import DeniableError, InvalidAnswer, RandomnessUnavailable, randomize
from error_texts import error_texts
from sample_definitions import choice, scale, survey, yes_no
from tape import Tape

SURVEY = survey(
    yes_no("asthma"), choice("region", required=True), scale("stress", 3), ask="all", epsilon=6
)
LEGAL: dict[str, object] = {"asthma": True, "region": "o1", "stress": 2}


class Canary:
    """An answer that would give itself away through repr or str."""

    def __repr__(self) -> str:
        return "canary"


WRONG: dict[str, list[object]] = {
    "asthma": ["canary", 73400, 734.00, ["canary"], {"canary": 1}, Canary(), b"canary", 1],
    "region": ["canary", 73400, 734.00, True, Canary(), "no_answer", ("canary",), 10**5000],
    "stress": ["canary", 73400, 734.00, True, Canary(), 4, -(10**5000), 2.0],
}


def _refuse(answers: Mapping[str, object]) -> str:
    with pytest.raises(InvalidAnswer) as caught:
        randomize(SURVEY, answers)
    error = caught.value
    assert error.__cause__ is None
    assert error.__context__ is None
    assert isinstance(error, DeniableError)
    everything = error_texts(error)
    assert "canary" not in everything
    assert "734" not in everything
    return str(error)


@pytest.mark.parametrize("question", WRONG)
def test_every_wrong_answer_gives_the_same_message(question: str) -> None:
    """The message depends on the question, never on what was answered."""
    messages = {_refuse({**LEGAL, question: answer}) for answer in WRONG[question]}
    assert len(messages) == 1


def test_the_message_says_what_is_allowed() -> None:
    """It names the question, its options and that the answer was not used."""
    assert _refuse({**LEGAL, "asthma": "canary"}) == (
        "question 'asthma' takes one of its options: yes, no, no_answer; the answer given is none "
        "of them and was not used"
    )
    assert _refuse({**LEGAL, "region": None}) == (
        "question 'region' is required, and takes one of its options: o0, o1, o2; the answer "
        "given is none of them and was not used"
    )


def test_answers_to_unknown_questions_are_not_told() -> None:
    """Ids that the survey does not have are counted, not repeated: they may be answers."""
    assert _refuse({**LEGAL, "canary": True, "734": 1}) == (
        "answers were given for 2 questions that survey 'health' does not have; it has: "
        "asthma, region, stress"
    )


def test_nothing_is_drawn_before_all_answers_are_checked() -> None:
    """A wrong answer to the last question is found before any byte is read."""
    with pytest.raises(InvalidAnswer, match="stress"):
        randomize(SURVEY, {**LEGAL, "stress": "canary"}, read_bytes=Tape(b""))


@pytest.mark.parametrize("answer", ["yes", "no", None])
def test_failing_randomness_tells_nothing(answer: str | None) -> None:
    """Where random bytes run out, the message is the same for every answer."""
    tape = Tape(bytes(16) + b"\xff" * 36)

    def read_bytes(count: int) -> bytes:
        return tape(count) if tape.position < 52 else b""

    with pytest.raises(RandomnessUnavailable) as caught:
        randomize(SURVEY, {**LEGAL, "asthma": answer}, read_bytes=read_bytes)
    assert str(caught.value) == (
        "asked for 6 random bytes and got 0; nothing was randomized, try again"
    )
    assert caught.value.__context__ is None


def test_a_report_never_carries_more_than_the_asked_blocks() -> None:
    """Answers to questions that are not asked leave no trace in the report."""
    some = survey(yes_no("a"), yes_no("b"), yes_no("c"), ask=1)
    data = bytes(range(16 + 12))
    reports = {
        randomize(some, {"a": True, "b": other}, ["a"], Tape(data)).to_bytes()
        for other in (True, False, None, "canary")
    }
    assert len(reports) == 1


@pytest.mark.parametrize(
    ("blocks", "count"), [([], 0), (["a", "b"], 2), (["a", "a"], 2), (["x"], 1), ("a,b", 3)]
)
def test_other_blocks_than_were_drawn_are_refused(blocks: list[str], count: int) -> None:
    """As many different blocks as the survey asks are taken, and nothing else."""
    some = survey(yes_no("a"), yes_no("b"), ask=1)
    with pytest.raises(ValueError, match="allowed are exactly 1") as caught:
        randomize(some, {}, blocks)
    assert str(caught.value) == (
        f"got {count} blocks; allowed are exactly 1 different ones of: a, b; "
        "draw them with draw_blocks"
    )
