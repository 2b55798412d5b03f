# SPDX-License-Identifier: BSD-3-Clause
"""The Python half is typed throughout."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from deformbench_analysis.paths import project_root


def test_the_packages_pass_the_type_checker(tmp_path: Path) -> None:
    pytest.importorskip("mypy")
    root = project_root()
    done = subprocess.run(
        [
            sys.executable,
            "-m",
            "mypy",
            "--config-file",
            "pyproject.toml",
            "--cache-dir",
            str(tmp_path),
            "-p",
            "deformbench_analysis",
            "-p",
            "paper_figures",
        ],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "MYPYPATH": f"{root / 'analysis'}:{root}"},
    )
    assert done.returncode == 0, done.stdout + done.stderr
