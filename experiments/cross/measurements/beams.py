# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of the bar and beam experiments of cross/: torsion, cantilever, free_vibration, wave_step_load."""

from __future__ import annotations

import json

import numpy as np
from scipy.spatial import cKDTree

from deformbench_analysis import extremes
from deformbench_analysis.arrays import Array
from deformbench_analysis.cell_errors import AT_THE_END, WHOLE_CURVE, cell_error
from deformbench_analysis.errors import MissingData
from deformbench_analysis.measurement import Measured, measurement
from deformbench_analysis.mesh import volumes
from deformbench_analysis.results import ExperimentData
from deformbench_analysis.trace import Trace

TORSION = "cross/torsion"
CANTILEVER = "cross/cantilever"
VIBRATION = "cross/free_vibration"
WAVE = "cross/wave_step_load"
FAMILIES = {  # rows beside linear and warped elements, XPBD and Bullet, which stand in every one of these experiments
    "vertex_warped": "elements warped by one rotation per vertex",
    "stable_neo_hookean": "stable neo-Hookean elements",
    "invertible_implicit": "invertible St. Venant-Kirchhoff elements",
}
MESHLESS = "meshless"  # nodes at the vertices of the same tetrahedra
SQUARE_TORSION = 0.1405770149  # J/a⁴ of a square section (St. Venant); closed form `torsion_of_rectangular_bar`
BETA = 1.8751040687119611  # cos β cosh β = −1, first root


def number(trace: Trace, name: str) -> float:
    """A parameter of the scene."""
    return float(trace.value(f"scene.parameters.{name}"))


def volume_excess(trace: Trace) -> float:
    """V/V0 − 1 in the final state."""
    volume = trace.values("step", "volume")
    return float(volume[-1] / volume[0] - 1)


@measurement("torsion.linear_volume_excess", unit="1", experiment=TORSION)
def linear_volume_excess(data: ExperimentData) -> float:
    """V/V0 − 1 at an end rotation of 90°, linear FEM; smallest over the meshes."""
    return float(np.min([volume_excess(c) for c in data.some(name="linear", where={"scene.parameters.angle_deg": 90})]))


@measurement("torsion.warped_volume_excess", unit="1", experiment=TORSION)
def warped_volume_excess(data: ExperimentData) -> float:
    """Largest V/V0 − 1 over all angles and meshes, warped FEM."""
    return float(np.max([volume_excess(c) for c in data.some(name="warped")]))


def torque_factor(trace: Trace) -> float:
    """End torque over St. Venant's G J θ / L."""
    rest, final = trace.scene("rest_positions"), trace.values("frame", "positions")[-1]
    tip = trace.scene("vertex_set_tip")
    forces = -trace.values("frame", "elastic_forces")[-1][tip]  # what the clamp exerts on the bar
    torque = np.cross(final[tip] - final[tip].mean(axis=0), forces).sum(axis=0)[0]
    shear = number(trace, "young_modulus_pa") / (2 * (1 + number(trace, "poisson_ratio")))
    angle = np.radians(number(trace, "angle_deg"))
    length = float(rest[:, 0].max() - rest[:, 0].min())
    return float(torque * length / (shear * SQUARE_TORSION * number(trace, "side_m") ** 4 * angle))


@cell_error(TORSION, AT_THE_END, "torque at the end, against St. Venant's (small angles)")
def torque_error(trace: Trace) -> float:
    """|T/T_SV − 1|, T_SV St. Venant's torque."""
    return abs(torque_factor(trace) - 1)


def timoshenko_tip(trace: Trace) -> float:
    """Deflection of a square cantilever under a tip force, bending and shear (Timoshenko), m."""
    length, side, young, poisson = (
        number(trace, n) for n in ("length_m", "side_m", "young_modulus_pa", "poisson_ratio")
    )
    force = float(np.linalg.norm(trace.value("scene.parameters.tip_force_n")))
    kappa = 10 * (1 + poisson) / (12 + 11 * poisson)
    shear = young / (2 * (1 + poisson))
    return force * length**3 / (3 * young * side**4 / 12) + force * length / (kappa * shear * side**2)


def tip_factor(trace: Trace) -> float:
    """Tip deflection over Timoshenko's."""
    return float(np.linalg.norm(trace.values("step", "tip_displacement")[-1]) / timoshenko_tip(trace))


@cell_error(CANTILEVER, AT_THE_END, "deflection of the tip, against Timoshenko's beam")
def tip_error(trace: Trace) -> float:
    """|δ/δ_T − 1|, δ_T Timoshenko's deflection."""
    return abs(tip_factor(trace) - 1)


@measurement("cantilever.finest_tip_factor", unit="1", experiment=CANTILEVER)
def finest_tip_factor(data: ExperimentData) -> Measured:
    """Tip deflection over Timoshenko's on the finest mesh of cubes split alternately into five tetrahedra, ν = 0.33,
    linear FEM."""
    cells = data.some(
        name="linear", where={"scene.parameters.split": "alternating_five", "scene.parameters.poisson_ratio": 0.33}
    )
    cell = max(cells, key=lambda c: number(c, "cells_across"))
    return Measured(tip_factor(cell), f"{number(cell, 'cells_across'):.0f} cells across")


@measurement("cantilever.convergence_order", unit="1", experiment=CANTILEVER)
def convergence_order(data: ExperimentData) -> Measured:
    """Order in the cell size of 1 − δ/δ_T, δ the tip deflection and δ_T Timoshenko's, between the two finest meshes of
    cubes split alternately into five tetrahedra, ν = 0.33, linear FEM."""
    cells = data.some(
        name="linear", where={"scene.parameters.split": "alternating_five", "scene.parameters.poisson_ratio": 0.33}
    )
    cells = sorted(cells, key=lambda c: number(c, "cells_across"))
    if len(cells) < 2:
        raise MissingData(f"{CANTILEVER}: one mesh; an order needs two")
    coarse, fine = cells[-2:]
    refinement = number(fine, "cells_across") / number(coarse, "cells_across")
    if max(tip_factor(coarse), tip_factor(fine)) >= 1:
        raise MissingData(f"{CANTILEVER}: a tip deflection above Timoshenko's; the gap to it has no order")
    order = np.log((1 - tip_factor(coarse)) / (1 - tip_factor(fine))) / np.log(refinement)
    return Measured(
        float(order), f"from {number(coarse, 'cells_across'):.0f} to {number(fine, 'cells_across'):.0f} cells across"
    )


def mesh_key(trace: Trace) -> str:
    """What cells of different methods share: the parameters of the scene but the time step, which the static limit does
    not know."""
    shared = {
        k: v for k, v in trace.coordinates.items() if k.startswith("scene.") and k != "scene.parameters.time_step_s"
    }
    return json.dumps(shared, sort_keys=True)


def difference_from_linear(data: ExperimentData, name: str) -> float:
    """Largest relative difference of the tip deflection from that of linear FEM on the same mesh."""
    linear = {mesh_key(c): tip_factor(c) for c in data.some(name="linear")}
    cells = [c for c in data.some(name=name) if mesh_key(c) in linear]
    if not cells:
        raise MissingData(f"{CANTILEVER}: no mesh with both a linear and a cell of {name} at tier {data.tier}")
    return float(np.max([abs(tip_factor(c) / linear[mesh_key(c)] - 1) for c in cells]))


@measurement("cantilever.warped_difference", unit="1", experiment=CANTILEVER)
def warped_difference(data: ExperimentData) -> float:
    """Largest relative difference of the tip deflection, warped against linear FEM on the same mesh, at a small load."""
    return difference_from_linear(data, "warped")


@measurement("cantilever.xpbd_difference", unit="1", experiment=CANTILEVER)
def xpbd_difference(data: ExperimentData) -> float:
    """Largest relative difference of the tip deflection, XPBD with neo-Hookean tetrahedra against linear FEM on the same
    mesh, at a small load."""
    return difference_from_linear(data, "xpbd")


@measurement("cantilever.bullet_difference", unit="1", experiment=CANTILEVER)
def bullet_difference(data: ExperimentData) -> float:
    """Largest relative difference of the tip deflection, Bullet's neo-Hookean body against linear FEM on the same mesh, at a
    small load."""
    return difference_from_linear(data, "bullet")


def _register_difference(name: str, words: str) -> None:
    @measurement(f"cantilever.{name}_difference", unit="1", experiment=CANTILEVER, of=words)
    def _difference(data: ExperimentData) -> float:
        """Largest relative difference of the tip deflection from that of linear FEM on the same mesh, at a small load."""
        return difference_from_linear(data, name)


for _name, _words in {**FAMILIES, MESHLESS: "meshless nodes at the vertices"}.items():
    _register_difference(_name, _words)


def volume_factor(trace: Trace) -> float:
    """Sum of the nodes' volumes v = m/Σ m w over the volume of the body; of nodes at the vertices, h twice the longest edge there."""
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


@measurement("cantilever.meshless_volume_factor", unit="1", experiment=CANTILEVER)
def meshless_volume_factor(data: ExperimentData) -> Measured:
    """Sum of the volumes of meshless nodes, each its mass over the density that a kernel sum finds there, over the volume of the
    bar; smallest over the meshes. Nodes on the boundary lack neighbours on one side, so that their volumes come out too large.
    """
    return extremes.least({c: volume_factor(c) for c in data.some(name=MESHLESS)})


def euler_bernoulli_frequency(trace: Trace) -> float:
    """First clamped–free frequency, Hz."""
    length, side, young, density = (
        number(trace, n) for n in ("length_m", "side_m", "young_modulus_pa", "density_kg_m3")
    )
    return float((BETA / length) ** 2 * np.sqrt(young * side**2 / 12 / density) / (2 * np.pi))


def has_implicit_steps(trace: Trace) -> bool:
    """Whether the steps of the cell shift frequencies as implicit Euler does; leap-frog's shift, (ωΔt)²/24, is far below a thousandth."""
    return trace.method_name != MESHLESS


def frequency(trace: Trace) -> float:
    """Frequency of the tip's deflection, Hz, from its zero crossings; the shift of implicit Euler, atan(ωΔt) of phase per (sub)step, is undone."""
    series = trace.series("step", "tip_displacement")
    deflection, time = series.values[:, 1], series.time
    index = np.flatnonzero(np.signbit(deflection[1:]) != np.signbit(deflection[:-1]))
    if len(index) < 3:
        raise MissingData(f"{trace.experiment}: {trace.label}: {len(index)} zero crossings; a period needs three")
    crossings = time[index] - deflection[index] * (time[index + 1] - time[index]) / (
        deflection[index + 1] - deflection[index]
    )
    half_period = float(np.diff(crossings).mean())
    if not has_implicit_steps(trace):
        return 1 / (2 * half_period)
    # 0 substeps: as many as an explicit scheme needs; these rows have implicit ones, which take one.
    dt = number(trace, "time_step_s") / max(1.0, float(trace.value("method.parameters.substeps", 1)))
    return float(np.tan(np.pi / half_period * dt) / dt / (2 * np.pi))


@cell_error(VIBRATION, WHOLE_CURVE, "frequency of the tip, against Euler and Bernoulli's beam")
def frequency_error(trace: Trace) -> float:
    """|f/f_EB − 1|, f as it is seen: what a method's steps do to the frequency counts as its error, unlike in `frequency`."""
    dt = number(trace, "time_step_s")
    seen = frequency(trace)
    if has_implicit_steps(trace):
        seen = float(np.arctan(2 * np.pi * seen * dt) / (2 * np.pi * dt))
    return float(abs(seen / euler_bernoulli_frequency(trace) - 1))


@measurement("free_vibration.meshless_frequency_factor", unit="1", experiment=VIBRATION)
def meshless_frequency_factor(data: ExperimentData) -> Measured:
    """First frequency over Euler–Bernoulli's on the finest mesh, meshless nodes at its vertices."""
    cell = max(data.some(name=MESHLESS), key=lambda c: number(c, "cells_across"))
    return Measured(
        frequency(cell) / euler_bernoulli_frequency(cell), f"{number(cell, 'cells_across'):.0f} cells across"
    )


@measurement("free_vibration.finest_frequency_factor", unit="1", experiment=VIBRATION)
def finest_frequency_factor(data: ExperimentData) -> Measured:
    """First frequency over Euler–Bernoulli's on the finest mesh, linear FEM."""
    cell = max(data.some(name="linear"), key=lambda c: number(c, "cells_across"))
    return Measured(
        frequency(cell) / euler_bernoulli_frequency(cell), f"{number(cell, 'cells_across'):.0f} cells across"
    )


@measurement("free_vibration.bullet_difference", unit="1", experiment=VIBRATION)
def bullet_difference_of_frequency(data: ExperimentData) -> Measured:
    """Largest relative difference of the first frequency, Bullet's bodies of either law against linear FEM on the same mesh."""
    linear = {number(c, "cells_across"): frequency(c) for c in data.some(name="linear")}
    bodies = data.some(method="bullet_fem", keep=lambda c: number(c, "cells_across") in linear)
    return extremes.largest({c.label: abs(frequency(c) / linear[number(c, "cells_across")] - 1) for c in bodies})


def wall_stress(trace: Trace) -> tuple[Array, Array]:
    """(time, axial stress on the wall over the applied traction)."""
    forces = trace.series("frame", "elastic_forces")
    root = trace.scene("vertex_set_root")
    area = number(trace, "side_m") ** 2
    # The bar pulls the wall with what its elements exert on the held vertices.
    return forces.time, forces.values[:, root, 0].sum(axis=1) / (area * number(trace, "traction_pa"))


@measurement("wave_step_load.finest_peak", unit="1", experiment=WAVE)
def finest_peak(data: ExperimentData) -> Measured:
    """Peak wall stress over the applied traction at the smallest time step, linear FEM; 2 in the continuum."""
    cell = min(data.some(name="linear"), key=lambda c: number(c, "time_step_s"))
    return Measured(float(wall_stress(cell)[1].max()), f"Δt = {number(cell, 'time_step_s'):g} s")


@measurement("wave_step_load.arrival_error", unit="s", experiment=WAVE)
def arrival_error(data: ExperimentData) -> Measured:
    """|time at which the wall stress passes σ0 − L/c| at the smallest time step, linear FEM."""
    cell = min(data.some(name="linear"), key=lambda c: number(c, "time_step_s"))
    time, stress = wall_stress(cell)
    above = np.flatnonzero(stress >= 1.0)
    if len(above) == 0:
        raise MissingData(f"{WAVE}: {cell.label}: the wall stress never passes the applied traction")
    speed = np.sqrt(number(cell, "young_modulus_pa") / number(cell, "density_kg_m3"))
    return Measured(
        abs(float(time[above[0]]) - number(cell, "length_m") / float(speed)), f"Δt = {number(cell, 'time_step_s'):g} s"
    )


@measurement("wave_step_load.meshless_peak", unit="1", experiment=WAVE)
def meshless_peak(data: ExperimentData) -> Measured:
    """Peak wall stress over the applied traction at the smallest time step, meshless nodes; 2 in the continuum."""
    cell = min(data.some(name=MESHLESS), key=lambda c: number(c, "time_step_s"))
    return Measured(float(wall_stress(cell)[1].max()), f"Δt = {number(cell, 'time_step_s'):g} s")
