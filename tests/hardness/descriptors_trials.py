# SPDX-License-Identifier: BSD-3-Clause
"""Closed stdin, stdout and stderr in every combination: the command does what it does with open ones."""

import os
import random
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from trials import Tools, faults_of, limits, litter_in, run

EXPERIMENT = "mueller_et_al_2007/order_oscillation"


@dataclass
class Setup:
    tools: Tools
    traces: list[Path]


def prepare(tools: Tools, scratch: Path) -> Setup:
    end = run([tools.deformbench, "run", EXPERIMENT, "--tier", "smoke", "--out", "out"], scratch)
    assert end.code == 0, end.err
    return Setup(tools, sorted((scratch / "out").rglob("*.h5")))


def closing(descriptors: list[int]) -> Callable[[], None]:
    def apply() -> None:
        limits()()
        for descriptor in descriptors:
            os.close(descriptor)

    return apply


def trial(setup: Setup, rng: random.Random, folder: Path) -> list[str]:
    closed = [d for d in range(3) if rng.random() < 0.6]
    first, second = setup.traces[0], setup.traces[1]
    out = ["--tier", "smoke", "--out", "out"]
    # The words, the exit code, the number of traces that are there afterwards.
    commands: list[tuple[list[str], int, int]] = [
        (["run", EXPERIMENT, *out], 0, len(setup.traces)),
        (["run", EXPERIMENT, *out, "--jobs", "2"], 0, len(setup.traces)),
        (["run", EXPERIMENT, *out, "--dry-run"], 0, 0),
        (["run", "no_such_experiment", *out], 2, 0),
        (["simulate", "single_tetrahedron", "--method", "linear_fem", "--steps", "3", "--out", "out"], 0, 1),
        (["status", EXPERIMENT, *out], 0, 0),
        (["list", "methods"], 0, 0),
        (["describe", "linear_fem", "--json"], 0, 0),
        (["validate", str(first)], 0, 0),
        (["validate", "absent.h5"], 2, 0),
        (["diff", str(first), str(first)], 0, 0),
        (["diff", str(first), str(second)], 4, 0),
        (["recover", str(first)], 2, 0),
        (["pack", str(first.parent), "--to", "packed.tar.gz"], 0, 0),
        (["measure", str(first.parents[2]), "--tier", "smoke", "--experiment", EXPERIMENT], 0, 0),
    ]
    words, code, traces = rng.choice(commands)
    end = run([setup.tools.deformbench, *words], folder, 120, before=closing(closed))
    if end.code == code == 2 and 2 in closed:
        return []  # there was nowhere to say it
    faults = faults_of(end, {code})
    found = list((folder / "out").rglob("*.h5")) if (folder / "out").exists() else []
    if len(found) != traces:
        faults.append(f"{len(found)} traces, expected {traces}: {end.brief()}")
    for trace in found:
        faults += faults_of(run([setup.tools.deformbench, "validate", trace], folder), {0})
    faults += [f"left over: {name}" for name in litter_in(folder / "out")]
    return [f"descriptors {closed} closed: {fault}" for fault in faults]
