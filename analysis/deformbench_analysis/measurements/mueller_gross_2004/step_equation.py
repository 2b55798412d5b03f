# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/step_equation: one linear solve per step ([MG04] §2.2), judged on the stored states."""

from __future__ import annotations

import math

import numpy as np

from ... import extremes
from ...arrays import Array
from ...corotational import Body, State, rotation_angles, step_residuals
from ...errors import MissingData
from ...measurement import Measured, measurement
from ...results import ExperimentData
from ...trace import Trace

EXPERIMENT = "mueller_gross_2004/step_equation"


def time_step(trace: Trace) -> float:
    """Δt, s."""
    return float(trace.value("scene.parameters.time_step_s"))


def free_vertices(trace: Trace) -> Array:
    """Which vertices no motion holds."""
    free = np.ones(len(trace.scene("rest_positions")), dtype=bool)
    free[trace.scene("prescribed_vertices")] = False
    return free


def residuals(trace: Trace) -> Array:
    """(of the step's equation, of the nonlinear one) of every step under gravity alone, [step, 2]."""
    body, free = Body.of(trace), free_vertices(trace)
    density = float(trace.value("scene.parameters.density_kg_m3"))
    loads = body.masses(density, len(body.rest))[:, None] * np.array(
        trace.value("scene.parameters.gravity_m_s2"), dtype=float
    )
    steps = trace.series("frame", "positions").step
    if not np.array_equal(steps, np.arange(len(steps))):
        raise MissingData(f"{EXPERIMENT}: {trace.label}: not a row of every step")
    positions, velocities = trace.values("frame", "positions"), trace.values("frame", "velocities")
    return np.array(
        [
            step_residuals(
                body,
                State(positions[k], velocities[k], body.tetrahedra),
                velocities[k + 1],
                loads,
                free,
                density,
                time_step(trace),
            )
            for k in range(len(steps) - 1)
        ]
    )


def _largest(data: ExperimentData, name: str, column: int) -> Measured:
    found = {c: float(residuals(c)[:, column].max()) for c in data.some(name=name)}
    return extremes.largest(found)


@measurement("step_equation.linear_residual", unit="1", experiment=EXPERIMENT)
def linear_residual(data: ExperimentData) -> Measured:
    """Largest |(M + Δt²K′) v⁺ − M v − Δt (f + f_ext)| over |M v⁺| + |Δt²K′ v⁺| of any step, K′ and f assembled by the
    analysis at the stored x; direct solver."""
    return _largest(data, "warped", 0)


@measurement("step_equation.cg20_residual", unit="1", experiment=EXPERIMENT)
def cg20_residual(data: ExperimentData) -> Measured:
    """Largest |(M + Δt²K′) v⁺ − M v − Δt (f + f_ext)| over |M v⁺| + |Δt²K′ v⁺| of any step, K′ and f assembled by the
    analysis at the stored x; 20 iterations of conjugate gradients."""
    return _largest(data, "cg20", 0)


@measurement("step_equation.position_error", unit="1", experiment=EXPERIMENT)
def position_error(data: ExperimentData) -> float:
    """Largest |x⁺ − x − Δt v⁺| over the largest |Δt v⁺|, all steps and vertices, direct solver."""
    found: list[float] = []
    for cell in data.some(name="warped"):
        x, moved = cell.values("frame", "positions"), time_step(cell) * cell.values("frame", "velocities")[1:]
        found.append(float(np.abs(np.diff(x, axis=0) - moved).max() / np.abs(moved).max()))
    return float(extremes.finite(found, EXPERIMENT).max())


@measurement("step_equation.newton_residual", unit="1", experiment=EXPERIMENT)
def newton_residual(data: ExperimentData) -> Measured:
    """Largest residual of the nonlinear equation, forces and rotations of the step's end, that a Newton iteration
    would reduce; direct solver; smallest over the runs."""
    found = {c: float(residuals(c)[:, 1].max()) for c in data.some(name="warped")}
    return extremes.least(found)


@measurement("step_equation.newton_residual_order", unit="1", experiment=EXPERIMENT)
def newton_residual_order(data: ExperimentData) -> Measured:
    """Order in Δt at which the root mean square residual of the nonlinear equation over a run falls, between
    neighbouring time steps, smallest; direct solver."""
    cells = sorted(data.some(name="warped"), key=time_step)
    if len(cells) < 2:
        raise MissingData(f"{EXPERIMENT} at tier {data.tier}: one time step only where two are needed")
    size = [float(np.sqrt((residuals(c)[:, 1] ** 2).mean())) for c in cells]
    orders = [
        math.log(b / a) / math.log(time_step(second) / time_step(first))
        for first, second, a, b in zip(cells, cells[1:], size, size[1:])
    ]
    return Measured(np.min(orders), ", ".join(f"{o:.2f}" for o in orders))


@measurement("step_equation.rotation", unit="rad", experiment=EXPERIMENT)
def rotation(data: ExperimentData) -> float:
    """Largest rotation of any element at the end, direct solver, smallest over the runs: without rotation the equation
    would be linear."""
    return float(
        np.min(
            [
                float(rotation_angles(Body.of(c).rotations(c.values("frame", "positions")[-1])).max())
                for c in data.some(name="warped")
            ]
        )
    )


@measurement("step_equation.solves", unit="1", experiment=EXPERIMENT)
def solves(data: ExperimentData) -> float:
    """Largest number of linear systems that the method reports to have solved in a step, all runs."""
    return float(np.max([c.values("step", "solves")[1:].max() for c in data.some()]))
