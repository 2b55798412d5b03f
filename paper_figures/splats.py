# SPDX-License-Identifier: BSD-3-Clause
"""Surfels for render.py: every splat a polygon, cut where it reaches through a surfel of another sheet, so that creases are sharp [WTG04].

Which side of a crease is kept is decided at rest: the side on which the surfel's own centre lies. The planes are those of the
deformed surfels. Normals are blended within a sheet.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from scipy.spatial import cKDTree

from deformbench_analysis.arrays import Array
from paper_figures.render import Body

CORNERS = 12  # of a polygon around a splat
ON_PLANE = 1e-6  # radii: a centre nearer to the plane of another sheet has no side of its own


@dataclass(frozen=True)
class Splats:
    """Surfels of all sheets; at rest where `rest_` says so, metres."""

    positions: Array  # [n, 3]
    normals: Array  # [n, 3]
    axes: Array  # [n, 2, 3], half axes
    sheets: Array  # [n]
    rest_positions: Array  # [n, 3]
    rest_normals: Array  # [n, 3]
    skin_sheets: int  # sheets below this number are skin, the others faces of cracks

    @property
    def radii(self) -> Array:
        """Of the longer half axes, m."""
        return np.asarray(np.linalg.norm(self.axes, axis=2).max(axis=1))

    @property
    def is_skin(self) -> Array:
        """Of every surfel, as against faces of cracks."""
        return np.asarray(self.sheets < self.skin_sheets)

    @staticmethod
    def of(frame: dict[str, Array]) -> "Splats":
        """Of a frame with arrays of surfels."""
        return Splats(
            frame["surfel_positions"],
            frame["surfel_normals"],
            frame["surfel_axes"],
            frame["surfel_sheets"],
            frame["surfel_rest_positions"],
            frame["surfel_rest_normals"],
            int(frame["surfel_counts"][0]),
        )


@dataclass(frozen=True)
class Cut:
    """A surfel that a plane of another sheet cuts; `side` is −1 where what is behind that surfel's normal is kept, else +1."""

    surfel: int
    plane: int
    side: float


def cuts(splats: Splats) -> list[Cut]:
    """Of every surfel the nearest of every other sheet that its splat can reach, at rest; both faces of one crack do not cut each other."""
    found: list[Cut] = []
    radii = splats.radii
    numbers = np.unique(splats.sheets)
    trees = {
        n: (np.flatnonzero(splats.sheets == n), cKDTree(splats.rest_positions[splats.sheets == n])) for n in numbers
    }
    for own in numbers:
        mine = trees[own][0]
        for other in numbers:
            if other == own or _are_faces_of_one_crack(splats, int(own), int(other)):
                continue
            index, tree = trees[other]
            far, near = tree.query(splats.rest_positions[mine], distance_upper_bound=2 * float(radii.max()))
            reached = np.isfinite(far)
            i, j = mine[reached], index[near[reached]]
            kept = far[reached] <= radii[i] + radii[j]
            i, j = i[kept], j[kept]
            height = np.einsum("ij,ij->i", splats.rest_positions[i] - splats.rest_positions[j], splats.rest_normals[j])
            usual = -1.0 if height.sum() <= 0 else 1.0
            side = np.where(np.abs(height) > ON_PLANE * radii[i], np.sign(height), usual)
            found += [Cut(int(a), int(b), float(s)) for a, b, s in zip(i, j, side)]
    return found


def _are_faces_of_one_crack(splats: Splats, a: int, b: int) -> bool:
    """Faces come in twos behind the sheets of the skin."""
    first = splats.skin_sheets
    return min(a, b) >= first and (a - first) // 2 == (b - first) // 2


def outline(splats: Splats, surfel: int) -> Array:
    """[CORNERS, 3], around the whole splat."""
    turn = 2 * np.pi * (np.arange(CORNERS) + 0.5) / CORNERS
    u, v = splats.axes[surfel] / np.cos(np.pi / CORNERS)  # the ellipse is inside
    return np.asarray(splats.positions[surfel] + np.cos(turn)[:, None] * u + np.sin(turn)[:, None] * v)


def clipped(polygon: Array, point: Array, normal: Array) -> Array:
    """What of a convex polygon lies behind the plane (n·(x − point) ≤ 0); may be empty."""
    height = (polygon - point) @ normal
    corners = []
    for k in range(len(polygon)):
        a, b, ha, hb = polygon[k], polygon[(k + 1) % len(polygon)], height[k], height[(k + 1) % len(polygon)]
        if ha <= 0:
            corners.append(a)
        if (ha <= 0) != (hb <= 0):
            corners.append(a + (b - a) * (ha / (ha - hb)))
    return np.array(corners).reshape(-1, 3)


def polygons(splats: Splats, chosen: Array | None = None) -> list[tuple[int, Array]]:
    """(surfel, corners) of every splat of which something is left, or of those chosen. Surfels of a crack that stand out of the skin are left out."""
    of: dict[int, list[Cut]] = {}
    for cut in cuts(splats):
        of.setdefault(cut.surfel, []).append(cut)
    result = []
    everything = np.arange(len(splats.positions))
    for surfel in everything if chosen is None else np.flatnonzero(chosen):
        polygon = outline(splats, int(surfel))
        for cut in of.get(int(surfel), []):
            if not splats.is_skin[surfel] and splats.is_skin[cut.plane] and cut.side > 0:
                polygon = polygon[:0]
            if len(polygon):
                polygon = clipped(polygon, splats.positions[cut.plane], -cut.side * splats.normals[cut.plane])
        if len(polygon) > 2:
            result.append((int(surfel), polygon))
    return result


def blended_normals(splats: Splats, points: Array, surfels: Array) -> Array:
    """[k, 3]: means over the surfels about each point that belong to the sheet of its surfel, falling off over two radii."""
    normals = np.zeros_like(points)
    for sheet in np.unique(splats.sheets[surfels]):
        index = np.flatnonzero(splats.sheets == sheet)
        at = splats.sheets[surfels] == sheet
        count = min(12, len(index))
        distance, near = cKDTree(splats.positions[index]).query(points[at], k=count)
        distance, near = distance.reshape(-1, count), near.reshape(-1, count)
        weight = np.maximum(0.0, 1 - (distance / (2 * splats.radii[index[near]])) ** 2) ** 2 + 1e-12
        normals[at] = np.einsum("ij,ijk->ik", weight, splats.normals[index[near]])
    length = np.linalg.norm(normals, axis=1, keepdims=True)
    return np.asarray(np.where(length > 0, normals / np.maximum(length, 1e-300), splats.normals[surfels]))


def body(splats: Splats, chosen: Array, colour: str, bump: float = 0.0) -> Body:
    """The chosen splats as triangles with blended normals. `bump`: size of procedural bumps, metres; 0: smooth."""
    corners, triangles, owners = [], [], []
    count = 0
    for surfel, polygon in polygons(splats, chosen):
        corners.append(polygon)
        owners += [surfel] * len(polygon)
        triangles += [(count, count + k, count + k + 1) for k in range(1, len(polygon) - 1)]
        count += len(polygon)
    points = np.vstack(corners) if corners else np.zeros((0, 3))
    normals = blended_normals(splats, points, np.array(owners, dtype=int))
    return Body(points, np.array(triangles, dtype=int).reshape(-1, 3), colour, normals=normals, bump=bump)


def bodies(splats: Splats, skin: str, crack: str, bump: float = 0.0) -> list[Body]:
    """Skin and faces of cracks, each in its colour, bumps on the faces alone."""
    made = [body(splats, splats.is_skin, skin), body(splats, ~splats.is_skin, crack, bump)]
    return [b for b in made if len(b.triangles)]


def turned_body(made: Body, rotation: Array) -> Body:
    """Turned by a 3×3 matrix, normals too."""
    normals = None if made.normals is None else made.normals @ rotation.T
    return replace(made, positions=made.positions @ rotation.T, normals=normals)
