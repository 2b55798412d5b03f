# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_et_al_2007/unconditional_stability: a hanging cloth at any time step; masses of its vertices."""

from __future__ import annotations

import numpy as np

from ..errors import MissingData
from ..measurement import Measured, measurement
from ..position_constraints import held_vertices
from ..results import ExperimentData
from ..trace import Trace

EXPERIMENT = "mueller_et_al_2007/unconditional_stability"


def reach(trace: Trace) -> np.ndarray:
    """Largest distance of a vertex from the first held one, every frame."""
    positions = trace.values("frame", "positions")
    origin = positions[:, held_vertices(trace)[:1]]
    return np.asarray(np.linalg.norm(positions - origin, axis=2).max(axis=1))


def growth(trace: Trace) -> float:
    """Largest reach in the last quarter of the run over the largest before."""
    values = reach(trace)
    cut = 3 * len(values) // 4
    return float(values[cut:].max() / values[:cut].max())


def _cells(data: ExperimentData, name: str) -> list[Trace]:
    return data.some(name=name, status=None)


for row in ("corrected", "printed", "stretch_alone"):

    @measurement(f"unconditional_stability.cloth_{row}_not_finite", unit="1", experiment=EXPERIMENT)
    def not_finite(data: ExperimentData, row: str = row) -> Measured:
        """Runs of a hanging cloth that diverge or have a position that is not finite, all time steps, stiffnesses and iterations."""
        bad = [c.label for c in _cells(data, row) if c.status != "completed" or not np.isfinite(c.values("frame", "positions")).all()]
        return Measured(float(len(bad)), "; ".join(bad[:2]))

    @measurement(f"unconditional_stability.cloth_{row}_growth", unit="1", experiment=EXPERIMENT)
    def reach_growth(data: ExperimentData, row: str = row) -> Measured:
        """Largest reach of a hanging cloth in the last quarter of its run over that before, all time steps, stiffnesses and iterations."""
        found = {c.label: growth(c) for c in data.some(name=row)}
        worst = max(found, key=lambda k: found[k])
        return Measured(found[worst], worst)


for row in ("corrected", "printed"):

    @measurement(f"unconditional_stability.cloth_{row}_reach_ratio", unit="1", experiment=EXPERIMENT)
    def reach_ratio(data: ExperimentData, row: str = row) -> Measured:
        """Largest reach of a cloth with stiff bend constraints over that of the same cloth without any; infinite where it is not finite."""
        found = {}
        for cell in data.some(name=row, status=None):
            axes = {path: cell.value(path) for path in ("scene.parameters.time_step_s", "method.parameters.stretch_stiffness", "method.parameters.iterations")}
            alone = data.one(name="stretch_alone", where=axes, status=None)
            if alone.status != "completed":
                continue  # without bends it diverges as well: nothing is known of what they do
            ratio = float(reach(cell).max() / reach(alone).max())
            found[cell.label] = ratio if np.isfinite(ratio) and cell.status == "completed" else np.inf
        if not found:
            raise MissingData(f"{data.id} at tier {data.tier}: no cell whose cloth without bend constraints completes")
        worst = max(found, key=lambda k: found[k])
        return Measured(found[worst], worst)


def thirds(trace: Trace) -> np.ndarray:
    """Mass of every vertex: a third of that of each of its triangles."""
    x, triangles = trace.scene("rest_positions"), trace.scene("triangles").astype(int)
    area = np.linalg.norm(np.cross(x[triangles[:, 1]] - x[triangles[:, 0]], x[triangles[:, 2]] - x[triangles[:, 0]]), axis=1) / 2
    masses = np.zeros(len(x))
    for k in range(3):
        np.add.at(masses, triangles[:, k], area * float(trace.value("scene.parameters.area_density_kg_m2")) / 3)
    return masses


@measurement("unconditional_stability.vertex_mass_error", unit="1", experiment=EXPERIMENT)
def vertex_mass_error(data: ExperimentData) -> float:
    """Largest relative error of a vertex's mass against a third of those of its triangles."""
    return max(float(np.abs(c.scene("masses") / thirds(c) - 1).max()) for c in data.some())


@measurement("unconditional_stability.total_mass_error", unit="1", experiment=EXPERIMENT)
def total_mass_error(data: ExperimentData) -> float:
    """Largest relative error of the sum of the masses against density times area."""
    worst = 0.0
    for cell in data.some():
        area = float(cell.value("scene.parameters.side_m")) ** 2
        worst = max(worst, abs(float(cell.scene("masses").sum()) / (area * float(cell.value("scene.parameters.area_density_kg_m2"))) - 1))
    return worst


@measurement("unconditional_stability.manifold_edges", unit="1", experiment=EXPERIMENT)
def manifold_edges(data: ExperimentData) -> float:
    """Largest number of triangles at an edge of the cloths."""
    most = 0
    for cell in data.some():
        triangles = cell.scene("triangles").astype(int)
        edges = np.sort(np.concatenate([triangles[:, [0, 1]], triangles[:, [1, 2]], triangles[:, [2, 0]]]), axis=1)
        most = max(most, int(np.unique(edges, axis=0, return_counts=True)[1].max()))
    return float(most)
