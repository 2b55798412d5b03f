# SPDX-License-Identifier: BSD-3-Clause
"""Made-up traces of nodes beside cracks: frames of every member, with arrays of the method's own."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from made_up_traces import add_frames, write_trace

Arrays = Mapping[str, np.ndarray]

# The half plane y = 0, x < 0 of a strip 20 m wide, its front along z.
STRIP = np.array([[[-9.0, 0, -10], [-9, 0, 10], [0, 0, 10]], [[-9, 0, -10], [0, 0, 10], [0, 0, -10]]])
FRONT = np.array([[[0.0, 0, -10], [0, 0, 10]]])


def crack(triangles: np.ndarray = STRIP, fronts: np.ndarray = FRONT) -> dict[str, np.ndarray]:
    """One crack."""
    return {
        "crack_triangles": triangles,
        "crack_of_triangle": np.zeros(len(triangles), dtype=int),
        "crack_fronts": fronts,
        "crack_of_front": np.zeros(len(fronts), dtype=int),
    }


def write_members(
    folder: Path,
    experiment: str,
    members: Sequence[Sequence[Arrays]],
    *,
    name: str,
    parameters: Mapping[str, Any] | None = None,
    scene: Mapping[str, Any] | None = None,
    rows: Mapping[str, np.ndarray] | None = None,
) -> Path:
    """`members`: frames of each, step by step. `rows`: channels of the clock frame, [member, step, …]."""
    steps = len(members[0])
    path = write_trace(
        folder,
        f"{experiment} meshless {name}",
        parameters={"weights": "transparency", "opacity": 1.0, **(parameters or {})},
        swept=scene or {},
        seeds=len(members),
        frame={"positions": np.zeros((len(members), steps, 1, 3)), **(rows or {})},
    )
    add_frames(path, [[(k, 0.01 * k, arrays) for k, arrays in enumerate(frames)] for frames in members])
    return path
