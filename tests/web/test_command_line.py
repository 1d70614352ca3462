"""The command line for people who type: a start, wrong use, completion, --quiet, -o."""

import contextlib
import io
import os
import re
import shutil
import subprocess
import sys
from contextlib import closing, redirect_stderr, redirect_stdout
from pathlib import Path
from typing import NamedTuple

import click
import pytest
import yaml

from deniable_collector.store import add_reports, open_store
from deniable_sdk import randomize
from deniable_web.builder.survey_templates import templates
from deniable_web.commands import COMMANDS, cli, run
from sample_definitions import survey, yes_no

SHELLS = ("bash", "zsh", "fish")
PAGE = Path(__file__).parents[2] / "docs" / "COMMAND_LINE.md"


class Ran(NamedTuple):
    """How a command ended, and what it printed."""

    returncode: int
    stdout: str
    stderr: str


def ran(folder: Path, *arguments: str) -> Ran:
    """A command in a folder, without a terminal."""
    out, err = io.StringIO(), io.StringIO()
    with contextlib.chdir(folder), redirect_stdout(out), redirect_stderr(err):
        code = run(arguments)
    return Ran(code, out.getvalue(), err.getvalue())


def ran_as_a_process(folder: Path, *arguments: str) -> Ran:
    """The same by the real program."""
    command = [sys.executable, "-m", "deniable_web", *arguments]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
    assert "Traceback" not in done.stderr
    return Ran(done.returncode, done.stdout, done.stderr)


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A folder with a store of two surveys, at its default place."""
    with closing(open_store(tmp_path / "deniable.sqlite")) as opened:
        for slug in ("wards", "works"):
            published = survey(yes_no(), slug=slug)
            opened.publish(published)
            add_reports(opened, [randomize(published, {})])
    return tmp_path


def test_a_start_is_a_survey(tmp_path: Path) -> None:
    """What init writes is checked and published as it is, under the name of its file."""
    done = ran(tmp_path, "init", "Night_shift.yaml")
    assert done.returncode == 0
    assert "deniable check Night_shift.yaml" in done.stderr
    written = (tmp_path / "Night_shift.yaml").read_text()
    assert "slug: night-shift " in written
    assert len(written.splitlines()) < 30
    assert ran(tmp_path, "check", "Night_shift.yaml", "--respondents", "1000").returncode == 0
    assert ran(tmp_path, "publish", "Night_shift.yaml").returncode == 0
    assert "night-shift@1" in ran(tmp_path, "list", "--format", "csv").stdout


def test_the_commands_of_the_docs_run(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """From a start to a published survey in the list; the page names each shell's script."""
    monkeypatch.chdir(tmp_path)
    page = PAGE.read_text()
    (block,) = re.findall(r"```sh\n(.*?)```", page, re.DOTALL)
    for line in block.splitlines():
        assert run(line.split()[1:]) == 0
    assert "stress@1" in capsys.readouterr().out
    assert all(f"deniable completion {shell}" in page for shell in SHELLS)


def test_the_lines_to_uncomment_are_right(tmp_path: Path) -> None:
    """The keys and questions that are commented out are accepted as well."""
    assert ran(tmp_path, "init").returncode == 0
    file = tmp_path / "survey.yaml"
    lines = file.read_text().splitlines()
    file.write_text(
        "\n".join(
            re.sub(r"^# (?=- )", "  ", re.sub(r"# (?=operator|show_if)", "", line))
            for line in lines
        )
    )
    checked = ran(tmp_path, "check", "survey.yaml", "--format", "csv")
    assert checked.returncode == 0, checked.stderr
    assert {"contract", "sick_days"} <= set(checked.stdout.replace("\n", ",").split(","))


def test_init_begins_with_a_template(tmp_path: Path) -> None:
    """In two languages; what is still to be filled in is not forgotten."""
    languages = ("--language", "de", "--language", "en")
    done = ran(tmp_path, "init", "team.yaml", "--template", "speaking-up", *languages)
    assert done.returncode == 0, done.stderr
    text = (tmp_path / "team.yaml").read_text()
    assert text.startswith("# Survey template speaking-up.")
    assert "Licence:" in text
    assert list(yaml.safe_load(text)["title"]) == ["de", "en"]
    # Without blanks: lines may end at a hyphen.
    helped = "".join(ran(tmp_path, "init", "--help").stdout.split())
    assert all(each.name in helped for each in templates())
    unknown = ran(tmp_path, "init", "other.yaml", "--template", "speakin-up")
    assert unknown.returncode
    assert "speaking-up" in unknown.stderr
    assert not (tmp_path / "other.yaml").exists()


def test_init_overwrites_nothing(tmp_path: Path) -> None:
    """A file that exists stays as it is; another format is refused with a name that works."""
    (tmp_path / "survey.yaml").write_text("mine")
    refused = ran(tmp_path, "init")
    assert (refused.returncode, (tmp_path / "survey.yaml").read_text()) == (1, "mine")
    assert "survey.yaml already exists; move it, or name another file" in refused.stderr
    other = ran(tmp_path, "init", "survey.json")
    assert other.returncode == 2
    assert "a name that ends in .yaml or .yml, like survey.yaml" in other.stderr
    assert [path.name for path in tmp_path.iterdir()] == ["survey.yaml"]


@pytest.mark.parametrize(
    ("arguments", "said", "typed"),
    [
        (["pubish", "x.yaml"], "Did you mean 'publish'?", "deniable publish [OPTIONS] FILE"),
        (["token", "mak"], "Did you mean 'make'?", "deniable token make [OPTIONS] {owner|"),
        (["results", "wards", "--by-grup"], "'--by-group'?", "deniable results [OPTIONS] SLUG"),
        (["publish"], "Missing argument 'FILE'", "deniable publish [OPTIONS] FILE"),
        (["qwertz"], "No such command 'qwertz'", "deniable [OPTIONS] COMMAND"),
        (
            ["close", "wards", "works"],
            "unexpected extra argument",
            "deniable close [OPTIONS] SLUG",
        ),
    ],
)
def test_wrong_use_ends_with_what_to_type(
    folder: Path, arguments: list[str], said: str, typed: str
) -> None:
    """The exit code is 2, and the last lines are the command to type and its help."""
    wrong = ran(folder, *arguments)
    assert (wrong.returncode, wrong.stdout) == (2, "")
    assert said in wrong.stderr
    usage, help_line = wrong.stderr.splitlines()[-2:]
    assert usage.startswith(f"Type: {typed}")
    assert help_line.startswith("Help: deniable")
    assert ran(folder, *help_line.removeprefix("Help: deniable ").split()).returncode == 0


@pytest.mark.parametrize(
    "arguments", [["close"], ["purge", "--yes"], ["results"], ["export"], ["recount"], ["report"]]
)
def test_a_mistyped_survey_is_suggested(folder: Path, arguments: list[str]) -> None:
    """The error names the surveys whose names are like it."""
    output = ["-o", "x.html"] if arguments == ["report"] else []
    wrong = ran(folder, *arguments, "wrds", *output)
    assert wrong.returncode == 1
    assert "did you mean wards" in wrong.stderr


def test_a_missing_definition_can_be_started(tmp_path: Path) -> None:
    """Where there is no file, the error says how to write one."""
    assert "deniable init new.yaml" in ran(tmp_path, "check", "new.yaml").stderr


def completed(shell: str, folder: Path, *words: str, script: str = "") -> list[str]:
    """What a real shell completes the last word to, by the script that the program prints."""
    line = " ".join(["deniable", *words])
    last = "" if words[-1] else " ''"
    programs = {
        "bash": f"{script}\nCOMP_WORDS=({line.rstrip()}{last}); COMP_CWORD={len(words)}\n"
        "_deniable_completion deniable; printf '%s\\n' \"${COMPREPLY[@]}\"",
        "fish": f"{script}\ncomplete --do-complete '{line}'",
    }
    done = subprocess.run(
        [shell, "-c", programs[shell]], cwd=folder, capture_output=True, text=True, check=True
    )
    return [each.partition("\t")[0] for each in done.stdout.split("\n") if each]


@pytest.fixture
def installed(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    """The program under its name on the path, as an installed package has it."""
    program = tmp_path_factory.mktemp("bin") / "deniable"
    program.write_text(f'#!/bin/sh\nexec {sys.executable} -m deniable_web "$@"\n')
    program.chmod(0o755)
    monkeypatch.setenv("PATH", f"{program.parent}{os.pathsep}{os.environ['PATH']}")


@pytest.mark.deep
@pytest.mark.usefixtures("installed")
@pytest.mark.parametrize("shell", ["bash", "fish"])
def test_a_shell_completes_commands_options_and_slugs(folder: Path, shell: str) -> None:
    """Commands, those of groups, options, and the slugs of the store that is named."""
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    (folder / "deniable.sqlite").rename(folder / "other.sqlite")
    script = ran(folder, "completion", shell).stdout

    def words(*typed: str) -> list[str]:
        return completed(shell, folder, *typed, script=script)

    assert set(words("re")) == {"results", "report", "release", "remind", "recount"}
    assert words("token", "ma") == ["make"]
    assert words("results", "--by") == ["--by-group"]
    assert words("results", "--store", "other.sqlite", "w") == ["wards", "works"]
    assert words("results", "w") == []
    assert list(folder.glob("*.sqlite")) == [folder / "other.sqlite"]


@pytest.mark.parametrize("shell", SHELLS)
def test_the_script_of_each_shell_is_one(tmp_path: Path, shell: str) -> None:
    """Each shell that is installed reads the script; it calls the program by its name."""
    script = ran(tmp_path, "completion", shell).stdout
    assert f"_DENIABLE_COMPLETE={shell}_complete" in script
    if shutil.which(shell):
        subprocess.run([shell, "-n", "-c", script], check=True, capture_output=True)


def test_another_shell_is_refused_with_those_there_are(tmp_path: Path) -> None:
    """The error lists the shells."""
    wrong = ran(tmp_path, "completion", "tcsh")
    assert wrong.returncode == 2
    assert all(shell in wrong.stderr for shell in SHELLS)


def leaves(command: click.Command, *names: str) -> list[tuple[tuple[str, ...], click.Command]]:
    """Every command without commands below it, and its names."""
    if not isinstance(command, click.Group):
        return [(names, command)]
    context = click.Context(command)
    found = [(name, command.get_command(context, name)) for name in command.list_commands(context)]
    return [leaf for name, below in found if below for leaf in leaves(below, *names, name)]


def test_every_command_has_the_same_options_for_the_same() -> None:
    """Each has --quiet, and each with an output file has it as -o and --output."""
    found = leaves(cli)
    assert len(found) > len(COMMANDS)
    for names, command in found:
        options = {each for option in command.params for each in option.opts}
        assert {"-q", "--quiet"} <= options, names
        assert ("-o" in options) == ("--output" in options), names
        assert not options & {"--out", "--to-file"}, names
    writing = {
        names[0] for names, command in found for each in command.params if "-o" in each.opts
    }
    assert writing == {"export", "federate", "form", "release", "report", "results"}


def test_quiet_leaves_the_result_and_errors(folder: Path) -> None:
    """Messages of success go, before or after a command of a group; results and errors stay."""
    token = ran(folder, "token", "make", "analyst", "me", "--survey", "nights", "--quiet")
    assert (token.returncode, len(token.stdout.splitlines())) == (0, 1)
    assert "No survey is called nights yet" in token.stderr, "a warning"
    assert ran(folder, "init").stderr
    assert ran(folder, "init", "other.yaml", "-q").stderr == ""
    published = ran(folder, "publish", "other.yaml", "--quiet")
    assert (len(published.stdout.strip()), published.stderr) == (64, "")
    export = ran(folder, "export", "wards", "-o", "wards.csv", "--quiet")
    assert (export.returncode, export.stderr) == (0, "")
    assert ran(folder, "close", "wrds", "-q").stderr.startswith("Error: there is no survey")


def test_quiet_ends_with_its_command(tmp_path: Path) -> None:
    """In one process, the command after a quiet one says what it did."""
    assert ran(tmp_path, "init", "first.yaml", "--quiet").stderr == ""
    assert "Written: second.yaml" in ran(tmp_path, "init", "second.yaml").stderr


def test_the_real_program_ends_likewise(tmp_path: Path) -> None:
    """A process has the same exit codes and lines as the commands above."""
    for arguments in (["init", "-q"], ["init"], ["inti"], ["completion", "bash"]):
        other = tmp_path / "other"
        other.mkdir(exist_ok=True)
        assert ran_as_a_process(tmp_path, *arguments) == ran(other, *arguments)


@pytest.mark.parametrize(
    ("arguments", "name"),
    [
        (["export", "wards"], "x.csv"),
        (["results", "wards"], "x.json"),
        (["report", "wards"], "x.html"),
    ],
)
def test_no_command_overwrites_a_file(folder: Path, arguments: list[str], name: str) -> None:
    """-o names a new file; one that exists is kept, with an error that says so."""
    (folder / name).write_text("mine")
    refused = ran(folder, *arguments, "-o", name)
    assert refused.returncode == 1
    assert "exists" in refused.stderr
    assert (folder / name).read_text() == "mine"
