# SPDX-License-Identifier: BSD-3-Clause
"""The Python half is typed throughout: `mypy --strict`, as pyproject.toml says."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from deformbench_analysis.paths import project_root

CHECKED = {
    "packages": ["-p", "deformbench_analysis", "-p", "deformbench", "-p", "experiments", "-p", "paper_figures"],
    "mutants": "-m mutants -m workbench -m test_mutants -m random_edits -m test_random_edits".split(),
    "scripts": [
        "--scripts-are-modules",
        "tests/mutants/replay",
        "tests/mutants/reductions",
        "tests/mutants/random_mutants",
        "analysis/examples/compare_methods.py",
        "cmake/make_man_pages.py",
    ],
}


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Shared, so that numpy's types are read once: by all runs of ctest, which names a folder of the build."""
    kept = os.environ.get("MYPY_CACHE_DIR")
    return Path(kept) if kept else tmp_path_factory.mktemp("mypy")


@pytest.mark.parametrize("what", CHECKED)
def test_the_sources_pass_the_strict_type_checker(what: str, cache: Path) -> None:
    pytest.importorskip("mypy")
    root = project_root()
    done = subprocess.run(
        [sys.executable, "-m", "mypy", "--config-file", "pyproject.toml", "--cache-dir", str(cache), *CHECKED[what]],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "MYPYPATH": f"{root / 'analysis'}:{root}:{root / 'tests' / 'mutants'}"},
    )
    assert done.returncode == 0, done.stdout + done.stderr
