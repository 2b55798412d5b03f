# SPDX-License-Identifier: BSD-3-Clause
"""Every source is as the formatters leave it: clang-format 14 with `.clang-format`, black 23 with `pyproject.toml`,
deformbench_analysis.json_format.

Other versions lay out some lines differently; with them the check says so and is skipped."""

import hashlib
import json
import os
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

from deformbench_analysis.json_format import layout

ROOT = Path(__file__).resolve().parents[2]
CLANG_FORMAT, BLACK = "clang-format-14", "23."
SKIPPED_FOLDERS = {"build", "results", "out", ".git", "__pycache__"}


def sources(*suffixes: str) -> list[str]:
    found = [p.relative_to(ROOT) for p in ROOT.rglob("*") if p.suffix in suffixes and p.is_file()]
    return sorted(str(p) for p in found if not SKIPPED_FOLDERS & set(p.parts))


def python_sources() -> list[str]:
    """Modules, and scripts that name Python in their first line."""
    folders = (ROOT / "tests", ROOT / "tests" / "mutants", ROOT / "tests" / "hardness")
    scripts = [p for folder in folders for p in folder.iterdir() if p.is_file() and p.suffix == ""]
    named = [p for p in scripts if re.match(rb"#!.*python", p.read_bytes()[:60])]
    return sources(".py") + sorted(str(p.relative_to(ROOT)) for p in named)


def run(words: list[str]) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True, check=False)


class Unchecked:
    """Files whose content has not passed a formatter yet, of this version and settings. DEFORMBENCH_FORMATTED is the
    folder of digests of what has passed."""

    def __init__(self, files: list[str], version: str, settings: str) -> None:
        kept = os.environ.get("DEFORMBENCH_FORMATTED")
        about = version.encode() + (ROOT / settings).read_bytes()
        self.digests = {f: hashlib.sha256(about + (ROOT / f).read_bytes()).hexdigest() for f in files}
        self.path = Path(kept) / settings.strip(".") if kept else None
        passed = set(self.path.read_text().split()) if self.path and self.path.is_file() else set()
        self.files = [f for f, digest in self.digests.items() if digest not in passed]

    def have_passed(self) -> None:
        if self.path:
            self.path.parent.mkdir(parents=True, exist_ok=True)
            self.path.write_text("\n".join(self.digests.values()))


def test_cpp_is_formatted() -> None:
    if shutil.which(CLANG_FORMAT) is None:
        pytest.skip(f"{CLANG_FORMAT} is not installed")
    files = sources(".cpp", ".hpp")
    assert len(files) > 400
    unchecked = Unchecked(files, run([CLANG_FORMAT, "--version"]).stdout, ".clang-format")
    if unchecked.files:
        done = run([CLANG_FORMAT, "--dry-run", "-Werror", *unchecked.files])
        wrong = sorted(set(re.findall(r"^(\S+?):\d+:\d+: error", done.stderr, flags=re.M)))
        assert done.returncode == 0, f"{CLANG_FORMAT} -i {' '.join(wrong)}"
    unchecked.have_passed()


def test_python_is_formatted() -> None:
    version = run([sys.executable, "-m", "black", "--version"])
    if version.returncode != 0 or f"black, {BLACK}" not in version.stdout:
        pytest.skip(f"black {BLACK}x is not installed")
    files = python_sources()
    assert len(files) > 100
    unchecked = Unchecked(files, version.stdout, "pyproject.toml")
    if unchecked.files:
        done = run([sys.executable, "-m", "black", "--check", *unchecked.files])
        wrong = re.findall(r"^would reformat (\S+)", done.stderr, flags=re.M)
        assert done.returncode == 0, f"black {' '.join(wrong)}"
    unchecked.have_passed()


def test_what_has_passed_a_formatter_is_not_asked_about_again_until_it_changes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("DEFORMBENCH_FORMATTED", str(tmp_path / "kept"))
    files = ["tests/house/test_format.py", "tests/house/test_rules.py"]
    assert Unchecked(files, "1", "pyproject.toml").files == files
    Unchecked(files[:1], "1", "pyproject.toml").have_passed()
    assert Unchecked(files, "1", "pyproject.toml").files == files[1:]
    assert Unchecked(files, "2", "pyproject.toml").files == files
    assert Unchecked(files, "1", ".clang-format").files == files


def test_json_is_formatted() -> None:
    """Scene files are left as they are: their bytes identify runs."""
    files = [f for f in sources(".json") if "deformbench-scene" not in (ROOT / f).read_text(encoding="utf-8")]
    assert len(files) > 300
    wrong = [f for f in files if (text := (ROOT / f).read_text(encoding="utf-8")) != layout(json.loads(text))]
    assert not wrong, f"python3 -m deformbench_analysis.json_format {' '.join(wrong)}"
