# SPDX-License-Identifier: BSD-3-Clause
"""Starting the command `deformbench`."""

import json
import subprocess
import tempfile
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

from deformbench_analysis import errors
from deformbench_analysis.errors import InputError, NothingSelected
from deformbench_analysis.paths import command, machine_name
from deformbench_analysis.results import Results

from .looking import load

__all__ = ["command", "run"]


def run(
    experiment: str | Path | Mapping[str, Any],
    *,
    tier: str = "paper",
    methods: Iterable[str] = (),
    programs: Iterable[str] = (),
    plugins: Iterable[str | Path] = (),
    set: Mapping[str, Any] | None = None,  # pylint: disable=redefined-builtin
    out: str | Path | None = None,
    papers: Iterable[str | Path] = (),
    jobs: int = 1,
    force: bool = False,
    time: bool = False,
) -> Results:
    """Runs an experiment, and returns the results of the folder that its traces are in. Finished cells are kept.

    `experiment` is an id, a short name, a declaration's file, or a declaration itself (docs/declarations.md).
    `methods` keeps the rows of these methods, or adds them with their defaults; `programs` are commands and `plugins`
    libraries that bring methods (docs/add_a_method.md): a program runs beside the methods named, or alone; `set`
    gives values to paths, as {"scene.parameters.length_m": 2}. `out` is the folder of traces (default:
    results/<machine>), `papers` are folders of papers outside the tree. With `force` finished cells run again; with
    `time` the milliseconds per step are measured too.

    A cell that ends otherwise than declared is no error: it is in the results with its status and reason
    (`results.experiment(id).unexpected()`)."""
    folder = Path(out) if out is not None else Path("results") / machine_name()
    named = [Path(p) for p in papers]
    with tempfile.TemporaryDirectory() as scratch:
        words = [_experiment_word(experiment, Path(scratch)), "--tier", tier, "--out", str(folder), "--quiet"]
        for method in methods:
            words += ["--method", method]
        for program in programs:
            words += ["--program", program]
        for plugin in plugins:
            words += ["--plugin", str(plugin)]
        for path, value in (set or {}).items():
            words += ["--set", f"{path}={json.dumps(value)}"]
        for paper in named:
            words += ["--papers", str(paper)]
        words += ["--force"] if force else []
        start(["run", *words, "--jobs", str(jobs)])
        if time:
            start(["time", *words])
    return load(folder, tier=tier, papers=named)


def _experiment_word(experiment: str | Path | Mapping[str, Any], scratch: Path) -> str:
    if not isinstance(experiment, Mapping):
        return str(experiment)
    identifier = experiment.get("id")
    if not isinstance(identifier, str) or "/" not in identifier:
        raise InputError(f'declaration: /id: got {identifier!r}, expected "<folder>/<name>"')
    file = scratch / f"{identifier.rsplit('/', 1)[-1]}.json"
    file.write_text(json.dumps(dict(experiment)), encoding="utf-8")
    return str(file)


def start(words: list[str]) -> str:
    """Runs the command and returns what it prints; its lines on stderr become the error's text."""
    program = command()
    try:
        done = subprocess.run([str(program), *words], capture_output=True, text=True, check=False)
    except OSError as error:
        raise InputError(f"{program}: cannot be started ({error.strerror})") from error
    if done.returncode in (errors.EXIT_OK, errors.EXIT_UNEXPECTED_END):
        return done.stdout
    said = done.stderr.strip().removeprefix("deformbench: ")
    if done.returncode == errors.EXIT_INPUT:
        raise InputError(said)
    if done.returncode == errors.EXIT_NOTHING:
        raise NothingSelected(said)
    raise RuntimeError(f"{program} {words[0]} ended with {done.returncode}: {said}")
