# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of the experiments of cross/ in which every family runs the same scene: spin, drop, tangled_start."""

from dataclasses import dataclass

import numpy as np

from deformbench_analysis.vocabulary import Array, ExperimentData, Measured, Measures, MissingData, Trace, difference
from deformbench_analysis.vocabulary import rows

SPIN = Measures("cross/spin")
DROP = Measures("cross/drop")
TANGLED = Measures("cross/tangled_start")
RECOVERED = 1e-6  # final elastic energy/largest: displacements have fallen by over three orders of magnitude
AT_REST = 0.01  # of a cell, root mean square: closer than a figure shows
FULLY_IMPLICIT = ("nonlinear", "xpbd")  # their forces are those at the end of the step


# ---- spin


@dataclass(frozen=True)
class RigidSpin:
    """Angular momentum and energy per step relative to the start, of a body spinning about a principal axis."""

    momentum: Array
    energy: Array


def implicit_euler_spin(omega: float, dt: float, steps: int) -> RigidSpin:
    """What implicit Euler does to a rigid body that spins about a principal axis. With φ the turn of a step, the next
    pose is the mass-weighted nearest to 2xₙ − xₙ₋₁: tan φ′ = sin φ/(2 − cos φ); tan φ = ωΔt in the first. L
    ∝ sin φ, and the kinetic energy is that of the chord, 2 sin(φ/2). Closed form `spinning_dumbbell`, whose two
    masses are such a body."""
    turns = [float(np.arctan(omega * dt))]
    for _ in range(steps - 1):
        turns.append(float(np.arctan2(np.sin(turns[-1]), 2 - np.cos(turns[-1]))))
    turn = np.array(turns)
    chord = 2 * np.sin(turn / 2)
    one = np.ones(1)
    return RigidSpin(
        np.concatenate([one, np.sin(turn) / (omega * dt)]), np.concatenate([one, (chord / (omega * dt)) ** 2])
    )


def spin_rate(trace: Trace) -> float:
    """ω at the start, rad/s."""
    return float(np.linalg.norm(trace.value("scene.parameters.angular_velocity_rad_s")))


def momentum_ratio(trace: Trace) -> Array:
    """|L| relative to the start, every step."""
    momentum = np.linalg.norm(trace.values("step", "angular_momentum"), axis=1)
    return np.asarray(momentum / momentum[0])


def momentum_kept(trace: Trace) -> float:
    """Final angular momentum of a spin relative to the start."""
    return float(momentum_ratio(trace)[-1])


def energy_ratio(trace: Trace) -> Array:
    """Kinetic plus elastic energy relative to the start, every step."""
    energy = trace.values("step", "kinetic_energy") + trace.values("step", "elastic_energy")
    return np.asarray(energy / energy[0])


def growth(trace: Trace) -> Array:
    """V/V0 − 1, every step."""
    volume = trace.values("step", "volume")
    return np.asarray(volume / volume[0] - 1)


def centrifugal_growth(trace: Trace) -> float:
    """(1 − 2ν) ω² Σ m r²/(E V): V/V0 − 1 of a body in steady spin at the initial rate,
    small strains (virial theorem)."""
    axis = np.asarray(trace.value("scene.parameters.angular_velocity_rad_s")) / spin_rate(trace)
    rest, masses = trace.scene("rest_positions"), trace.scene("masses")
    arm = rest - np.outer(rest @ axis, axis)
    polar_moment, volume = float(masses @ (arm**2).sum(axis=1)), float(trace.values("step", "volume")[0])
    softness = (1 - 2 * trace.number("poisson_ratio")) / trace.number("young_modulus_pa")
    return softness * spin_rate(trace) ** 2 * polar_moment / volume


def steady_growth(trace: Trace) -> float:
    """Expected V/V0 − 1 at the end, once vibrations have decayed. Fully implicit steps: the centrifugal value at the
    final rate. Warped elements: that at the initial rate plus (ωΔt)², as a step along the tangent lengthens
    radii by (ωΔt)²/2."""
    steady = centrifugal_growth(trace)
    if trace.method_name in FULLY_IMPLICIT:
        return steady * momentum_kept(trace) ** 2
    return steady + (spin_rate(trace) * trace.number("time_step_s")) ** 2


def off_rigid_spin(trace: Trace) -> float:
    """Largest difference of |L|/|L0| between a free spinning block and a rigid body under implicit Euler."""
    found = momentum_ratio(trace)
    rigid = implicit_euler_spin(spin_rate(trace), trace.number("time_step_s"), len(found) - 1)
    return float(np.abs(found - rigid.momentum).max())


def steady_growth_error(trace: Trace) -> float:
    """Relative error of a spinning block's V/V0 − 1 against its closed form for this Δt."""
    return abs(float(growth(trace)[-1]) / steady_growth(trace) - 1)


def momentum_drift(trace: Trace) -> Array:
    """Relative change of a free spinning block's angular momentum, any time."""
    return np.asarray(np.abs(momentum_ratio(trace) - 1))


def energy_drift(trace: Trace) -> Array:
    """Relative change of a free spinning block's kinetic + elastic energy, any time."""
    return np.asarray(np.abs(energy_ratio(trace) - 1))


NODES = rows("meshless", says="meshless nodes, all time steps")
SPIN.largest(
    "xpbd_momentum_difference",
    difference(momentum_kept),
    rows("xpbd", says="XPBD").beside(rows("nonlinear"), "time_step_s", says="against nonlinear elements, equal steps"),
)
SPIN.largest("implicit_euler_error", off_rigid_spin, rows(*FULLY_IMPLICIT, says="nonlinear elements and XPBD"))
SPIN.largest(
    "steady_growth_error",
    steady_growth_error,
    rows("warped", *FULLY_IMPLICIT, says="warped, nonlinear elements and XPBD"),
)
SPIN.largest("meshless_drift", momentum_drift, NODES)
SPIN.largest("meshless_energy_drift", energy_drift, NODES)


# ---- drop


def fall_energy(trace: Trace) -> float:
    """m g h of the fall, J."""
    gravity = float(np.linalg.norm(trace.value("scene.parameters.gravity_m_s2")))
    return float(trace.scene("masses").sum()) * gravity * trace.number("height_m")


def energy_change(trace: Trace) -> Array:
    """Gain of kinetic plus elastic plus gravitational energy since the start, relative to m g h."""
    names = ("kinetic_energy", "elastic_energy", "gravitational_energy")
    energy = np.sum([trace.values("step", n) for n in names], axis=0)
    return np.asarray((energy - energy[0]) / fall_energy(trace))


def height(trace: Trace) -> Array:
    """Height of the centre of mass above its position with the unrotated block's lowest vertex
    on the plane, relative to the height of the fall: 1 at the start."""
    centre = trace.values("step", "centre_of_mass")[:, 1]
    return np.asarray(1 + (centre - centre[0]) / trace.number("height_m"))


def rebound(trace: Trace) -> float:
    """Largest rise of the centre of mass after its first minimum, relative to the height of the fall."""
    found = height(trace)
    rising = np.flatnonzero(np.diff(found) > 0)
    if not rising.size:
        return 0.0
    lowest = int(rising[0])
    return float(found[lowest:].max() - found[lowest])


def deepest(trace: Trace) -> float:
    """Largest penetration of the plane by a vertex, relative to the block's side."""
    return float(trace.values("step", "penetration_depth").max()) / trace.number("side_m")


def volume_error(trace: Trace) -> Array:
    """|V/V0 − 1| of a block dropped on a plane, at any time."""
    return np.asarray(np.abs(growth(trace)))


def _is_not_linear(trace: Trace) -> bool:
    return trace.method_name != "linear"


FAMILIES = rows(says="all families")
DROP.largest("energy_made", energy_change, FAMILIES)
DROP.largest("deepest_vertex", deepest, FAMILIES)
DROP.largest("largest_volume_error", volume_error, rows(says="all but linear elements").where(_is_not_linear, says=""))


# ---- tangled_start


def inverted_share(trace: Trace) -> Array:
    """Share of elements with det F ≤ 0, every step."""
    return np.asarray(trace.values("step", "inverted_elements") / len(trace.scene("tetrahedra")))


def off_rest_shape(trace: Trace) -> tuple[Array, Array]:
    """(time, mass-weighted rms distance of the vertices from the rigidly aligned rest shape,
    relative to the side of a cell), every frame."""
    rest, masses = trace.scene("rest_positions"), trace.scene("masses")
    frames = trace.series("frame", "positions")
    share = (masses / masses.sum())[:, None]
    reference = rest - (share * rest).sum(axis=0)
    cell = trace.number("side_m") / trace.number("cells_across")
    found = []
    for positions in frames.values:
        if not np.isfinite(positions).all():
            found.append(float("inf"))
            continue
        now = positions - (share * positions).sum(axis=0)
        u, _, vt = np.linalg.svd((share * now).T @ reference)  # Kabsch: a rotation, no mirror image
        turn = u @ np.diag([1.0, 1.0, np.sign(np.linalg.det(u @ vt))]) @ vt
        found.append(float(np.sqrt((share * (now - reference @ turn.T) ** 2).sum())) / cell)
    return frames.time, np.array(found)


def is_back(trace: Trace) -> bool:
    """Whether the run completed within AT_REST of its rest shape."""
    return trace.status == "completed" and bool(off_rest_shape(trace)[1][-1] < AT_REST)


@TANGLED("families_back_at_rest")
def families_back_at_rest(data: ExperimentData) -> Measured:
    """Number of families that return from a tangled start to the rest shape, rigidly aligned, within a hundredth of a
    cell, rms.

    The note names families that are not back, with the distance in cells."""
    cells = data.select(status=None)
    if not cells:
        raise MissingData(f"{data.id}: no cell")
    away = [f"{c.method_name} {off_rest_shape(c)[1][-1]:.2g}" for c in cells if not is_back(c)]
    return Measured(float(len(cells) - len(away)), "not back: " + (", ".join(away) or "none"))


@TANGLED("families_recovered")
def families_recovered(data: ExperimentData) -> Measured:
    """Number of families whose elastic energy is below a millionth of its largest at the end of a run from a tangled
    start."""

    def is_recovered(trace: Trace) -> bool:
        energy = trace.values("step", "elastic_energy")
        return bool(energy[-1] < RECOVERED * np.max(energy))

    names = sorted(c.method_name for c in data.some() if is_recovered(c))
    return Measured(float(len(names)), ", ".join(names))
