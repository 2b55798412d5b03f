# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/impact_zones: piles of sheets with rigid zones,
affine zones and converged impulses."""

import numpy as np

from deformbench_analysis.vocabulary import EVERY_RUN, Array, Measures, Trace, quantity, ratio, rows
from .crossings import crossing_counts

M = Measures("cs533d_cloth_lecture/impact_zones")


def members(trace: Trace, frame: int) -> tuple[Array, Array]:
    """Positions and velocities of all members in one frame."""
    return trace.values("frame", "positions")[:, frame], trace.values("frame", "velocities")[:, frame]


def crossings(trace: Trace, frame: int = -1) -> Array:
    """Intersecting triangle pairs, by exact predicates."""
    return crossing_counts(members(trace, frame)[0], trace.scene("triangles"))


def momentum_changes(trace: Trace) -> tuple[Array, Array]:
    """|ΔP| / Σm|v| and |ΔL| / Σm|x − x̄||v| per member; L about the initial mean position, v before the step."""
    masses = trace.scene("masses")
    x, before = members(trace, 0)
    change = members(trace, -1)[1] - before
    arms = x - x.mean(axis=1, keepdims=True)
    speeds = np.linalg.norm(before, axis=2)
    p = np.linalg.norm(np.einsum("n,mni->mi", masses, change), axis=1) / (speeds @ masses)
    turning = np.einsum("n,mni->mi", masses, np.cross(arms, change))
    return p, np.linalg.norm(turning, axis=1) / ((np.linalg.norm(arms, axis=2) * speeds) @ masses)


def kept_energy(trace: Trace) -> Array:
    """Share of the kinetic energy about the mean velocity that is left after the step."""
    masses = trace.scene("masses")

    def energy(frame: int) -> Array:
        v = members(trace, frame)[1]
        mean = np.einsum("n,mni->mi", masses, v) / masses.sum()
        return np.asarray(np.einsum("n,mni->m", masses, (v - mean[:, None]) ** 2))

    return np.asarray(energy(-1) / energy(0))


def method_counts(trace: Trace, place: int) -> Array:
    """One of the method's counts for the step, per member."""
    found = []
    for member in range(trace.values("frame", "positions").shape[0]):
        *_, (_, _, last) = trace.frames(member, names=["collision_counts"])
        found.append(int(last["collision_counts"][place]))
    return np.array(found)


def passed_layers(trace: Trace) -> Array:
    """Neighbouring sheets that passed through each other.

    The step reversed their order by height."""
    x = members(trace, -1)[0]
    layers = int(trace.number("layers"))
    heights = x[:, :, 1].reshape(len(x), layers, -1).mean(axis=2)
    return np.asarray((np.diff(heights, axis=1) <= 0.0).sum(axis=1))


rounds = quantity("rounds of merging")(lambda c: method_counts(c, 4))
stopped = quantity("vertices that the fail-safe stops")(lambda c: method_counts(c, 8))
momentum_change = quantity("|ΔP| / Σm|v|")(lambda c: momentum_changes(c)[0])
angular_momentum_change = quantity("|ΔL| / Σm|x − x̄||v| at the initial positions")(lambda c: momentum_changes(c)[1])
momenta_change = quantity("|ΔP| / Σm|v| and |ΔL| / Σm|x − x̄||v|")(momentum_changes)
crossings_at_start = quantity("pairs of triangles that intersect before the step")(lambda c: crossings(c, 0))


@quantity("sheets cross or pass each other")
def _faulty(trace: Trace) -> Array:
    return np.asarray((crossings(trace) > 0) | (passed_layers(trace) > 0))


@quantity("passes of rigid zones relative to those of impulses, the last ones included")
def _passes(rigid: Trace, impulses: Trace) -> Array:
    return np.asarray((method_counts(rigid, 4) + 1.0) / (method_counts(impulses, 1) + 1.0))


RIGID, AFFINE = (rows(n, says=f"{n} zones, all noises and seeds") for n in ("rigid", "affine"))
IMPULSES = rows("impulses", says="impulses until nothing crosses")
BESIDE_IMPULSES = RIGID.beside(IMPULSES, "speed_noise", says="against converged impulses")

M.largest("crossings_at_start", crossings_at_start, EVERY_RUN)
M.largest("crossings_with_rigid", crossings, RIGID)
M.largest("passed_with_rigid", passed_layers, RIGID)
M.least("faulty_share_with_affine", _faulty.mean(says="share of seeds whose sheets cross or pass each other"), AFFINE)
M.largest("momentum_change_rigid", momentum_change, RIGID)
M.largest("angular_momentum_change_rigid", angular_momentum_change, RIGID)
M.largest("momenta_change_affine", momenta_change, AFFINE)
M.largest("stopped_vertices", stopped, RIGID)
M.largest("energy_kept_by_rigid", kept_energy, RIGID)
M.least("energy_kept_by_affine", kept_energy, AFFINE)
M.largest(
    "energy_ratio",
    ratio(kept_energy, says="ratio of the kinetic energies left about the mean velocity"),
    BESIDE_IMPULSES,
)
M.largest("pass_ratio", _passes, BESIDE_IMPULSES)
