# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_et_al_2007/collision_projection: particles shot at bodies, [MHHR07] section 3.4."""

import numpy as np

from deformbench_analysis.vocabulary import Array, ExperimentData, Measured, Measures, Rows, Trace, extremes
from deformbench_analysis.vocabulary import parameter, quantity, rows

M = Measures("mueller_et_al_2007/collision_projection")
INSIDE = 1e-7  # of the target's size: rounding of the projection stays far below
ROWS = {
    "literal": "continuous and static detection as printed",  # static where a path starts inside
    "both": "continuous and static detection also near the target",
    "continuous": "continuous detection alone",
    "static": "static detection alone",
}
is_paired = parameter("paired", bool, "Whether particles are shot in linked pairs.")


def distance(trace: Trace, x: Array) -> Array:
    """Signed distance to the target, negative inside; for the octahedron the height over its nearest face plane."""
    target, radius = trace.value("scene.parameters.target"), trace.number("radius_m")
    if target == "plane":
        return np.asarray(x[..., 1])
    if target == "sphere":
        return np.asarray(np.linalg.norm(x, axis=-1) - radius)
    if target == "capsule":
        axis = np.clip(x[..., 1:2], -radius / 2, radius / 2) * np.array([0.0, 1.0, 0.0])
        return np.asarray(np.linalg.norm(x - axis, axis=-1) - radius / 2)
    if target == "octahedron":
        return np.asarray((np.abs(x).sum(axis=-1) - radius) / np.sqrt(3))
    outside = np.abs(x) - np.array([radius, trace.number("thickness_m") / 2, radius])
    return np.asarray(np.linalg.norm(np.maximum(outside, 0), axis=-1) + np.minimum(outside.max(axis=-1), 0))


def depth(trace: Trace) -> float:
    """Depth of a particle inside the target / target size."""
    deepest = float((-distance(trace, trace.values("frame", "positions"))).max(initial=0.0))
    return deepest / trace.number("radius_m")


def outward(trace: Trace, x: Array) -> Array:
    """Direction away from the target, by differences of the distance."""
    small = 1e-6 * trace.number("radius_m")
    return np.stack([distance(trace, x + small * e) - distance(trace, x - small * e) for e in np.eye(3)], axis=-1)


def goes_through(trace: Trace, a: Array, b: Array) -> Array:
    """Which straight paths a → b (rows) begin and end outside and pass through the target to another side: outward
    directions more than a right angle apart. A rod that turns about an edge is no passage."""
    deep = INSIDE * trace.number("radius_m")
    found = np.zeros(len(a), bool)
    length = np.linalg.norm(b - a, axis=1)
    near = np.flatnonzero((distance(trace, a) > deep) & (distance(trace, b) > deep) & (distance(trace, a) < length))
    near = near[(outward(trace, a[near]) * outward(trace, b[near])).sum(axis=1) < 0]
    start, way = a[near], b[near] - a[near]
    low, high = np.zeros(len(near)), np.ones(len(near))
    for _ in range(60):  # distance to a convex body is convex along the path: ternary search for its minimum
        first, second = (low + (high - low) * share for share in (1 / 3, 2 / 3))
        is_left = distance(trace, start + first[:, None] * way) < distance(trace, start + second[:, None] * way)
        low, high = np.where(is_left, low, first), np.where(is_left, second, high)
    found[near] = distance(trace, start + (0.5 * (low + high))[:, None] * way) < -deep
    return found


def passages(trace: Trace) -> int:
    """Particle steps that begin and end outside and pass straight through the target.
    A plane has no far side."""
    x = trace.values("frame", "positions")
    return int(goes_through(trace, x[:-1].reshape(-1, 3), x[1:].reshape(-1, 3)).sum())


def contact_share(trace: Trace) -> tuple[float, int]:
    """Share of the particle steps concerning the target that end inside, and the number of those steps.

    A step concerns the target if it begins or ends inside,
    or if the free path x → x + Δt v ends inside or goes through."""
    x, v, dt = trace.values("frame", "positions"), trace.values("frame", "velocities"), trace.number("time_step_s")
    deep = INSIDE * trace.number("radius_m")
    before, free, after = (y.reshape(-1, 3) for y in (x[:-1], x[:-1] + dt * v[:-1], x[1:]))
    inside = distance(trace, after) < -deep
    is_concerned = (
        inside | (distance(trace, before) < -deep) | (distance(trace, free) < -deep) | goes_through(trace, before, free)
    )
    return float(inside.sum() / max(int(is_concerned.sum()), 1)), int(is_concerned.sum())


inside_share = quantity("share of the steps at the target that end inside")(lambda c: contact_share(c)[0])
contact_steps = quantity("particle steps that concern the target")(lambda c: contact_share(c)[1])

for row, contacts in ROWS.items():
    for paired, which, particles in ((False, "single", "single particles"), (True, "paired", "paired particles")):
        RUNS = rows(row, says=contacts).where(lambda c, paired=paired: is_paired(c) == paired, says=particles)

        M.largest(f"{row}_{which}_depth", depth, RUNS)
        M.largest(f"{row}_{which}_inside", inside_share, RUNS)

        @M(f"{row}_{which}_passages", of=f"{particles}; {contacts}")
        def gone_through(data: ExperimentData, runs: Rows = RUNS) -> Measured:
            """Number of times that a particle passes straight through a target within one step, all targets
            together."""
            found = {c: float(passages(c)) for c in runs.runs(data)}
            return Measured(sum(found.values()), extremes.largest(found).note)


M.least("contact_steps", contact_steps, rows("literal", says="contacts as printed"))
