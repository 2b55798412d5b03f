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
