# SPDX-License-Identifier: BSD-3-Clause
"""Man pages: one for the command and one for each verb, with all that the help of the verb prints."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from guides import ROOT

COMMAND = os.environ["DEFORMBENCH"]
MAKER = ROOT / "cmake/make_man_pages.py"


def run(*words: str | Path, **more: str) -> "subprocess.CompletedProcess[str]":
    environment = {**os.environ, "LC_ALL": "C.UTF-8", "COLUMNS": "100", **more}
    return subprocess.run(words, env=environment, capture_output=True, text=True, check=False, timeout=600)


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages where `./install` puts them, below a folder whose bin/ may be on the path."""
    prefix = tmp_path_factory.mktemp("a prefix")
    (prefix / "bin").mkdir()
    folder = prefix / "share/man/man1"
    folder.mkdir(parents=True)
    (folder / "deformbench-of_an_older_version.1").touch()
    done = run("/usr/bin/python3", MAKER, COMMAND, folder)
    assert done.returncode == 0, done.stderr
    return folder


@pytest.fixture(scope="module")
def verbs() -> set[str]:
    """As completion knows them."""
    done = run("bash", ROOT / "cmake/completion/deformbench.bash", COMMAND, "")
    return set(done.stdout.split()) - {"help"}


def needs(program: str) -> None:
    if shutil.which(program) is None:
        pytest.skip(f"{program} is not installed")


def rendered(page: Path) -> str:
    needs("groff")
    done = run("groff", "-man", "-ww", "-k", "-Tutf8", "-P-cbou", "-rLL=2000m", page)
    assert done.returncode == 0 and done.stderr == ""
    return done.stdout


def squeezed(text: str) -> str:
    return re.sub(r"\s", "", text.replace("‐", "-"))


def test_every_verb_has_a_page_and_stands_in_that_of_the_command(pages: Path, verbs: set[str]) -> None:
    assert {"run", "export-scene", "verify", "publish"} <= verbs
    assert {path.name for path in pages.iterdir()} == {"deformbench.1", *(f"deformbench-{verb}.1" for verb in verbs)}
    listed = re.findall(r"^ +deformbench-([a-z-]+)\(1\)$", rendered(pages / "deformbench.1"), flags=re.M)
    assert set(listed) == verbs and len(listed) == len(verbs)


def test_a_page_has_every_word_of_the_help(pages: Path, verbs: set[str]) -> None:
    """Without warnings of groff, and with what an option does apart from its name."""
    for verb in verbs:
        shown = rendered(pages / f"deformbench-{verb}.1")
        printed = run(COMMAND, verb, "--help").stdout.partition("\nHanded over")[0]
        blocks = re.sub(r"^[Uu]sage: ", "", printed, flags=re.M).split("\n\n")
        for block in blocks:
            head, _, rest = block.partition("\n")
            told = head.upper().rstrip(":") + rest if head.endswith(":") else block
            for line in filter(str.strip, told.splitlines()):
                assert squeezed(line) in squeezed(shown), f"{verb}: {line}"
        if "\nOptions:\n" in printed:  # of CLI11, whose second column is at 30
            source = (pages / f"deformbench-{verb}.1").read_text(encoding="utf-8").replace("\\-", "-").splitlines()
            described = [line[30:] for line in printed.splitlines() if re.match(r"  .{27} \S", line)]
            assert described and set(described) <= {line.removeprefix("\\&") for line in source}, verb


def test_the_exit_codes_are_those_that_the_help_prints(pages: Path) -> None:
    shown = rendered(pages / "deformbench.1").partition("EXIT STATUS")[2]
    assert re.findall(r"^ {7}(\d+) ", shown, flags=re.M) == ["0", "1", "2", "4", "5", "6", "130"]
    assert re.search(r"^ {7}130 +interrupted$", shown, flags=re.M)


def test_apropos_finds_what_each_is_for(pages: Path) -> None:
    needs("lexgrog")
    for page in pages.iterdir():
        done = run("lexgrog", page)
        assert re.search(rf'"{page.stem} - \w.*\S"', done.stdout), done.stdout + done.stderr


def test_man_finds_the_pages_of_a_command_on_the_path(pages: Path) -> None:
    needs("man")
    path = f"{pages.parents[2]}/bin:/usr/bin:/bin"
    for words in (["deformbench"], ["deformbench-run"], ["deformbench", "run"]):
        done = run("man", "-w", *words, PATH=path, MANPATH="")
        assert done.stdout.splitlines()[:1] == [str(pages / f"{'-'.join(words)}.1")], done.stderr


@pytest.mark.parametrize(
    "script, told",
    [
        ("exit 3", "--version ended with 3"),
        ("[ $# = 0 ] && exit 2; echo Subcommands:", "the help of deformbench has no line before its options"),
    ],
)
def test_a_command_that_says_nothing_makes_no_pages(tmp_path: Path, script: str, told: str) -> None:
    (tmp_path / "command").write_text(f"#!/bin/sh\n{script}\n")
    (tmp_path / "command").chmod(0o755)
    done = run("/usr/bin/python3", MAKER, tmp_path / "command", tmp_path / "man")
    assert done.returncode != 0 and told in done.stderr and not (tmp_path / "man").exists(), done.stderr
