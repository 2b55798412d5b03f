# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_et_al_2007/self_collision_distance: on which side of a sheet the vertices of another are, how far,
and the moment of the impulses between them. [MHHR07] section 4.3"""

from __future__ import annotations

import numpy as np

from ... import extremes
from ...arrays import Array
from ...errors import MissingData
from ...measurement import Measured, measurement
from ...results import ExperimentData
from ...trace import Trace
from .cloth_scenes import pieces_of

DISTANCE = "mueller_et_al_2007/self_collision_distance"
ITERATIONS = "method.parameters.iterations"


def closest_on_triangles(q: Array, corners: Array) -> Array:
    """Barycentric weights [q, t, 3] of the points of triangles [t, 3, 3] that are closest to points [q, 3]."""
    a, b, c = (corners[None, :, k] for k in range(3))
    points = q[:, None, :]

    def on_edge(start: Array, end: Array) -> Array:
        along = end - start
        return np.asarray(np.clip(((points - start) * along).sum(-1) / (along**2).sum(-1), 0, 1))

    e1, e2, d = b - a, c - a, points - a
    g11, g12, g22 = (e1 * e1).sum(-1), (e1 * e2).sum(-1), (e2 * e2).sum(-1)
    r1, r2 = (d * e1).sum(-1), (d * e2).sum(-1)
    det = g11 * g22 - g12**2
    w1, w2 = (g22 * r1 - g12 * r2) / det, (g11 * r2 - g12 * r1) / det
    zero = np.zeros_like(w1)
    tab, tbc, tca = on_edge(a, b), on_edge(b, c), on_edge(c, a)
    candidates = np.stack(
        [
            np.stack([1 - w1 - w2, w1, w2], -1),
            np.stack([1 - tab, tab, zero], -1),
            np.stack([zero, 1 - tbc, tbc], -1),
            np.stack([tca, zero, 1 - tca], -1),
        ]
    )
    places = np.einsum("kqtc,tcx->kqtx", candidates, corners)
    far = np.linalg.norm(places - points[None], axis=-1)
    far[0][(candidates[0] < 0).any(-1)] = np.inf
    best = far.argmin(axis=0)
    return np.asarray(np.take_along_axis(candidates, best[None, :, :, None], axis=0).squeeze(axis=0))


def heights(q: Array, x: Array, triangles: Array) -> Array:
    """Distance of points from a sheet, with the sign of the side by its triangles' normals; NaN where the closest point of the
    sheet is on its border, which has no sides."""
    corners = x[triangles]
    weights = closest_on_triangles(q, corners)
    way = q[:, None, :] - np.einsum("qtc,tcx->qtx", weights, corners)
    far = np.linalg.norm(way, axis=-1)
    normals = np.cross(corners[:, 1] - corners[:, 0], corners[:, 2] - corners[:, 0])
    normals /= np.linalg.norm(normals, axis=1, keepdims=True)
    along = (way * normals[None]).sum(-1)
    # Of triangles equally near, the one that the point is most above tells the side.
    least = far.min(axis=1, keepdims=True)
    score = np.where(far <= least * (1 + 1e-9) + 1e-15, np.abs(along), -1.0)
    t = score.argmax(axis=1)
    rows = np.arange(len(q))
    found = np.copysign(far[rows, t], along[rows, t])
    sides = np.sort(np.concatenate([triangles[:, [1, 2]], triangles[:, [2, 0]], triangles[:, [0, 1]]]), axis=1)
    unique, index, count = np.unique(sides, axis=0, return_inverse=True, return_counts=True)
    del unique
    is_border = (count[index.ravel()] == 1).reshape(3, -1).T  # of the edge opposite each corner
    on_border = (is_border[t] & (weights[rows, t] < 1e-12)).any(axis=1)
    found[on_border] = np.nan
    return np.asarray(found)


def least_height(trace: Trace) -> float:
    """Least distance, over all vertices of both sheets and all steps, on the side of the other sheet where the vertex began, m."""
    x, triangles = trace.values("frame", "positions"), trace.scene("triangles").astype(int)
    extremes.finite(x, f"{DISTANCE}: {trace.label}: positions")
    part = pieces_of(triangles)
    found = np.inf
    for own, other in ((0, 1), (1, 0)):
        vertices, sheet = np.unique(triangles[part[triangles[:, 0]] == own]), triangles[part[triangles[:, 0]] == other]
        begins = heights(x[0][vertices], x[0], sheet)
        if np.isnan(begins).all():
            continue  # all of it is beside the other sheet
        side = np.sign(np.nanmedian(begins))
        upper, lower = (
            (x[:, vertices, 1], x[:, np.unique(sheet), 1])
            if side > 0
            else (x[:, np.unique(sheet), 1], x[:, vertices, 1])
        )
        gaps = upper.min(axis=1) - lower.max(axis=1)  # no height of that row is smaller
        for k in np.argsort(gaps):
            if gaps[k] > found:
                break
            found = min(found, float(np.nanmin(side * heights(x[k][vertices], x[k], sheet), initial=np.inf)))
    if np.isinf(found):
        raise MissingData(f"{DISTANCE}: {trace.label}: no vertex is above or below the other sheet at the start")
    return found


_known: dict[str, float] = {}


def shortfall(trace: Trace) -> float:
    """How much of the thickness is missing at the worst of all times: 1 − height/h; above 1 beyond the sheet; infinite of a run
    that did not complete. Kept: two ask."""
    if trace.status != "completed":
        return float("inf")
    key = str(trace.path)
    if key not in _known:
        _known[key] = 1 - least_height(trace) / float(trace.value("method.parameters.thickness_m"))
    return _known[key]


def moment(trace: Trace) -> float:
    """Largest |Σ x' × J| of a step, J the change of momentum of a vertex in it and x' where it ends, over Σ|J| times the side."""
    x, v, m = trace.values("frame", "positions"), trace.values("frame", "velocities"), trace.scene("masses")
    impulse = m[None, :, None] * (v[1:] - v[:-1])
    total = np.linalg.norm(np.cross(x[1:], impulse).sum(axis=1), axis=1)
    return float((total / np.maximum(np.linalg.norm(impulse, axis=2).sum(axis=1), 1e-300)).max()) / float(
        trace.value("scene.parameters.side_m")
    )


def drift(trace: Trace, channel: str, scale: float) -> float:
    """Farthest that a momentum gets from its start, over `scale` times the linear momentum at the start."""
    values = trace.values("step", channel)
    return float(
        np.linalg.norm(values - values[0], axis=1).max()
        / (scale * np.linalg.norm(trace.values("step", "linear_momentum")[0]))
    )


def largest(found: dict[str, float]) -> Measured:
    """The largest value, with its label as note."""
    return extremes.largest(found)


@measurement("self_collision_distance.shortfall", unit="1", experiment=DISTANCE)
def worst_shortfall(data: ExperimentData) -> Measured:
    """Largest 1 − height/h over all steps and numbers of iterations; h the thickness, height on the side where a
    vertex began: above 1 it has passed through; infinite for a run that did not complete."""
    return largest({c.label: shortfall(c) for c in data.some(status=None)})


@measurement("self_collision_distance.converged_shortfall", unit="1", experiment=DISTANCE)
def converged_shortfall(data: ExperimentData) -> Measured:
    """Largest 1 − height/h over all steps, the most iterations, all time steps; h the thickness, height on the side
    where a vertex began: above 1 it has passed through; infinite for a run that did not complete."""
    most = max(int(c.value(ITERATIONS)) for c in data.some(status=None))
    return largest({c.label: shortfall(c) for c in data.some(status=None, where={ITERATIONS: most})})


@measurement("self_collision_distance.intersections", unit="1", experiment=DISTANCE)
def intersections(data: ExperimentData) -> Measured:
    """Largest number of pairs of triangles that intersect, any number of iterations, at any time."""
    return largest({c.label: float(c.values("step", "self_intersections").max()) for c in data.some()})


@measurement("self_collision_distance.touching_share", unit="1", experiment=DISTANCE)
def touching_share(data: ExperimentData) -> Measured:
    """Share of the steps with a contact of the cloth with itself; smallest over the runs."""
    found = {c: float((c.values("step", "self_contacts")[1:] > 0).mean()) for c in data.some()}
    return extremes.least(found)


@measurement("self_collision_distance.momentum_change", unit="1", experiment=DISTANCE)
def momentum_change(data: ExperimentData) -> Measured:
    """Largest change of the linear momentum over that of the flying sheet."""
    return largest({c.label: drift(c, "linear_momentum", 1.0) for c in data.some()})


@measurement("self_collision_distance.angular_momentum_change", unit="1", experiment=DISTANCE)
def angular_momentum_change(data: ExperimentData) -> Measured:
    """Largest change of the angular momentum over the linear momentum of the flying sheet times its side."""
    return largest(
        {c.label: drift(c, "angular_momentum", float(c.value("scene.parameters.side_m"))) for c in data.some()}
    )


def per_way(trace: Trace) -> float:
    """The same over the distance per step, v Δt, over the side: by no more can a lever arm change while an impulse acts."""
    side = float(trace.value("scene.parameters.side_m"))
    way = float(trace.value("scene.parameters.speed_m_s")) * float(trace.value("scene.parameters.time_step_s"))
    return drift(trace, "angular_momentum", side) / (way / side)


@measurement("self_collision_distance.angular_change_per_way", unit="1", experiment=DISTANCE)
def angular_change_per_way(data: ExperimentData) -> Measured:
    """Largest change of the angular momentum over the flying sheet's momentum times the distance that it travels per
    step."""
    return largest({c.label: per_way(c) for c in data.some()})


@measurement("self_collision_distance.moment", unit="1", experiment=DISTANCE)
def worst_moment(data: ExperimentData) -> Measured:
    """Largest moment of all impulses of a step about the vertices' positions at its end, over the sum of the impulses'
    magnitudes times the sheet's side."""
    return largest({c.label: moment(c) for c in data.some()})
