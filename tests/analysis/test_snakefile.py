# SPDX-License-Identifier: BSD-3-Clause
"""paper_figures/Snakefile plans one job for every cell of the command's plan, and the report after them."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

from deformbench_analysis.paths import figures_dir

COMMAND = os.environ.get("DEFORMBENCH", "")
SNAKEMAKE = shutil.which("snakemake", path="/usr/bin:" + os.environ.get("PATH", ""))


def planned(folder: Path, experiments: str, *more: str) -> tuple[int, str]:
    """Exit code and output of a dry run in `folder`."""
    environment = {k: v for k, v in os.environ.items() if k != "PYTHONPATH"} | {
        "XDG_CACHE_HOME": str(folder / "cache"),
        "HOME": str(folder),
    }
    done = subprocess.run(
        [
            str(SNAKEMAKE),
            "-s",
            str(figures_dir() / "Snakefile"),
            "-n",
            "--cores",
            "1",
            "--config",
            f"deformbench={COMMAND}",
            "tier=smoke",
            f"experiments={experiments}",
            "out=traces",
            "report=pages",
            *more,
        ],
        capture_output=True,
        text=True,
        cwd=folder,
        env=environment,
        check=False,
    )
    return done.returncode, done.stdout + done.stderr


def jobs(text: str) -> dict[str, int]:
    """Rule → number of jobs, from the table at the end."""
    table = text[text.rindex("Job stats:") :]
    return {name: int(count) for name, count in re.findall(r"^(\w+)\s+(\d+)", table, flags=re.MULTILINE)}


@pytest.mark.skipif(not COMMAND, reason="DEFORMBENCH names no command")
@pytest.mark.skipif(not SNAKEMAKE, reason="snakemake is not installed")
def test_where_snakemake_is_installed_its_dry_run_lists_a_job_per_cell(tmp_path: Path) -> None:
    done = subprocess.run(
        [COMMAND, "run", "patch_test", "ms_per_step", "--tier", "smoke", "--dry-run", "--json"],
        capture_output=True,
        text=True,
        check=True,
    )
    cells = json.loads(done.stdout)
    code, text = planned(tmp_path, "patch_test ms_per_step")
    assert code == 0, text
    assert [c["cell_id"] for c in cells if f"traces/{c['spec']['experiment']}/{c['cell_id']}.h5" not in text] == []
    count = jobs(text)
    assert count["cell"] == len(cells) and count["resolved"] == count["report"] == 1
    assert not (tmp_path / "traces").exists()


@pytest.mark.skipif(not COMMAND, reason="DEFORMBENCH names no command")
@pytest.mark.skipif(not SNAKEMAKE, reason="snakemake is not installed")
def test_where_snakemake_is_installed_an_unknown_experiment_is_refused_with_the_commands_words(tmp_path: Path) -> None:
    code, text = planned(tmp_path, "patch_tset")
    assert code != 0 and "patch_tset" in text and "ended with 2" in text


@pytest.mark.skipif(not COMMAND, reason="DEFORMBENCH names no command")
@pytest.mark.skipif(not SNAKEMAKE, reason="snakemake is not installed")
def test_where_snakemake_is_installed_timings_are_planned_only_on_request_and_for_timed_experiments(
    tmp_path: Path,
) -> None:
    with_timings = jobs(planned(tmp_path, "patch_test ms_per_step")[1])
    assert with_timings["timing"] == 1
    assert "timing" not in jobs(planned(tmp_path, "patch_test ms_per_step", "time=no")[1])
