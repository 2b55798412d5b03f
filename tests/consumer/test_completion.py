# SPDX-License-Identifier: BSD-3-Clause
"""Completion of the command line in bash, and in zsh and fish where they are installed."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

SCRIPTS = Path(__file__).resolve().parents[2] / "cmake/completion"
COMMAND = os.environ["DEFORMBENCH"]


def replies(*words: str, folder: Path | None = None) -> list[str]:
    """What the script answers where the last word is being typed."""
    done = subprocess.run(
        ["bash", SCRIPTS / "deformbench.bash", COMMAND, *words],
        cwd=folder,
        capture_output=True,
        text=True,
        check=True,
        timeout=600,
    )
    assert done.stderr == ""
    return done.stdout.splitlines()


def test_verbs_of_the_command_and_of_the_python_package() -> None:
    found = replies("")
    assert len(found) == len(set(found)) and {"run", "list", "export-scene", "verify", "publish", "help"} <= set(found)
    assert all(word.replace("-", "").isalpha() and word.islower() for word in found)
    assert replies("ver") == ["verify"] == replies("help", "ver")
    assert replies("no_such_verb") == [] == replies("no_such_verb", "")


def test_options_are_those_that_the_verb_prints() -> None:
    assert replies("run", "--t") == ["--tier", "--time-limit"]
    assert replies("verify", "--cl") == ["--claim"]
    assert replies("run", "ms_per_step", "--jo") == ["--jobs"]


@pytest.mark.parametrize(
    "words, expected",
    [
        (("run", "ms_per"), "ms_per_step"),
        (("run", "cross/"), "cross/ms_per_step"),
        (("run", "ms_per_step", "--method", "warp"), "warped_fem"),
        (("run", "ms_per_step", "--tier", "sm"), "smoke"),
        (("verify", "--claim", "MSL-01"), "MSL-01"),
        (("describe", "twisted_b"), "twisted_bar"),
        (("export-scene", "twisted_b"), "twisted_bar"),
        (("list", "exp"), "experiments"),
    ],
)
def test_names_are_those_that_the_command_lists(words: tuple[str, ...], expected: str) -> None:
    assert expected in replies(*words)


@pytest.mark.parametrize("word", ["$(touch made)", "`touch made`", "*", "a b", "\\", "'", "-"])
def test_what_is_typed_is_never_run(tmp_path: Path, word: str) -> None:
    for words in ((word,), ("run", word), (word, ""), ("run", word, "")):
        replies(*words, folder=tmp_path)
    assert not list(tmp_path.iterdir())


@pytest.fixture
def installed(tmp_path: Path) -> Path:
    """The scripts where `./install` puts them, and the command first on the path."""
    for name, place in (
        ("deformbench.bash", "bash-completion/completions/deformbench"),
        ("_deformbench", "zsh/site-functions/_deformbench"),
        ("deformbench.fish", "fish/vendor_completions.d/deformbench.fish"),
    ):
        (tmp_path / "share" / place).parent.mkdir(parents=True)
        shutil.copy(SCRIPTS / name, tmp_path / "share" / place)
    return tmp_path / "share"


@pytest.mark.parametrize(
    "shell, text",
    [
        ("bash", "source bash-completion/completions/deformbench; complete -p deformbench >&2; COMP_WORDS=(deformbench ver)"
                 " COMP_CWORD=1; _deformbench; echo ${COMPREPLY[@]}"),
        ("fish", "source fish/vendor_completions.d/deformbench.fish; complete -C 'deformbench ver'"),
        ("zsh", "autoload -U compinit; fpath=($PWD/zsh/site-functions $fpath); compinit -D -u; autoload +X _deformbench;"
                "words=(deformbench ver); CURRENT=2; compadd() { print -- ${@:2} }; _deformbench"),
    ],
)  # fmt: skip
def test_every_shell_asks_the_same_script(installed: Path, shell: str, text: str) -> None:
    if shutil.which(shell) is None:
        pytest.skip(f"{shell} is not installed")
    environment = {**os.environ, "PATH": f"{Path(COMMAND).parent}:{os.environ['PATH']}", "HOME": str(installed)}
    done = subprocess.run(
        [shell, "-c", text], cwd=installed, env=environment, capture_output=True, text=True, check=False, timeout=600
    )
    assert done.stdout.split() == ["verify"], done.stderr
