# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/plastic_forces: R P ε_p of a bar that bends far and flows ([MG04] eq. 15)."""

from dataclasses import replace

import numpy as np

from deformbench_analysis.corotational import Body, State, rotation_angles, step_residuals
from deformbench_analysis.vocabulary import Array, Measures, Quantity, Trace, extremes, quantity
from .step_equation import free_vertices, time_step

M = Measures("mueller_gross_2004/plastic_forces")


def _rows(trace: Trace) -> tuple[Array, Array, Array, Array]:
    """positions, velocities, forces, plastic strains of every row."""
    x, v, f, plastic = (
        extremes.finite(trace.values("frame", n), f"{M.experiment}: {trace.label}: {n}")
        for n in ("positions", "velocities", "elastic_forces", "element_plastic_strains")
    )
    return x, v, f, plastic


def _size(forces: Array) -> float:
    return float(np.linalg.norm(forces, axis=-1).max())


@quantity("|f − f_B| / largest force, f_B = −R (K (Rᵀx − x0) − P ε_p) by the analysis")
def _force_error(trace: Trace) -> float:
    """Largest error of all rows relative to their largest force."""
    body, errors, sizes = Body.of(trace), [], []
    for x, _, f, plastic in zip(*_rows(trace)):
        expected = body.forces(x, plastic=plastic)
        errors.append(_size(f - expected))
        sizes.append(_size(expected))
    return float(extremes.finite(errors, M.experiment).max() / extremes.finite(sizes, M.experiment).max())


@quantity(
    "|(M + Δt²K′) v⁺ − M v − Δt (f + f_ext)| / (|M v⁺| + |Δt²K′ v⁺|), f with the plastic force of the step's strain"
)
def _step_residual(trace: Trace) -> dict[str, float]:
    """Residuals of all steps, assembled by the analysis."""
    body, free = Body.of(trace), free_vertices(trace)
    density = trace.number("density_kg_m3")
    gravity = np.array(trace.value("scene.parameters.gravity_m_s2"), dtype=float)
    loads, found = body.masses(density, len(body.rest))[:, None] * gravity, {}
    x, v, _, plastic = _rows(trace)
    for k in range(len(x) - 1):
        before = State(x[k], v[k], body.tetrahedra)
        # In the order of [MG04] §6 plastic strain flows before the solve: row k + 1 holds what the step used.
        found[f"{trace.label}, step {k + 1}"], _ = step_residuals(
            body, before, v[k + 1], loads, free, density, time_step(trace), plastic=plastic[k + 1]
        )
    return found


def _share(part: str, phrase: str) -> Quantity:
    """Maximum over rows of a part of the plastic force / whole elastic force of the same pose."""

    def of(trace: Trace) -> float:
        whole = body = Body.of(trace)
        if part == "volumetric":
            first = np.zeros((6, 6))
            first[:3, :3] = body.elasticity[0, 1]  # λ
            body = replace(body, elasticity=first)
        found: list[float] = []
        for x, _, _, plastic in zip(*_rows(trace)):
            turn = whole.rotations(x)
            scale = _size(whole.forces(x, turn))
            if scale > 0:
                found.append(_size(body.forces(x, turn, plastic=plastic) - body.forces(x, turn)) / scale)
        return float(extremes.finite(found, M.experiment).max())

    return Quantity(of, f"{phrase} / largest elastic force of the same pose without plastic strain")


@quantity("largest rotation of an element that has plastic strain", unit="rad")
def _rotation(trace: Trace) -> float:
    body, found = Body.of(trace), []
    for x, _, _, plastic in zip(*_rows(trace)):
        flowed = np.linalg.norm(plastic, axis=1) > 0
        if flowed.any():
            found.append(float(rotation_angles(body.rotations(x))[flowed].max()))
    return float(extremes.finite(found, M.experiment).max())


M.only("force_error", _force_error)
M.largest("step_residual", _step_residual)
M.only("plastic_share", _share("all", "largest plastic force"))
M.only("volumetric_share", _share("volumetric", "largest part of the plastic force that comes from λ"))
M.only("rotation", _rotation)
