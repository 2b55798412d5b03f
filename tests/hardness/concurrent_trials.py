# SPDX-License-Identifier: BSD-3-Clause
"""Several starts of one experiment at once in one folder, some killed: every cell is completed once,
whoever did it."""

import os
import random
import signal
import time
from dataclasses import dataclass
from pathlib import Path

from trials import Tools, faults_of, litter_in, run, start

EXPERIMENT = "mueller_et_al_2007/order_oscillation"


@dataclass
class Setup:
    tools: Tools
    reference: Path


def prepare(tools: Tools, scratch: Path) -> Setup:
    end = run([tools.deformbench, "run", EXPERIMENT, "--tier", "smoke", "--out", "reference"], scratch)
    assert end.code == 0, end.err
    return Setup(tools, scratch / "reference")


def trial(setup: Setup, rng: random.Random, folder: Path) -> list[str]:
    words = [setup.tools.deformbench, "run", EXPERIMENT, "--tier", "smoke", "--out", "out"]
    options = [[], ["--jobs", "2"], ["--force"], ["--retry-failed"], ["--quiet"]]
    running = []
    for _ in range(rng.randint(2, 6)):
        running.append(start([*words, *rng.choice(options)], folder))
        time.sleep(rng.choice([0.0, 0.0, 0.01, 0.05, 0.2]))
    victim = rng.randrange(len(running)) if rng.random() < 0.3 else -1
    if victim >= 0:
        time.sleep(rng.uniform(0.0, 0.3))
        if running[victim].process.poll() is None:
            os.kill(running[victim].process.pid, signal.SIGKILL)
    faults = []
    for index, process in enumerate(running):
        end = process.end(120)
        if index == victim and end.code == -signal.SIGKILL:
            continue
        # 4 is promised where cells of the selection are not there in the end: another process has them.
        faults += faults_of(end, {0, 4} if "in progress elsewhere" in end.err else {0})
        if "failed" in end.out + end.err and victim < 0:
            faults.append(f"a cell failed though nothing was killed: {end.brief()}")
    faults += faults_of(run(words, folder), {0})
    traces = sorted((folder / "out").rglob("*.h5"))
    expected = sorted(setup.reference.rglob("*.h5"))
    if [t.name for t in traces] != [t.name for t in expected]:
        faults.append(f"{len(traces)} traces, expected {len(expected)}")
    else:
        for trace, reference in zip(traces, expected):
            faults += faults_of(run([setup.tools.deformbench, "validate", trace], folder), {0})
            faults += faults_of(run([setup.tools.deformbench, "diff", trace, reference], folder), {0})
    return faults + [f"left over: {name}" for name in litter_in(folder / "out")]
