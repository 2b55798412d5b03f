# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_gross_2004/step_equation: one linear solve per step ([MG04] §2.2),
judged on the stored states."""

import math

import numpy as np

from deformbench_analysis.corotational import Body, State, rotation_angles, step_residuals
from deformbench_analysis.vocabulary import EVERY_RUN, Array, ExperimentData, Measured, Measures, MissingData, Trace
from deformbench_analysis.vocabulary import extremes, parameter, quantity, rows

M = Measures("mueller_gross_2004/step_equation")
time_step = parameter("time_step_s", float, "Δt, s.")


def free_vertices(trace: Trace) -> Array:
    """Mask of the free vertices."""
    free = np.ones(len(trace.scene("rest_positions")), dtype=bool)
    free[trace.scene("prescribed_vertices")] = False
    return free


def residuals(trace: Trace) -> Array:
    """Residuals (linear, nonlinear equation) of every step under gravity alone, [step, 2]."""
    body, free = Body.of(trace), free_vertices(trace)
    density = trace.number("density_kg_m3")
    loads = body.masses(density, len(body.rest))[:, None] * np.array(
        trace.value("scene.parameters.gravity_m_s2"), dtype=float
    )
    steps = trace.series("frame", "positions").step
    if not np.array_equal(steps, np.arange(len(steps))):
        raise trace.missing("not a row of every step")
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


@quantity("|(M + Δt²K′) v⁺ − M v − Δt (f + f_ext)| / (|M v⁺| + |Δt²K′ v⁺|) of a step")
def linear_residual(trace: Trace) -> Array:
    """K′ and f by the analysis at the stored x."""
    return np.asarray(residuals(trace)[:, 0])


@quantity("residual of the nonlinear equation, which a Newton iteration would reduce")
def nonlinear_residual(trace: Trace) -> Array:
    """Forces and rotations of the step's end."""
    return np.asarray(residuals(trace)[:, 1])


def position_error(trace: Trace) -> float:
    """Largest |x⁺ − x − Δt v⁺| / largest |Δt v⁺|, all steps and vertices."""
    x, moved = trace.values("frame", "positions"), time_step(trace) * trace.values("frame", "velocities")[1:]
    errors = extremes.finite(np.abs(np.diff(x, axis=0) - moved), trace.label)
    return float(errors.max() / np.abs(moved).max())


@quantity(unit="rad")
def rotation(trace: Trace) -> float:
    """Largest rotation of any element at the end."""
    return float(rotation_angles(Body.of(trace).rotations(trace.values("frame", "positions")[-1])).max())


DIRECT = rows("warped", says="runs with the direct solver")
UNNAMED = DIRECT.noted(lambda _: "")

M.largest("linear_residual", linear_residual, DIRECT)
M.largest("cg20_residual", linear_residual, rows("cg20", says="20 iterations of conjugate gradients"))
M.largest("position_error", position_error, UNNAMED)
M.least("newton_residual", nonlinear_residual.largest(), DIRECT)
M.least("rotation", rotation, UNNAMED)
M.largest(
    "solves",
    quantity("reported number of linear systems that were solved in one step")(
        lambda c: c.values("step", "solves")[1:]
    ),
    EVERY_RUN.noted(lambda _: ""),
)


@M("newton_residual_order")
def newton_residual_order(data: ExperimentData) -> Measured:
    """Smallest order in Δt of the RMS residual of the nonlinear equation in a run between neighbouring time steps,
    direct solver."""
    cells = sorted(DIRECT.runs(data), key=time_step)
    if len(cells) < 2:
        raise MissingData(f"{M.experiment} at tier {data.tier}: one time step only where two are needed")
    size = [float(np.sqrt((residuals(c)[:, 1] ** 2).mean())) for c in cells]
    orders = [
        math.log(b / a) / math.log(time_step(second) / time_step(first))
        for first, second, a, b in zip(cells, cells[1:], size, size[1:])
    ]
    return Measured(np.min(orders), ", ".join(f"{o:.2f}" for o in orders))
