# SPDX-License-Identifier: BSD-3-Clause
"""Made-up traces of springs along x that share these tests: strains and stresses are put in,
positions and forces come out."""

from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy as np
from made_up_traces import write_trace

PAPER = "cs533d_cloth_lecture"


def ends_of(first: np.ndarray, second: np.ndarray) -> np.ndarray:
    """The array constraint_vertices of springs between these vertices."""
    return np.column_stack([first, second, np.full((len(first), 2), -1)])


def stiffness_matrix(x: np.ndarray, edges: Iterable[tuple[int, int]], stiffness: float) -> np.ndarray:
    """Σ k eeᵀ of springs along these edges, at rest, one after the other, [3n,3n]."""
    matrix = np.zeros((x.size, x.size))
    for a, b in edges:
        e = (x[b] - x[a]) / np.linalg.norm(x[b] - x[a])
        row = np.zeros(x.size)
        row[3 * a : 3 * a + 3], row[3 * b : 3 * b + 3] = -e, e
        matrix += stiffness * np.outer(row, row)
    return matrix


def driven(
    folder: Path,
    experiment: str,
    name: str,
    strains: np.ndarray,
    stresses: np.ndarray,
    lengths: np.ndarray,
    *,
    unit_force: float = 10.0,
    **about: Any,
) -> None:
    """Separate springs, near end at 0, far end at l (1 + strain) [row, spring];
    the force on the far end is −stress × unit force."""
    rows, count = strains.shape
    positions, forces = np.zeros((rows, 2 * count, 3)), np.zeros((rows, 2 * count, 3))
    positions[:, :, 1] = np.repeat(np.arange(count), 2)
    positions[:, 1::2, 0] = lengths * (1 + strains)
    forces[:, 1::2, 0] = -unit_force * stresses
    forces[:, 0::2, 0] = unit_force * stresses
    first = 2 * np.arange(count)
    arrays = {
        "constraint_vertices": ends_of(first, first + 1),
        "constraint_rest_values": lengths,
        "constraint_compliance": lengths / unit_force,
    }
    series = {"step": {"positions": positions, "elastic_forces": forces}}
    write_trace(folder, f"{PAPER}/{experiment} force_cloth {name}", arrays=arrays, series=series, **about)


def chain(
    folder: Path, experiment: str, name: str, strains: np.ndarray, tension: float, sections: np.ndarray, **about: Any
) -> None:
    """A chain along x with these strains and this tension on its first vertex at its last row; at rest before."""
    count, length = len(strains), 0.5
    positions, forces = np.zeros((2, count + 1, 3)), np.zeros((2, count + 1, 3))
    positions[0, 1:, 0] = length * np.arange(1, count + 1)
    positions[1, 1:, 0] = np.cumsum(length * (1 + strains))
    forces[1, 0, 0], forces[1, -1, 0] = tension, -tension
    arrays = {
        "constraint_vertices": ends_of(np.arange(count), np.arange(1, count + 1)),
        "constraint_rest_values": np.full(count, length),
        "constraint_compliance": length / sections,
    }
    series = {"step": {"positions": positions, "elastic_forces": forces}}
    write_trace(folder, f"{PAPER}/{experiment} force_cloth {name}", arrays=arrays, series=series, **about)
