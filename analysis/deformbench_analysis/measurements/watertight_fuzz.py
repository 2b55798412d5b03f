# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/watertight_fuzz: surfaces in blocks that are torn (X12, references C.10)."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from ..measurement import Measured, measurement
from ..mesh import edge_matrices
from ..results import ExperimentData
from ..trace import Trace
from .broken_meshes import frames, last_frame
from .split_events import split_total
from .surfaces import area_vector, open_edges, triangles_of, unmatched_edges

EXPERIMENT = "mueller_gross_2004/watertight_fuzz"


def _worst(data: ExperimentData, of: Callable[[Trace], float]) -> Measured:
    values = {c.label: float(of(c)) for c in data.some()}
    worst = max(values, key=lambda k: values[k])
    return Measured(values[worst], f"{worst}; {len(values)} runs")


@measurement("watertight_fuzz.open_edges", unit="1", experiment=EXPERIMENT)
def all_open_edges(data: ExperimentData) -> Measured:
    """Largest number of unmatched edges of the surface, counted in every frame here and in every step by the harness, all runs."""
    return _worst(data, open_edges)


@measurement("watertight_fuzz.area_vector", unit="1", experiment=EXPERIMENT)
def all_area_vector(data: ExperimentData) -> Measured:
    """Largest |Σ A n| over Σ A of the deformed surface, counted in every frame here and in every step by the harness, all runs."""
    def of(trace: Trace) -> float:
        counted = [area_vector(f.field("skin_positions"), triangles_of(trace, f)) for f in frames(trace)]
        return max(*counted, float(trace.values("step", "skin_area_vector").max()))
    return _worst(data, of)


def volume_error_of(trace: Trace) -> float:
    """Largest |sum of the pieces' rest volumes / volume of the first surface − 1| of any step, as the harness measures it."""
    return float(np.abs(trace.values("step", "skin_volume_error")).max())


@measurement("watertight_fuzz.volume_error", unit="1", experiment=EXPERIMENT)
def all_volume_error(data: ExperimentData) -> Measured:
    """Largest |sum of the pieces' rest volumes over the volume of the first surface − 1|, every step, all runs."""
    return _worst(data, volume_error_of)


@measurement("watertight_fuzz.crack_triangles", unit="1", experiment=EXPERIMENT)
def crack_triangles(data: ExperimentData) -> float:
    """Triangles more than at the start, at the end, all runs together."""
    return float(sum(len(triangles_of(c, last_frame(c))) - len(c.scene("skin_triangles")) for c in data.some()))


@measurement("watertight_fuzz.splits", unit="1", experiment=EXPERIMENT)
def splits(data: ExperimentData) -> float:
    """Vertex splits, all runs together."""
    return float(sum(split_total(c) for c in data.some()))


def least_barycentric_of(trace: Trace) -> float:
    """Least barycentric coordinate of any surface vertex in the element that holds it best, rest coordinates."""
    rest, tets, skin = trace.scene("rest_positions"), trace.scene("tetrahedra"), trace.scene("skin_rest_positions")
    inverse = np.linalg.inv(edge_matrices(rest, tets))
    origin = rest[tets[:, 0]]
    worst = np.inf
    for chunk in np.array_split(skin, max(1, len(skin) // 500)):
        inner = np.einsum("eij,pej->pei", inverse, chunk[:, None, :] - origin[None])
        least = np.minimum(inner.min(axis=2), 1 - inner.sum(axis=2))  # [point, element]
        worst = min(worst, float(least.max(axis=1).min()))
    return worst


@measurement("watertight_fuzz.least_barycentric", unit="1", experiment=EXPERIMENT)
def least_barycentric(data: ExperimentData) -> float:
    """Least barycentric coordinate of any surface vertex at rest in the element that holds it, all runs: negative is outside."""
    # Runs differ in their tears; most start from the same surface in the same mesh.
    starts = {tuple(c.scene(n).tobytes() for n in ("rest_positions", "tetrahedra", "skin_rest_positions")): c for c in data.some()}
    return min(least_barycentric_of(c) for c in starts.values())


@measurement("watertight_fuzz.first_open_edges", unit="1", experiment=EXPERIMENT)
def first_open_edges(data: ExperimentData) -> float:
    """Largest number of unmatched directed edges of the surface as given, all runs: 0 for a closed manifold."""
    return float(max(unmatched_edges(c.scene("skin_triangles")) for c in data.some()))


@measurement("watertight_fuzz.deformation", unit="1", experiment=EXPERIMENT)
def deformation(data: ExperimentData) -> float:
    """Smallest over the runs of the largest displacement of a vertex at the end over the size of the block."""
    found = []
    for cell in data.some():
        last, rest = last_frame(cell), cell.scene("rest_positions")
        found.append(float(np.linalg.norm(last.field("positions") - rest[last.parents], axis=1).max() / np.ptp(rest, axis=0).max()))
    return min(found)


@measurement("watertight_fuzz.grid_rebuilds", unit="1", experiment=EXPERIMENT)
def grid_rebuilds(data: ExperimentData) -> float:
    """Search grids built after the first, all runs together."""
    return float(sum(c.values("step", "skin_grid_builds")[-1] - 1 for c in data.some()))
