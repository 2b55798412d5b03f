# SPDX-License-Identifier: BSD-3-Clause
"""Made-up ensembles of a free block of five tetrahedra, whose members end at rest, mirrored, strained, moving,
or not at all."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from made_up_traces import write_trace

EDGE = 0.2  # m
CORNERS = EDGE * np.array([[x, y, z] for x in (0, 1) for y in (0, 1) for z in (0, 1)], dtype=float)
SIDES = ((0, 1, 3, 2), (4, 6, 7, 5), (0, 4, 5, 1), (2, 3, 7, 6), (0, 2, 6, 4), (1, 5, 7, 3))
SKIN = np.array([t for a, b, c, d in SIDES for t in ((a, b, c), (a, c, d))])  # outward
FIVE = np.array([[0, 4, 2, 1], [6, 2, 4, 7], [5, 4, 1, 7], [3, 1, 2, 7], [1, 4, 2, 7]])
MASSES = np.full(8, 0.4)  # kg; ten periods take 0.68 s
TIMES = np.array([0.0, 0.4, 0.8])  # s; the last is after ten periods
STEPS = 80


def positive() -> np.ndarray:
    """The elements, turned so that all volumes are positive."""
    edges = CORNERS[FIVE][:, 1:] - CORNERS[FIVE][:, :1]
    flipped = FIVE.copy()
    negative = np.linalg.det(edges) < 0
    flipped[negative] = flipped[negative][:, [0, 2, 1, 3]]
    return flipped


MATERIAL = {"young_modulus_pa": 1e5, "poisson_ratio": 0.33}
BODY = {"rest_positions": CORNERS, "tetrahedra": positive(), "masses": MASSES}
REST = CORNERS
MIRRORED = CORNERS * [-1, 1, 1]
STRAINED = CORNERS * [1.02, 1, 1]
SPINNING = CORNERS @ np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]]).T  # a rotation is no strain


def ensemble(
    folder: Path,
    experiment: str,
    method_id: str,
    name: str,
    ends: Sequence[str],
    *,
    start: np.ndarray = 1.5 * CORNERS,
    scene: Mapping[str, Any] | None = None,
    swept: Mapping[str, Any] | None = None,
    parameters: Mapping[str, Any] | None = None,
    steps: int = STEPS,
    status: str | None = None,
    times: np.ndarray = TIMES,
) -> Path:
    """One member for every word of `ends`: rest, turned, drifting, mirrored, strained, moving, or broken_off,
    which has its start alone."""
    at_rest = {"rest": REST, "turned": SPINNING, "drifting": REST + 3.0, "moving": REST, "mirrored": MIRRORED}
    last = {**at_rest, "strained": STRAINED, "broken_off": np.full_like(REST, np.nan)}
    wiggle = np.random.default_rng(1).normal(scale=5.0, size=REST.shape)
    speed = {"drifting": np.full_like(REST, 5.0), "moving": wiggle, "broken_off": np.full_like(REST, np.nan)}
    still = np.zeros_like(REST)
    gone = np.array([end == "broken_off" for end in ends])[:, None]
    series = {
        "positions": np.array([[start, last[end], last[end]] for end in ends]),
        "velocities": np.array([[still, speed.get(end, still), speed.get(end, still)] for end in ends]),
    }
    path = write_trace(
        folder,
        f"{experiment} {method_id} {name}",
        status=status or ("diverged" if gone.any() else "completed"),
        scene={**MATERIAL, "time_step_s": 0.01, "cells_across": 1, **(scene or {})},
        swept=swept,
        parameters=parameters,
        schedule={"steps": steps},
        arrays=BODY,
        frame=series,
        seeds=len(ends),
    )
    return set_times(path, times, gone)


def set_times(path: Path, times: np.ndarray, gone: np.ndarray) -> Path:
    """Rows at `times`; members that are `gone` have the first alone."""
    import h5py

    with h5py.File(path, "a") as file:
        group = file["series/frame"]
        del group["step"], group["time"]
        steps = np.rint(times / 0.01).astype(np.int64)
        members = len(gone)
        group["step"] = np.where(gone & (np.arange(len(times)) > 0), -1, np.tile(steps, (members, 1)))
        group["time"] = np.where(gone & (np.arange(len(times)) > 0), np.nan, np.tile(times, (members, 1)))
    return path
