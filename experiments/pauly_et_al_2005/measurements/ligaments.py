# SPDX-License-Identifier: BSD-3-Clause
"""Measurements of pauly_et_al_2005/topology_fuzz on the thickness of ligaments, the material left between two facing
cracks, with and without snapping."""

from functools import lru_cache

import numpy as np

from deformbench_analysis.vocabulary import Array, Measures, MissingData, Trace, quantity, rows
from .crack_fronts import Frame, last_frame, near_pairs, pair_shares, seeds, swept

M = Measures("pauly_et_al_2005/topology_fuzz")
POINTS = 200  # per body, on swept triangles
REACH = 2.0  # snapping distances searched on either side
SAME = 1e-2  # of d: nearer sheets coincide
FACING = float(np.cos(np.radians(20)))  # sheets at a larger angle meet in a crease
THIN = 0.5  # of d


def snapping_distance(trace: Trace) -> float:
    """d, m: the average radius of surfels."""
    return trace.setting("crack_surfel_radius_m")


def gaps(arrays: Frame, distance: float, seed: int) -> Array:
    """Thickness from random points of swept triangles along ±normal to the nearest facing triangle of another
    crack, in snapping distances; infinite beyond REACH."""
    triangles, owner = swept(arrays), arrays["crack_triangles"][:, 3]
    if len(triangles) == 0:
        return np.zeros(0)
    normals = np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0])
    size = np.linalg.norm(normals, axis=1)
    normals /= np.maximum(size, 1e-300)[:, None]
    random = np.random.default_rng(seed)
    chosen = random.choice(len(triangles), size=POINTS, p=size / size.sum())
    corners = np.sqrt(random.random((POINTS, 1)))
    share = random.random((POINTS, 1))
    a, b, c = triangles[chosen].transpose(1, 0, 2)
    points = (1 - corners) * a + corners * ((1 - share) * b + share * c)
    found = np.full(POINTS, np.inf)
    for sign in (1.0, -1.0):
        ways = sign * REACH * distance * normals[chosen]
        i, j = near_pairs(points + ways / 2, REACH * distance / 2, triangles)
        facing = np.abs(np.einsum("ij,ij->i", normals[chosen[i]], normals[j])) >= FACING
        others = facing & (owner[chosen[i]] != owner[j])
        i, j = i[others], j[others]
        thickness = REACH * pair_shares(points[i], points[i] + ways[i], triangles[j], margin=0.0)
        is_apart = thickness > SAME
        np.minimum.at(found, i[is_apart], thickness[is_apart])
    return found


@lru_cache(maxsize=None)
def all_gaps(trace: Trace) -> tuple[Array, ...]:
    """At the end of every sequence."""
    distance = snapping_distance(trace)
    found = [gaps(last_frame(trace, m), distance, 1 + k) for k, m in enumerate(seeds(trace))]
    if not sum(len(g) for g in found):
        raise MissingData(f"{trace.label}: nothing swept")
    return tuple(found)


def thin_bodies(trace: Trace) -> int:
    """Sequences at whose end material between two cracks is thinner than half a snapping distance."""
    return sum(bool((g < THIN).any()) for g in all_gaps(trace))


def least_thickness(trace: Trace) -> float:
    """Thickness, in snapping distances, of the material between two facing cracks at the end."""
    return min(float(g.min()) for g in all_gaps(trace) if len(g))


SNAPPING, WITHOUT = rows("snapping", says="runs with snapping"), rows("no_snapping", says="runs without snapping")

M.least("least_thickness", least_thickness, SNAPPING)
M.total("thin_bodies", thin_bodies, SNAPPING)
M.total("thin_bodies_without", thin_bodies, WITHOUT)
M.total("snapped_bodies", quantity("sequences that are judged")(lambda c: len(all_gaps(c))), SNAPPING)
