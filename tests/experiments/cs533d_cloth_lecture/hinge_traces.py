# SPDX-License-Identifier: BSD-3-Clause
"""Made-up traces of hinges that share no vertex."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
from made_up_traces import add_frames, write_trace


def folded(angles: np.ndarray, heights: tuple[float, float] = (0.8, 0.9), edge: float = 1.1) -> np.ndarray:
    """Corners of hinges with these angles, [m,4,3], turned in space; the sign is that of the methods."""
    angles = np.asarray(angles, dtype=float)
    x = np.zeros((len(angles), 4, 3))
    x[:, 1, 0] = edge
    x[:, 2, 0], x[:, 2, 1] = 0.4 * edge, heights[0]
    x[:, 3, 0] = 0.7 * edge
    x[:, 3, 1], x[:, 3, 2] = -heights[1] * np.cos(angles), -heights[1] * np.sin(angles)
    turn = np.linalg.qr(np.random.default_rng(3).normal(size=(3, 3)))[0]
    return np.asarray(x @ (turn * np.sign(np.linalg.det(turn))).T)


def vertices(count: int) -> np.ndarray:
    """Vertex indices [count, 4] of consecutive hinges."""
    return np.arange(4 * count).reshape(count, 4)


def write_hinges(folder: Path, experiment: str, name: str, start: Mapping[str, np.ndarray], **about: Any) -> Path:
    """A trace with one frame, at the start: `positions` [m,4,3] or [4m,3] and arrays of the method's own."""
    arrays = dict(start)
    positions = np.reshape(arrays.pop("positions"), (-1, 3))
    series = {"positions": positions[None]}
    for field in ("elastic_forces", "velocities"):
        if field in arrays:
            series[field] = np.reshape(arrays.pop(field), (-1, 3))[None]
    path = write_trace(folder, f"{experiment} force_cloth {name}", frame=series, **about)
    add_frames(path, [[(0, 0.0, arrays)]])
    return path
