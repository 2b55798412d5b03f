# SPDX-License-Identifier: BSD-3-Clause
"""SIGKILL at the n-th write of a trace, n drawn: what was counted is recovered bit by bit,
and the next run completes."""

import json
import random
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from trials import Tools, arrays_of, faults_of, h5py, litter_in, prefix_faults, run

DECLARATION = {
    "id": "hardness/kills",
    "doc": "A cloth that tears: series, frames of a changing mesh, events.",
    "exploratory": True,
    "scene": {
        "name": "tearing_cloth",
        "parameters": {"columns": 13, "rows": 9, "edge_m": 0.12, "ball_velocity_m_s": [0, 1.5, -9], "cube_mass_kg": 6},
    },
    "methods": [
        {"name": "pbd", "method": "pbd", "parameters": {"iterations": 20, "order": "forward", "tear_stretch": 1.05}}
    ],
    "schedule": {"steps": 40},
    "channels": {
        "step": {"every": 1, "names": ["kinetic_energy", "max_speed", "torn_vertices"]},
        "frame": {"every": 4, "names": ["positions"]},
    },
    "time_limit_s": 30,
    "tiers": {"smoke": {}, "paper": {}},
}
ANCHORS = 8


@dataclass
class Setup:
    tools: Tools
    declaration: Path
    reference: Path
    whole: dict[str, np.ndarray]
    writes: int
    rows: list[tuple[int, int]]  # writes before the kill, rows that were counted then


def write_declaration(folder: Path) -> Path:
    """DECLARATION in a file that is called as its id asks for."""
    path = folder / f"{DECLARATION['id'].rpartition('/')[2]}.json"
    path.write_text(json.dumps(DECLARATION), encoding="utf-8")
    return path


def prepare(tools: Tools, scratch: Path) -> Setup:
    declaration = write_declaration(scratch)
    count = scratch / "writes"
    end = run([tools.faulty, "run", declaration, "--out", "out"], scratch, environment={"FAULTY_WRITES": str(count)})
    assert end.code == 0, end.err
    (reference,) = (scratch / "out").rglob("*.h5")
    with h5py.File(reference, "r") as file:
        whole = arrays_of(file)
    assert any(name.startswith("frames/") for name in whole), "the cloth did not tear"
    setup = Setup(tools, declaration, reference, whole, int(count.read_text(encoding="ascii")), [])
    for k in range(1, ANCHORS + 1):
        n = k * setup.writes // ANCHORS
        folder = scratch / f"anchor{k}"
        folder.mkdir()
        killed(setup, n, False, folder)
        (trace,) = (folder / "out").rglob("*.h5")
        setup.rows.append((n, prefix_faults(trace, whole)[0]))
    return setup


def killed(setup: Setup, n: int, with_supervisor: bool, folder: Path) -> list[str]:
    environment = {"FAULTY_KILL_AT_WRITE": str(n), "FAULTY_KILL_PARENT": "1" if with_supervisor else ""}
    end = run([setup.tools.faulty, "run", setup.declaration, "--out", "out"], folder, environment=environment)
    if with_supervisor:
        return [] if end.code == -9 else [f"write {n}: the kill did not reach the supervisor: {end.brief()}"]
    return [f"write {n}: {fault}" for fault in faults_of(end, {4})]


def trial(setup: Setup, rng: random.Random, folder: Path) -> list[str]:
    near_the_end = rng.random() < 0.5  # where HDF5 rewrites what it has
    n = rng.randint(max(1, setup.writes - 60), setup.writes) if near_the_end else rng.randint(1, setup.writes)
    with_supervisor = rng.random() < 0.5
    faults = killed(setup, n, with_supervisor, folder)
    parts = list(folder.rglob("*.h5.part"))
    if with_supervisor and parts:
        faults += faults_of(run([setup.tools.faulty, "recover", parts[0]], folder), {0})
    traces = list(folder.rglob("*.h5"))
    rows = 0
    if traces:
        rows, differing = prefix_faults(traces[0], setup.whole)
        faults += differing
        faults += faults_of(run([setup.tools.faulty, "validate", traces[0]], folder), {0} if rows > 0 else {0, 2})
    expected = max((found for at, found in setup.rows if at <= n), default=0)
    if rows < expected:
        faults.append(f"write {n}: {rows} rows and frames recovered, of {expected} that were counted before")
    for recovered in folder.rglob("*.recovered.h5"):
        recovered.unlink()
    # With the disturbance gone the cell runs to its end, and nothing is left over.
    again = run([setup.tools.faulty, "run", setup.declaration, "--out", "out", "--retry-failed"], folder)
    faults += faults_of(again, {0})
    finished = list(folder.rglob("*.h5"))
    if len(finished) != 1:
        faults.append(f"write {n}: {len(finished)} traces after the next run")
    else:
        faults += faults_of(run([setup.tools.faulty, "diff", finished[0], setup.reference], folder), {0})
    return faults + [f"write {n}: left over: {name}" for name in litter_in(folder / "out")]
