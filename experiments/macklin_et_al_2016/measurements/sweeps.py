# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of macklin_et_al_2016/rigid_sweeps, step_floors, straight_chain_step and long_runs: what sweeps over
compliant constraints converge to, how fast, and whether runs stay finite. [MMC16]"""

import numpy as np

from deformbench_analysis.mesh import deformation_gradients, drift, edges, lame, volumes
from deformbench_analysis.reference_minimum import ReferenceMinimum, young_moduli
from deformbench_analysis.step_iterations import first_below
from deformbench_analysis.vocabulary import Array, Measures, Trace, rows

RIGID = Measures("macklin_et_al_2016/rigid_sweeps")
FLOORS = Measures("macklin_et_al_2016/step_floors")
CHAIN = Measures("macklin_et_al_2016/straight_chain_step")
RUNS = Measures("macklin_et_al_2016/long_runs")
MESH = ("scene.parameters.family", "scene.parameters.seed")
CORE = "stable_neo_hookean_core"
FAR = 3.0  # lengths of the body that a vertex of a stable run may move
GAIN = 1.01  # of the energy at the start


# ---- without compliance


def position_difference(trace: Trace, other: Trace) -> float:
    """Largest difference of a coordinate in three steps, m."""
    return float(np.abs(trace.values("frame", "positions") - other.values("frame", "positions")).max())


def sweeps(trace: Trace) -> float:
    """Iterations until the rms strain of the edges is a hundredth of that at the start, interpolated log-linearly
    between two."""
    strains = np.log(trace.values("iteration", "stretch_violation_rms"))
    level = strains[0] + np.log(1e-2)
    found = first_below(strains, level)
    if found is None:
        raise trace.missing("no hundredth of the starting strain")
    return float(found - (level - strains[found]) / (strains[found - 1] - strains[found]))


def sweep_ratio(trace: Trace, other: Trace) -> float:
    """Iterations until a hundredth of the strain is left, relative to those of position based dynamics."""
    return sweeps(trace) / sweeps(other)


STIFF = rows("position_based", says="position based dynamics")
NEARLY = rows("nearly_rigid", says="little compliance").beside(STIFF, *MESH, says="")
RIGID.largest("position_difference", position_difference, rows("rigid", says="no compliance").beside(STIFF, *MESH))
RIGID.least("least_sweep_ratio", sweep_ratio, NEARLY)
RIGID.largest("largest_sweep_ratio", sweep_ratio, NEARLY)
RIGID.least("sweep_ratio_of_halves", sweep_ratio, rows("half", says="half corrections").beside(STIFF, *MESH, says=""))


# ---- what is left of the gradient


def floor(trace: Trace) -> float:
    """Smallest norm of the objective's gradient after any iteration, relative to the start."""
    norms = trace.values("iteration", "gradient_norm")
    return float(np.nanmin(norms[1:]) / norms[0])


def end(trace: Trace) -> Array:
    """Positions after the step, m."""
    return np.asarray(trace.values("frame", "positions")[-1])


def end_error(trace: Trace, reference: Trace) -> float:
    """Largest distance of a vertex from the minimum at the end, relative to the largest motion of the step."""
    first = trace.values("frame", "positions")[0]
    motion = np.linalg.norm(end(reference) - first, axis=1).max()
    return float(np.linalg.norm(end(trace) - end(reference), axis=1).max() / motion)


def drop(trace: Trace) -> float:
    """Fall of the objective from start to end, J."""
    objective = trace.values("iteration", "objective")
    return float(objective[0] - objective[-1])


def drop_difference(trace: Trace, reference: Trace) -> float:
    """Relative difference of the fall of the objective."""
    return abs(drop(trace) / drop(reference) - 1)


def objective_error(trace: Trace) -> float:
    """Error of the objective's fall against an independent program, relative to its initial value."""
    step, positions = ReferenceMinimum(trace, CORE), trace.values("frame", "positions")
    first = step.objective(positions[0])
    return abs(drop(trace) - (first - step.objective(positions[-1]))) / abs(first)


def excess(trace: Trace) -> float:
    """Distance of the final objective from the minimum by an independent program, relative to its fall."""
    step, positions = ReferenceMinimum(trace, CORE), trace.values("frame", "positions")
    least = step.minimise().objective
    return abs(step.objective(positions[-1]) - least) / (step.objective(positions[0]) - least)


def is_soft(trace: Trace) -> bool:
    """Ω at most 1."""
    return trace.number("omega") <= 1


STEP = (*MESH, "scene.parameters.omega")
NEWTON = rows("newton", says="Newton's method")
PAIR, SECOND = rows("pair", says="the pair of constraints"), rows("second_derivatives", says="second derivatives kept")
FLOORS.least("pair_floor", floor, PAIR)
FLOORS.least("springs_floor", floor, rows("springs", says="springs and volumes"))
FLOORS.largest("floor_with_second_derivatives", floor, SECOND.where(is_soft))
FLOORS.largest("newton_floor", floor, NEWTON)
FLOORS.least("pair_end_error", end_error, PAIR.beside(NEWTON, *STEP, says=""))
FLOORS.largest("end_error_with_second_derivatives", end_error, SECOND.where(is_soft).beside(NEWTON, *STEP, says=""))
FLOORS.largest("objective_error", objective_error, rows("pair", "second_derivatives", "newton", says="all but springs"))
FLOORS.largest("newton_excess", excess, NEWTON)
FLOORS.largest("drop_difference", drop_difference, SECOND.where(is_soft).beside(NEWTON, *STEP, says=""))
CHAIN.largest("floor", floor, rows(says="straight chains"))


# ---- a thousand steps


def stored_energy(trace: Trace) -> float:
    """Energy ½C²/α of the constraints at the start, relative to rest, J."""
    rest, elements = trace.scene("rest_positions"), trace.scene("tetrahedra")
    start, rest_volumes = trace.values("frame", "positions")[0], volumes(rest, elements)
    if trace.value("method.parameters.solid_constraints") == "neo_hookean":
        f = deformation_gradients(rest, elements, start)
        first, second = lame(1.0, trace.number("poisson_ratio"))
        rest_volumes = rest_volumes * young_moduli(trace, rest, elements)
        growth = np.linalg.det(f) - 1
        squares = np.square(f).sum(axis=(1, 2)) - 3
        return float(rest_volumes @ (second / 2 * squares + growth * ((first + second) / 2 * growth - second)))
    a, b = edges(elements)
    stretch = np.linalg.norm(start[a] - start[b], axis=1) - np.linalg.norm(rest[a] - rest[b], axis=1)
    swelling = volumes(start, elements) - rest_volumes
    return float(
        np.square(stretch).sum() / (2 * trace.setting("stretch_compliance_m_per_n"))
        + np.square(swelling).sum() / (2 * trace.setting("volume_compliance_m6_per_j"))
    )


def is_unstable(trace: Trace) -> bool:
    """Not finite, displaced by over three lengths, or with more kinetic energy than was stored."""
    far = trace.values("step", "max_displacement").max()
    length = 4 * trace.number("side_m")
    if trace.status != "completed" or not far < FAR * length:
        return True
    if trace.value("scene.parameters.start") == "rest":
        return False
    return bool(trace.values("step", "kinetic_energy").max() > GAIN * stored_energy(trace))


def _runs(*names: str, says: str) -> None:
    prefix = "springs_" if names == ("springs",) else ""
    found = rows(*names, says=says).however_ended("a run that is not finite counts as unstable")
    RUNS.count(f"{prefix}unstable", found.where(start="twisted").having(is_unstable))
    RUNS.largest(f"{prefix}drift", drift, found.where(start="rest"))


_runs(says="all constraints and stiffnesses")
_runs("springs", says="springs alone, all stiffnesses")
for _name, _row in (("pair", "pair"), ("one_by_one", "one_by_one"), ("springs_and_volumes", "springs_and_volumes")):
    _found = rows(_row).however_ended("a run that is not finite counts as unstable")
    RUNS.count(f"{_name}_unstable", _found.where(start="twisted").having(is_unstable))
