# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of the bar and beam experiments of cross/: torsion, cantilever, free_vibration, wave_step_load."""

from typing import Any

import numpy as np
from scipy.spatial import cKDTree

from deformbench_analysis.cell_errors import AT_THE_END, WHOLE_CURVE, cell_error
from deformbench_analysis.mesh import volumes
from deformbench_analysis.vocabulary import Array, ExperimentData, Measured, Measures, MissingData, Rows, Trace
from deformbench_analysis.vocabulary import parameter, quantity, rows

TORSION = Measures("cross/torsion")
CANTILEVER = Measures("cross/cantilever")
VIBRATION = Measures("cross/free_vibration")
WAVE = Measures("cross/wave_step_load")
_cells_across = parameter("cells_across", float, "Cells across the bar.")
FAMILIES = {  # rows of all these experiments, beside those of linear and warped elements, XPBD and Bullet
    "vertex_warped": "elements warped by one rotation per vertex",
    "stable_neo_hookean": "stable neo-Hookean elements",
    "invertible_implicit": "invertible St. Venant-Kirchhoff elements",
}
MESHLESS = "meshless"  # nodes at the vertices of the same tetrahedra
SQUARE_TORSION = 0.1405770149  # J/a⁴ of a square section (St. Venant); closed form `torsion_of_rectangular_bar`
BETA = 1.8751040687119611  # cos β cosh β = −1, first root


def volume_excess(trace: Trace) -> float:
    """V/V0 − 1 of a twisted bar."""
    volume = trace.values("step", "volume")
    return float(volume[-1] / volume[0] - 1)


def torque_factor(trace: Trace) -> float:
    """End torque/(G J θ/L), St. Venant's."""
    rest, final = trace.scene("rest_positions"), trace.values("frame", "positions")[-1]
    tip = trace.scene("vertex_set_tip")
    forces = -trace.values("frame", "elastic_forces")[-1][tip]  # what the clamp exerts on the bar
    torque = np.cross(final[tip] - final[tip].mean(axis=0), forces).sum(axis=0)[0]
    shear = trace.number("young_modulus_pa") / (2 * (1 + trace.number("poisson_ratio")))
    angle = np.radians(trace.number("angle_deg"))
    length = float(rest[:, 0].max() - rest[:, 0].min())
    return float(torque * length / (shear * SQUARE_TORSION * trace.number("side_m") ** 4 * angle))


@cell_error(TORSION.experiment, AT_THE_END, "torque at the end, against St. Venant's (small angles)")
def torque_error(trace: Trace) -> float:
    """|T/T_SV − 1|, T_SV St. Venant's torque."""
    return abs(torque_factor(trace) - 1)


def timoshenko_tip(trace: Trace) -> float:
    """Deflection of a square cantilever under a tip force, bending and shear (Timoshenko), m."""
    length, side, young, poisson = (
        trace.number(n) for n in ("length_m", "side_m", "young_modulus_pa", "poisson_ratio")
    )
    force = float(np.linalg.norm(trace.value("scene.parameters.tip_force_n")))
    kappa = 10 * (1 + poisson) / (12 + 11 * poisson)
    shear = young / (2 * (1 + poisson))
    return force * length**3 / (3 * young * side**4 / 12) + force * length / (kappa * shear * side**2)


def tip_factor(trace: Trace) -> float:
    """Tip deflection/Timoshenko value."""
    return float(np.linalg.norm(trace.values("step", "tip_displacement")[-1]) / timoshenko_tip(trace))


@cell_error(CANTILEVER.experiment, AT_THE_END, "deflection of the tip, against Timoshenko's beam")
def tip_error(trace: Trace) -> float:
    """|δ/δ_T − 1|, δ_T Timoshenko's deflection."""
    return abs(tip_factor(trace) - 1)


def same_mesh(trace: Trace) -> dict[str, Any]:
    """Parameters of the scene that cells of one mesh share: all but the time step,
    irrelevant to the static limit."""
    is_shared = {k: k.startswith("scene.") and k != "scene.parameters.time_step_s" for k in trace.coordinates}
    return {k: v for k, v in trace.coordinates.items() if is_shared[k]}


def difference_from_linear(trace: Trace, linear: Trace) -> float:
    """Relative difference of the tip deflection at a small load."""
    return abs(tip_factor(trace) / tip_factor(linear) - 1)


def volume_factor(trace: Trace) -> float:
    """Sum of nodal volumes v = m/Σ m w relative to the body's.

    Nodes at the vertices, h twice the longest edge there. Nodes on the boundary lack neighbours on one side, so
    that their volumes come out too large."""
    rest, tetrahedra = trace.scene("rest_positions"), trace.scene("tetrahedra")
    support = np.zeros(len(rest))
    for a in range(4):
        for b in range(4):
            length = np.linalg.norm(rest[tetrahedra[:, a]] - rest[tetrahedra[:, b]], axis=1)
            np.maximum.at(support, tetrahedra[:, a], 2 * length)
    tree, mass = cKDTree(rest), support**3
    found = 0.0
    for i, near in enumerate(tree.query_ball_point(rest, support)):
        distance = np.linalg.norm(rest[near] - rest[i], axis=1)
        inside = 1 - np.minimum(distance / support[i], 1) ** 2
        density = (mass[near] * 315 / (64 * np.pi * support[i] ** 3) * inside**3).sum()
        found += float(mass[i] / density)
    return found / float(np.abs(volumes(rest, tetrahedra)).sum())


def euler_bernoulli_frequency(trace: Trace) -> float:
    """First clamped–free frequency, Hz."""
    length, side, young, density = (
        trace.number(n) for n in ("length_m", "side_m", "young_modulus_pa", "density_kg_m3")
    )
    return float((BETA / length) ** 2 * np.sqrt(young * side**2 / 12 / density) / (2 * np.pi))


def has_implicit_steps(trace: Trace) -> bool:
    """Whether the steps of the cell shift frequencies as implicit Euler does; leap-frog's shift, (ωΔt)²/24,
    is far below a thousandth."""
    return trace.method_name != MESHLESS


def implicit_step(trace: Trace) -> float:
    """Δt of a (sub)step, s; 0 substeps are as many as an explicit scheme needs, and implicit ones take one."""
    return trace.number("time_step_s") / max(1.0, float(trace.value("method.parameters.substeps", 1)))


def frequency(trace: Trace) -> float:
    """Frequency of the tip's deflection, Hz, from its zero crossings, corrected for the phase
    atan(ωΔt) per (sub)step of implicit Euler."""
    series = trace.series("step", "tip_displacement")
    deflection, time = series.values[:, 1], series.time
    index = np.flatnonzero(np.signbit(deflection[1:]) != np.signbit(deflection[:-1]))
    if len(index) < 3:
        raise trace.missing(f"{len(index)} zero crossings; a period needs three")
    crossings = time[index] - deflection[index] * (time[index + 1] - time[index]) / (
        deflection[index + 1] - deflection[index]
    )
    half_period = float(np.diff(crossings).mean())
    if not has_implicit_steps(trace):
        return 1 / (2 * half_period)
    dt = implicit_step(trace)
    return float(np.tan(np.pi / half_period * dt) / dt / (2 * np.pi))


@cell_error(VIBRATION.experiment, WHOLE_CURVE, "frequency of the tip, against Euler and Bernoulli's beam")
def frequency_error(trace: Trace) -> float:
    """|f/f_EB − 1|, f as observed: the frequency shift by a method's time steps counts as error,
    unlike in `frequency`."""
    seen, dt = frequency(trace), implicit_step(trace)
    if has_implicit_steps(trace):
        seen = float(np.arctan(2 * np.pi * seen * dt) / (2 * np.pi * dt))
    return float(abs(seen / euler_bernoulli_frequency(trace) - 1))


def frequency_factor(trace: Trace) -> float:
    """First frequency over Euler–Bernoulli's."""
    return frequency(trace) / euler_bernoulli_frequency(trace)


def difference_of_frequency(trace: Trace, linear: Trace) -> float:
    """Relative difference of the first frequency."""
    return abs(frequency(trace) / frequency(linear) - 1)


def wall_stress(trace: Trace) -> tuple[Array, Array]:
    """(time, axial wall stress relative to the applied traction)."""
    forces = trace.series("frame", "elastic_forces")
    root = trace.scene("vertex_set_root")
    area = trace.number("side_m") ** 2
    # The bar pulls the wall with what its elements exert on the held vertices.
    return forces.time, forces.values[:, root, 0].sum(axis=1) / (area * trace.number("traction_pa"))


def peak(trace: Trace) -> float:
    """Peak wall stress of a bar relative to the traction."""
    return float(wall_stress(trace)[1].max())


@quantity(unit="s")
def arrival_error_of(trace: Trace) -> float:
    """Difference from L/c of the time at which the wall stress first reaches the traction."""
    time, stress = wall_stress(trace)
    above = np.flatnonzero(stress >= 1.0)
    if len(above) == 0:
        raise trace.missing("the wall stress never passes the applied traction")
    speed = np.sqrt(trace.number("young_modulus_pa") / trace.number("density_kg_m3"))
    return abs(float(time[above[0]]) - trace.number("length_m") / float(speed))


def _finest(found: Rows) -> Rows:
    return found.at_largest(_cells_across, says="finest mesh").noted(lambda c: f"{_cells_across(c):.0f} cells across")


def _shortest(found: Rows) -> Rows:
    found = found.at_largest(lambda c: -c.number("time_step_s"), says="smallest time step")
    return found.noted(lambda c: f"Δt = {c.number('time_step_s'):g} s")


LINEAR, WARPED = rows("linear", says="linear FEM"), rows("warped", says="warped FEM")
NODES = rows(MESHLESS, says="meshless nodes")
BY_FIVES = LINEAR.where(split="alternating_five", poisson_ratio=0.33, says="cubes of five tetrahedra, ν = 0.33")

TORSION.least("linear_volume_excess", volume_excess, LINEAR.where(angle_deg=90, says="90°"))
TORSION.largest("warped_volume_excess", volume_excess, WARPED)

CANTILEVER.largest("finest_tip_factor", tip_factor, _finest(BY_FIVES))
differences = {
    name: CANTILEVER.largest(
        f"{name}_difference",
        difference_from_linear,
        rows(name, says=words).beside(LINEAR, same_mesh, says="against linear FEM on the same mesh"),
    )
    for name, words in {
        "warped": "warped FEM",
        "xpbd": "XPBD with neo-Hookean tetrahedra",
        "bullet": "Bullet's neo-Hookean body",
        **FAMILIES,
        MESHLESS: "meshless nodes at the vertices",
    }.items()
}
least_volume_factor = CANTILEVER.least("meshless_volume_factor", volume_factor, NODES)


@CANTILEVER("convergence_order")
def convergence_order(data: ExperimentData) -> Measured:
    """Order in the cell size of 1 − δ/δ_T, δ the tip deflection and δ_T Timoshenko's, between the two finest meshes
    of cubes split alternately into five tetrahedra, ν = 0.33, linear FEM."""
    cells = sorted(BY_FIVES.runs(data), key=_cells_across)
    if len(cells) < 2:
        raise MissingData(f"{data.id}: one mesh; an order needs two")
    coarse, fine = cells[-2:]
    if max(tip_factor(coarse), tip_factor(fine)) >= 1:
        raise MissingData(f"{data.id}: a tip deflection above Timoshenko's; the gap to it has no order")
    gaps = (1 - tip_factor(coarse)) / (1 - tip_factor(fine))
    order = np.log(gaps) / np.log(_cells_across(fine) / _cells_across(coarse))
    return Measured(float(order), f"from {_cells_across(coarse):.0f} to {_cells_across(fine):.0f} cells across")


finest_frequency_factor = VIBRATION.largest("finest_frequency_factor", frequency_factor, _finest(LINEAR))
meshless_frequency_factor = VIBRATION.largest("meshless_frequency_factor", frequency_factor, _finest(NODES))
bullet_difference_of_frequency = VIBRATION.largest(
    "bullet_difference",
    difference_of_frequency,
    rows(method="bullet_fem", says="Bullet's bodies of either law").beside(
        LINEAR, "cells_across", says="against linear FEM on the same mesh"
    ),
)

finest_peak = WAVE.largest("finest_peak", peak, _shortest(LINEAR))
meshless_peak = WAVE.largest("meshless_peak", peak, _shortest(NODES))
arrival_error = WAVE.largest("arrival_error", arrival_error_of, _shortest(LINEAR))
