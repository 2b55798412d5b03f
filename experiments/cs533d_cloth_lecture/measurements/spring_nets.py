# SPDX-License-Identifier: BSD-3-Clause
"""Shared by the measurements of spring cloth: edges, spring forces,
and the longest stable step at rest."""

from functools import lru_cache

import numpy as np
import scipy.sparse as sparse
from scipy.sparse.linalg import eigsh

from deformbench_analysis.vocabulary import Array, Trace


def edges_of(triangles: Array) -> Array:
    """Every edge of a mesh once, [edge, 2]."""
    pairs = np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]])
    unique: Array = np.unique(np.sort(pairs, axis=1), axis=0)
    return unique


def lengths(positions: Array, edges: Array) -> Array:
    """m, […, edge]."""
    return np.asarray(np.linalg.norm(positions[..., edges[:, 1], :] - positions[..., edges[:, 0], :], axis=-1))


def spring_forces(positions: Array, edges: Array, rest: Array, stiffness: float) -> Array:
    """Forces of springs of one stiffness along all edges (N, [vertex, 3])."""
    along = positions[edges[:, 1]] - positions[edges[:, 0]]
    length = np.linalg.norm(along, axis=1)
    pull = (stiffness * (1 - rest / length))[:, None] * along
    forces = np.zeros_like(positions)
    np.add.at(forces, edges[:, 0], pull)
    np.add.at(forces, edges[:, 1], -pull)
    return forces


@lru_cache(maxsize=64)
def unit_limit(trace: Trace) -> float:
    """2/ω_max at rest of the cloth with springs of 1 N/m, all vertices free but the held ones, s."""
    rest, masses = trace.scene("rest_positions"), trace.scene("masses")
    edges = edges_of(trace.scene("triangles"))
    along = rest[edges[:, 1]] - rest[edges[:, 0]]
    along = along / np.linalg.norm(along, axis=1)[:, None]
    count = len(edges)
    rows = np.repeat(np.arange(count), 6)
    columns = np.concatenate([3 * edges[:, :1] + np.arange(3), 3 * edges[:, 1:] + np.arange(3)], axis=1).ravel()
    stretch = sparse.csr_matrix(
        (np.concatenate([-along, along], axis=1).ravel(), (rows, columns)), (count, 3 * len(rest))
    )
    free = np.ones(len(rest), dtype=bool)
    free[trace.scene("prescribed_vertices")] = False
    scale = sparse.diags(np.repeat(np.where(free, 1 / np.sqrt(masses), 0), 3))
    matrix = scale @ stretch.T @ stretch @ scale
    largest = eigsh(
        matrix, k=1, which="LM", return_eigenvectors=False, v0=np.random.default_rng(1).normal(size=matrix.shape[0])
    )[0]
    return float(2 / np.sqrt(largest))


def stable_step(trace: Trace) -> float:
    """Δt_c = 2/ω_max at rest, s."""
    return unit_limit(trace) / float(np.sqrt(trace.value("method.parameters.stretch_stiffness_n_per_m")))
