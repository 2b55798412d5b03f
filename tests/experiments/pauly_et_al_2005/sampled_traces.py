# SPDX-License-Identifier: BSD-3-Clause
"""Made-up traces of sampled solids: frames of every member, with arrays of the method's own."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from made_up_traces import add_frames, write_trace
from node_traces import grid

Arrays = Mapping[str, np.ndarray]
# The plane x = 0.5, far beyond a unit cube about (0.5, 0, 0).
PLANE = np.array([[[0.5, -9, -9], [0.5, 9, -9], [0.5, 9, 9]], [[0.5, -9, -9], [0.5, 9, 9], [0.5, -9, 9]]])


def write_members(
    folder: Path,
    experiment: str,
    members: Sequence[Sequence[Arrays]],
    *,
    name: str = "meshless",
    method: Mapping[str, Any] | None = None,
    scene: Mapping[str, Any] | None = None,
    steps: Mapping[str, np.ndarray] | None = None,
) -> Path:
    """`members`: frames of each, step by step. `steps`: channels of the clock step, [member, step, …]."""
    rows = max(len(m) for m in members)
    series = {"frame": {"kinetic_energy": np.zeros((len(members), rows))}, **({"step": dict(steps)} if steps else {})}
    path = write_trace(
        folder,
        f"pauly_et_al_2005/{experiment} meshless {name}",
        coordinates={f"scene.parameters.{k}": v for k, v in (scene or {}).items()}
        | {f"method.parameters.{k}": v for k, v in (method or {}).items()},
        seeds=len(members),
        series=series,
    )
    add_frames(path, [[(k, 0.01 * k, arrays) for k, arrays in enumerate(frames)] for frames in members])
    return path


def lattice(n: int, spacing: float = 1.0) -> np.ndarray:
    """n³ points."""
    ticks = (np.arange(n) + 0.5) * spacing
    return grid(ticks, ticks, ticks)
