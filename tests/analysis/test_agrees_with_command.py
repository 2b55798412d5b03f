# SPDX-License-Identifier: BSD-3-Clause
"""What the command writes is what Python reads: the list of cells, and the machine's name.
DEFORMBENCH names the command."""

import json
import os
import re
import subprocess
from pathlib import Path

import pytest

from deformbench_analysis.declarations import Declaration
from deformbench_analysis.paths import machine_name
from deformbench_analysis.results import Results
from paper_figures import verbs

COMMAND = os.environ.get("DEFORMBENCH", "")
EXPERIMENT = "mueller_gross_2004/patch_test"
needs_command = pytest.mark.skipif(not COMMAND, reason="DEFORMBENCH names no command")


def command(folder: Path, *words: str) -> str:
    done = subprocess.run([COMMAND, *words], capture_output=True, text=True, check=False, cwd=folder)
    assert done.returncode == 0, done.stderr
    return done.stdout + done.stderr


@needs_command
def test_the_cells_of_a_tier_are_the_commands(tmp_path: Path) -> None:
    planned = json.loads(command(tmp_path, "run", EXPERIMENT, "--tier", "smoke", "--dry-run", "--json"))
    command(tmp_path, "run", EXPERIMENT, "--tier", "smoke", "--out", "out", "--quiet")
    data = Results(tmp_path / "out", "smoke").experiment(EXPERIMENT)
    assert sorted(c.cell_id for c in data.cells) == sorted(c["cell_id"] for c in planned)
    assert data.missing == [] and data.unexpected() == []


@needs_command
def test_cells_with_a_parameter_set_by_hand_are_none_of_the_declarations(tmp_path: Path) -> None:
    command(
        tmp_path,
        "run",
        EXPERIMENT,
        "--tier",
        "smoke",
        "--out",
        "out",
        "--quiet",
        "--set",
        "method.parameters.cg_tolerance=1e-9",
    )
    assert list((tmp_path / "out").rglob("*.h5"))
    data = Results(tmp_path / "out", "smoke").experiment(EXPERIMENT)
    assert data.cells == [] and data.reason.startswith("all that was run there joined")


@needs_command
def test_a_declaration_that_changed_since_it_was_run_has_no_cells_yet(tmp_path: Path) -> None:
    command(tmp_path, "run", EXPERIMENT, "--tier", "smoke", "--out", "out", "--quiet")
    known = Results(tmp_path / "out", "smoke").declarations[EXPERIMENT]
    other_words = Declaration(known.path, {**known.data, "doc": "Other words."})
    assert Results(tmp_path / "out", "smoke", {EXPERIMENT: other_words}).experiment(EXPERIMENT).cells
    other_cells = Declaration(known.path, {**known.data, "seed": 17})
    data = Results(tmp_path / "out", "smoke", {EXPERIMENT: other_cells}).experiment(EXPERIMENT)
    assert data.cells == [] and "the declaration has changed" in data.reason


@needs_command
def test_the_machine_has_the_same_name_in_both_halves(tmp_path: Path) -> None:
    assert f"results/{machine_name()}" in command(tmp_path, "status", "cross/ms_per_step")


@needs_command
def test_the_command_hands_over_the_verbs_that_there_are(capsys: pytest.CaptureFixture[str]) -> None:
    said = subprocess.run([COMMAND, "frobnicate"], capture_output=True, text=True, check=False).stderr
    assert verbs.main(["--help"]) == 0
    listed = re.search(r"\{([a-z,]+)\}", capsys.readouterr().out)
    assert listed is not None
    for verb in listed[1].split(","):
        assert re.search(rf"[ (]{verb}[ )]", said), verb
