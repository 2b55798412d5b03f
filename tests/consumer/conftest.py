# SPDX-License-Identifier: BSD-3-Clause
"""What a newcomer has: a checkout at a path with a space, an empty home, and another `python3` first on the path."""

import os
import shutil
import subprocess
from pathlib import Path

import pytest
from guides import ROOT

BUILD = Path(os.environ.get("DEFORMBENCH", "build/release/bin/deformbench")).resolve().parents[1]


@pytest.fixture(scope="session")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A copy of the sources, under git."""
    folder = tmp_path_factory.mktemp("guides") / "a checkout"
    skipped = ("build", "results", "out", "__pycache__", ".git", "*.egg-info", ".mypy_cache")
    shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(*skipped))
    for words in (
        ["init", "-q"],
        ["add", "methods"],
        ["-c", "user.name=a", "-c", "user.email=a@b", "commit", "-qm", "all"],
    ):
        subprocess.run(["git", *words], cwd=folder, check=True)
    return folder


@pytest.fixture(scope="session")
def environment(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """An empty home; first on the path an environment as conda's: a python3 of no use, and other libraries."""
    other, home = tmp_path_factory.mktemp("other environment"), tmp_path_factory.mktemp("home")
    for name in ("python", "python3", "pip", "pip3", "h5cc"):
        program = other / "bin" / name
        program.parent.mkdir(exist_ok=True)
        program.write_text(f"#!/bin/sh\necho '{name} of another environment' >&2\nexit 1\n")
        program.chmod(0o755)
    for name in ("fmt", "spdlog", "Eigen3"):
        config = other / "lib" / "cmake" / name / f"{name}Config.cmake"
        config.parent.mkdir(parents=True)
        config.write_text(f'message(FATAL_ERROR "{name} of another environment")\n')
    kept = {k: v for k, v in os.environ.items() if not k.startswith(("DEFORMBENCH", "PYTHON"))}
    path = f"{other / 'bin'}:/usr/bin:/bin"
    return {**kept, "PATH": path, "HOME": str(home), "OPENBLAS_NUM_THREADS": "1", "DEFORMBENCH_MACHINE": "here"}


@pytest.fixture(scope="session")
def prefix(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The installed package."""
    folder = tmp_path_factory.mktemp("a prefix")
    subprocess.run(["cmake", "--install", BUILD, "--prefix", folder], check=True, stdout=subprocess.DEVNULL)
    return folder


def assert_works(prefix: Path, folder: Path, environment: dict[str, str]) -> None:
    """The command in `prefix` runs cells of an experiment and reads them in Python, by what lies there alone."""
    script = f"""
deformbench --version
deformbench list methods
deformbench run cross/free_vibration --tier smoke --method linear_fem --out cells
deformbench compare cells --tier smoke --experiment cross/free_vibration
PYTHONPATH='{prefix}/share/deformbench/analysis' /usr/bin/python3 -c '
import deformbench
from deformbench_analysis import paths
print(deformbench.command(), paths.project_root(), sep=";")'
"""
    environment = {**environment, "PATH": f"{prefix}/bin:{environment['PATH']}", "MANPATH": ""}
    words = ["bash", "-euo", "pipefail", "-c", script]
    done = subprocess.run(words, cwd=folder, env=environment, capture_output=True, text=True, check=False, timeout=3600)
    assert done.returncode == 0, done.stdout + done.stderr
    lines = [line.split() for line in done.stdout.splitlines()]
    assert lines[0][0] == "deformbench" and ["linear", "1", "completed"] in [line[:3] for line in lines], done.stdout
    assert any(line[:1] == ["linear_fem"] for line in lines)
    assert done.stdout.splitlines()[-1] == f"{prefix}/bin/deformbench;{prefix}/share/deformbench"
    if shutil.which("man"):
        found = subprocess.run(
            ["man", "-w", "deformbench-run"], env=environment, capture_output=True, text=True, check=False
        )
        assert found.stdout == f"{prefix}/share/man/man1/deformbench-run.1\n", found.stderr
