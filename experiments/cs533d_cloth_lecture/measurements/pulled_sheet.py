# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of cs533d_cloth_lecture/pulled_sheet: slip of a sheet along another on a cylinder,
relative to its free slip when nothing holds it, by positions alone."""

import numpy as np

from deformbench_analysis.vocabulary import Array, Measures, Trace, quantity, rows
from .crossings import crossing_counts

M = Measures("cs533d_cloth_lecture/pulled_sheet")
ERRORS = "method.parameters.repulsion_thickness_errors"
RATIO = "scene.parameters.edge_ratio"
SEEDS = "ensemble.seeds"
ALL_THREE = 2.0  # thickness / geometric error: the sum of two layers' errors


def along_belt(positions: Array, radius: float) -> Array:
    """Signed arc length (m) from the top to each point of a belt over a cylinder about z
    that hangs straight down on both sides."""
    x, y = positions[..., 0], positions[..., 1]
    return np.asarray(np.where(y < 0.0, np.sign(x) * (0.5 * np.pi * radius - y), radius * np.arctan2(x, y)))


def edge(trace: Trace) -> float:
    """Side of the sheet's squares, m."""
    return trace.number("edge_ratio") * trace.number("radius_m") / trace.number("edges_in_radius")


def slips(trace: Trace) -> tuple[Array, Array]:
    """Times (s) since the ends' forces differ, and per member the pulled sheet's mean displacement (m) along the
    belt since then."""
    series = trace.series("frame", "positions")
    time = series.time[0] if series.is_ensemble else series.time
    positions = series.values if series.is_ensemble else series.values[None]
    count = round((trace.number("edges_along") + 1) * (trace.number("edges_across") + 1))
    means = along_belt(positions[:, :, -count:], trace.number("radius_m")).mean(axis=2)
    first = int(np.argmin(np.abs(time - trace.number("settle_s"))))
    return time[first:] - time[first], means[:, first:] - means[:, [first]]


def free_slip(trace: Trace, time: Array) -> Array:
    """Slip (m) of a sheet that nothing holds: mass × acceleration = pull − damping × velocity, the pull a fraction of
    the normal force π × tension of a belt round half a cylinder."""
    mass = trace.number("area_density_kg_m2") * trace.number("edges_along") * edge(trace)  # per width
    acceleration = trace.number("pull_over_normal") * np.pi * trace.number("tension_n_per_m") / mass
    rate = trace.setting("mass_damping_1_s")
    if rate == 0.0:
        return np.asarray(0.5 * acceleration * time**2)
    return np.asarray(acceleration / rate * (time + np.expm1(-rate * time) / rate))


def shares(trace: Trace) -> Array:
    """Slip at the end relative to free slip, per member."""
    time, found = slips(trace)
    return np.asarray(found[:, -1] / free_slip(trace, time)[-1])


def ends_cross(trace: Trace) -> float:
    """Intersecting triangle pairs at the end, by exact predicates."""
    x = trace.values("frame", "positions")
    ends = x[:, -1] if x.ndim == 4 else x[None, -1]
    return float(crossing_counts(ends, trace.scene("triangles")).max())


def counted(trace: Trace, column: int) -> float:
    """Mean of a count of the method over members and recorded steps."""
    members = trace.values("frame", "positions").shape[0] if trace.series("frame", "positions").is_ensemble else 1
    found = [
        frame["collision_counts"][column]
        for member in range(members)
        for step, _, frame in trace.frames(member, names=["collision_counts"])
        if step > 0
    ]
    return float(np.mean(found))


@quantity("mean number of vertices in impact zones per step")
def _zone_vertices(trace: Trace) -> float:
    return counted(trace, 6)


def free_slip_in_edges(trace: Trace) -> float:
    """Free slip / edge length of the sheet."""
    return float(free_slip(trace, slips(trace)[0])[-1] / edge(trace))


@quantity("slip / free slip, minus that without repulsions")
def _gain(thick: Trace, bare: Trace) -> Array:
    return np.asarray(shares(thick) - shares(bare))


def _is_thick(trace: Trace) -> bool:
    """Once to eight times as thick as the geometric error."""
    return float(trace.value(ERRORS)) >= 1.0


SLIP = quantity("slip / free slip")(shares)
CLOTH = rows("cloth", says="repulsions of any thickness")
ALL = rows("cloth", says="repulsions twice as thick as the geometric error").where({ERRORS: ALL_THREE}, says="")
BARE = rows("cloth", says="impulses and impact zones alone").where({ERRORS: 0.0}, says="")

slip_with_all = M.least("slip_with_all", SLIP, ALL)
slip_without_repulsions = M.largest("slip_without_repulsions", SLIP, BARE)
M.least("paired_gain", _gain, ALL.beside(BARE, RATIO, SEEDS, says="same meshes and edges"))
M.largest("smooth_error", SLIP.off(1.0), rows("smooth", says="smooth cylinders"))
M.least("free_slip", free_slip_in_edges, CLOTH)
M.least("turns", quantity("rotated cylinder meshes")(lambda c: float(len(shares(c)))), ALL)
M.largest("crossings", ends_cross, CLOTH)
M.least("zone_vertices_without_repulsions", _zone_vertices, BARE)
M.largest("zone_vertices_with_all", _zone_vertices, ALL)
M.least("slip_from_one_error_on", SLIP, rows("cloth", says="repulsions").where(_is_thick))
M.least("slip_in_longer_steps", SLIP, rows("longer_steps", says="steps twice as long, impulses and zones alone"))
