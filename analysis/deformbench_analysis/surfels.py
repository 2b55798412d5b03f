# SPDX-License-Identifier: BSD-3-Clause
"""The surface that surfels of one sheet define, from their positions and normals: the analysis' own evaluation.

Of a point x: weights ω(|x − p| / 2.4 r) of the surfels p, their mean position a and mean normal n; the surface is
where n·(x − a) is zero (Alexa and Adamson 2004)."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from scipy.spatial import cKDTree

from .arrays import Array

KERNEL_WIDTH = 2.4  # support of the weights over the radius of the surfels: that of the method


def spline(ratio: Array) -> Array:
    """ω(r) = 1 − 6r² + 8r³ − 3r⁴ below 1."""
    r = np.minimum(ratio, 1.0)
    return np.asarray(1 - 6 * r**2 + 8 * r**3 - 3 * r**4)


@dataclass(frozen=True)
class Sheet:
    """Surfels of one sheet and radius."""

    positions: Array  # [n, 3], m
    normals: Array  # [n, 3]
    radius: float  # m

    @cached_property
    def _tree(self) -> cKDTree:
        return cKDTree(self.positions)

    def means(self, points: Array) -> tuple[Array, Array]:
        """a and n [k, 3] at the points; not a number where no surfel reaches."""
        support = KERNEL_WIDTH * self.radius
        a, n = np.full_like(points, np.nan), np.full_like(points, np.nan)
        for k, near in enumerate(self._tree.query_ball_point(points, support)):
            weights = spline(np.linalg.norm(self.positions[near] - points[k], axis=1) / support)
            normal = weights @ self.normals[near]
            if weights.sum() > 0 and np.linalg.norm(normal) > 0:
                a[k] = weights @ self.positions[near] / weights.sum()
                n[k] = normal / np.linalg.norm(normal)
        return a, n

    def residuals(self, points: Array) -> Array:
        """n·(x − a) [k], m."""
        a, n = self.means(points)
        return np.asarray(np.einsum("ij,ij->i", n, points - a))

    def distances(self, points: Array) -> Array:
        """To the nearest surfel [k], m."""
        return np.asarray(self._tree.query(points)[0])


def sheets_of(frame: dict[str, Array], radius: float) -> dict[int, Sheet]:
    """The sheets of a frame with arrays of surfels, at rest."""
    of = frame["surfel_sheets"]
    return {
        int(s): Sheet(frame["surfel_rest_positions"][of == s], frame["surfel_rest_normals"][of == s], radius)
        for s in np.unique(of)
    }
