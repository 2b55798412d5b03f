# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs6967_assignment_2/constant_system: stiffness warping with the first step's matrix against an
updated one."""

import numpy as np

from deformbench_analysis.vocabulary import Array, Measures, Trace, quantity, rows

M = Measures("cs6967_assignment_2/constant_system")
LOAD = ("scene.parameters.young_modulus_pa", "scene.parameters.gravity_m_s2")
SMALL = 10.0  # degrees, planned before any run


def faces(trace: Trace) -> tuple[Array, Array]:
    """Mean positions of the end face and of the layer of vertices before it, [row, 3] m."""
    along = trace.scene("rest_positions")[:, 0]
    last, before = np.unique(np.round(along, 9))[[-1, -2]]
    x = trace.values("step", "positions")
    return tuple(np.asarray(x[:, np.abs(along - at) < 1e-6].mean(axis=1)) for at in (last, before))  # type: ignore[return-value]


def angle(trace: Trace) -> float:
    """Largest angle of the bar's end from its rest direction, degrees."""
    end, before = faces(trace)
    along = end - before
    return float(np.degrees(np.arccos(np.clip(along[:, 0] / np.linalg.norm(along, axis=1), -1, 1))).max())


def energy_excess(trace: Trace) -> float:
    """Largest gain of total energy / largest work of gravity.

    Infinite unless the run completed."""
    if trace.status != "completed":
        return np.inf
    total, gravity = trace.values("step", "total_energy"), trace.values("step", "gravitational_energy")
    return float((total - total[0]).max() / (gravity[0] - gravity).max())


def tip_difference(trace: Trace, other: Trace) -> float:
    """Largest distance between two bars' ends / bar length.

    Infinite unless the run completed."""
    if trace.status != "completed":
        return np.inf
    apart = np.linalg.norm(faces(trace)[0] - faces(other)[0], axis=1)
    return float(apart.max() / np.ptp(trace.scene("rest_positions")[:, 0]))


def _bends_little(_: Trace, every_step: Trace) -> bool:
    """Bends below ten degrees."""
    return angle(every_step) < SMALL


def _excess_of_pair(constant: Trace, _: Trace) -> float:
    """Largest gain of total energy / largest work of gravity."""
    return energy_excess(constant)


NO_BOUND = "a run that is broken off has no bound"
CONSTANT = rows("constant", says="bars with a constant matrix").however_ended(NO_BOUND)
EVERY_STEP = rows("every_step", says="bars with an updated matrix")
PAIRS = CONSTANT.beside(EVERY_STEP, *LOAD, says="against updated ones")
SMALL_PAIRS = PAIRS.having(_bends_little)

M.largest("energy_excess", energy_excess, CONSTANT)
M.largest("energy_excess_of_small_bends", _excess_of_pair, SMALL_PAIRS)
M.largest("energy_excess_of_every_step", energy_excess, EVERY_STEP.however_ended(NO_BOUND))
M.largest("tip_difference", tip_difference, PAIRS)
M.largest("tip_difference_of_small_bends", tip_difference, SMALL_PAIRS)
M.largest("largest_angle", quantity("angle of a bar's end from its rest direction", unit="deg")(angle), EVERY_STEP)
M.distinct("small_bends", quantity("stiffnesses")(lambda c, _: c.value(LOAD[0])), SMALL_PAIRS)
