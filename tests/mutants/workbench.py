# SPDX-License-Identifier: BSD-3-Clause
"""A copy of the sources with a build of its own, in which mutants are compiled, run and judged;
the checkout is never touched."""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from mutants import ROOT, Mutant, MutantError, all_mutants, is_pytest

PYTHON = os.environ.get("DEFORMBENCH_PYTHON") or sys.executable


MADE = (Path("build"), Path("results"), Path("paper_figures/out"))


def compiled_alone() -> list[str]:
    """Sources that mutants change. By themselves they take seconds to compile, with all of their library a minute or
    two for each mutant."""
    return sorted({name for mutant in all_mutants() for name in mutant.files if name.endswith(".cpp")})


def is_made(name: Path) -> bool:
    """Whether a file is something that the project makes, and no source."""
    return any(folder in name.parents for folder in MADE) or "__pycache__" in name.parts


def tracked_files(root: Path = ROOT) -> list[str]:
    """What a commit of the checkout as it stands would hold."""
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
        cwd=root,
        capture_output=True,
        text=True,
        check=False,
    )
    if listed.returncode != 0:  # no checkout, but the files of one
        found = (path.relative_to(root) for path in root.rglob("*") if path.is_file())
        return sorted(str(name) for name in found if not is_made(name))
    return sorted(name for name in set(listed.stdout.split("\0")) if name and (root / name).is_file())


@dataclass
class Workbench:
    """`folder`/tree holds the copy and its build; `folder`/results the traces of the unchanged program and of the
    mutants."""

    folder: Path
    jobs: int

    @property
    def tree(self) -> Path:
        """The copy of the sources."""
        return self.folder / "tree"

    @property
    def build(self) -> Path:
        """The copy's build folder."""
        return self.tree / "build" / "release"

    @property
    def command(self) -> Path:
        """The copy's `deformbench`."""
        return self.build / "bin" / "deformbench"

    def results(self, name: str) -> Path:
        """Folder of the traces of a mutant, or of "unchanged"."""
        return self.folder / "results" / name

    def refresh(self) -> None:
        """Brings the copy up to date. Files that did not change keep their time,
        so that nothing is compiled twice."""
        wanted = tracked_files()
        known = self.folder / "files.json"
        for name in set(json.loads(known.read_text(encoding="utf-8")) if known.exists() else []) - set(wanted):
            (self.tree / name).unlink(missing_ok=True)
        for name in wanted:
            source, target = ROOT / name, self.tree / name
            if target.exists() and target.read_bytes() == source.read_bytes():
                continue
            target.parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(source, target)
            shutil.copymode(source, target)
        self.folder.mkdir(parents=True, exist_ok=True)
        known.write_text(json.dumps(wanted), encoding="utf-8")

    def configure(self) -> None:
        """Runs CMake in the copy."""
        launcher = ["-DCMAKE_CXX_COMPILER_LAUNCHER=ccache"] if shutil.which("ccache") else []
        alone = f"-DDEFORMBENCH_COMPILE_ALONE={';'.join(compiled_alone())}"
        self.run_command(["cmake", "--preset", "release", "-DDEFORMBENCH_BUILD_BENCHMARKS=OFF", alone, *launcher])

    def compile(self, targets: Iterable[str]) -> None:
        """Builds targets in the copy."""
        if wanted := list(targets):
            self.run_command(
                ["cmake", "--build", "--preset", "release", "--parallel", str(self.jobs), "--target", *wanted]
            )

    def run_command(self, words: list[str]) -> None:
        """Runs a command in the copy; MutantError with the end of its output if it fails."""
        done = subprocess.run(
            words, cwd=self.tree, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
        )
        if done.returncode != 0:
            raise MutantError(
                f"{' '.join(words[:4])} …: exit code {done.returncode}\n" + "\n".join(done.stdout.splitlines()[-30:])
            )

    def apply(self, mutant: Mutant) -> None:
        """Puts a mutant's mistake into the copy."""
        for name, text in mutant.mutated(self.tree).items():
            (self.tree / name).write_bytes(text.encode())

    def restore(self, mutant: Mutant) -> None:
        """Puts the files of the checkout back."""
        for name in mutant.files:
            shutil.copyfile(ROOT / name, self.tree / name)

    def close(self, targets: Iterable[str]) -> None:
        """After the last mutant; `targets` are those that mutants were built into. A copy may stay as it is."""

    def run_experiments(self, experiments: Iterable[str], tier: str, out: Path, timed: Iterable[str] = ()) -> None:
        """Ends that differ from the declared ones (exit code 4) are what a mutant may well cause:
        the judge sees them."""
        for verb, names in (("run", sorted(experiments)), ("time", sorted(timed))):
            for name in names:
                words = [str(self.command), verb, name, "--tier", tier, "--out", str(out)]
                words += ["--jobs", str(self.jobs)] if verb == "run" else []
                done = subprocess.run(
                    words, cwd=self.tree, env=self._environment(), capture_output=True, text=True, check=False
                )
                if done.returncode not in (0, 4):
                    raise MutantError(
                        f"deformbench {verb} {name}: exit code {done.returncode}: {done.stderr.strip().splitlines()[-1:]}"
                    )

    def verdicts(self, claims: Iterable[str], tier: str, out: Path, timing: bool) -> dict[str, str]:
        """Claim → verdict of the copy's own judge on the traces below `out`;
        `broken` where it could not judge at all."""
        wanted = sorted(claims)
        page = out / f"judged_{tier}"
        shutil.rmtree(page, ignore_errors=True)
        words = [PYTHON, "-m", "deformbench_analysis", "verify", str(out), "--tier", tier, "--report-out", str(page)]
        words += ["--timing"] if timing else []
        done = subprocess.run(
            [*words, *(w for c in wanted for w in ("--claim", c))],
            cwd=self.tree,
            env=self._environment(),
            capture_output=True,
            text=True,
            check=False,
        )
        stored = page / "verdicts.json"
        if not stored.exists():
            return {c: "broken" for c in wanted} if done.returncode else {}
        found: Mapping[str, Any] = json.loads(stored.read_text(encoding="utf-8"))["verdicts"]
        return {c: str(found[c]["verdict"]) if c in found else "not_measured" for c in wanted}

    def passes(self, test: str) -> bool:
        """Whether a test program or a file of pytest is green in the copy."""
        if is_pytest(test):
            name, _, keyword = test.partition(":")
            words = [PYTHON, "-m", "pytest", "-q", "-x", "-p", "no:cacheprovider", name]
            words += ["-k", keyword] if keyword else []
        else:
            name, _, chosen = test.partition(":")
            found = [p for p in (self.build / "tests").rglob(name) if p.is_file() and os.access(p, os.X_OK)]
            if len(found) != 1:
                raise MutantError(
                    f"test program {name}: {len(found)} of that name below {self.build / 'tests'}, expected one"
                )
            words = [str(found[0]), "--gtest_fail_fast", *([f"--gtest_filter={chosen}"] if chosen else [])]
        try:
            done = subprocess.run(
                words, cwd=self.tree, env=self._environment(), capture_output=True, text=True, check=False, timeout=600
            )
        except subprocess.TimeoutExpired:
            return False
        if "Running 0 tests" in done.stdout or (is_pytest(test) and done.returncode == 5):
            raise MutantError(f"test {test}: matches no test")
        return done.returncode == 0

    def _environment(self) -> dict[str, str]:
        path = f"{self.tree / 'analysis'}:{self.tree}"
        return {
            **os.environ,
            "PYTHONPATH": path,
            "PYTHONDONTWRITEBYTECODE": "1",
            "DEFORMBENCH_DATA": str(self.tree),
            "DEFORMBENCH": str(self.command),
        }


@dataclass
class Checkout(Workbench):
    """The checkout itself and its build, which saves the build of a copy: for checkouts that are thrown away,
    as CI's are.

    Its files are put back after each mutant, and what was built with a mutant is built again at the end."""

    def __post_init__(self) -> None:
        self.kept: dict[Path, bytes] = {}

    @property
    def tree(self) -> Path:
        """The checkout."""
        return ROOT

    def refresh(self) -> None:
        """The checkout is what it is."""

    def configure(self) -> None:
        """Runs CMake where it has not run yet."""
        if not (self.build / "build.ninja").exists():
            self.run_command(["cmake", "--preset", "release"])

    def apply(self, mutant: Mutant) -> None:
        """Puts a mutant's mistake into the checkout and keeps what stood there."""
        self.kept = {self.tree / name: (self.tree / name).read_bytes() for name in mutant.files}
        super().apply(mutant)

    def restore(self, mutant: Mutant) -> None:
        """Puts back what stood there."""
        for path, content in self.kept.items():
            path.write_bytes(content)

    def close(self, targets: Iterable[str]) -> None:
        """The programs are again those of the sources."""
        self.compile(targets)
