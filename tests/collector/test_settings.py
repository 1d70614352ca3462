"""Settings from the environment."""

import pytest

from deniable_collector.errors import InvalidSettings
from deniable_collector.settings import Settings

TOKEN = "0123456789abcdef"  # noqa: S105  opens nothing


def test_an_empty_environment_gives_the_defaults() -> None:
    """What is unset or empty is as if it were never named."""
    empty = {"DENIABLE_OWNER_TOKEN": "", "DENIABLE_MAX_BODY_BYTES": ""}
    assert Settings.from_environment({}) == Settings.from_environment(empty) == Settings()
    assert (Settings().max_body_bytes, Settings().max_batch_reports) == (4_194_304, 10_000)


def test_every_setting_is_read() -> None:
    """Each variable sets the one thing it names."""
    settings = Settings.from_environment(
        {
            "DENIABLE_OWNER_TOKEN": TOKEN,
            "DENIABLE_ANALYST_TOKEN": TOKEN[::-1],
            "DENIABLE_MAX_BODY_BYTES": "2048",
            "DENIABLE_MAX_BATCH_REPORTS": "7",
        }
    )
    assert settings == Settings(TOKEN, TOKEN[::-1], 2048, 7)


def test_tokens_are_not_in_the_repr() -> None:
    """Printing the settings gives nothing away."""
    assert TOKEN not in repr(Settings(TOKEN, TOKEN))


@pytest.mark.parametrize("token", ["short", "sixteen letters ", "sixteen letters!", "é" * 16])
@pytest.mark.parametrize("name", ["DENIABLE_OWNER_TOKEN", "DENIABLE_ANALYST_TOKEN"])
def test_a_weak_token_is_refused_and_not_repeated(name: str, token: str) -> None:
    """The message says what a token has to be, and not what it was."""
    with pytest.raises(InvalidSettings, match=f"{name}: got {len(token)} characters") as caught:
        Settings.from_environment({name: token})
    assert "allowed are at least 16 ASCII letters" in str(caught.value)
    assert token not in str(caught.value)


@pytest.mark.parametrize("text", ["0", "-1", "many", "1.5", "１２３４", "9" * 5000, " 2048"])
@pytest.mark.parametrize("name", ["DENIABLE_MAX_BODY_BYTES", "DENIABLE_MAX_BATCH_REPORTS"])
def test_an_impossible_limit_is_refused(name: str, text: str) -> None:
    """The message names the variable, what it was, and the range."""
    with pytest.raises(InvalidSettings, match=rf"{name}: got '.*; allowed is a whole number"):
        Settings.from_environment({name: text})


def test_one_token_for_both_is_refused() -> None:
    """An analyst who could close the survey would be its owner."""
    same = {"DENIABLE_OWNER_TOKEN": TOKEN, "DENIABLE_ANALYST_TOKEN": TOKEN}
    with pytest.raises(InvalidSettings, match=r"are the same; .* make two tokens"):
        Settings.from_environment(same)


def test_all_problems_are_told_at_once() -> None:
    """An operator does not have to start three times to hear three faults."""
    wrong = {"DENIABLE_OWNER_TOKEN": "x", "DENIABLE_MAX_BODY_BYTES": "x"}
    with pytest.raises(InvalidSettings) as caught:
        Settings.from_environment(wrong)
    assert [line.split(":")[0] for line in str(caught.value).split("\n")] == list(wrong)
