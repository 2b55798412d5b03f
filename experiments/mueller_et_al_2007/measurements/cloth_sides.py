# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of mueller_et_al_2007/self_collision_distance: on which side of a sheet the vertices of another are,
how far, and the moment of the impulses between them. [MHHR07] section 4.3"""

import numpy as np
from scipy.spatial.distance import cdist

from deformbench_analysis.vocabulary import EVERY_RUN, Array, Measures, MissingData, Trace, extremes, quantity
from .cloth_scenes import pieces_of
from .constraint_stiffness import iterations

DISTANCE = "mueller_et_al_2007/self_collision_distance"
M = Measures(DISTANCE)


def closest_on_triangles(q: Array, corners: Array) -> Array:
    """Barycentric weights [q, t, 3] of the points of triangles closest to points [q, 3]; the triangles are the same
    for all points, [t, 3, 3], or per point, [q, t, 3, 3]."""
    corners = corners if corners.ndim == 4 else corners[None]
    a, b, c = (corners[:, :, k] for k in range(3))
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
    places = np.einsum("kqtc,qtcx->kqtx", candidates, np.broadcast_to(corners, (len(q), *corners.shape[1:])))
    far = np.linalg.norm(places - points[None], axis=-1)
    far[0][(candidates[0] < 0).any(-1)] = np.inf
    best = far.argmin(axis=0)
    return np.asarray(np.take_along_axis(candidates, best[None, :, :, None], axis=0).squeeze(axis=0))


def _nearest(q: Array, corners: Array) -> Array:
    """Triangles [q, k], ascending, that include all nearest to each point: the nearest triangle is no farther than
    the nearest centroid."""
    middles = corners.mean(axis=1)
    far = cdist(q, middles)
    least = far - np.linalg.norm(corners - middles[:, None], axis=2).max(axis=1)
    most = int((least <= far.min(axis=1, keepdims=True) * (1 + 1e-8) + 1e-14).sum(axis=1).max())
    return np.asarray(np.sort(np.argpartition(least, most - 1, axis=1)[:, :most], axis=1))


def heights(q: Array, x: Array, triangles: Array) -> Array:
    """Distance of points from a sheet, signed by its triangles' normals; NaN where the closest point of the sheet is
    on its border, which has no sides."""
    near = _nearest(q, x[triangles])
    corners = x[triangles[near]]
    weights = closest_on_triangles(q, corners)
    way = q[:, None, :] - np.einsum("qtc,qtcx->qtx", weights, corners)
    far = np.linalg.norm(way, axis=-1)
    normals = np.cross(corners[:, :, 1] - corners[:, :, 0], corners[:, :, 2] - corners[:, :, 0])
    normals /= np.linalg.norm(normals, axis=-1, keepdims=True)
    along = (way * normals).sum(-1)
    # Among equally near triangles, the one with the largest height of the point decides the side.
    least = far.min(axis=1, keepdims=True)
    score = np.where(far <= least * (1 + 1e-9) + 1e-15, np.abs(along), -1.0)
    rows, place = np.arange(len(q)), score.argmax(axis=1)
    t = near[rows, place]
    found = np.copysign(far[rows, place], along[rows, place])
    sides = np.sort(np.concatenate([triangles[:, [1, 2]], triangles[:, [2, 0]], triangles[:, [0, 1]]]), axis=1)
    unique, index, count = np.unique(sides, axis=0, return_inverse=True, return_counts=True)
    del unique
    is_border = (count[index.ravel()] == 1).reshape(3, -1).T  # of the edge opposite each corner
    on_border = (is_border[t] & (weights[rows, place] < 1e-12)).any(axis=1)
    found[on_border] = np.nan
    return np.asarray(found)


def least_height(trace: Trace) -> float:
    """Least distance, over all vertices of both sheets and all steps,
    on the side of the other sheet where the vertex began, m."""
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
    """1 − height/h, h the thickness, over all steps; infinite for a run that did not complete.

    Height on the starting side of a vertex: above 1 beyond the sheet. Cached."""
    if trace.status != "completed":
        return float("inf")
    key = str(trace.path)
    if key not in _known:
        _known[key] = 1 - least_height(trace) / trace.setting("thickness_m")
    return _known[key]


def moment(trace: Trace) -> float:
    """Moment of a step's impulses at the final positions / (sum of their magnitudes × side).

    |Σ x' × J|, J the momentum change of a vertex in the step and x' its final position."""
    x, v, m = trace.values("frame", "positions"), trace.values("frame", "velocities"), trace.scene("masses")
    impulse = m[None, :, None] * (v[1:] - v[:-1])
    total = np.linalg.norm(np.cross(x[1:], impulse).sum(axis=1), axis=1)
    return float((total / np.maximum(np.linalg.norm(impulse, axis=2).sum(axis=1), 1e-300)).max()) / trace.number(
        "side_m"
    )


def drift(trace: Trace, channel: str, scale: float) -> float:
    """Largest change of a momentum / (`scale` × initial linear momentum)."""
    values = trace.values("step", channel)
    return float(
        np.linalg.norm(values - values[0], axis=1).max()
        / (scale * np.linalg.norm(trace.values("step", "linear_momentum")[0]))
    )


def momentum_change(trace: Trace) -> float:
    """Change of linear momentum / that of the flying sheet."""
    return drift(trace, "linear_momentum", 1.0)


def angular_momentum_change(trace: Trace) -> float:
    """Change of angular momentum / (linear momentum of the flying sheet × its side)."""
    return drift(trace, "angular_momentum", trace.number("side_m"))


def per_way(trace: Trace) -> float:
    """Change of angular momentum / (flying sheet's momentum × its path per step).

    v Δt bounds the change of a lever arm while an impulse acts."""
    side = trace.number("side_m")
    way = trace.number("speed_m_s") * trace.number("time_step_s")
    return angular_momentum_change(trace) / (way / side)


def touching(trace: Trace) -> float:
    """Share of the steps with a contact of the cloth with itself."""
    return float((trace.values("step", "self_contacts")[1:] > 0).mean())


intersections = quantity("pairs of triangles that intersect")(lambda c: c.values("step", "self_intersections"))
ANYHOW = EVERY_RUN.however_ended("a run that did not complete is infinitely wrong")

M.largest("shortfall", shortfall, ANYHOW)
M.largest("converged_shortfall", shortfall, ANYHOW.at_largest(iterations))
M.largest("intersections", intersections, EVERY_RUN)
M.least("touching_share", touching, EVERY_RUN)
M.largest("momentum_change", momentum_change, EVERY_RUN)
M.largest("angular_momentum_change", angular_momentum_change, EVERY_RUN)
M.largest("angular_change_per_way", per_way, EVERY_RUN)
M.largest("moment", moment, EVERY_RUN)
