# SPDX-License-Identifier: BSD-3-Clause
"""What happens in the scenes of figures 1 and 6 to 12 of mueller_et_al_2007: swing and twist, tears and passages,
rest and friction. Bounds on strain and penetration are in cloth_scenes."""

import itertools
from collections.abc import Callable

import numpy as np
from scipy.spatial import cKDTree

from deformbench_analysis.mesh_frames import members_of
from deformbench_analysis.vocabulary import EVERY_RUN, Array, ExperimentData, Measured, MissingData, Quantity, Trace
from deformbench_analysis.vocabulary import quantity
from .cloth_scenes import measures, pieces_of, series
from .cloth_sides import closest_on_triangles

STRIPES, TEARING, GEARS, LEVEL, CHARACTERS, BARREL = measures("stripes tearing gears level characters barrel")


def of_members(phrase: str, function: Callable[[Trace, int | None], float]) -> Quantity:
    """A quantity of every member of an ensemble."""
    return quantity(phrase)(lambda trace: np.array([function(trace, m) for m in members_of(trace)]))


def poses(trace: Trace, member: int | None = None) -> tuple[Array, Array]:
    """Positions [row, body, 3] (m) and orientations [row, body, 3, 3] of the rigid bodies, every frame."""
    rows = [(fields["rigid_positions"], fields["rigid_orientations"]) for _, _, fields in trace.frames(member)]
    position = np.array([place for place, _ in rows])
    return position, np.array([turned for _, turned in rows]).reshape(*position.shape, 3)


def energy_gain(trace: Trace) -> float:
    """Rise of kinetic plus gravitational energy above its initial value / largest kinetic energy."""
    kinetic = series(trace, "kinetic_energy")
    total = kinetic + series(trace, "gravitational_energy")
    return float(((total - total[:, :1]).max(axis=1) / kinetic.max(axis=1)).max())


def dynamic_bodies(trace: Trace) -> Array:
    """Indices of the rigid bodies that have a mass."""
    return np.flatnonzero(np.asarray(trace.scene("rigid_masses")) > 0)


def leans(trace: Trace) -> Array:
    """Angle (rad) of the dynamic bodies from the vertical below the stripe's upper end,
    in the plane where they start, per row."""
    place, _ = poses(trace)
    bodies = dynamic_bodies(trace)
    top = trace.number("top_m")
    return np.asarray(np.arctan2(place[:, bodies, 2], top - place[:, bodies, 1]))


def twists(trace: Trace) -> Array:
    """Rotation (rad) of the dynamic bodies about their own axis along the stripe since the start,
    per row."""
    _, turned = poses(trace)
    relative = np.einsum("bkl,rbkm->rblm", turned[0], turned)[:, dynamic_bodies(trace)]
    quarter = np.arctan2(relative[..., 0, 2] - relative[..., 2, 0], 1 + np.trace(relative, axis1=2, axis2=3))
    return np.unwrap(2 * quarter, axis=0, period=2 * np.pi)


def to_and_fro(angles: Array) -> float:
    """Least over the bodies (columns) of the smaller of an angle's extremes to both sides."""
    return float(np.minimum(angles.max(axis=0), -angles.min(axis=0)).min())


def attachment_error(trace: Trace) -> float:
    """Distance of an attached vertex from its point on the body / stripe length."""
    place, turned = poses(trace)
    vertex, body = np.asarray(trace.scene("attachments")).astype(int).T
    x = trace.values("frame", "positions")[:, vertex]
    own = np.einsum("akl,ak->al", turned[0, body], x[0] - place[0, body])
    away = np.linalg.norm(place[:, body] + np.einsum("rakl,al->rak", turned[:, body], own) - x, axis=2)
    return float(away.max()) / trace.number("length_m")


def before_the_ball(trace: Trace, channel: str) -> Array:
    """Last value of a channel, clock step, before the ball is thrown, one per member."""
    start = trace.number("ball_start_s")
    return np.array(
        [member.values[member.time < start][-1] for member in trace.series("step", channel).members()], dtype=float
    )


def largest_piece(triangles: Array) -> int:
    """Number of triangles of the largest connected piece."""
    return int(np.bincount(pieces_of(triangles)[triangles[:, 0]]).max())


def torn_off(trace: Trace, member: int | None) -> float:
    """Share of triangles that leave the largest piece after the ball is thrown."""
    start = trace.number("ball_start_s")
    meshes = [(time, f["triangles"].astype(int)) for _, time, f in trace.frames(member, names=["triangles"])]
    before, after = [mesh for time, mesh in meshes if time < start][-1], meshes[-1][1]
    return (largest_piece(before) - largest_piece(after)) / len(after)


def ball_passage(trace: Trace, member: int | None) -> float:
    """Depth / radius that the ball's centre reaches behind the hanging cloth's plane if it crosses it within the
    cloth's rectangle; negative if it stays in front, −∞ if it passes beside."""
    place = np.array([fields["rigid_positions"] for _, _, fields in trace.frames(member)])[:, -1]
    rest = np.asarray(trace.scene("rest_positions"))
    low, high = rest[:, :2].min(axis=0), rest[:, :2].max(axis=0)
    behind = np.flatnonzero((place[1:, 2] < 0) & (place[:-1, 2] >= 0)) + 1
    if not len(behind):
        return -float(place[:, 2].min()) / trace.number("ball_radius_m")
    k = int(behind[0])
    share = place[k - 1, 2] / (place[k - 1, 2] - place[k, 2])
    at = place[k - 1, :2] + share * (place[k, :2] - place[k - 1, :2])
    if (at < low).any() or (at > high).any():
        return -float("inf")
    return -float(place[k:, 2].min()) / trace.number("ball_radius_m")


def vertex_paths(trace: Trace, member: int | None) -> tuple[Array, Array]:
    """Positions (m) of vertices [row, v, 3] and bodies [row, b, 3], every frame."""
    rows = [(fields["positions"], fields["rigid_positions"]) for _, _, fields in trace.frames(member)]
    return np.array([x for x, _ in rows]), np.array([p for _, p in rows])


def passed_between(trace: Trace, member: int | None) -> float:
    """Share of the vertices that start above the plane of the two axes, end below it, and cross it last between the
    axes and within the gears' length."""
    x, place = vertex_paths(trace, member)
    if place.shape[1] != 2:
        raise trace.missing(f"{place.shape[1]} bodies, expected one pair of gears")
    axis, half = place[0, 0, 1], 0.5 * trace.number("gear_length_m")
    above = x[:, :, 1] > axis
    rows, vertices = x.shape[0], np.arange(x.shape[1])
    last = rows - 1 - above[::-1].argmax(axis=0)  # last row above
    crosses = above[0] & ~above[-1]
    k = np.minimum(last, rows - 2)
    a, b = x[k, vertices], x[k + 1, vertices]
    share = np.divide(a[:, 1] - axis, a[:, 1] - b[:, 1], out=np.zeros(len(a)), where=a[:, 1] != b[:, 1])
    at = a + share[:, None] * (b - a)
    low, high = sorted(place[0, :, 0])
    return float((crosses & (at[:, 0] > low) & (at[:, 0] < high) & (np.abs(at[:, 2]) < half)).mean())


def moving(place: Array, turned: Array) -> Array:
    """Which bodies move or turn at some frame."""
    return np.asarray((np.ptp(place, axis=0).max(axis=1) > 1e-6) | (np.ptp(turned, axis=0).max(axis=(1, 2)) > 1e-6))


def gap(points: Array, corners: Array) -> float:
    """Least distance of any of the points [q, 3] from any of the triangles [t, 3, 3]."""
    path = points[:, None, :] - np.einsum("qtc,tcx->qtx", closest_on_triangles(points, corners), corners)
    return float(np.linalg.norm(path, axis=2).min(initial=np.inf))


def meet(a: Array, b: Array, triangles: Array, reach: float) -> bool:
    """Whether one of the points a is within reach of the triangles of the points b."""
    corners = b[triangles]
    size = float(np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).max())
    near = np.isfinite(cKDTree(b).query(a, distance_upper_bound=reach + size)[0])
    if not near.any():
        return False
    close = np.isfinite(cKDTree(a[near]).query(corners.mean(axis=1), distance_upper_bound=reach + size)[0])
    return close.any() and gap(a[near], corners[close]) < reach


def meetings(trace: Trace, member: int | None) -> int:
    """Pairs of pieces of cloth that come within twice the thickness of each other at some frame."""
    triangles = trace.scene("triangles").astype(int)
    piece = pieces_of(triangles)
    reach = 2 * trace.setting("thickness_m")
    own = [(np.flatnonzero(piece == k), triangles[piece[triangles[:, 0]] == k]) for k in range(piece.max() + 1)]
    met: set[tuple[int, int]] = set()
    for _, _, fields in trace.frames(member, names=["positions"]):
        x = fields["positions"]
        for pair in itertools.combinations(range(len(own)), 2):
            for a, b in (pair, pair[::-1]):
                if pair not in met:
                    vertices, faces = own[b]
                    if meet(x[own[a][0]], x[vertices], np.searchsorted(vertices, faces), reach):
                        met.add(pair)
    return len(met)


def obstacles_met(trace: Trace, member: int | None) -> tuple[int, int]:
    """Bodies that move, and those of them that come within twice the contact offset of a vertex of the cloth at some
    frame."""
    place, turned = poses(trace, member)
    moves = moving(place, turned)
    reach = 2 * trace.setting("contact_offset_m")
    x, _ = vertex_paths(trace, member)
    attached = (
        np.asarray(trace.scene("attachments")).astype(int)
        if trace.scene_shape("attachments")
        else np.zeros((0, 2), int)
    )
    met = 0
    for body in np.flatnonzero(moves):
        corners = trace.scene(f"rigid_{body}_positions")[trace.scene(f"rigid_{body}_triangles").astype(int)]
        radius = float(np.linalg.norm(corners, axis=2).max())
        free = np.ones(x.shape[1], bool)
        free[attached[attached[:, 1] == body, 0]] = False
        for row in range(len(x)):
            own = (x[row, free] - place[row, body]) @ turned[row, body]
            near = own[np.linalg.norm(own, axis=1) < radius + reach]
            if not len(near):
                continue
            if gap(near, corners) < reach:
                met += 1
                break
    return int(moves.sum()), met


@LEVEL("obstacles_met")
def met(data: ExperimentData) -> Measured:
    """Least share of moving bodies that get within twice the contact offset of a cloth."""
    found = [(c.label, *obstacles_met(c, m)) for c in EVERY_RUN.runs(data) for m in members_of(c)]
    still = [label for label, count, _ in found if not count]
    if still:
        raise MissingData(f"{LEVEL.experiment}: nothing moves in {still}")
    return Measured(
        np.min([near / count for _, count, near in found]), "; ".join(f"{near} of {count}" for _, count, near in found)
    )


def vertices_on_still_bodies(trace: Trace, member: int | None) -> int:
    """Vertices that have moved and are at the end within twice the contact offset of a body that never moves."""
    place, turned = poses(trace, member)
    reach = 2 * trace.setting("contact_offset_m")
    x, _ = vertex_paths(trace, member)
    near = np.zeros(x.shape[1], bool)
    for body in np.flatnonzero(~moving(place, turned)):
        corners = trace.scene(f"rigid_{body}_positions")[trace.scene(f"rigid_{body}_triangles").astype(int)]
        centres = corners.mean(axis=1)
        radii = np.linalg.norm(corners - centres[:, None], axis=2).max(axis=1)
        own = (x[-1] - place[-1, body]) @ turned[-1, body]
        for vertex in np.flatnonzero(np.ptp(x, axis=0).max(axis=1) > 1e-6):
            about = np.linalg.norm(own[vertex] - centres, axis=1) < radii + reach
            near[vertex] |= gap(own[vertex][None], corners[about]) < reach
    return int(near.sum())


def carried_height(trace: Trace) -> float:
    """Largest rise of the cloth's mean height above its previous minimum / drum radius.

    A fall counts as none."""
    centre = trace.values("frame", "positions")[..., 1].mean(axis=-1)
    rise = centre - np.minimum.accumulate(centre, axis=-1)
    return float(rise.max(axis=-1).min()) / trace.number("drum_radius_m")


@quantity("signed volume of a character over its rest volume, negative where it is inside out")
def volumes(trace: Trace) -> Array:
    """Per piece, [(member,) row, piece]."""
    found = np.asarray(trace.values("step", "component_volumes"), float)
    return np.asarray(found / found[..., :1, :])


swing = quantity("angle from the vertical that each hanging body reaches on both sides", unit="rad")(
    lambda c: to_and_fro(leans(c))
)
twist = quantity("angle that each hanging body twists to both sides about its stripe", unit="rad")(
    lambda c: to_and_fro(twists(c))
)
torn_by_cube = quantity("vertices that tearing has added before the ball is thrown")(
    lambda c: before_the_ball(c, "torn_vertices")
)
strain_at_end = quantity("root mean square strain of the edges at the end")(
    lambda c: series(c, "edge_strain_rms")[:, -1]
)
crossings_at_end = quantity("pairs of the character's triangles that intersect at the end")(
    lambda c: series(c, "self_intersections", "operator")[:, -1]
)
rate = quantity("simulated steps per second without rendering, from the median time of a step", unit="1/s")(
    lambda c: 1e3 / c.require_timing().median_ms
)

for M in measures("stripes folded_cloth cloth_over_bar"):
    M.largest("energy_gain", energy_gain, EVERY_RUN)
for M in (GEARS, CHARACTERS):
    M.least("least_volume", volumes, EVERY_RUN)
for M in measures("stripes folded_cloth tearing level"):
    M.least("steps_per_second", rate, EVERY_RUN, timing=True)
STRIPES.least("swing", swing, EVERY_RUN)
STRIPES.least("twist", twist, EVERY_RUN)
STRIPES.largest("attachment_error", attachment_error, EVERY_RUN)
TEARING.least("torn_by_cube", torn_by_cube, EVERY_RUN)
TEARING.least(
    "share_torn_off_by_ball",
    of_members("share of the triangles that leave the largest piece once the ball is thrown", torn_off),
    EVERY_RUN,
)
TEARING.least(
    "ball_passage",
    of_members("depth of the ball's centre behind the cloth's rectangle / ball radius", ball_passage),
    EVERY_RUN,
)
GEARS.least(
    "passed",
    of_members("share of the vertices that cross the plane of the axes between the axes and end below", passed_between),
    EVERY_RUN,
)
GEARS.largest("strain_at_end", strain_at_end, EVERY_RUN)
GEARS.largest("crossings_at_end", crossings_at_end, EVERY_RUN)
CHARACTERS.least(
    "meetings",
    of_members("pairs of characters with a vertex within twice the thickness of the other's triangles", meetings),
    EVERY_RUN,
)
LEVEL.least(
    "vertices_on_level",
    of_members(
        "moved vertices that end within twice the contact offset of a body that never moves", vertices_on_still_bodies
    ),
    EVERY_RUN,
)
BARREL.least("carried", carried_height, EVERY_RUN)
