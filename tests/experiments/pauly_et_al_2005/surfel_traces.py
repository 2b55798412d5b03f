# SPDX-License-Identifier: BSD-3-Clause
"""Made-up traces with surfels: frames with arrays of the method's own."""

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from made_up_traces import add_frames, write_trace

from deformbench_analysis.surfels import Sheet


def write_frames(
    folder: Path, experiment: str, members: Sequence[Sequence[Mapping[str, np.ndarray]]], **about: Any
) -> Path:
    """A trace whose frames have these arrays: member → row → arrays. One member alone is no ensemble."""
    count, rows = len(members), len(members[0])
    positions = np.zeros((count, rows, 1, 3))
    frame = {"positions": positions if count > 1 else positions[0]}
    run = f"{experiment} {about.pop('method_id', 'meshless')} {about.pop('name', '')}"
    path = write_trace(folder, run, frame=frame, seeds=count if count > 1 else 0, **about)
    add_frames(path, [[(k, 0.01 * k, arrays) for k, arrays in enumerate(frames)] for frames in members])
    return path


def directions(count: int) -> np.ndarray:
    """Evenly over the unit sphere."""
    k = np.arange(count) + 0.5
    z, turn = 1 - 2 * k / count, np.pi * (1 + 5**0.5) * k
    flat = np.sqrt(1 - z**2)
    return np.stack([flat * np.cos(turn), flat * np.sin(turn), z], axis=1)


def projected(sheet: Sheet, points: np.ndarray) -> np.ndarray:
    """By the fixed point y ← x − n (n·(x − a))."""
    nearest = sheet._tree.query(points)[1]
    n, y = sheet.normals[nearest], points
    y = points - n * np.einsum("ij,ij->i", n, points - sheet.positions[nearest])[:, None]
    for _ in range(80):
        a, n = sheet.means(y)
        y = points - n * np.einsum("ij,ij->i", n, points - a)[:, None]
    return np.asarray(y)
