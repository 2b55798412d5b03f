# SPDX-License-Identifier: BSD-3-Clause
"""./reproduce, with a command and a build that only note that they were called: a second run does nothing, and says
so."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
COMMAND = """#!/usr/bin/env bash
echo "$1" >> calls
mkdir -p results/m/p/e paper_figures/out
[ "$1" != run ] || touch results/m/p/e/a.h5
[ "$1" != report ] || { touch paper_figures/out/report.html; exit $(cat judged); }
"""


@pytest.fixture(name="tree")
def small_tree(tmp_path: Path) -> Path:
    """A folder with the script and its stand-ins, on a clock that has moved on."""
    for name in ("reproduce", "cmake/tree_fingerprint"):
        (tmp_path / name).parent.mkdir(exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    scripts = {"cmake/build_release": "#!/bin/sh\n"}
    scripts |= {f"build/release/bin/{name}": COMMAND for name in ("deformbench", "deformbench_first_figure")}
    for name, text in scripts.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text)
        (tmp_path / name).chmod(0o755)
    (tmp_path / ".gitignore").write_text("/build/\n/results/\n/paper_figures/out/\n/calls\n/judged\n")
    (tmp_path / "judged").write_text("0")
    subprocess.run(["git", "init", "-q"], cwd=tmp_path, check=True)
    return tmp_path


def run(tree: Path, *words: str) -> tuple[int, str, int]:
    """Exit code, what was printed, and how often the command was called."""
    (tree / "calls").write_text("")
    environment = {k: v for k, v in os.environ.items() if not k.startswith("DEFORMBENCH_")}
    done = subprocess.run(
        ["./reproduce", *words], cwd=tree, capture_output=True, text=True, check=False, env=environment
    )
    return done.returncode, done.stdout, len((tree / "calls").read_text().split())


@pytest.mark.parametrize("judged", [0, 4, 6])
def test_a_second_run_skips_all_and_says_so_with_the_exit_code_of_the_first(tree: Path, judged: int) -> None:
    (tree / "judged").write_text(str(judged))
    code, text, calls = run(tree)
    assert (code, calls) == (judged, 9) and "nothing changed" not in text
    code, text, calls = run(tree)
    assert (code, calls) == (judged, 0)
    assert "nothing changed since the last run at tier paper: skipped the build, 1 traces" in text
    assert run(tree, "--force")[2] == 9


@pytest.mark.parametrize("change", ["source", "trace", "report", "tier"])
def test_what_changed_is_looked_at_again(tree: Path, change: str) -> None:
    run(tree)
    if change == "source":
        (tree / "new.cpp").write_text("int x;")
    if change == "trace":
        (tree / "results/m/p/e/a.h5").write_text("changed")
    if change == "report":
        (tree / "paper_figures/out/report.html").unlink()
    assert run(tree, *(["--tier", "smoke"] if change == "tier" else []))[2] == (6 if change == "tier" else 9)


def test_a_report_that_fails_leaves_no_stamp(tree: Path) -> None:
    (tree / "judged").write_text("1")
    assert run(tree)[0] == 1
    assert run(tree)[2] == 9
