# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/plastic_forces: R P ε_p of a bar that bends far and flows ([MG04] eq. 15)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from deformbench_analysis import extremes
from deformbench_analysis.arrays import Array
from deformbench_analysis.corotational import Body, State, rotation_angles, step_residuals
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace
from .step_equation import free_vertices, time_step

EXPERIMENT = "mueller_gross_2004/plastic_forces"


def _rows(trace: Trace) -> tuple[Array, Array, Array, Array]:
    """positions, velocities, forces, plastic strains of every row."""
    x, v, f, plastic = (
        extremes.finite(trace.values("frame", n), f"{EXPERIMENT}: {trace.label}: {n}")
        for n in ("positions", "velocities", "elastic_forces", "element_plastic_strains")
    )
    return x, v, f, plastic


def _size(forces: Array) -> float:
    return float(np.linalg.norm(forces, axis=-1).max())


@measurement("plastic_forces.force_error", unit="1", experiment=EXPERIMENT)
def force_error(data: ExperimentData) -> float:
    """Largest |f − f_B| over the largest force of all rows, f_B = −R (K (Rᵀx − x0) − P ε_p) with matrices and
    rotations computed by the analysis."""
    errors, sizes = [], []
    for cell in data.some():
        body = Body.of(cell)
        for x, _, f, plastic in zip(*_rows(cell)):
            expected = body.forces(x, plastic=plastic)
            errors.append(_size(f - expected))
            sizes.append(_size(expected))
    return float(extremes.finite(errors, EXPERIMENT).max() / extremes.finite(sizes, EXPERIMENT).max())


@measurement("plastic_forces.step_residual", unit="1", experiment=EXPERIMENT)
def step_residual(data: ExperimentData) -> Measured:
    """Largest |(M + Δt²K′) v⁺ − M v − Δt (f + f_ext)| over |M v⁺| + |Δt²K′ v⁺| of any step, f with the plastic force
    of the step's strain, all assembled by the analysis."""
    found = {}
    for cell in data.some():
        body, free = Body.of(cell), free_vertices(cell)
        density = float(cell.value("scene.parameters.density_kg_m3"))
        loads = body.masses(density, len(body.rest))[:, None] * np.array(
            cell.value("scene.parameters.gravity_m_s2"), dtype=float
        )
        x, v, _, plastic = _rows(cell)
        for k in range(len(x) - 1):
            # In the order of [MG04] §6 plastic strain flows before the solve: row k + 1 holds what the step used.
            left, _ = step_residuals(
                body,
                State(x[k], v[k], body.tetrahedra),
                v[k + 1],
                loads,
                free,
                density,
                time_step(cell),
                plastic=plastic[k + 1],
            )
            found[f"{cell.label}, step {k + 1}"] = left
    return extremes.largest(found)


def _share(data: ExperimentData, part: str) -> float:
    """Largest over the rows of a part of the plastic force over the whole elastic one of the same pose."""
    found: list[float] = []
    for cell in data.some():
        body = Body.of(cell)
        if part == "volumetric":
            first = np.zeros((6, 6))
            first[:3, :3] = body.elasticity[0, 1]  # λ
            body = replace(body, elasticity=first)
        whole = Body.of(cell)
        for x, _, _, plastic in zip(*_rows(cell)):
            turn = whole.rotations(x)
            scale = _size(whole.forces(x, turn))
            if scale > 0:
                found.append(_size(body.forces(x, turn, plastic=plastic) - body.forces(x, turn)) / scale)
    return float(extremes.finite(found, EXPERIMENT).max())


@measurement("plastic_forces.plastic_share", unit="1", experiment=EXPERIMENT)
def plastic_share(data: ExperimentData) -> float:
    """Largest plastic force over the largest elastic force without plastic strain in the same pose, all rows."""
    return _share(data, "all")


@measurement("plastic_forces.volumetric_share", unit="1", experiment=EXPERIMENT)
def volumetric_share(data: ExperimentData) -> float:
    """Largest part of the plastic force that comes from λ over the largest elastic force without plastic strain in the
    same pose, all rows: what a P_e without λ would leave out."""
    return _share(data, "volumetric")


@measurement("plastic_forces.rotation", unit="rad", experiment=EXPERIMENT)
def rotation(data: ExperimentData) -> float:
    """Largest rotation of an element that has plastic strain, all rows."""
    found: list[float] = []
    for cell in data.some():
        body = Body.of(cell)
        for x, _, _, plastic in zip(*_rows(cell)):
            flowed = np.linalg.norm(plastic, axis=1) > 0
            if flowed.any():
                found.append(float(rotation_angles(body.rotations(x))[flowed].max()))
    return float(extremes.finite(found, EXPERIMENT).max())
